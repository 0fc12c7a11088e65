"""
The system calls that programs in a sandbox may make: an allow-list, as seccomp filters for the kernel.

Container engines have their own; this one is installed by the agent, before the first command, on
every backend alike. What is not in the table gets EPERM (io_uring, userfaultfd, bpf, perf_event_open, keyctl,
mounts and namespaces among them), what is newer than it ENOSYS, as if the kernel did not have it.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable
from pathlib import Path

_TABLE = Path(__file__).with_suffix(".txt")
_NEWEST = 469  # of the known calls, allowed or not; from 424 on they have the same numbers everywhere
_ARCHITECTURES = {"x86_64": (0xC000003E, 1), "aarch64": (0xC00000B7, 2)}  # AUDIT_ARCH_*, column of the table

_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_DONE = _ERRNO  # errno 0: it does nothing and says that it did
_EPERM, _ENOSYS, _EAFNOSUPPORT = _ERRNO | 1, _ERRNO | 38, _ERRNO | 97
_NAMESPACES = 0x7E020000  # CLONE_NEW*
# AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Not AF_VSOCK: it leads to the machine around us
_FAMILIES = (1, 2, 10, 16)
_PERSONALITIES = (0, 8, 0x20000, 0x20008, 0x40000, 0xFFFFFFFF)  # Linux, 32 bits, UNAME26, no ASLR (gdb), ask
_RLIMIT_CORE = 4
_CLONE3 = 435  # it hides its flags; without it libc uses clone

# Calls that could hold memory which no process's share shows; refused if no cgroup counts it.
_UNCOUNTED = ("memfd_create", "shmget")

_LOAD, _EQUAL, _GREATER, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
_NUMBER, _ARCH = 0, 4  # offsets in struct seccomp_data

Step = tuple[int, int, int, int]


def numbers(machine: str) -> dict[str, int]:
    """The allowed calls of an architecture. KeyError for one that is not known."""
    column = _ARCHITECTURES[machine][1]
    rows = [row.split() for row in _TABLE.read_text().splitlines() if row[0] != "#"]
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


@functools.cache
def filters(counted: bool) -> dict[str, bytes]:
    """Machine, as uname says it, -> the filter's program (an array of struct sock_filter).

    `counted`: whether a cgroup counts the sandbox's memory.
    """
    return {machine: _program(machine, counted) for machine in _ARCHITECTURES}


def _program(machine: str, counted: bool) -> bytes:
    known = numbers(machine)
    checks = {
        "clone": _clone(),
        "socket": _one_of(_FAMILIES, _EAFNOSUPPORT),
        "personality": _one_of(_PERSONALITIES, _EPERM),
        "setrlimit": _setrlimit(),
        "prlimit64": _prlimit(),
    }
    steps: list[Step] = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, _ARCHITECTURES[machine][0]),  # no 32-bit calls: their numbers mean other things
        (_RETURN, 0, 0, _ENOSYS),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _NEWEST + 1),  # x32 too, whose numbers have bit 30
        (_RETURN, 0, 0, _ENOSYS),
    ]
    for name, check in checks.items():
        steps += [(_EQUAL, 0, len(check), known.pop(name)), *check]
    for number in (_CLONE3, *(known.pop(name) for name in (() if counted else _UNCOUNTED))):
        steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ENOSYS)]
    for first, last in _ranges(known.values()):
        steps += [
            (_GREATER, 3, 0, last),
            (_AT_LEAST, 1, 0, first),
            (_RETURN, 0, 0, _EPERM),
            (_RETURN, 0, 0, _ALLOW),
        ]
    steps.append((_RETURN, 0, 0, _EPERM))
    return b"".join(
        op.to_bytes(2, sys.byteorder) + bytes((yes, no)) + k.to_bytes(4, sys.byteorder)
        for op, yes, no, k in steps
    )


def _ranges(found: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers as runs without a gap.

    >>> _ranges([3, 1, 2, 7])
    [(1, 3), (7, 7)]
    """
    runs: list[tuple[int, int]] = []
    for number in sorted(found):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _argument(place: int, high: bool = False) -> Step:
    """Load half of an argument."""
    return (_LOAD, 0, 0, 16 + 8 * place + (4 if high == (sys.byteorder == "little") else 0))


def _clone() -> list[Step]:
    """No namespaces: inside a user namespace a program has every right, and the whole kernel as a target."""
    return [_argument(0), (_ANY_BIT, 0, 1, _NAMESPACES), (_RETURN, 0, 0, _EPERM), (_RETURN, 0, 0, _ALLOW)]


def _one_of(values: tuple[int, ...], otherwise: int) -> list[Step]:
    """Allow these values of the first argument."""
    rest = len(values)
    tests = [(_EQUAL, rest - at, 0, value) for at, value in enumerate(values)]
    return [_argument(0), *tests, (_RETURN, 0, 0, otherwise), (_RETURN, 0, 0, _ALLOW)]


def _setrlimit() -> list[Step]:
    """The limit on core dumps stays: one byte, which the kernel takes for none. With 0 it would still feed a
    program of the host's, where core_pattern names one."""
    return [_argument(0), (_EQUAL, 0, 1, _RLIMIT_CORE), (_RETURN, 0, 0, _DONE), (_RETURN, 0, 0, _ALLOW)]


def _prlimit() -> list[Step]:
    """The same; and nobody's limits but one's own: by RLIMIT_CPU a program could end the agent."""
    return [
        _argument(0), (_EQUAL, 1, 0, 0), (_RETURN, 0, 0, _EPERM),
        _argument(1), (_EQUAL, 1, 0, _RLIMIT_CORE), (_RETURN, 0, 0, _ALLOW),
        _argument(2), (_EQUAL, 0, 2, 0),
        _argument(2, high=True), (_EQUAL, 1, 0, 0), (_RETURN, 0, 0, _DONE), (_RETURN, 0, 0, _ALLOW),
    ]  # fmt: skip
