#!/bin/bash
from=$(mktemp -d) to=$(mktemp -d)/new
echo 1 > "$from/plain"
echo 2 > "$from/two words"
echo 3 > "$from/.hidden"
mkdir "$from/below"
echo 4 > "$from/below/deep"
/app/backup.sh "$from" "$to"
if diff <(cd "$to" && ls -A) /tests/expected.txt && [ "$(cat "$to/two words")" = 2 ]; then
    echo 1 > /logs/verifier/reward.txt
else
    echo 0 > /logs/verifier/reward.txt
fi
