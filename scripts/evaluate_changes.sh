#!/usr/bin/env bash
# Runs the tests that changed since BASE, for .github/workflows/evaluate.yml and on your own machine:
#
#   BASE=origin/main ASSAY_MODELS="openai/gpt-4o" scripts/evaluate_changes.sh
#
#   BASE              the branch that changes are counted from, at the commit where this branch left it
#   ASSAY_MODELS      separated by spaces or commas
#   ASSAY_TIMES       trials of each test (default 1)
#   ASSAY_MAX_COST    US dollars that the run may cost (default 1); none: no limit (needed for models without a price)
#   ASSAY_FAIL_UNDER  percentage that each model must pass (default: none)
#   OUT               folder for grid.json, junit.xml and code (default grid)
#   PYTHON            the Python that has Assay (default .venv/bin/python)
#
# The names without ASSAY_ (MODELS, TIMES ...) do as well.
# The exit code is that of assay run, or 1 if PYTHON has no Assay.
set -euo pipefail
cd "$(dirname "$0")/.."

: "${BASE:?set it to the branch or commit that changes are counted from}"
for name in MODELS TIMES MAX_COST FAIL_UNDER; do
    ours=ASSAY_$name
    printf -v "$name" %s "${!ours:-${!name:-}}"
done
: "${MODELS:?set ASSAY_MODELS to the models to run}"
MAX_COST=${MAX_COST:-1}
OUT=${OUT:-grid} PYTHON=${PYTHON:-.venv/bin/python}
"$PYTHON" -c "import assay.cli" || {
    echo "$PYTHON has no Assay; install it there, or set PYTHON to the Python that has it" >&2
    exit 1
}
mkdir -p "$OUT"
rm -f "$OUT"/{grid.json,junit.xml,code}  # of an earlier run

git rev-parse -q --verify "$BASE^{commit}" >/dev/null || {
    echo "there is no branch or commit $BASE here; fetch it, or set BASE to another" >&2
    exit 1
}
fork=$(git merge-base "$BASE" HEAD) || { echo "HEAD and $BASE have no commit in common" >&2; exit 1; }
# --only-changed counts what a commit itself changed as well, so it is given a commit without changes that
# stands where the branch left: it is in no branch and is never pushed.
marker=$(GIT_AUTHOR_NAME=ci GIT_AUTHOR_EMAIL=ci@localhost GIT_COMMITTER_NAME=ci GIT_COMMITTER_EMAIL=ci@localhost \
    git commit-tree -p "$fork" -m "where the branch left $BASE" "$fork^{tree}")
echo "tests that changed since ${fork:0:12} run: the branch left $BASE there (messages call it $marker)" >&2

echo "ASSAY_TIMES=$TIMES ASSAY_MAX_COST=$MAX_COST (none: no limit, for models without a price) ASSAY_FAIL_UNDER=$FAIL_UNDER" >&2
flags=(--run-tests --only-changed "$marker" --format json --generate-report --export "junit=$OUT/junit.xml")
IFS=', ' read -ra models <<<"${MODELS//$'\n'/ }"
for model in "${models[@]}"; do
    [[ -z $model ]] || flags+=(--model "$model")
done
[[ -z $TIMES ]] || flags+=(--times "$TIMES")
[[ $MAX_COST == none ]] || flags+=(--max-cost "$MAX_COST")
[[ -z $FAIL_UNDER ]] || flags+=(--fail-under "$FAIL_UNDER")

code=0
"$PYTHON" -m assay "${flags[@]}" >"$OUT/grid.json" || code=$?
echo "$code" >"$OUT/code"
exit "$code"
