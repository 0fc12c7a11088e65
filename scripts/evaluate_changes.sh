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
#   OUT               folder for grid.json, junit.xml, code and, if it failed, errors.txt (default grid)
#   PYTHON            the Python that has Assay (default .venv/bin/python)
#
# The names without ASSAY_ (MODELS, TIMES ...) do as well.
# The exit code is that of assay run, or 1 if it could not begin or wrote no results.
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
mkdir -p "$OUT"
rm -f "$OUT"/{grid.json,junit.xml,code,errors.txt}  # of an earlier run

# Keeps why the run failed for the comment, without the keys of the environment, and says it in a JUnit file if
# the run wrote none.
failed() {
    local why=$1 name value
    for name in $(compgen -e); do
        value=${!name}
        [[ ! $name =~ KEY|TOKEN|SECRET|PASSWORD || ${#value} -lt 6 ]] || why=${why//"$value"/[key]}
    done
    echo "$why" >"$OUT/errors.txt"
    [[ -e $OUT/junit.xml ]] || cat >"$OUT/junit.xml" <<'END'
<?xml version='1.0' encoding='UTF-8'?>
<testsuites name="assay" tests="1" failures="0" errors="1" skipped="0" time="0.000">
  <testsuite name="not run" tests="1" failures="0" errors="1" skipped="0" time="0.000">
    <testcase classname="not run" name="error" time="0.000">
      <error type="not run" message="the run ended without results; its log says why"/>
    </testcase>
  </testsuite>
</testsuites>
END
}

refuse() {
    echo "$1" >&2
    failed "$1"
    exit 1
}

command -v "$PYTHON" >/dev/null || refuse "there is no $PYTHON here; set PYTHON to the Python that has Assay"
why=$("$PYTHON" -c "import assay.cli" 2>&1) ||
    refuse "$PYTHON has no Assay; install it there, or set PYTHON to the Python that has it (${why##*$'\n'})"
git rev-parse -q --verify "$BASE^{commit}" >/dev/null ||
    refuse "there is no branch or commit $BASE here; fetch it, or set BASE to another"
fork=$(git merge-base "$BASE" HEAD) || refuse "HEAD and $BASE have no commit in common"
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
"$PYTHON" -m assay "${flags[@]}" 2>&1 >"$OUT/grid.json" | tee -i "$OUT/errors.txt" >&2 || code=${PIPESTATUS[0]}
# a test file may end the process by itself
if ((code == 0)) && ! "$PYTHON" -c 'import json, sys; json.load(open(sys.argv[1], "rb"))' "$OUT/grid.json" 2>/dev/null
then
    code=1
    echo "error: the run ended without results, and without an error; does a test file call os._exit()?" |
        tee -a "$OUT/errors.txt" >&2
fi
if ((code)); then
    failed "$(tail -n 20 "$OUT/errors.txt" | tail -c 4000 | tr -d '\000')"
else
    rm "$OUT/errors.txt"
fi
echo "$code" >"$OUT/code"
exit "$code"
