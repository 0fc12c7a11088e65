"""The part of a file system that a bubblewrap sandbox sees: programs and libraries, read-only, and nothing
private."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from assay.errors import SandboxUnavailable
from assay.home import CHECKOUT, PACKAGE
from assay.records import Limits
from assay.sandboxes.limits import gpus
from assay.sandboxes.wire import HOME, WORK_DIR

UID = 1000  # inside
OURS = CHECKOUT or PACKAGE  # where the benchmarks' answers are, too

# The part of /etc that programs need. No resolver, no accounts, no settings of the host's owner.
ETC = (
    "alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "fonts", "java-*", "clojure",
    "chromium", "chromium.d",
)  # fmt: skip

IMAGES_ETC = "/run/image/etc"

GENERATED: dict[str, bytes] = {
    "passwd": f"root:x:0:0:root:/root:/bin/sh\nassay:x:{UID}:{UID}:Assay:{HOME}:/bin/bash\n".encode(),
    "group": f"root:x:0:\nassay:x:{UID}:\n".encode(),
    "hosts": b"127.0.0.1 localhost sandbox\n::1 localhost\n",
    "nsswitch.conf": b"passwd: files\ngroup: files\nhosts: files\n",
}

_SYSTEM = {"bin", "sbin", "lib", "lib32", "lib64", "libx32"}

# At the top of an image, but made afresh for each sandbox.
_MADE = {
    "proc", "sys", "dev", "run", "tmp", "etc", "home", "root", "var", "usr", "boot", "mnt", "media",
    "lost+found",
}  # fmt: skip


def find_python(root: Path) -> tuple[str, Path | None]:
    """A Python for the agent under `root`, as the sandbox will see it, and what else to bind for it.

    On the host this process's own installation serves when the system has none. Raises
    SandboxUnavailable when there is none at all.
    """
    for name in ("/usr/bin/python3", "/usr/local/bin/python3", "/bin/python3"):
        inside = root / name.lstrip("/")
        if inside.is_symlink() or inside.exists():
            target = Path(os.path.realpath(inside)) if root == Path("/") else inside
            if root != Path("/") or target.is_relative_to("/usr"):
                return name, None
    if root == Path("/"):
        prefix = Path(sys.base_prefix).resolve()
        program = prefix / "bin" / "python3"
        if program.exists() and prefix not in (Path("/"), Path("/usr")) and _open_to_all(prefix):
            return str(program), prefix
    raise SandboxUnavailable("the sandbox needs a python3 for its agent; install one (apt install python3)")


def _open_to_all(folder: Path) -> bool:
    """Whether another user can read it: for root, sandboxes are opened as another user."""
    return os.geteuid() != 0 or all(each.stat().st_mode & 0o001 for each in (folder, *folder.parents))


def _is_empty(folder: Path) -> bool:
    try:
        return not any(folder.iterdir())
    except PermissionError:
        return False


def view(root: Path, image: bool, extra: Path | None = None) -> tuple[str, ...]:
    """bwrap options that show the programs under `root`. Few binds: for each, bwrap reads the list of all
    mounts, the host's included, and those of an image are 1 kB each."""
    options: list[str] = []
    for entry in sorted(root.iterdir()):
        if entry.is_symlink():
            target = str(entry.readlink()).lstrip("/")
            if target.startswith("usr/"):
                options += ["--symlink", target, f"/{entry.name}"]
        elif entry.is_dir() and (entry.name in _SYSTEM or (image and entry.name not in _MADE)):
            shown = ("--dir",) if _is_empty(entry) else ("--ro-bind", str(entry))
            options += [*shown, f"/{entry.name}"]
    if (root / "usr/src").is_dir():
        options += ["--ro-bind", str(root / "usr"), "/usr"]
    else:
        options += ["--dir", "/usr"]
        for entry in sorted((root / "usr").iterdir()):
            kind = ("--symlink", str(entry.readlink())) if entry.is_symlink() else ("--ro-bind", str(entry))
            options += [*kind, f"/usr/{entry.name}"]
    if not image or not (root / WORK_DIR.lstrip("/")).is_dir():
        # The work directory cannot be made on a read-only bind, but on a folder mounted over it.
        options += ["--perms", "0755", "--tmpfs", "/usr/src", "--dir", WORK_DIR, "--remount-ro", "/usr/src"]
    if not image and (root / "usr/local/etc").is_dir():
        options += ["--tmpfs", "/usr/local/etc", "--remount-ro", "/usr/local/etc"]
    options += ["--dir", "/etc"]
    if image:  # one bind and links into it
        options += ["--ro-bind", str(root / "etc"), IMAGES_ETC]
    for pattern in ETC:
        for entry in sorted((root / "etc").glob(pattern)):
            target = str(entry.readlink()) if entry.is_symlink() else f"{IMAGES_ETC}/{entry.name}"
            shown = ("--symlink", target) if image else ("--ro-bind", str(entry))
            options += [*shown, f"/etc/{entry.name}"]
    options += ["--dir", "/var", "--dir", "/var/cache", "--dir", "/var/lib", "--symlink", "/tmp", "/var/tmp"]
    for name in ("cache/fontconfig",) if not image else ("cache/fontconfig", "lib"):
        if (root / "var" / name).is_dir():
            options += ["--ro-bind", str(root / "var" / name), f"/var/{name}"]
    options += ["--dir", "/run"]
    if extra is not None:
        options += ["--ro-bind", str(extra), str(extra)]
    return (*options, *(() if image else _without_answers(extra)))


def _without_answers(extra: Path | None) -> tuple[str, ...]:
    """Options that hide Assay itself where the sandbox would see it: installed into the system's Python it
    lies in /usr, and no program of a model needs it."""
    shown = (Path("/usr"), *([extra] if extra else []))
    if not any(OURS.is_relative_to(each) for each in shown) or OURS.is_relative_to("/usr/src"):
        return ()
    return "--tmpfs", str(OURS), "--remount-ro", str(OURS)


def devices(limits: Limits) -> tuple[str, ...]:
    """bwrap options for /proc and /dev, to come before the view: see there what each bind reads."""
    return (
        # Empty as in containers: the kernel lists there what keys the user has.
        "--proc", "/proc",
        "--ro-bind", "/dev/null", "/proc/keys", "--ro-bind", "/dev/null", "/proc/key-users",
        "--dev", "/dev", *gpus.bubblewrap_options(limits.gpus),
        "--size", str(limits.disk), "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev",
    )  # fmt: skip


def writable(limits: Limits) -> tuple[str, ...]:
    """bwrap options for the folders a program may write to, each of `limits.disk` bytes, and for making all
    else read-only."""
    size = ("--size", str(limits.disk))
    return (
        *size, "--perms", "1777", "--tmpfs", "/tmp",
        "--dir", "/home", *size, "--perms", "0755", "--tmpfs", HOME,
        *size, "--perms", "0755", "--tmpfs", WORK_DIR, "--remount-ro", "/",
    )  # fmt: skip
