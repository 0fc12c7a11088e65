"""
The sandbox image: building it (`assay image`, `make image`) and finding it.

With a container registry the Dockerfile starts from Debian's image there; without one, from a base
that mmdebstrap makes of Debian's packages. podman builds where it is installed, otherwise docker; if
both are here they share one build. A label holds a hash of what went in, so that building again
does nothing. `rootfs` gives bubblewrap the image's files.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from assay.errors import ConfigError
from assay.home import BUILD_IMAGE, CHECKOUT, cache_folder
from assay.sandboxes.image.machine_settings import RELEASE, MachineSettings, machine_settings
from assay.sandboxes.image.rootfs import (
    export,
    exported,
    free_layers,
    is_mounted,
    mount,
    mounted,
    unmount_earlier,
)

TAGS = {"podman": "localhost/assay-sandbox:latest", "docker": "assay-sandbox:latest"}
BASES = {"podman": f"localhost/assay-base:{RELEASE}", "docker": f"assay-base:{RELEASE}"}
# trixie-slim of 13.6; what a digest names cannot change, and the engine checks what it got against it
REGISTRY_BASE = (
    "docker.io/library/debian@sha256:d7e12182ce18b85b93007c1dedf31f2d29e01ccf3182cc4017c709b6259bc132"
)
LABEL = "assay.content"

HERE = Path(__file__).parents[1]
DOCKERFILE = (CHECKOUT or HERE) / "Dockerfile"
WARM = HERE / "warm"  # what the Dockerfile copies
LOG = cache_folder() / "image.log"

VFS = (
    "podman here would copy the whole image for each container (storage driver vfs); write the lines "
    '[storage] and driver = "overlay" to ~/.config/containers/storage.conf, then ' + BUILD_IMAGE + " again"
)

# Taken out of the base again: this machine's mirrors, name and resolver.
CLEAN_BASE = f"""\
set -e
rm -rf "$1"/etc/apt/apt.conf.d/99mmdebstrap "$1"/etc/dpkg/dpkg.cfg.d/99mmdebstrap \
    "$1"/etc/apt/sources.list.d/* "$1"/etc/apt/auth.conf "$1"/etc/apt/auth.conf.d/*
: > "$1/etc/resolv.conf"
echo sandbox > "$1/etc/hostname"
echo "deb http://deb.debian.org/debian {RELEASE} main" > "$1/etc/apt/sources.list"
"""

# What a step of the Dockerfile does, told by a word in it.
STEPS = {
    "apt-get install": "languages, tools and the browser",
    "pip install": "Python libraries",
    "Xshare:dump": "what makes programs start fast",
    "COMMIT": "storing the layers",
}


def image_reference(engine: str = "podman") -> str:
    """The image's name in `engine` (podman or docker)."""
    return TAGS[engine]


def content_hash() -> str:
    """A hash of everything of ours that goes into the image."""
    digest = hashlib.sha256()
    for path in (DOCKERFILE, *sorted(WARM.iterdir())):
        data = path.read_bytes()
        digest.update(f"{path.name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()[:16]


def rootfs() -> Path | None:
    """The image's files, readable by every user of this machine, or None where there is no image.

    Quick: it finds what `make image` left, or (as root) mounts podman's image; it never exports one.
    """
    found = mounted() or exported()
    if found is None and os.geteuid() == 0 and shutil.which("podman") and _podman_has_image():
        found = mount(_inspect("podman", "{{.Id}}"))
    return found


def built(engine: str) -> str | None:
    """The content hash of the image that `engine` has, '' for one without a label, None for none."""
    return _label(engine, image_reference(engine))


def id_of_files(root: Path) -> str:
    """The first 12 digits of the id of the image whose files are at `root`; '' if its name does not say."""
    found = re.search(r"/image-([0-9a-f]{12})(?:/root)?$", str(root))
    return found[1] if found else ""


def files_built() -> str | None:
    """The content hash of the image whose files `rootfs` finds, '' if it has no label; None if no engine
    knows that image."""
    found = id_of_files(rootfs() or Path())
    for engine in TAGS if found else ():
        label = _label(engine, found) if shutil.which(engine) else None
        if label is not None:
            return label
    return None


def build(engine: str = "", *, base: str = "", force: bool = False) -> None:
    """Build the image with whatever is here, and put it within reach of every backend.

    `engine`: podman or docker, '' for the first that works. `base`: an image to start from. `force`:
    also if nothing has changed. Raises ConfigError, which says what to install or what went wrong.
    """
    started, wanted = time.monotonic(), content_hash()
    engines = [each for each in (("podman", "docker") if not engine else (engine,)) if works(each)]
    if not engines:
        raise ConfigError(_what_to_install(engine))
    if engines[0] == "podman" and answer("podman", "info", "--format={{.Store.GraphDriverName}}") == "vfs":
        raise ConfigError(VFS)
    holder = next((each for each in engines if built(each) == wanted), None)
    if holder is None or force:
        holder = engines[0]
        _build(holder, wanted, base, force)
        say(f"built with {holder} in {clock(started)}: {image_reference(holder)}")
    else:
        say(f"{image_reference(holder)} ({holder}) is up to date")
    for other in engines:
        if built(other) != wanted:
            _share(holder, other)
    _place_files(holder)
    for each in engines:
        _remove_earlier(each)
    from assay.sandboxes.backends.registry import forget

    forget()


def share() -> None:
    """Let docker have the image that podman has, where both are here and it has not. Raises ConfigError."""
    wanted = built("podman")
    if wanted and works("docker") and built("docker") != wanted:
        _share("podman", "docker")


# ---------------------------------------------------------------- building


def _build(engine: str, wanted: str, base: str, force: bool) -> None:
    settings = machine_settings()
    LOG.parent.mkdir(parents=True, exist_ok=True)
    LOG.write_bytes(b"")
    with tempfile.TemporaryDirectory(prefix="assay-image-") as folder:
        base = base or _base(engine, settings, Path(folder), force)
        command = build_command(engine, settings, Path(folder))
        command += ["--build-arg", f"BASE_IMAGE={base}", "--label", f"{LABEL}={wanted}"]
        if force:
            command.append("--no-cache")
        # Nothing but what the Dockerfile copies: an installed package has a whole environment beside it.
        context = Path(folder) / "context"
        shutil.copytree(WARM, context / "assay/sandboxes/warm")
        command += ["-t", image_reference(engine), "-f", str(DOCKERFILE), str(context)]
        say(f"building the image: 3 to 5 minutes, 3 GB; the full log is {LOG}")
        step(command)


def build_command(engine: str, settings: MachineSettings, folder: Path) -> list[str]:
    """A build with this machine's settings, which are put into `folder`. Raises ConfigError."""
    if engine == "docker" and settings.volumes:
        raise ConfigError(
            f"pip on this machine takes packages from folders ({', '.join(settings.volumes)}), which a "
            "docker build cannot see; install podman (apt-get install podman), or set PIP_CONFIG_FILE to "
            "another pip.conf"
        )
    command = [engine, "build"]
    if engine == "podman":
        # No container is started for a step, so that it works wherever files can be written.
        command += ["--isolation=chroot", "--pull=never"]
        command += [f"--volume={here}:{there}:ro" for here, there in settings.volumes.items()]
    else:
        command += ["--network=host", "--progress=plain"]
    for name, content in settings.secrets.items():
        secret = folder / name
        _write_private(secret, content)
        command += ["--secret", f"id={name},src={secret}"]
    return command


def _base(engine: str, settings: MachineSettings, folder: Path, force: bool) -> str:
    """Debian's image from the registry if that answers, otherwise one made of its packages."""
    if _image_exists(engine, REGISTRY_BASE):
        return REGISTRY_BASE
    say(f"base image: asking the registry for {REGISTRY_BASE}")
    with contextlib.suppress(subprocess.TimeoutExpired):
        if (
            subprocess.run([engine, "pull", "-q", REGISTRY_BASE], capture_output=True, timeout=180).returncode
            == 0
        ):
            return REGISTRY_BASE
    if shutil.which("mmdebstrap") is None:
        raise ConfigError(
            "no container registry can be reached, and without mmdebstrap no base image can be made; "
            "apt-get install mmdebstrap debian-archive-keyring"
        )
    recipe = hashlib.sha256((CLEAN_BASE + settings.sources).encode()).hexdigest()[:16]
    if not force and _label(engine, BASES[engine]) == recipe:
        return BASES[engine]
    say("base image: no registry here, so it is made of Debian's packages (15 to 30 s)")
    started, tar = time.monotonic(), folder / "base.tar"
    (folder / "sources.list").write_text(settings.sources)
    own = [
        line.replace("/run/secrets/", f"{folder}/")
        for line in settings.secrets["apt.conf"].splitlines()
        if not line.startswith("Dir::")
    ]
    (folder / "apt.conf").write_text("\n".join(own) + "\n")
    hooks = [f"--customize-hook={CLEAN_BASE}"]
    if "ca.crt" in settings.secrets:
        folder.chmod(0o711)  # without root, apt runs as another user
        (folder / "ca.crt").write_text(settings.secrets["ca.crt"])
    if "apt-auth.conf" in settings.secrets:
        _write_private(folder / "apt-auth.conf", settings.secrets["apt-auth.conf"])
        hooks.append(f"--setup-hook=upload {folder}/apt-auth.conf /etc/apt/auth.conf")
    excluded = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("doc", "man", "info", "locale")]
    options = [
        "--variant=minbase",
        "--include=python3-minimal,ca-certificates",
        f"--aptopt={folder}/apt.conf",
    ]
    step(["mmdebstrap", *options, *excluded, *hooks, RELEASE, str(tar), str(folder / "sources.list")])
    step([engine, "import", "--change", f"LABEL {LABEL}={recipe}", str(tar), BASES[engine]])
    say(f"base image: done in {clock(started)}")
    return BASES[engine]


def _share(holder: str, other: str) -> None:
    """Give `other` the image that `holder` has."""
    started = time.monotonic()
    say(f"copying the image from {holder} to {other}")
    saved = ["--format=docker-archive"] if holder == "podman" else []
    with subprocess.Popen([holder, "save", *saved, image_reference(holder)], stdout=subprocess.PIPE) as save:
        load = subprocess.run(
            [other, "load", "-q"], stdin=save.stdout, capture_output=True, text=True, check=False
        )
    if load.returncode or save.returncode:
        raise ConfigError(f"{other} could not load the image: {load.stderr.strip()[-500:]}")
    # A name without a registry comes back with localhost/ or docker.io/library/ before it.
    for name in (image_reference(holder), f"docker.io/library/{image_reference(holder)}"):
        if name != image_reference(other) and _image_exists(other, name):
            step([other, "tag", name, image_reference(other)])
            break
    say(f"copied in {clock(started)}")


def _place_files(holder: str) -> None:
    """Put the image's files where bubblewrap finds them: a mount if we may, an export otherwise."""
    image = _inspect(holder, "{{.Id}}") or ""
    if holder == "podman" and os.geteuid() == 0:
        mount(image)
    elif exported(image) is None:
        say("unpacking the image's files for bubblewrap (3 GB, once)")
        export(holder, image)
    files = rootfs()
    if files is not None:
        say(f"its files are at {files}")


def _remove_earlier(engine: str) -> None:
    """Remove the images that this one has replaced, as far as nobody uses them; the rest next time."""
    if engine == "podman" and os.geteuid() == 0:
        unmount_earlier()
    filters = ("--filter=dangling=true", f"--filter=label={LABEL}")
    for old in (answer(engine, "images", "--quiet", "--no-trunc", *filters) or "").split():
        if engine == "podman" and is_mounted(old):
            continue
        with free_layers(old) as free:
            if free:  # refused while there is a container of it
                subprocess.run([engine, "rmi", old], capture_output=True, check=False)


# ---------------------------------------------------------------- the engines


def _label(engine: str, name: str) -> str | None:
    label = _inspect(engine, '{{index .Config.Labels "' + LABEL + '"}}', name)
    return None if label is None else label.replace("<no value>", "")


def _inspect(engine: str, form: str, name: str = "") -> str | None:
    return answer(engine, "image", "inspect", "--format", form, name or image_reference(engine))


def answer(*command: str) -> str | None:
    """What a command of an engine prints; None if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _podman_has_image() -> bool:
    """Whether it is worth asking: podman takes a moment even to say no."""
    return Path("/var/lib/containers/storage/overlay-images/images.json").exists()


def _image_exists(engine: str, name: str) -> bool:
    return _inspect(engine, "{{.Id}}", name) is not None


def works(engine: str) -> bool:
    """Whether the engine is installed and answers."""
    form = "{{.Host.Arch}}" if engine == "podman" else "{{.ServerVersion}}"
    return shutil.which(engine) is not None and answer(engine, "info", "--format", form) is not None


def _what_to_install(engine: str) -> str:
    if engine and shutil.which(engine):
        return f"{engine} is installed but does not answer; `{engine} info` says why"
    return (
        "building the image needs podman or a running docker: apt-get install podman"
        + ("" if os.geteuid() == 0 else " uidmap")
        + (" mmdebstrap (the latter only where no registry can be reached)")
    )


def step(command: list[str]) -> None:
    """Run a step with its output in the log, naming what the Dockerfile does meanwhile."""
    started = time.monotonic()
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", env={**os.environ, "DOCKER_BUILDKIT": "1"},
    ) as process, LOG.open("a") as log:  # fmt: skip
        assert process.stdout
        for line in process.stdout:
            log.write(line)
            log.flush()
            for word, what in STEPS.items():
                if word in line and line.lstrip("#0123456789 ").startswith(("STEP", "[", "COMMIT")):
                    say(f"  {clock(started)}  {what}")
    if process.returncode:
        last = "\n".join("  " + line for line in tail(LOG, 12))
        raise ConfigError(f"{' '.join(command[:2])} failed (exit {process.returncode}); see {LOG}:\n{last}")


def _write_private(path: Path, content: str) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(content)


def tail(path: Path, count: int) -> Iterator[str]:
    """The last lines of a log, shortened."""
    return iter(line[:300] for line in path.read_text(errors="replace").splitlines()[-count:])


def clock(started: float) -> str:
    """Minutes and seconds since then."""
    seconds = int(time.monotonic() - started)
    return f"{seconds // 60}:{seconds % 60:02}"


def say(text: str) -> None:
    """One line of progress."""
    print(f"image: {text}", file=sys.stderr, flush=True)  # noqa: T201 - a command's progress
