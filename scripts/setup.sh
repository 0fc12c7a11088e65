#!/usr/bin/env bash
# Makes the repository ready to use: scripts/setup.sh run [EXTRA...]|test
#
#   run   .venv with the packages of requirements.lock, and a sandbox if this machine has none. Later calls keep
#         the extras of pyproject.toml that are named.
#   test  the same with requirements-extra.lock, which has all extras, and the system tools that the tests use
#
# Does nothing if nothing has changed. Asks nothing. Needs Python 3.11 or later. Installs with uv if it is on PATH
# or can be downloaded (scripts/installers.lock), or else with pip.
set -euo pipefail
cd "$(dirname "$0")/.."

purpose=${1:-run}
case $purpose in
    run) requirements=requirements.txt ;;
    test) requirements=requirements-extra.txt ;;
    *) echo "usage: $0 run [EXTRA...]|test" >&2; exit 2 ;;
esac
lock=${requirements%.txt}.lock

say() { echo "setup: $*" >&2; }
die() { say "$*"; exit 1; }

mkdir -p .cache
exec 9>.cache/setup.lock
flock 9  # two makes at once would write into one another's environment

find_python() {
    local name
    for name in "${ASSAY_PYTHON:-python3}" python3 python3.13 python3.12 python3.11; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    die "Assay needs Python 3.11 or later. On Debian or Ubuntu: apt-get install python3"
}

make_environment() {
    local python
    python=$(find_python)
    say "making .venv with $python"
    rm -rf .venv
    # An environment without pip needs no ensurepip, which Debian leaves out, and no administrator.
    if "$python" -m venv --without-pip .venv && install_installers; then
        return
    fi
    rm -rf .venv
    scripts/system_tools.sh venv || die "pip cannot be installed; ask the administrator for: apt-get install python3-venv"
    "$python" -m venv .venv
}

find_uv() {
    local uv
    for uv in .venv/bin/uv uv; do
        "$uv" --version >/dev/null 2>&1 && { echo "$uv"; return; }
    done
    return 1
}

# pip for whoever uses the environment, and uv for its speed.
install_installers() {
    local uv
    uv=$(find_uv) && uv_install "$uv" --require-hashes --no-deps -r scripts/installers.lock && return
    .venv/bin/python scripts/bootstrap_pip.py
}

uv_install() { .venv/bin/python scripts/uv_install.py "$@" </dev/null 2>.cache/uv.log; }

# An interpreter that was upgraded or a folder that was moved leaves an environment that does not start.
if ! .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
    || ! .venv/bin/python -c 'import pip' 2>/dev/null; then
    make_environment
fi

# What is installed stands in the name that people know; with extras the files are put together.
named=${requirements%.txt} extras=
if [[ $purpose == run ]]; then
    extras=$(printf '%s\n' "${@:2}" $(cat .venv/.extras 2>/dev/null) | sort -u | xargs)
fi
if [[ -n $extras ]]; then
    named="requirements with extras ($extras)" requirements=.cache/requirements.txt
    .venv/bin/python scripts/locked.py --ranges $extras >"$requirements" || exit 2
    if [[ -f $lock && -f requirements-extra.lock ]]; then
        lock=.cache/requirements.lock
        .venv/bin/python scripts/locked.py $extras >"$lock"
    fi
fi

# The lock names one version of each library, with the hashes of its files: what is downloaded is what the tests
# ran with, or nothing. Without it (ASSAY_UNLOCKED=1, another Python, a mirror that lacks a version) the ranges.
why_unlocked() {
    [[ -z ${ASSAY_UNLOCKED:-} ]] || { echo "ASSAY_UNLOCKED is set"; return; }
    [[ -f $lock ]] || { echo "there is no $lock"; return; }
    .venv/bin/python -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
        || .venv/bin/python -c 'import sys; print("it is for Python 3.11 to 3.13, and this is %d.%d" % sys.version_info[:2])'
}

install() {
    local uv
    if uv=$(find_uv); then
        uv_install "$uv" "$@" && return
        say "uv could not install them (.cache/uv.log says why); trying pip"
    fi
    # What is imported is compiled then: to compile all takes as long as the rest.
    PIP_DISABLE_PIP_VERSION_CHECK=1 .venv/bin/python -m pip install --quiet --no-input --no-compile "$@" </dev/null
}

install_locked() {  # 1: the index lacks something, so that the ranges must do
    local said=.cache/pip.log
    # No resolving: the lock is complete.
    install --require-hashes --no-deps -r "$lock" 2> >(tee "$said" >&2) && return 0
    if grep -q "DO NOT MATCH THE HASHES" "$said"; then
        die "a package differs from its hash in $lock, so it was not installed. If you trust the index anyway:
       ASSAY_UNLOCKED=1 make setup"
    fi
    grep -q "No matching distribution found\|Could not find a version" "$said" && return 1
    die "pip could not install $lock; if you use a mirror, set PIP_INDEX_URL or pip.conf"
}

install_libraries() {
    local why
    why=$(why_unlocked)
    if [[ -z $why ]]; then
        say "installing the locked versions of $named"
        install_locked && return
        why="the index lacks a locked version"
    fi
    say "installing $named without locked versions, because $why; hashes are not checked"
    install -r "$requirements" \
        || die "pip could not install $requirements; if you use a mirror, set PIP_INDEX_URL or pip.conf"
}

# The stamp holds what was installed, so that edits, branches and clones are noticed; times would not tell.
wanted=$(cat requirements.txt "$requirements" "$lock" 2>/dev/null | cat - <(echo "${ASSAY_UNLOCKED:-}") | sha256sum | cut -d' ' -f1)
stamp=.venv/.installed-$purpose
if [[ $(cat "$stamp" 2>/dev/null) != "$wanted" ]]; then
    install_libraries
    echo "$wanted" >"$stamp"
    [[ -z $extras ]] || echo "$extras" >.venv/.extras
    fresh=yes
fi

# The command, of this checkout, unless pip install -e has made one.
if [[ ! -e .venv/bin/assay ]] || grep -q "^CHECKOUT =" .venv/bin/assay; then
    cp scripts/assay .venv/bin/assay
elif compgen -G ".venv/lib/python*/site-packages/assay/__init__.py" >/dev/null; then
    say "warning: .venv/bin/assay is a copy that pip install made, and not this checkout, whose changes it lacks;" \
        "to get this checkout's: .venv/bin/python -m pip uninstall -y assay && make setup"
fi

scripts/system_tools.sh "$purpose"
[[ -z ${fresh:-} ]] || say "done; for the command assay in this shell: . .venv/bin/activate"
