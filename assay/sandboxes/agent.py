"""
The program that runs inside every sandbox and starts the untrusted commands there.

One file, standard library only, Python 3.9 or later, and few imports: it is sent into the sandbox
at each opening, so its start is part of what a sandbox costs. It reads requests on its stdin, forks
a child for each command and answers on a private copy of its stdout (`client.py` is the other end).

What the commands may not do, and what stands against it:

- forge an answer: the answer descriptor is private and closed on exec, the agent's own fd 1 leads
  nowhere, and every frame carries a keyed hash over its number and content
- read the agent's memory or descriptors: PR_SET_DUMPABLE 0, so /proc/PID/{mem,fd} are closed to them
- stop the agent: another uid where there is one; otherwise the agent is pid 1 of its pid namespace,
  which ignores what its descendants send, and a seccomp filter keeps them from its resource limits
- outlive their command: the agent is the reaper of all orphans, and kills whatever is left

A frame is: length (4 bytes) | keyed hash (16 bytes) | fields; a field is length (4 bytes) | bytes.
"""

# contextlib and pathlib are slow to import, and Python 3.9 knows no zip(strict=True).
# ruff: noqa: SIM105, PTH123, PTH208, B905, BLE001

from __future__ import annotations

import fcntl
import os
import resource
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import hashlib
    import signal
    from collections.abc import Callable, Collection, Iterable, Mapping
    from typing import Any, NoReturn
else:
    try:  # the C modules behind these two, which would cost 7 ms of enum and OpenSSL to import
        import _blake2 as hashlib
        import _signal as signal
    except ImportError:
        import hashlib
        import signal

VERSION = b"1"
CHUNK = 1 << 16
WATCH_EVERY_S = 0.05  # how often memory is summed where no cgroup does it
HANGUP_S = 0.25  # how long a terminal's last output may take once its program is dead
SIGKILL, SIGSTOP = 9, 19
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP = 1, 4, 22
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38


# ---------------------------------------------------------------- frames


def pack(fields: Iterable[bytes]) -> bytes:
    """Byte strings as one: each with its length before it."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def unpack(data: bytes) -> list[bytes]:
    """The byte strings that `pack` joined. ValueError if `data` was not made by it."""
    fields, at = [], 0
    while at < len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        if end > len(data):
            raise ValueError("a field is longer than its frame")
        fields.append(data[at + 4 : end])
        at = end
    return fields


class Seal:
    """The keyed hash of one direction's frames. A frame that is replayed or out of order fails."""

    def __init__(self, key: bytes, direction: bytes) -> None:
        self.key, self.direction, self.count = key, direction, 0

    def of(self, body: bytes) -> bytes:
        person = self.direction + self.count.to_bytes(8, "big")
        self.count += 1
        return hashlib.blake2b(body, key=self.key, digest_size=16, person=person).digest()


def pairs(fields: Iterable[bytes]) -> Iterable[tuple[bytes, bytes]]:
    """Two and two together: names and what they stand for."""
    each = iter(fields)
    return zip(each, each)


# ---------------------------------------------------------------- files, as the command's own user


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
        data = os.read(fd, min(CHUNK * 16, left))
        if not data:
            return
        left -= len(data)
        write_all(out, data)
    raise BadName(f"it has more than the {max_bytes} bytes allowed")


def write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


# ---------------------------------------------------------------- the kernel, where Python has no call


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


# ---------------------------------------------------------------- processes, as /proc shows them


def processes() -> dict[int, tuple[int, bytes]]:
    """pid -> (parent's pid, state letter) of everything visible."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb", buffering=0) as file:
                    stat = file.read(4096)
            except OSError:
                continue  # it has just ended
            fields = stat[stat.rfind(b")") + 2 :].split()
            found[int(name)] = (int(fields[1]), fields[0])
    return found


def descendants(
    table: Mapping[int, tuple[int, bytes]], roots: Iterable[int], spared: Collection[int] = ()
) -> list[int]:
    """Every pid below `roots` in `table`, without the subtrees that start at `spared`."""
    children: dict[int, list[int]] = {}
    for pid, (parent, _) in table.items():
        children.setdefault(parent, []).append(pid)
    found: list[int] = []
    todo = list(roots)
    while todo:
        for pid in children.get(todo.pop(), ()):
            if pid not in spared:
                found.append(pid)
                todo.append(pid)
    return found


def resident(pid: int) -> int:
    """A process's share of the memory it has touched, in bytes; 0 if it has ended."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith(b"Pss:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return resident_at_most(pid)


def resident_at_most(pid: int) -> int:
    """The same, counting shared pages in full; much cheaper."""
    try:
        with open(f"/proc/{pid}/statm", "rb", buffering=0) as file:
            return int(file.read(200).split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def out_of_memory_kills() -> int:
    """How often this container's own cgroup has killed for memory; 0 where it cannot be seen."""
    for path in ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"):
        try:
            with open(path, "rb") as file:
                for line in file:
                    if line.startswith(b"oom_kill "):
                        return int(line.split()[1])
        except OSError:
            continue
    return 0


# ---------------------------------------------------------------- what runs


def read_some(fd: int) -> bytes | None:
    """Bytes, b"" at the end of the stream, None when there is nothing yet."""
    try:
        return os.read(fd, CHUNK)
    except BlockingIOError:
        return None
    except OSError:  # EIO: the other end of a terminal is closed
        return b""


class Output:
    """One pipe from a command: the head is kept, the rest is read and thrown away."""

    def __init__(self, fd: int, cap: int) -> None:
        self.fd, self.cap, self.size, self.truncated = fd, cap, 0, False
        self.kept: list[bytes] = []

    def take(self) -> int | None:
        """Read what is there: a number of bytes, 0 at the end of the stream, None for nothing yet."""
        data = read_some(self.fd)
        if data is None:
            return None
        room = self.cap - self.size
        if len(data) > room:
            self.truncated = True
        if room > 0:
            self.kept.append(data[:room])
            self.size += min(len(data), room)
        return len(data)

    def drain(self) -> None:
        """What is left once every writer is dead. Bounded, should one live on after all."""
        for _ in range(256):
            if not self.take():
                break
        os.close(self.fd)


class Job:
    """A command that runs to its end, or a file being read back."""

    def __init__(self, request: bytes, pid: int, started: float, limit: float, streams: list[Output]) -> None:
        self.request, self.pid, self.started = request, pid, started
        self.deadline = started + limit
        self.out, self.err, self.complaint = streams
        self.stdin, self.typed = -1, memoryview(b"")
        self.status: int | None = None
        self.timed_out, self.out_of_memory, self.note = False, False, b""
        self.over = False
        self.cpu, self.max_rss = 0.0, 0
        self.oom_kills = 0


class Terminal:
    """An interactive program on a pty. Unread output is kept up to a cap; beyond it the program waits."""

    def __init__(self, pid: int, fd: int, cap: int) -> None:
        self.pid, self.fd, self.cap = pid, fd, cap
        self.unread, self.typed, self.dead, self.ended = bytearray(), bytearray(), False, False
        self.reading: tuple[bytes, bytes, float] | None = None  # request, marker, deadline
        self.head = b""  # of a reading that outgrew the cap

    def take(self) -> int | None:
        """Read what the program printed, as `Output.take`; 0 once nobody holds the terminal."""
        data = read_some(self.fd)
        self.unread += data or b""
        return None if data is None else len(data)

    def full(self) -> bool:
        return self.reading is None and len(self.unread) >= self.cap


class Agent:
    def __init__(self) -> None:
        self.requests = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3)
        self.answers = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 3)
        os.closerange(self.answers + 1, 4096)  # whatever the engine leaked
        nothing = os.open("/dev/null", os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        os.close(nothing)
        self.inbox = bytearray()
        self.poller = select.poll()
        self.job: Job | None = None
        self.terminals: dict[bytes, Terminal] = {}
        self.count, self.watch_at = 0, 0.0
        self.wake, waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        for number in (1, 2, 3, 15):
            signal.signal(number, signal.SIG_IGN)
        self.kernel = Kernel()
        try:  # opened while it still may be: afterwards /proc/self belongs to root
            self.oom = os.open("/proc/self/oom_score_adj", os.O_RDWR | os.O_CLOEXEC)
            self.own_offer = os.read(self.oom, 16).strip()
        except OSError:
            self.oom, self.own_offer = -1, b"0"
        self.kernel.prctl(PR_SET_DUMPABLE, 0)
        self.kernel.prctl(PR_SET_CHILD_SUBREAPER, 1)
        self.alone = os.getpid() == 1

    # -- the conversation with the host

    def begin(self) -> None:
        """The first request holds the key and the settings; the first answer tells what came of them."""
        first = unpack(self.exactly(int.from_bytes(self.exactly(4), "big")))
        settings = dict(pairs(first[1:]))
        self.incoming, self.outgoing = Seal(first[0], b"to-sbox:"), Seal(first[0], b"to-host:")
        self.env = dict(pairs(unpack(settings[b"env"])))
        self.child = int(settings[b"child_uid"]) or os.getuid()
        self.output_cap = int(settings[b"output"])
        self.watched_memory = int(settings[b"watched_memory"])
        self.watched_processes = int(settings[b"watched_processes"])
        self.data_limit = int(settings[b"data_limit"])
        self.limits = [
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, int(settings[b"file_size"])),
            (resource.RLIMIT_NOFILE, 1024),
            (resource.RLIMIT_NICE, 0),
        ]
        if int(settings[b"processes"]):
            self.limits.append((resource.RLIMIT_NPROC, int(settings[b"processes"])))
        if self.data_limit:
            self.limits.append((resource.RLIMIT_DATA, self.data_limit))
        self.root = os.open(settings[b"work"], os.O_RDONLY | os.O_DIRECTORY)
        os.fchdir(self.root)
        self.poller.register(self.requests, select.POLLIN)
        self.poller.register(self.wake, select.POLLIN)
        with open("/proc/self/status", "rb") as file:
            status = dict(line.split(b":\t", 1) for line in file.read().splitlines() if b":\t" in line)
        self.answer(
            b"0",
            b"hello",
            VERSION,
            b"%d" % os.getpid(),
            b"%d" % os.getuid(),
            b"%d" % self.child,
            status.get(b"CapEff", b"0").strip(),
            b"1" if self.kernel.filter else b"0",
            sys.version.split()[0].encode(),
        )

    def exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = os.read(self.requests, size - len(data))
            if not more:
                os._exit(0)
            data += more
        return data

    def answer(self, *fields: bytes) -> None:
        body = pack(fields)
        frame = len(body).to_bytes(4, "big") + self.outgoing.of(body) + body
        try:
            write_all(self.answers, frame)
        except OSError:
            self.leave()

    def serve(self) -> NoReturn:
        while True:
            for fd, event in self.poller.poll(self.patience()):
                if fd == self.requests:
                    self.hear()
                elif fd == self.wake:
                    try:
                        os.read(self.wake, 4096)
                    except BlockingIOError:
                        pass
                else:
                    self.move(fd, event)
            self.reap()
            self.look_at_the_clock()

    def hear(self) -> None:
        data = os.read(self.requests, CHUNK * 16)
        if not data:
            self.leave()
        self.inbox += data
        while len(self.inbox) >= 4:
            end = 20 + int.from_bytes(self.inbox[:4], "big")
            if len(self.inbox) < end:
                return
            seal, body = bytes(self.inbox[4:20]), bytes(self.inbox[20:end])
            del self.inbox[:end]
            if self.incoming.of(body) != seal:
                self.leave()
            request, kind, *fields = unpack(body)
            handle: Any = REQUESTS[kind]
            try:
                handle(self, request, *fields)
            except OSError as error:  # no descriptor or no memory left for it
                self.answer(request, b"broken", b"the agent cannot do it: " + str(error).encode())

    def leave(self) -> NoReturn:
        """The host is gone or has closed the sandbox: so is everything in it."""
        self.job, self.terminals = None, {}
        self.sweep(give_up_s=2.0)
        os._exit(0)

    # -- starting things

    def spawn(
        self, act: Callable[[dict[bytes, bytes]], None], fds: tuple[int, int, int], env: Iterable[bytes] = ()
    ) -> tuple[int, int]:
        """Fork; the child becomes the command's user, gets `fds` as 0, 1, 2 and calls `act`.

        Returns (pid, descriptor that tells why `act` did not get as far as exec).
        """
        hear, tell = os.pipe2(os.O_CLOEXEC)
        self.offer(b"900")  # inherited: the kernel should kill the command, not its agent
        try:
            pid = os.fork()
        except OSError:
            os.close(hear)
            os.close(tell)
            self.offer(self.own_offer)
            raise
        if pid:
            self.offer(self.own_offer)
            os.close(tell)
            return pid, hear
        code = 125
        try:
            self.become_child(fds)
            environment = dict(self.env)
            environment.update(pairs(env))
            act(environment)
            code = 0
        except BadName as error:
            write_all(tell, b"N" + str(error).encode("utf-8", "replace"))
        except FileNotFoundError as error:
            write_all(tell, b"M" + str(error.strerror).encode())
        except OSError as error:
            write_all(tell, b"X" + (error.strerror or str(error)).encode("utf-8", "replace"))
        except BaseException as error:
            write_all(tell, b"X" + repr(error).encode("utf-8", "replace"))
        finally:
            os._exit(code)

    def offer(self, score: bytes) -> None:
        """How gladly the kernel kills this process, and those forked from it, when memory runs out."""
        try:
            if self.oom >= 0:
                os.pwrite(self.oom, score, 0)
        except OSError:
            pass

    def become_child(self, fds: tuple[int, int, int]) -> None:
        os.setsid()
        for place, fd in enumerate(fds):
            os.dup2(fd, place)
        for limit, value in self.limits:
            hard = resource.getrlimit(limit)[1]
            if hard != resource.RLIM_INFINITY:
                value = min(value, hard)
            resource.setrlimit(limit, (value, value))
        if self.child != os.getuid():
            os.setgroups([])
            os.setresgid(self.child, self.child, self.child)
            os.setresuid(self.child, self.child, self.child)
        self.kernel.prctl(PR_SET_PDEATHSIG, SIGKILL)
        self.kernel.confine()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.umask(0o022)
        os.fchdir(self.root)

    def execute(self, argv: list[bytes], files: list[bytes]) -> Callable[[dict[bytes, bytes]], None]:
        def act(environment: dict[bytes, bytes]) -> None:
            for raw, content in pairs(files):
                name = os.fsdecode(raw)
                try:
                    write_file(self.root, name, content)
                except BadName as error:
                    raise BadName(f"{name}: {error}") from None
                except OSError as error:
                    raise OSError(error.errno, f"cannot write {name}: {error.strerror}") from None
            execute(argv, environment)

        return act

    def run(
        self, request: bytes, limit: bytes, output: bytes, argv: bytes, env: bytes, files: bytes, stdin: bytes
    ) -> None:
        if self.job:
            return self.answer(request, b"broken", b"a command is already running")
        self.launch(
            request, float(limit), int(output), self.execute(unpack(argv), unpack(files)), unpack(env), stdin
        )

    def read_file(self, request: bytes, limit: bytes, name: bytes, max_bytes: bytes) -> None:
        if self.job:
            return self.answer(request, b"broken", b"a command is running")
        cap = int(max_bytes)
        self.launch(request, float(limit), cap, lambda _: send_file(self.root, os.fsdecode(name), cap, 1))

    def launch(
        self,
        request: bytes,
        limit: float,
        cap: int,
        act: Callable[[dict[bytes, bytes]], None],
        env: Iterable[bytes] = (),
        stdin: bytes = b"",
    ) -> None:
        kills = out_of_memory_kills()
        started = time.monotonic()
        out, out_end = os.pipe2(os.O_CLOEXEC)
        err, err_end = os.pipe2(os.O_CLOEXEC)
        to_command = -1
        if stdin:
            stdin_end, to_command = os.pipe2(os.O_CLOEXEC)
        else:
            stdin_end = os.open("/dev/null", os.O_RDONLY)
        try:
            pid, complaint = self.spawn(act, (stdin_end, out_end, err_end), env)
        except OSError as error:  # the process limit is used up by interactive programs
            for fd in (out, err, to_command):
                if fd >= 0:
                    os.close(fd)
            text = b"cannot start: " + str(error.strerror).encode()
            return self.answer(request, b"done", b"126", b"0", b"0", b"0", b"0", b"0", b"0", b"X", b"", text)
        finally:
            for fd in (stdin_end, out_end, err_end):
                os.close(fd)
        streams = [Output(out, cap), Output(err, cap), Output(complaint, 4096)]
        self.job = job = Job(request, pid, started, limit, streams)
        job.oom_kills = kills
        for stream in streams:
            os.set_blocking(stream.fd, False)
            self.poller.register(stream.fd, select.POLLIN)
        if to_command >= 0:
            job.stdin, job.typed = to_command, memoryview(stdin)
            os.set_blocking(to_command, False)
            self.poller.register(to_command, select.POLLOUT)

    def start(self, request: bytes, argv: bytes, env: bytes, files: bytes) -> None:
        import termios

        master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, b"".join(n.to_bytes(2, sys.byteorder) for n in (24, 80, 0, 0)))
        mode = termios.tcgetattr(slave)
        mode[1] &= ~termios.ONLCR  # a line ends in \n, as in a pipe
        mode[3] &= ~(termios.ECHO | termios.ECHONL)
        termios.tcsetattr(slave, termios.TCSANOW, mode)
        execute = self.execute(unpack(argv), unpack(files))

        def act(environment: dict[bytes, bytes]) -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            execute(environment)

        try:
            pid, complaint = self.spawn(act, (slave, slave, slave), unpack(env))
        except OSError as error:
            os.close(master)
            return self.answer(request, b"broken", b"cannot start: " + str(error.strerror).encode())
        finally:
            os.close(slave)
        with open(complaint, "rb", buffering=0) as file:  # ends at exec, which is a moment away
            words = file.read(4096)
        if words[:1] == b"N":
            os.close(master)
            return self.answer(request, b"refused", words[1:])
        self.count += 1
        name = b"%d" % self.count
        self.terminals[name] = terminal = Terminal(pid, master, self.output_cap)
        terminal.unread += words[1:]  # it could not be started: that is all one reads before its end
        os.set_blocking(master, False)
        self.poller.register(master, select.POLLIN)
        self.answer(request, b"started", name)

    # -- interactive programs

    def type(self, request: bytes, name: bytes, data: bytes) -> None:
        terminal = self.terminals.get(name)
        if terminal and not terminal.ended and len(terminal.typed) + len(data) <= 16 << 20:
            terminal.typed += data
            self.push(terminal)
        self.answer(request, b"ok")

    def push(self, terminal: Terminal) -> None:
        """Type what the terminal takes now; the rest when it takes more."""
        try:
            while terminal.typed:
                del terminal.typed[: os.write(terminal.fd, terminal.typed[:4096])]
        except BlockingIOError:
            pass
        except OSError:
            terminal.typed.clear()
        self.attend(terminal)

    def attend(self, terminal: Terminal) -> None:
        if not terminal.ended:
            events = (0 if terminal.full() else select.POLLIN) | (select.POLLOUT if terminal.typed else 0)
            self.poller.register(terminal.fd, events)

    def read(self, request: bytes, name: bytes, marker: bytes, limit: bytes) -> None:
        terminal = self.terminals.get(name)
        if terminal is None:
            return self.answer(request, b"read", b"ended", b"")
        terminal.reading = (request, marker, time.monotonic() + float(limit))
        self.attend(terminal)
        self.satisfy(terminal)

    def satisfy(self, terminal: Terminal, timed_out: bool = False) -> None:
        """Answer a pending read if its marker has come, its program is gone or its time is up."""
        if terminal.reading is None:
            return
        request, marker, _ = terminal.reading
        at = terminal.unread.find(marker) if marker else -1
        if at >= 0:
            why, end = b"matched", at + len(marker)
        elif terminal.ended:
            why, end = b"ended", len(terminal.unread)
        elif timed_out:
            why, end = b"timed_out", len(terminal.unread)
        else:
            over = len(terminal.unread) - terminal.cap - len(marker)
            if over > 0:  # keep the head for the answer and a tail to find the marker in
                if not terminal.head:
                    terminal.head = bytes(terminal.unread[: terminal.cap])
                    terminal.unread = terminal.unread[terminal.cap :]
                else:
                    del terminal.unread[: -len(marker) or None]
            return
        data = terminal.head + bytes(terminal.unread[:end])
        del terminal.unread[:end]
        terminal.reading, terminal.head = None, b""
        self.attend(terminal)
        self.answer(request, b"read", why, data)

    def hang_up(self, terminal: Terminal) -> None:
        """Its program has ended or closed it: kill what is left, keep the last words."""
        terminal.ended = True
        self.sweep()
        waiting = select.poll()
        waiting.register(terminal.fd, select.POLLIN)
        deadline = time.monotonic() + HANGUP_S  # the kernel hands the last bytes over a little later
        while time.monotonic() < deadline and len(terminal.unread) < 2 * terminal.cap:
            if waiting.poll(20) and terminal.take() == 0:
                break
        self.forget(terminal)
        self.satisfy(terminal)

    def forget(self, terminal: Terminal) -> None:
        self.poller.unregister(terminal.fd)
        os.close(terminal.fd)
        terminal.fd = -1

    def end(self, request: bytes, name: bytes) -> None:
        terminal = self.terminals.pop(name, None)
        if terminal and not terminal.ended:
            terminal.ended = True
            self.sweep()
            self.forget(terminal)
            self.satisfy(terminal)
        self.answer(request, b"ok")

    # -- while things run

    def patience(self) -> int | None:
        """Milliseconds until something must be looked at even if nothing happens."""
        deadlines = [t.reading[2] for t in self.terminals.values() if t.reading]
        if self.job:
            deadlines.append(self.job.deadline)
        live = self.job or any(not t.ended for t in self.terminals.values())
        if self.watched_memory and live:
            deadlines.append(time.monotonic() + WATCH_EVERY_S)
        if not deadlines:
            return None
        left_s = min(deadlines) - time.monotonic()
        return max(0, int(min(left_s, 3600) * 1000) + 1)  # poll counts in 32 bits

    def move(self, fd: int, event: int) -> None:
        """Bytes can move on `fd`."""
        job = self.job
        if job and fd in (job.out.fd, job.err.fd, job.complaint.fd):
            stream = job.out if fd == job.out.fd else job.err if fd == job.err.fd else job.complaint
            if stream.take() == 0:
                self.poller.unregister(fd)
        elif job and fd == job.stdin:
            self.feed(job)
        else:
            for terminal in list(self.terminals.values()):
                if terminal.fd == fd:
                    if event & select.POLLOUT:
                        self.push(terminal)
                    if event & ~select.POLLOUT and terminal.take() == 0:
                        self.hang_up(terminal)
                    else:
                        self.satisfy(terminal)
                        self.attend(terminal)

    def feed(self, job: Job) -> None:
        """Give the command what its stdin takes now."""
        try:
            job.typed = job.typed[os.write(job.stdin, job.typed[:CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:  # it reads no more
            job.typed = job.typed[:0]
        if not job.typed:
            self.close_stdin(job)

    def close_stdin(self, job: Job) -> None:
        if job.stdin >= 0:
            self.poller.unregister(job.stdin)
            os.close(job.stdin)
            job.stdin = -1

    def look_at_the_clock(self) -> None:
        now = time.monotonic()
        if self.job and now >= self.job.deadline:
            self.job.timed_out = True
            self.finish(self.job)
        for terminal in list(self.terminals.values()):
            if terminal.reading and now >= terminal.reading[2]:
                self.satisfy(terminal, timed_out=True)
        if self.watched_memory and now >= self.watch_at and (self.job or self.terminals):
            self.watch_at = now + WATCH_EVERY_S
            self.watch()

    def watch(self) -> None:
        """Where no cgroup bounds memory and processes: sum them, and end what is over."""
        pids = descendants(processes(), [os.getpid()])
        crowded = len(pids) > self.watched_processes
        if not crowded and sum(map(resident_at_most, pids)) <= self.watched_memory:
            return
        if not crowded and sum(map(resident, pids)) <= self.watched_memory:
            return
        if self.job:
            self.job.out_of_memory = not crowded
            self.job.note = b"[killed: more than %d processes]\n" % self.watched_processes if crowded else b""
            self.finish(self.job)
        else:
            for terminal in self.terminals.values():
                if not terminal.ended:
                    self.hang_up(terminal)

    # -- the end of things

    def reap(self) -> None:
        """Bury the dead, then deal with what their death means."""
        self.bury()
        for terminal in list(self.terminals.values()):
            if terminal.dead and not terminal.ended:
                self.hang_up(terminal)
        if self.job and self.job.status is not None:
            self.finish(self.job)

    def bury(self) -> bool:
        """Wait for every child that has ended. False when there is none left, alive or dead."""
        owners = {terminal.pid: terminal for terminal in self.terminals.values() if not terminal.dead}
        while True:
            try:
                pid, status, used = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if not pid:
                return True
            if pid in owners:
                owners[pid].dead = True
            elif self.job:  # its own process, or an orphan that it left
                self.job.cpu += used.ru_utime + used.ru_stime
                self.job.max_rss = max(self.job.max_rss, used.ru_maxrss * 1024)
                if pid == self.job.pid:
                    self.job.status = status

    def sweep(self, give_up_s: float = 1.0) -> None:
        """Kill every process inside but this one, the live interactive programs and a live command."""
        live = {terminal.pid for terminal in self.terminals.values() if not (terminal.ended or terminal.dead)}
        if self.job and not self.job.over:
            live.add(self.job.pid)
        deadline = time.monotonic() + give_up_s
        stopped: set[int] = set()
        while time.monotonic() < deadline:
            if self.alone and not live:
                try:
                    os.kill(-1, SIGKILL)  # one call under the kernel's lock: no fork bomb outruns it
                except ProcessLookupError:
                    pass
            else:
                table = processes()
                found = descendants(table, [os.getpid()], live)
                victims = {pid for pid in found if table[pid][1] not in (b"Z", b"X")}
                # Stop them all before killing any: a killed one makes room for another to fork.
                for pid in victims:
                    try:
                        os.kill(pid, SIGKILL if victims <= stopped else SIGSTOP)
                    except (ProcessLookupError, PermissionError):
                        pass
                stopped = victims
                if not victims:
                    self.bury()
                    return
            if not self.bury():
                return
            time.sleep(0.0005)

    def finish(self, job: Job) -> None:
        """The command has ended or must end: nothing of it is left when the answer goes out."""
        job.over = True
        seconds = time.monotonic() - job.started
        self.sweep()
        self.close_stdin(job)
        for stream in (job.out, job.err, job.complaint):
            try:
                self.poller.unregister(stream.fd)
            except KeyError:
                pass  # it had reached its end
            stream.drain()
        self.job = None
        words = b"".join(job.complaint.kept)
        if job.status is None and not job.timed_out and not job.note and not job.out_of_memory:
            return self.answer(job.request, b"broken", b"the command could not be killed")
        code = b"" if job.timed_out or job.status is None else b"%d" % exit_code(job.status)
        if words:
            if words[:1] == b"N":
                return self.answer(job.request, b"refused", words[1:])
            code = b"127" if words[:1] == b"M" else b"126"
        grown = out_of_memory_kills() > job.oom_kills
        self.answer(
            job.request,
            b"done",
            code,
            b"1" if job.timed_out else b"0",
            b"1" if job.out.truncated or job.err.truncated else b"0",
            b"1" if job.out_of_memory or grown else b"0",
            b"%.6f" % seconds,
            b"%.6f" % job.cpu,
            b"%d" % job.max_rss,
            words[:1],
            b"".join(job.out.kept),
            b"".join(job.err.kept) + job.note + words[1:],
        )


def execute(argv: list[bytes], environment: dict[bytes, bytes]) -> NoReturn:
    """Become the command, found on its own PATH. `os.execvpe` would import a module in every child."""
    for number in (1, 2, 3, 13, 15, 25):  # those that Python or the agent ignores
        signal.signal(number, signal.SIG_DFL)
    folders = [b""] if b"/" in argv[0] else environment.get(b"PATH", b"/usr/bin:/bin").split(b":")
    why: OSError = FileNotFoundError(2, "not found")
    for folder in folders:
        try:
            os.execve(folder + b"/" + argv[0] if folder else argv[0], argv, environment)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            why = error
    raise type(why)(why.errno, f"{os.fsdecode(argv[0])}: {why.strerror}")


def exit_code(status: int) -> int:
    """As subprocess has it: negative for a signal."""
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


REQUESTS = {
    b"run": Agent.run,
    b"read_file": Agent.read_file,
    b"start": Agent.start,
    b"type": Agent.type,
    b"read": Agent.read,
    b"end": Agent.end,
}


if __name__ == "__main__":
    agent = Agent()
    agent.begin()
    agent.serve()
