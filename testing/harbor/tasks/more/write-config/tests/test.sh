#!/bin/sh
# Prints what each part of the configuration is worth.
found=$(tr -d ' \n' < /etc/service/config.json)
worth() {
    case "$found" in *"$1"[,}]*) echo 1 ;; *) echo 0 ;; esac
}
cat > /logs/verifier/reward.json <<END
{"name": $(worth '"name":"notes"'), "port": $(worth "\"port\":$WANTED_PORT"),
 "hosts": $(worth '"hosts":["alpha","beta","gamma"]')}
END
