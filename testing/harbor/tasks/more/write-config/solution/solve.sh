#!/bin/sh
hosts=$(sed 's/.*/"&"/' hosts | paste -sd, -)
printf '{"name": "%s", "port": 8443, "hosts": [%s]}\n' "$SERVICE" "$hosts" > config.json
