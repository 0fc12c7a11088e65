#!/bin/bash
reward=0
[ "$(cat /data/errors.txt)" = "$(grep -cE ' 5[0-9][0-9]$' /data/server.log)" ] && reward=0.5
worst=$(grep -E ' 5[0-9][0-9]$' /data/server.log | cut -d' ' -f3 | sort | uniq -c | sort -rn | head -n 1)
[ "$reward" = 0.5 ] && [ "$(cat /data/worst.txt)" = "${worst##* }" ] && reward=1
echo $reward > /logs/verifier/reward.txt
