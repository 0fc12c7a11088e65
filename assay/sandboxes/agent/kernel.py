"""What only the kernel can refuse a command, by calls for which Python has no function."""

from __future__ import annotations

import _ctypes
import resource
import sys

from assay.sandboxes.agent.quick import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP = 1, 4, 22
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38
MADV_POPULATE_WRITE = 23
MLOCK_ONFAULT = 1
LARGE = 4 << 20  # bytes
KEYCTL, KEYCTL_JOIN_SESSION_KEYRING = {"x86_64": 250, "aarch64": 219}, 1
OWN_CODE = (b"python", b"/libc.", b"/ld-", b"/libffi.")  # in the paths of what the agent runs itself


# What the ctypes package, which takes 2 ms to import, would make of the module behind it.
class Int(_ctypes._SimpleCData):  # type: ignore[type-arg]
    _type_ = "i"


class Word(_ctypes._SimpleCData):  # type: ignore[type-arg]
    """An address, or a size."""

    _type_ = "L"


class Text(_ctypes._SimpleCData):  # type: ignore[type-arg]
    _type_ = "z"


class Function(_ctypes.CFuncPtr):
    _flags_ = _ctypes.FUNCFLAG_CDECL
    _restype_ = Int


LIBRARIES = _ctypes.dlopen(None, 2)  # type: ignore[arg-type]  # those that Python runs on; RTLD_NOW


def function(name: str, *takes: type) -> Any:
    """A function of the C library. OSError if it has none of that name. Without types, integers are ints."""
    found = Function(_ctypes.dlsym(LIBRARIES, name))
    if takes:
        found.argtypes = takes
    return found


def own_maps() -> list[list[bytes]]:
    """The lines of /proc/self/maps, in words."""
    try:
        with open("/proc/self/maps", "rb") as file:
            return [line.split() for line in file]
    except OSError:
        return []


def span(line: list[bytes]) -> tuple[int, int]:
    """Where it begins, and its size."""
    begin, end = (int(number, 16) for number in line[0].split(b"-"))
    return begin, end - begin


class Kernel:
    """prctl and the like."""

    def __init__(self) -> None:
        self._prctl = function("prctl")
        self._madvise = function("madvise", Word, Word, Int)
        try:
            self._mlock = function("mlock2", Word, Word, Int)
        except OSError:  # musl has none
            self._mlock = None
        self.filtered = False

    def prctl(self, option: int, value: int = 0) -> int:
        return int(self._prctl(option, value, 0, 0, 0))

    def keep_code(self) -> None:
        """Keep the agent's own code in memory, as far as RLIMIT_MEMLOCK (8 MiB since Linux 5.16) lets it.

        A program that fills the sandbox's memory for good makes the kernel forget pages of files, the
        agent's code among them; once the program is dead there is no room to read them back, and the
        agent would be killed for want of its own next instruction. What is there is locked now, the rest
        when it is used first. Forks do not inherit that. What does not fit is the end of the largest part,
        Python's own constants, where compilers put what only unwinding a stack would read.
        """
        files = [each for each in own_maps() if len(each) > 5 and each[5].startswith(b"/")]
        left = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
        left = left if left != resource.RLIM_INFINITY else 1 << 40
        spans = []
        for each in files:
            begin, size = span(each)
            if each[1][1:2] != b"w":  # pages of its own are not forgotten
                foreign = not any(name in each[5] for name in OWN_CODE)
                spans.append((foreign, each[1][2:3] != b"x", size, begin))
        for _, _, size, begin in sorted(spans):
            size = min(size, left)
            if self._mlock and size and self._mlock(begin, size, MLOCK_ONFAULT) == 0:
                left -= size

    def own_pages(self) -> None:
        """Copy what the agent shares with a fork and may write to, while there is memory for it. What is
        large is a request's data, which is only read."""
        for each in own_maps():
            begin, size = span(each)
            if each[1][1:2] == b"w" and size <= LARGE:
                self._madvise(begin, size, MADV_POPULATE_WRITE)

    def confine(self, program: bytes) -> None:
        """No new privileges, ever, and no keys of whoever has started us; then only the system calls that
        `program` allows, for this process and all that it forks. Without one (a machine that the host does
        not know) all are allowed, and `filtered` stays False."""
        if self.prctl(PR_SET_NO_NEW_PRIVS, 1) != 0:
            raise OSError("PR_SET_NO_NEW_PRIVS was refused")
        keyctl = KEYCTL.get(os.uname()[4])
        if keyctl:  # where there are no keys or a filter forbids them, there is nothing to leave
            function("syscall")(keyctl, KEYCTL_JOIN_SESSION_KEYRING, None)
        if not program:
            return
        steps = Word.from_buffer(Text(program)).value  # `program` lives on while they are read
        size = len(program) // 8
        head = size.to_bytes(2, sys.byteorder) + bytes(6) + steps.to_bytes(8, sys.byteorder)
        self.filtered = self._prctl(PR_SET_SECCOMP, 2, head, 0, 0) == 0
