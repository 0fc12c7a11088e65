"""Files in the work directory, handled as the command's own user, whatever earlier code has planted there."""

from __future__ import annotations

from assay.sandboxes.agent.quick import os

CHUNK = 1 << 20  # of a file that is read back


class BadName(Exception):
    """A path that leaves the work directory, or is not what it should be."""


def open_directory(root: int, parts: list[str], make: bool = False) -> int:
    """A descriptor for the folder `parts` under `root`, following no link. The caller closes it."""
    here = os.dup(root)
    for part in parts:
        try:
            if make:
                try:
                    os.mkdir(part, 0o755, dir_fd=here)
                except FileExistsError:
                    pass
            deeper = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
        except NotADirectoryError:
            raise BadName(f"{part} in it is not a folder, or is a link") from None
        except OSError as error:
            if error.errno == 40:  # ELOOP
                raise BadName(f"{part} in it is a link") from None
            raise
        finally:
            os.close(here)
        here = deeper
    return here


def split(name: str) -> list[str]:
    """A relative path's parts. BadName for one that could leave the work directory."""
    parts = [part for part in name.split("/") if part != "."]
    if not name or not parts or "" in parts or ".." in parts or "\0" in name:
        raise BadName("it must be relative to the work directory, without ..")
    return parts


def write_file(root: int, name: str, content: bytes) -> None:
    """Write a fresh file, in place of whatever earlier code may have planted under its name."""
    parts = split(name)
    folder = open_directory(root, parts[:-1], make=True)
    try:
        try:
            os.unlink(parts[-1], dir_fd=folder)
        except FileNotFoundError:
            pass
        except (IsADirectoryError, PermissionError):
            raise BadName("it is a folder") from None
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        out = os.open(parts[-1], flags, 0o644, dir_fd=folder)
        with open(out, "wb", buffering=0) as file:
            view = memoryview(content)
            while view:
                view = view[file.write(view) :]
    finally:
        os.close(folder)


def send_file(root: int, name: str, max_bytes: int, out: int) -> None:
    """Copy a regular file with one name to `out`. BadName for anything that could be a trap."""
    parts = split(name)
    folder = open_directory(root, parts[:-1])
    try:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
        fd = os.open(parts[-1], flags, dir_fd=folder)
    except OSError as error:
        if error.errno == 40:  # ELOOP
            raise BadName("it is a link") from None
        if error.errno == 6:  # ENXIO: a socket
            raise BadName("it is not a regular file") from None
        raise
    state = os.fstat(fd)
    if (state.st_mode & 0o170000) != 0o100000:
        raise BadName("it is not a regular file")
    if state.st_nlink != 1:
        raise BadName("it has more than one name (hard links)")
    if state.st_size > max_bytes:
        raise BadName(f"it has {state.st_size} bytes, more than the {max_bytes} allowed")
    left = max_bytes + 1  # it may grow while it is read
    while left > 0:
        data = os.read(fd, min(CHUNK, left))
        if not data:
            return
        left -= len(data)
        write_all(out, data)
    raise BadName(f"it has more than the {max_bytes} bytes allowed")


def write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
