"""Where the image's files lie for bubblewrap: podman's own mount of them, or an unpacked copy."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

from assay.errors import ConfigError
from assay.home import user_cache
from assay.sandboxes.image import in_use

MOUNTS = Path("/run/assay")  # root's; other users may read what is mounted here
ROOTS_CACHE = Path("/var/cache/assay")
CURRENT = "current"  # a link there, to the image that new sandboxes get


def mounted() -> Path | None:
    """The image as root has mounted it last, if it has."""
    try:
        if MOUNTS.stat().st_uid != 0:
            return None
        folder = MOUNTS / (MOUNTS / CURRENT).readlink().name
    except OSError:
        return None
    return folder if folder.is_mount() and (folder / "usr/bin").is_dir() else None


def mount(image: str | None, *, current: bool = True) -> Path | None:
    """Mount podman's image where every user can reach it: its own storage is closed to others. `current`:
    bubblewrap's new sandboxes get it from now on."""
    if not image:
        return None
    here = mounted_at(image)
    try:
        here.mkdir(mode=0o755, parents=True, exist_ok=True)
        with locked(MOUNTS / "lock"):
            if not here.is_mount():
                found = _podman("image", "mount", image)
                subprocess.run(
                    ["mount", "--bind", "-o", "ro,nosuid,nodev", found, str(here)],
                    check=True,
                    capture_output=True,
                )
                in_use.allow(here)
            if current and mounted() != here:
                in_use.allow(here)
                fresh = MOUNTS / f"{CURRENT}.new"
                fresh.unlink(missing_ok=True)
                fresh.symlink_to(here.name)
                fresh.replace(MOUNTS / CURRENT)
    except (OSError, subprocess.CalledProcessError):
        return None
    return here if (here / "usr/bin").is_dir() else None


def mounted_at(image: str) -> Path:
    """Where `mount` puts that image."""
    return MOUNTS / f"image-{_short(image)}"


def hold_layers(image: str) -> in_use.Hold:
    """Keep docker's own files of an image, which `free_layers` then does not give free. Raises OSError."""
    here = MOUNTS / f"docker-{_short(image)}"
    here.mkdir(mode=0o755, parents=True, exist_ok=True)
    in_use.allow(here)
    return in_use.Hold(here)


@contextlib.contextmanager
def free_layers(image: str) -> Iterator[bool]:
    """Whether nobody holds docker's files of an image; nobody can while the block runs."""
    here = MOUNTS / f"docker-{_short(image)}"
    if not here.exists():
        yield True
        return
    with in_use.alone(here) as free:
        yield free
        if free:
            here.rmdir()


def unmount_earlier() -> None:
    """Let go of the images but the current one that nobody uses, so that podman can remove them."""
    if not MOUNTS.is_dir():
        return
    with locked(MOUNTS / "lock"):
        current = mounted()
        for folder in MOUNTS.glob("image-*"):
            if folder != current:
                with in_use.alone(folder) as free:
                    if free:
                        _unmount(folder)


def _unmount(folder: Path) -> None:
    image = folder.name.removeprefix("image-")
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        if folder.is_mount():
            subprocess.run(["umount", str(folder)], capture_output=True, check=True)
        subprocess.run(["podman", "image", "unmount", image], capture_output=True, check=False)
        folder.rmdir()


def is_mounted(image: str) -> bool:
    """Whether that image is, current or not."""
    return mounted_at(image).exists()


def exported(image: str = "") -> Path | None:
    """The image as it was unpacked for this user, if it was; with `image`, only that one."""
    pattern = f"image-{_short(image)}" if image else "image-*"
    found = [path for path in files_cache().glob(pattern) if (path / ".complete").exists()]
    return max((path / "root" for path in found), key=lambda path: path.stat().st_ctime_ns, default=None)


def export(engine: str, image: str) -> Path:
    """Unpack an image's files as this user. Raises ConfigError if that fails."""
    folder = files_cache() / f"image-{_short(image)}"
    folder.mkdir(parents=True, exist_ok=True)
    with locked(files_cache() / "image.lock"):
        if not (folder / ".complete").exists():
            shutil.rmtree(folder / "root", ignore_errors=True)
            made = subprocess.run(
                [engine, "create", image, "true"], capture_output=True, text=True, check=False
            )
            if made.returncode:
                raise ConfigError(f"{engine} create: {made.stderr.strip()[-500:]}")
            container = made.stdout.split()[-1]
            try:
                with subprocess.Popen([engine, "export", container], stdout=subprocess.PIPE) as stream:
                    try:
                        _unpack(stream, folder / "root")
                    except BaseException:
                        stream.kill()  # it would wait for a reader
                        raise
                if stream.returncode:
                    raise ConfigError(f"{engine} export {container} failed with exit {stream.returncode}")
            finally:
                subprocess.run([engine, "rm", "-f", container], capture_output=True, check=False)
            in_use.allow(folder / "root")
            (folder / ".complete").touch()
        for old in files_cache().glob("image-*"):
            if old.is_dir() and old != folder:
                with in_use.alone(old / "root") as free:
                    if free:
                        (old / ".complete").unlink(missing_ok=True)
                        shutil.rmtree(old, ignore_errors=True)
    return folder / "root"


def _unpack(stream: subprocess.Popen[bytes], target: Path) -> None:
    """Files, folders and links with their permissions; no devices, no owners, nothing outside `target`."""
    target.mkdir(mode=0o755)
    with tarfile.open(fileobj=stream.stdout, mode="r|") as archive:
        archive.extraction_filter = _as_it_is
        for member in archive:
            if not (member.isfile() or member.isdir() or member.issym() or member.islnk()):
                continue
            member.mode |= 0o700 if member.isdir() else 0o400
            member.uid, member.gid, member.uname, member.gname = os.getuid(), os.getgid(), "", ""
            archive.extract(member, target, set_attrs=not member.issym())


def _as_it_is(member: tarfile.TarInfo, _: str) -> tarfile.TarInfo:
    """No filter: what is unpacked is our own image. (Python before 3.11.4 has none to choose.)"""
    return member


def files_cache() -> Path:
    """Root's copies are for the users its sandboxes run as, who cannot enter root's home."""
    return ROOTS_CACHE if os.geteuid() == 0 else user_cache()


def _short(image: str) -> str:
    name = image.removeprefix("sha256:")[:12]
    if not re.fullmatch(r"[0-9a-f]{12}", name):
        raise ConfigError(f"not an image id: {image!r}")
    return name


def _podman(*arguments: str) -> str:
    done = subprocess.run(["podman", *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """One process at a time."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
