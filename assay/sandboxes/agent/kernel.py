"""What only the kernel can refuse a command, by calls for which Python has no function."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP = 1, 4, 22
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38


class Kernel:
    """prctl, by ctypes; the seccomp filter is built once and installed in every child."""

    def __init__(self) -> None:
        import ctypes

        self._prctl = ctypes.CDLL(None, use_errno=True).prctl
        self._buffers: list[Any] = []
        self.filter = self._limits_filter(ctypes)

    def prctl(self, option: int, value: int = 0) -> int:
        return int(self._prctl(option, value, 0, 0, 0))

    def _limits_filter(self, ctypes: Any) -> int:
        """BPF: prlimit64 on any process but oneself fails with EPERM. 0 where the machine is unknown.

        The one call with which a process of the same uid could end the agent (RLIMIT_CPU).
        """
        native, number = {"x86_64": (0xC000003E, 302), "aarch64": (0xC00000B7, 261)}.get(
            os.uname()[4], (0, 0)
        )
        if not native:
            return 0
        steps = [
            (0x20, 0, 0, 4),  # load arch
            (0x15, 0, 2, native),  # another one: look for the 32-bit calls
            (0x20, 0, 0, 0),  # load the call's number
            (0x15, 6, 5, number),
            (0x15, 1, 0, 0x40000003),  # i386
            (0x15, 0, 3, 0x40000028),  # 32-bit arm
            (0x20, 0, 0, 0),
            (0x15, 2, 0, 340),  # i386 prlimit64
            (0x15, 1, 0, 369),  # arm prlimit64
            (0x06, 0, 0, 0x7FFF0000),  # allow
            (0x20, 0, 0, 16),  # load the pid argument's low half
            (0x15, 0, 1, 0),
            (0x06, 0, 0, 0x7FFF0000),  # itself: allow
            (0x06, 0, 0, 0x00050001),  # EPERM
        ]
        code = b"".join(
            op.to_bytes(2, sys.byteorder) + bytes((yes, no)) + k.to_bytes(4, sys.byteorder)
            for op, yes, no, k in steps
        )
        body = ctypes.create_string_buffer(code, len(code))

        class Program(ctypes.Structure):  # type: ignore[misc]
            _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))

        program = Program(len(steps), ctypes.addressof(body))
        self._buffers += [body, program]  # the kernel reads them later
        return int(ctypes.addressof(program))

    def confine(self) -> None:
        """In a child: no new privileges, ever, and no hand on the agent's limits."""
        if self.prctl(PR_SET_NO_NEW_PRIVS, 1) != 0:
            raise OSError("PR_SET_NO_NEW_PRIVS was refused")
        if self.filter:
            import ctypes

            self._prctl(PR_SET_SECCOMP, 2, ctypes.c_void_p(self.filter), 0, 0)
