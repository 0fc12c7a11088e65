#!/usr/bin/env bash
# Writes requirements.lock, requirements-extra.lock and scripts/installers.lock: one version of each library
# within the ranges of the .txt files, with the hashes of its files for every platform and Python 3.11 to 3.13.
# `make setup` installs those. Needs the network and changes nothing else. A locked version stays unless it is
# outside its range:
#
#   scripts/lock.sh             after a change of a range
#   scripts/lock.sh --upgrade   the newest versions within the ranges
set -euo pipefail
cd "$(dirname "$0")/.."

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
"${ASSAY_PYTHON:-python3}" -m venv "$tools/env"
"$tools/env/bin/python" -m pip install --quiet --disable-pip-version-check 'uv>=0.8,<1'

compile() {
    # The public index by name: that of a mirror must not get into the file, nor what only the mirror has.
    env -u UV_INDEX_URL -u UV_EXTRA_INDEX_URL -u UV_DEFAULT_INDEX -u UV_INDEX -u UV_FIND_LINKS \
        "$tools/env/bin/uv" pip compile --quiet --no-config --index-url https://pypi.org/simple \
        --universal --python-version 3.11 --no-header --no-annotate "$@"
}

for name in scripts/installers requirements requirements-extra; do
    echo "lock: $name.lock" >&2
    compile --generate-hashes ${1:+"$1"} ${constraints:+--constraint "$constraints"} \
        --output-file "$name.lock" "$name.txt"
    head="# Made by scripts/lock.sh from ${name##*/}.txt, which has the ranges; make setup installs these versions."
    sed -i "1i $head" "$name.lock"
    [[ $name == scripts/* ]] || constraints=requirements.lock  # both hold the same versions
done

# What each extra adds to requirements.lock, for scripts/locked.py.
sed 's/==.*//' requirements.lock >"$tools/base"
"$tools/env/bin/python" scripts/locked.py --names | while read -r extra; do
    echo "lock: $extra" >&2
    "$tools/env/bin/python" scripts/locked.py --ranges "$extra" | compile --constraint requirements-extra.lock - \
        | sed 's/==.*//' | grep -vxFf "$tools/base" | paste -sd' ' | sed "s/^/# $extra: /"
done >"$tools/extras"
sed -i "1r $tools/extras" requirements-extra.lock
