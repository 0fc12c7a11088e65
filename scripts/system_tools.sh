#!/usr/bin/env bash
# Installs system packages without asking: scripts/system_tools.sh run|test|image|venv|all|list
#
#   run    bubblewrap, if there is no sandbox. Without an administrator it is unpacked into .cache/tools.
#   image  what `make image` needs: podman and what builds a root file system. For root also crun, which is
#          unpacked into .cache/tools where podman, as soon as it saw one, would take it and fail.
#   test   what the project's own tests use: every backend, a browser, a terminal
#   venv   python3-venv
#   all    run, image, test and the compilers of the applied suite; what .ci/run uses
#   list   prints the packages of `all`
#
# Packages are installed by apt-get as root or, after a notice, with `sudo -n` (not if ASSAY_NO_SUDO=1). At the
# end, what could not be installed is named with the command for the administrator. `run` fails only without
# bubblewrap; `test` and `image` name what is missing and go on, because parts of them work without it.
set -euo pipefail
cd "$(dirname "$0")/.."
export DEBIAN_FRONTEND=noninteractive PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"

say() { echo "setup: $*" >&2; }

# command or file that shows the package is there, then the package
RUN_TOOLS=(bwrap:bubblewrap)
IMAGE_TOOLS=(podman:podman runc:runc newuidmap:uidmap buildah:buildah mmdebstrap:mmdebstrap
    /usr/share/keyrings/debian-archive-keyring.gpg:debian-archive-keyring)
TEST_TOOLS=(dockerd:docker.io chromium:chromium chromedriver:chromium-driver tmux:tmux git:git zsh:zsh fish:fish
    /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf:fonts-dejavu-core ps:procps runuser:util-linux)
[[ ! -e /sys/fs/cgroup/cgroup.controllers ]] || IMAGE_TOOLS+=(crun:crun)  # version 2 of cgroups alone
LANGUAGE_TOOLS=(gcc:gcc g++:g++ sqlite3:sqlite3 patch:patch gdb:gdb file:file objdump:binutils)

missing_of() {  # the packages of the given tools that are not here
    local tool probe
    for tool in "$@"; do
        probe=${tool%%:*}
        if [[ $probe == /* ]]; then
            [[ -e $probe ]] || echo "${tool#*:}"
        else
            command -v "$probe" >/dev/null || echo "${tool#*:}"
        fi
    done | sort -u
}

administrator=()
may_install() {  # packages...: whether they can be had by apt-get
    command -v apt-get >/dev/null || return 1
    [[ $(id -u) == 0 ]] && return 0
    [[ -z ${ASSAY_NO_SUDO:-} ]] && command -v sudo >/dev/null || return 1
    say "about to use sudo (only if it needs no password) for: apt-get install $* (ASSAY_NO_SUDO=1 prevents this)"
    # -n: fail rather than ask for a password
    if sudo -n true 2>/dev/null; then
        administrator=(sudo -n env DEBIAN_FRONTEND=noninteractive)
        return 0
    fi
    return 1
}

apt_install() {
    say "installing with apt-get: $*"
    local log=.cache/apt.log
    mkdir -p .cache
    local options=(-o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -qq)
    # The lists of a fresh machine are empty or old: try with what is there, then with fresh ones.
    if ! "${administrator[@]}" apt-get "${options[@]}" install -y --no-install-recommends "$@" </dev/null >"$log" 2>&1; then
        "${administrator[@]}" apt-get "${options[@]}" update </dev/null >>"$log" 2>&1 || true
        if ! "${administrator[@]}" apt-get "${options[@]}" install -y --no-install-recommends "$@" </dev/null >>"$log" 2>&1; then
            tail -n 20 "$log" >&2
            return 1
        fi
    fi
}

UNPACKED=$PWD/.cache/tools/usr/bin  # where Assay looks as well (assay/home.py)

# Fetch a package and what it lacks here, and unpack them into .cache/tools: no administrator, nothing outside
# this folder. The program in it has the package's name, or the second argument's.
unpack() {
    command -v apt-get >/dev/null && command -v dpkg >/dev/null || return 1
    local root=$PWD/.cache/tools state=$PWD/.cache/apt program=$UNPACKED/${2:-$1} each wanted links loader libraries
    say "unpacking $1 into .cache/tools (this installs nothing and needs no administrator rights)"
    mkdir -p "$root" "$state"/lists/partial "$state"/archives/partial
    local options=(-qq -o Dir::State="$state" -o Dir::State::status=/var/lib/dpkg/status -o Dir::Cache="$state"
        -o Dir::State::lists="$state/lists" -o APT::Sandbox::User= -o Acquire::Retries=3)
    apt-get "${options[@]}" update </dev/null >.cache/apt.log 2>&1 || true
    wanted=$(apt-get "${options[@]}" --simulate --no-install-recommends install "$1" </dev/null 2>>.cache/apt.log \
        | awk '$1 == "Inst" { print $2 }')
    for each in ${wanted:-$1}; do
        (cd "$state/archives" && apt-get "${options[@]}" download "$each" </dev/null >>../../apt.log 2>&1 \
            && dpkg -x "$(ls -t "$each"_*.deb | head -n 1)" "$root") || { tail -n 5 .cache/apt.log >&2; return 1; }
    done
    # Where libraries came along, a script starts it with them. (`ldd | grep -q` would now and then fail where it
    # finds something: grep is gone by the time that ldd writes on, and pipefail reports ldd's broken pipe.)
    links=$(ldd "$program")
    if [[ $links == *"not found"* ]]; then
        loader=$(awk '$1 ~ /ld-linux/ { print $1 }' <<<"$links")
        libraries=$(find "$root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
        mv "$program" "$program.program"
        printf '#!/bin/sh\nexec %q --library-path %q %q "$@"\n' "$loader" "$libraries" "$program.program" >"$program"
        chmod +x "$program"
    fi
    "$program" --version >/dev/null
}

install_or_name() {  # tools...: install what is missing, or say what to ask for; 1 if anything is missing
    local packages
    mapfile -t packages < <(missing_of "$@")
    [[ ${#packages[@]} == 0 ]] && return 0
    if may_install "${packages[@]}" && apt_install "${packages[@]}"; then
        return 0
    fi
    say "missing: ${packages[*]}"
    say "ask the administrator for: apt-get install --no-install-recommends ${packages[*]}"
    return 1
}

ensure_bubblewrap() {
    "$UNPACKED/bwrap" --version >/dev/null 2>&1 && return 0
    [[ $(missing_of bwrap:bubblewrap) == "" ]] && { install_or_name "${RUN_TOOLS[@]}" || true; return 0; }
    if may_install bubblewrap && apt_install bubblewrap; then return 0; fi
    if unpack bubblewrap bwrap; then return 0; fi
    if command -v podman >/dev/null || command -v docker >/dev/null; then
        say "bubblewrap is missing; sandboxes will be containers, which need the image: make image"
        return 0
    fi
    say "there is no sandbox, so model-written code will not run. Ask the administrator for: apt-get install bubblewrap"
}

# Only root can start containers by it. Without it runc does, at three times the cost.
ensure_crun() {
    [[ $(id -u) != 0 ]] || "$UNPACKED/crun" --version >/dev/null 2>&1 || command -v crun >/dev/null && return 0
    unpack crun || { say "crun is missing: runc or the engine will start containers, which is slower"; return 1; }
}

case ${1:-} in
    run) ensure_bubblewrap ;;
    image) install_or_name "${IMAGE_TOOLS[@]}" || true; ensure_crun || true ;;
    test) ensure_bubblewrap; install_or_name "${IMAGE_TOOLS[@]}" "${TEST_TOOLS[@]}" || true; ensure_crun || true ;;
    venv) may_install python3-venv && apt_install python3-venv ;;
    all) install_or_name "${RUN_TOOLS[@]}" "${IMAGE_TOOLS[@]}" "${TEST_TOOLS[@]}" "${LANGUAGE_TOOLS[@]}"; ensure_crun ;;
    list) printf '%s\n' "${RUN_TOOLS[@]}" "${IMAGE_TOOLS[@]}" "${TEST_TOOLS[@]}" "${LANGUAGE_TOOLS[@]}" | cut -d: -f2 | sort -u ;;
    *) echo "usage: $0 run|test|image|venv|all|list" >&2; exit 2 ;;
esac
