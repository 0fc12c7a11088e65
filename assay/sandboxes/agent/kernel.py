"""What only the kernel can refuse a command, by calls for which Python has no function."""

from __future__ import annotations

import os
import resource

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP = 1, 4, 22
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38
MADV_DONTNEED, MADV_DONTFORK, MADV_POPULATE_WRITE = 4, 10, 23
MLOCK_ONFAULT = 1
KEYCTL, KEYCTL_JOIN_SESSION_KEYRING = {"x86_64": 250, "aarch64": 219}, 1
SPARE = 1 << 18  # bytes
OWN_CODE = (b"python", b"/libc.", b"/ld-", b"/libffi.")  # in the paths of what the agent runs itself


class Kernel:
    """prctl and the like, by ctypes."""

    def __init__(self) -> None:
        import ctypes

        libc = ctypes.CDLL(None, use_errno=True)
        self._prctl = libc.prctl
        self._mlock = getattr(libc, "mlock2", None)  # musl has none
        if self._mlock:
            self._mlock.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, (ctypes.c_void_p, ctypes.c_size_t)
        libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        self._madvise, self._memset = libc.madvise, ctypes.memset
        spare = libc.mmap(None, SPARE, 3, 0x22, -1, 0)  # private, of no file; -1 is MAP_FAILED
        self._spare = spare if self._madvise(spare, SPARE, MADV_DONTFORK) == 0 else None
        self._holds_spare = False
        self._syscall = libc.syscall
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
        try:
            with open("/proc/self/maps", "rb") as file:
                maps = [line.split() for line in file]
        except OSError:
            return
        files = [each for each in maps if len(each) > 5 and each[5].startswith(b"/")]
        left = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
        left = left if left != resource.RLIM_INFINITY else 1 << 40
        spans = []
        for each in files:
            begin, end = (int(number, 16) for number in each[0].split(b"-"))
            if each[1][1:2] == b"w":  # pages of its own are not forgotten
                self._madvise(begin, end - begin, MADV_POPULATE_WRITE)
            else:
                foreign = not any(name in each[5] for name in OWN_CODE)
                spans.append((foreign, each[1][2:3] != b"x", end - begin, begin))
        for _, _, size, begin in sorted(spans):
            size = min(size, left)
            if self._mlock and size and self._mlock(begin, size, MLOCK_ONFAULT) == 0:
                left -= size

    def hold_spare(self) -> None:
        """Take some memory while there is some, to have it when a program has filled all the rest."""
        if self._spare and not self._holds_spare:
            self._memset(self._spare, 1, SPARE)
            self._holds_spare = True

    def free_spare(self) -> None:
        """To be called when nobody is left in the sandbox who could take it, or be killed for it."""
        if self._holds_spare:
            self._madvise(self._spare, SPARE, MADV_DONTNEED)
            self._holds_spare = False

    def confine(self, program: bytes) -> None:
        """No new privileges, ever, and no keys of whoever has started us; then only the system calls that
        `program` allows, for this process and all that it forks. Without one (a machine that the host does
        not know) all are allowed, and `filtered` stays False."""
        if self.prctl(PR_SET_NO_NEW_PRIVS, 1) != 0:
            raise OSError("PR_SET_NO_NEW_PRIVS was refused")
        import ctypes

        keyctl = KEYCTL.get(os.uname()[4])
        if keyctl:  # where there are no keys or a filter forbids them, there is nothing to leave
            self._syscall(keyctl, KEYCTL_JOIN_SESSION_KEYRING, None)
        if not program:
            return
        steps = ctypes.create_string_buffer(program, len(program))

        class Program(ctypes.Structure):
            _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))

        head = Program(len(program) // 8, ctypes.addressof(steps))
        self.filtered = self._prctl(PR_SET_SECCOMP, 2, ctypes.byref(head), 0, 0) == 0
