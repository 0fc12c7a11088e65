"""A Python for programs of Assay, for images that may have none: the interpreter of the sandbox image with
its standard library, and the libraries that it needs. It is mounted, and runs on any Linux."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from assay.errors import SandboxUnavailable
from assay.home import BUILD_IMAGE, user_cache
from assay.sandboxes.image.builder import id_of_files, rootfs

INSIDE = "/.assay"  # where it is mounted
LIBRARIES = ("libc.so.6", "libm.so.6", "libz.so.1", "libexpat.so.1", "libffi.so.8")
LEFT_OUT = ("__pycache__", "test", "pydoc_data", "config-*", "dist-packages", "sitecustomize.py")


def agent_python() -> tuple[Path, tuple[str, ...]]:
    """The folder to be mounted at INSIDE, and the command that starts it there. Raises SandboxUnavailable
    where there is no sandbox image."""
    root = rootfs()
    if root is None:
        raise SandboxUnavailable(
            f"there is no sandbox image, whose Python is needed; {BUILD_IMAGE} builds it"
        )
    folder = user_cache() / f"agent-python-{id_of_files(root) or root.name}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as made:
            place = Path(made) / "python"
            for path, name in _parts(root):
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                if path.is_dir():
                    shutil.copytree(
                        path, place / name, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True
                    )
                else:
                    shutil.copy(path, place / name)
            try:
                place.rename(folder)
            except OSError:  # another process was faster
                if not folder.is_dir():
                    raise
    loader = next(each.name for each in folder.glob("ld-*"))
    python = next(each.name for each in (folder / "bin").iterdir())
    return folder, (f"{INSIDE}/{loader}", "--library-path", INSIDE, f"{INSIDE}/bin/{python}")


def _parts(root: Path) -> Iterator[tuple[Path, str]]:
    """(file or folder in the image, its name in ours)."""
    python = _inside(root, "/usr/bin/python3")
    yield python, f"bin/{python.name}"
    yield root / "usr/lib" / python.name, f"lib/{python.name}"
    triplet = f"{os.uname().machine}-linux-gnu"
    for name in LIBRARIES:
        yield _inside(root, f"/usr/lib/{triplet}/{name}"), name
    loader = next((root / "usr/lib" / triplet).glob("ld-linux-*.so.*"))
    yield loader, loader.name


def _inside(root: Path, name: str) -> Path:
    """A file of the image, with its last link followed within the image."""
    path = root / name.lstrip("/")
    while path.is_symlink():
        link = os.readlink(path)  # noqa: PTH115 - the text
        path = root / link.lstrip("/") if link.startswith("/") else path.parent / link
    return path
