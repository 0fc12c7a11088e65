"""
Layers of config.json: programs beside those of the image, e.g. agent programs with all that they import.

A layer is a folder that sandboxes show at /opt/NAME, read-only, for the tests that name it. It is installed
in a container of the image, with this machine's mirrors and certificates, and nothing of the image changes:
the Python there, which judges programs, has none of the layer's packages. The folder's name holds a hash of
what went in, so that a changed definition or image is built anew and nothing else is.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shlex
import shutil
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from assay.errors import MissingData
from assay.home import BUILD_IMAGE
from assay.records import Layer
from assay.sandboxes.image import builder
from assay.sandboxes.image.machine_settings import MachineSettings, machine_settings, npm_configuration
from assay.sandboxes.image.rootfs import ROOTS_CACHE, files_cache, locked

UNUSED_S = 14 * 86400.0  # after which `assay image` removes one

# Secrets are those of the Dockerfile of the image, and npm's settings.
DOCKERFILE = """\
FROM {image} AS built
COPY layer.sh /tmp/layer.sh
RUN {secrets} bash /tmp/layer.sh
FROM scratch
COPY --from=built {copied} /
"""
BEGIN = """\
set -eu
given() {
    if [ -s "/run/secrets/$1" ]; then for name in "${@:2}"; do export "$name=/run/secrets/$1"; done; fi
}
given apt.conf APT_CONFIG
given pip.conf PIP_CONFIG_FILE
given npmrc NPM_CONFIG_USERCONFIG
given ca.crt PIP_CERT NPM_CONFIG_CAFILE NODE_EXTRA_CA_CERTS SSL_CERT_FILE REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
export DEBIAN_FRONTEND=noninteractive PIP_NO_CACHE_DIR=1 PIP_PROGRESS_BAR=off PIP_ROOT_USER_ACTION=ignore
export PIP_DISABLE_PIP_VERSION_CHECK=1 NPM_CONFIG_AUDIT=false NPM_CONFIG_FUND=false
export PATH="$PREFIX/bin:$PATH"
mkdir -p "$PREFIX/bin"
"""
# Its python3 is not on the PATH: what an agent runs there is judged by the image's.
PIP = """\
python3 -m venv --without-pip "$PREFIX/venv"
python3 -m pip --python "$PREFIX/venv/bin/python3" install {packages}
for each in "$PREFIX"/venv/bin/*; do
    case "${each##*/}" in python*|[Aa]ctivate*) ;; *) ln -s "$each" "$PREFIX/bin/" ;; esac
done
"""
NPM = """\
if ! command -v npm > /dev/null; then apt-get update -q; apt-get install -qy --no-install-recommends npm; fi
npm install --global --prefix "$PREFIX" {packages}
"""
END = """\
find "$PREFIX" -type f -perm /6000 -exec chmod a-s {} +
chmod -R a+rX "$PREFIX"
"""


def script(layer: Layer) -> str:
    """The shell script that installs it into $PREFIX."""
    installed = [
        how.replace("{packages}", shlex.join(packages))
        for how, packages in ((PIP, layer.pip), (NPM, layer.npm))
        if packages
    ]
    return "\n".join((f"export PREFIX={layer.inside}", BEGIN, *installed, *layer.run, END))


def folder_of(layer: Layer) -> Path:
    """Its files on this machine, built by this user or by root; noted as used. Raises MissingData."""
    if not (layer.pip or layer.npm or layer.run):
        raise MissingData(
            f"the test needs the layer {layer.name}; define it in config.json, e.g. "
            f'"layers": {{"{layer.name}": {{"pip": ["{layer.name}"]}}}}, then {BUILD_IMAGE}'
        )
    for cache in dict.fromkeys((files_cache(), ROOTS_CACHE)):
        if (found := cache / "layers" / _key(layer)).is_dir():
            with contextlib.suppress(OSError):  # root's
                os.utime(found)
            return found
    raise MissingData(
        f"the layer {layer.name} is not built, or was defined otherwise then; run {BUILD_IMAGE}"
    )


def build(layers: Iterable[Layer], engine: str = "", *, force: bool = False) -> None:
    """Build those that are not there, all with `force`, and remove those that no run has used for a while.
    The image is there. Raises ConfigError, which says what went wrong."""
    place = files_cache() / "layers"
    place.mkdir(mode=0o755, parents=True, exist_ok=True)
    with locked(place / ".lock"):
        for layer in layers:
            made = place / _key(layer)
            if force and made.is_dir():  # sandboxes may have it open
                made.rename(made.with_name(f"{made.name}.{time.time_ns()}"))
            if made.is_dir():
                builder.say(f"the layer {layer.name} is up to date")
                continue
            with tempfile.TemporaryDirectory(dir=place, prefix=".") as building:
                files = Path(building) / "files"
                _install(layer, files, engine or next(filter(builder.works, builder.TAGS)))
                files.chmod(0o755)
                files.rename(made)
        for old in filter(Path.is_dir, place.iterdir()):
            if old.name.startswith(".") or time.time() - old.stat().st_mtime >= UNUSED_S:  # a killed build's
                shutil.rmtree(old, ignore_errors=True)


def _key(layer: Layer) -> str:
    digest = hashlib.sha256(f"{builder.content_hash()}\0{script(layer)}".encode())
    return f"{layer.name}-{digest.hexdigest()[:16]}"


def _install(layer: Layer, files: Path, engine: str) -> None:
    started, own = time.monotonic(), machine_settings()
    settings = MachineSettings({**own.secrets, "npmrc": npm_configuration(os.environ)}, own.volumes)
    builder.say(f"building the layer {layer.name}; the full log is {builder.LOG}")
    builder.LOG.parent.mkdir(parents=True, exist_ok=True)
    builder.LOG.write_bytes(b"")
    with tempfile.TemporaryDirectory(prefix="assay-layer-") as name:
        context = Path(name) / "context"
        context.mkdir()
        (context / "layer.sh").write_text(script(layer))
        mounts = " ".join(f"--mount=type=secret,id={each}" for each in settings.secrets)
        command, written = builder.build_command(engine, settings, Path(name)), Path(name) / "image"
        if engine == "podman":  # the files are put where they belong; nothing has to be copied and stored
            files.mkdir()
            command += [f"--volume={files}:{layer.inside}", "--layers=false", f"--iidfile={written}"]
        else:  # a build there cannot write to folders of this machine
            command += ["--no-cache", f"--output=type=local,dest={files}"]
        copied = "/tmp/layer.sh" if engine == "podman" else layer.inside
        text = DOCKERFILE.format(image=builder.image_reference(engine), secrets=mounts, copied=copied)
        (Path(name) / "Dockerfile").write_text(text)
        builder.step([*command, f"--file={name}/Dockerfile", str(context)])
        if written.exists():  # of podman, whose image is of no use
            builder.answer(engine, "rmi", written.read_text())
    builder.say(f"built in {builder.clock(started)}")
