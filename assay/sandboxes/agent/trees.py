"""Folders as one string of bytes, packed in one sandbox and unpacked in another, as the command's own user.

An entry is a line "KIND MODE MTIME_NS LENGTH_OF_NAME SIZE" and then its name and its content. A kind is d (a
folder), f (a regular file) or l (a link, whose content is where it leads). A name begins with the number of
the folder that it is in. FIFOs, sockets and devices hold no data and are left out.
"""

from __future__ import annotations

from assay.sandboxes.agent.files import BadName, open_directory, write_all
from assay.sandboxes.agent.quick import decode, encode, os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 64  # folders within each other
MOST_ENTRIES = 50_000


class Packer:
    """Copies folders to `out`. BadName if they hold more than `max_bytes` or too many or too deep folders."""

    def __init__(self, out: int, max_bytes: int) -> None:
        self.out, self.left, self.entries = out, max_bytes, MOST_ENTRIES
        self.too_much = f"they are more than {max_bytes >> 20} MB or {MOST_ENTRIES:,} files"

    def folder(self, label: str, root: int, only: list[str]) -> None:
        """Everything below `root`, or what is named in `only`: paths relative to it."""
        if os.fstat(root).st_mode & 0o500 != 0o500:
            os.fchmod(root, 0o755)
        if not only:
            return self.below(label, root, [])
        for name in only:
            parts = [part for part in name.split("/") if part not in ("", ".")]
            if ".." in parts:
                raise BadName(f"{name}: it must be relative to the work directory, without ..")
            for depth in range(1, len(parts)):
                self.entry(label, root, parts[:depth], shallow=True)
            self.entry(label, root, parts) if parts else self.below(label, root, [])

    def below(self, label: str, root: int, parts: list[str]) -> None:
        if len(parts) > DEEPEST:
            raise BadName(f"more than {DEEPEST} folders within each other")
        here = open_directory(root, parts)
        try:
            names = sorted(os.listdir(here))
        finally:
            os.close(here)
        for name in names:
            self.entry(label, root, [*parts, name])

    def entry(self, label: str, root: int, parts: list[str], shallow: bool = False) -> None:
        here = open_directory(root, parts[:-1])
        mode, closed = 0, False
        try:
            state = os.lstat(parts[-1], dir_fd=here)
            kind, content = state.st_mode & 0o170000, b""
            mode = state.st_mode & 0o777
            needed = {0o100000: 0o400, 0o040000: 0o500}.get(kind, 0)
            if mode & needed != needed:  # its owner may read it all the same
                os.chmod(parts[-1], mode | needed, dir_fd=here)
                closed = True
            if kind == 0o120000:
                content = encode(os.readlink(parts[-1], dir_fd=here))
            elif kind == 0o100000:
                content = self.content(here, parts[-1], state.st_size)
            elif kind != 0o040000:
                return
            word = {0o120000: b"l", 0o100000: b"f", 0o040000: b"d"}[kind]
            self.send(packed(word, mode, state.st_mtime_ns, "/".join([label, *parts]), content))
            if word == b"d" and not shallow:
                self.below(label, root, parts)
        except FileNotFoundError:  # something that still runs has removed it
            return
        finally:
            if closed and not shallow:
                try:
                    os.chmod(parts[-1], mode, dir_fd=here)
                except OSError:
                    pass
            os.close(here)

    def send(self, data: bytes) -> None:
        self.left -= len(data)
        self.entries -= 1
        if self.left < 0 or self.entries < 0:
            raise BadName(self.too_much)
        write_all(self.out, data)

    def content(self, folder: int, name: str, size: int) -> bytes:
        if size > self.left:
            raise BadName(self.too_much)
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
        fd = os.open(name, flags, dir_fd=folder)
        with open(fd, "rb", buffering=0) as file:
            parts, left = [], self.left + 1  # it may grow while it is read
            while left > 0:
                data = file.read(min(left, 1 << 20))
                if not data:
                    break
                parts.append(data)
                left -= len(data)
        return b"".join(parts)


def packed(kind: bytes, mode: int, mtime: int, name: str, content: bytes) -> bytes:
    """One entry."""
    own = encode(name)
    return kind + b" %d %d %d %d\n" % (mode, mtime, len(own), len(content)) + own + content


def entries(data: bytes) -> Iterator[tuple[bytes, int, int, list[str], bytes, int]]:
    """Kind, mode, time, parts of the name and content of each, and where it ends in `data`. BadName for what
    no packer made."""
    at = 0
    while at < len(data):
        end = data.find(b"\n", at, at + 100)
        try:
            kind, mode, mtime, named, size = data[at:end].split(b" ")
            start, after = end + 1 + int(named), end + 1 + int(named) + int(size)
            parts = decode(data[end + 1 : start]).split("/")
        except ValueError:
            raise BadName("a tree that makes no sense") from None
        if end < 0 or not end < start <= after <= len(data):
            raise BadName("a tree that makes no sense")
        if len(parts) < 2 or any(part in ("", ".", "..") or "\0" in part for part in parts[1:]):
            raise BadName("a name that leaves its folder")
        yield kind, int(mode) & 0o777, int(mtime), parts, data[start:after], after
        at = after


def unpack_tree(roots: dict[str, int], data: bytes) -> None:
    """Make what `data` holds in folders that nobody else writes to. `roots`: a descriptor for each label."""
    folders = []
    for kind, mode, mtime, (label, *parts), content, _ in entries(data):
        here = open_directory(roots[label], parts[:-1])
        try:
            if kind == b"d":
                try:
                    os.mkdir(parts[-1], 0o700, dir_fd=here)
                except FileExistsError:
                    pass
                folders.append((label, parts, mode, mtime))
            else:
                try:
                    os.unlink(parts[-1], dir_fd=here)  # what every sandbox has there
                except FileNotFoundError:
                    pass
                make(here, parts[-1], kind, mode, content)
                os.utime(parts[-1], ns=(mtime, mtime), dir_fd=here, follow_symlinks=False)
        finally:
            os.close(here)
    for label, parts, mode, mtime in reversed(folders):  # theirs changes when something is put into them
        here = open_directory(roots[label], parts)
        try:
            os.utime(here, ns=(mtime, mtime))
            os.fchmod(here, mode)
        finally:
            os.close(here)


def make(folder: int, name: str, kind: bytes, mode: int, content: bytes) -> None:
    if kind == b"l":
        os.symlink(decode(content), name, dir_fd=folder)
    else:
        fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=folder)
        try:
            write_all(fd, content)
            os.fchmod(fd, mode)
        finally:
            os.close(fd)
