"""Commands that run to their end, one at a time: their pipes, their clock, and the answer about them."""

from __future__ import annotations

import select
import time

from assay.sandboxes.agent.files import send_file
from assay.sandboxes.agent.frames import unpack
from assay.sandboxes.agent.processes import out_of_memory_kills
from assay.sandboxes.agent.quick import decode, os
from assay.sandboxes.agent.trees import Packer, unpack_tree
from assay.sandboxes.agent.waiting import Clock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from assay.sandboxes.agent.main import Agent

CHUNK = 1 << 16
TAIL = 1 << 16  # bytes of the end of an output over the cap (as records.OUTPUT_TAIL says)
COMPLAINT = 4096  # bytes of why a command could not be started


def read_some(fd: int) -> bytes | None:
    """Bytes, b"" at the end of the stream, None when there is nothing yet."""
    try:
        return os.read(fd, CHUNK)
    except BlockingIOError:
        return None
    except OSError:  # EIO: the other end of a terminal is closed
        return b""


class Output:
    """One pipe from a command. Of more than `cap` bytes the head is kept and the end, where a program says
    its result and a compiler or a traceback what went wrong; what is between is thrown away."""

    def __init__(self, fd: int, cap: int) -> None:
        self.fd, self.cap, self.size = fd, cap, 0
        self.tail = min(TAIL, cap // 2)
        self.head: list[bytes] = []
        self.room = cap - self.tail
        self.end = bytearray()

    def take(self) -> int | None:
        """Read what is there: a number of bytes, 0 at the end of the stream, None for nothing yet."""
        data = read_some(self.fd)
        if data is None:
            return None
        self.size += len(data)
        if self.room:
            self.head.append(data[: self.room])
            self.end += data[self.room :]
            self.room -= len(self.head[-1])
        else:
            self.end += data
        if len(self.end) > 4 * self.tail:
            del self.end[: -self.tail]
        return len(data)

    @property
    def truncated(self) -> bool:
        return self.size > self.cap

    def content(self) -> bytes:
        return b"".join(self.head) + bytes(self.end[max(0, len(self.end) - self.tail) :])

    def drain(self) -> None:
        """What is left once every writer is dead. Bounded, should one live on after all."""
        for _ in range(256):
            if not self.take():
                break
        os.close(self.fd)


class Job:
    """A command that runs to its end, or a file being read back."""

    clock: Clock  # runs from the moment that the job may work

    def __init__(self, request: bytes) -> None:
        self.request, self.oom_kills = request, out_of_memory_kills()
        self.pid, self.stdin, self.typed = 0, -1, memoryview(b"")
        self.status: int | None = None
        self.timed_out, self.out_of_memory, self.note = False, False, b""
        self.over = False
        self.seconds, self.waited, self.cpu, self.max_rss = 0.0, 0.0, 0.0, 0

    def attach(self, pid: int, out: Output, err: Output, complaint: Output) -> None:
        """It has been started; `complaint` ends at its exec, or says why there was none."""
        self.pid, self.out, self.err, self.complaint = pid, out, err, complaint
        self.streams = {stream.fd: stream for stream in (out, err, complaint)}

    def result(self) -> list[bytes]:
        """The answer, once nothing of it is left."""
        words = self.complaint.content()
        if self.status is None and not (self.timed_out or self.note or self.out_of_memory):
            return [b"broken", b"the command could not be killed"]
        if words[:1] == b"N":
            return [b"refused", words[1:]]
        code = b"" if self.timed_out or self.status is None else b"%d" % exit_code(self.status)
        if words:
            code = b"127" if words[:1] == b"M" else b"126"
        return [
            b"done",
            code,
            b"%d" % self.timed_out,
            b"%d" % (self.out.truncated or self.err.truncated),
            b"%d" % (self.out_of_memory or out_of_memory_kills() > self.oom_kills),
            b"%.6f" % self.seconds,
            b"%.6f" % self.waited,
            b"%.6f" % self.cpu,
            b"%d" % self.max_rss,
            words[:1],
            self.out.content(),
            self.err.content() + self.note + words[1:],
        ]


class Commands:
    """The one that is running, if any."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.job: Job | None = None
        self.standby: Job | None = None  # started ahead of need; its stdin is kept

    def run(
        self, request: bytes, limit: bytes, output: bytes, argv: bytes, env: bytes, files: bytes, stdin: bytes
    ) -> None:
        act = self.agent.nursery.command(unpack(argv), unpack(files))
        self.launch(request, float(limit), int(output), act, unpack(env), stdin)

    def prepare(self, request: bytes, output: bytes, argv: bytes, env: bytes) -> None:
        """Start a command that waits for its first byte; the answer tells whether it could be started."""
        if self.standby:
            return self.agent.answer(request, b"broken", b"a command is already waiting")
        job = Job(request)
        act = self.agent.nursery.command(unpack(argv), [])
        if self.begin(job, int(output), act, unpack(env), wait=True):
            self.standby = job
            self.agent.answer(request, b"prepared")

    def go(self, request: bytes, limit: bytes, stdin: bytes) -> None:
        """Let the waiting command run: its clock starts now. `gone` if it has not lived to see it."""
        job, self.standby = self.standby, None
        if not job or self.job:
            return self.agent.answer(request, b"broken", b"no command is waiting, or another one is running")
        if job.status is not None:
            for fd in (*job.streams, job.stdin):
                os.close(fd)
            return self.agent.answer(request, b"gone")
        job.request, job.oom_kills = request, out_of_memory_kills()
        job.clock = self.agent.waiting.start(float(limit))
        job.typed = memoryview(b"\n" + stdin)
        self.watch(job)

    def read_file(self, request: bytes, limit: bytes, name: bytes, max_bytes: bytes) -> None:
        cap, root = int(max_bytes), self.agent.nursery.root
        self.launch(request, float(limit), cap, lambda _: send_file(root, decode(name), cap, 1))

    def pack(self, request: bytes, limit: bytes, max_bytes: bytes, only: bytes) -> None:
        """Answer with the work directory and HOME as one, or with what is named in `only` of the former."""
        names = [decode(name) for name in unpack(only)]
        nursery, cap = self.agent.nursery, int(max_bytes)

        def act(environment: dict[bytes, bytes]) -> None:
            packer = Packer(1, cap)
            packer.folder("work", nursery.root, names)
            if not names:
                with_home(environment, lambda home: packer.folder("home", home, []))

        self.launch(request, float(limit), cap + (1 << 16), act)

    def unpack(self, request: bytes, limit: bytes, data: bytes) -> None:
        root = self.agent.nursery.root

        def act(environment: dict[bytes, bytes]) -> None:
            with_home(environment, lambda home: unpack_tree({"work": root, "home": home}, data))

        self.launch(request, float(limit), 1 << 16, act)

    def launch(
        self,
        request: bytes,
        limit: float,
        cap: int,
        act: Callable[[dict[bytes, bytes]], None],
        env: Iterable[bytes] = (),
        stdin: bytes = b"",
    ) -> None:
        if self.job:
            return self.agent.answer(request, b"broken", b"a command is already running")
        job = Job(request)
        job.typed = memoryview(stdin)
        job.clock = self.agent.waiting.start(limit)
        if self.begin(job, cap, act, env, wait=bool(stdin)):
            self.watch(job)
        else:
            job.clock.stop()

    def begin(
        self, job: Job, cap: int, act: Callable[[dict[bytes, bytes]], None], env: Iterable[bytes], wait: bool
    ) -> bool:
        """Start a job's process, with a stdin to write to if it is to `wait` for something. False, and the
        request is answered, if there can be none."""
        out, out_end = os.pipe2(os.O_CLOEXEC)
        err, err_end = os.pipe2(os.O_CLOEXEC)
        to_command = -1
        if wait:
            stdin_end, to_command = os.pipe2(os.O_CLOEXEC)
        else:
            stdin_end = os.open("/dev/null", os.O_RDONLY)
        try:
            pid, complaint = self.agent.nursery.spawn(act, (stdin_end, out_end, err_end), env)
        except OSError as error:  # the process limit is used up by interactive programs
            for fd in (out, err, to_command):
                if fd >= 0:
                    os.close(fd)
            text = b"cannot start: " + str(error.strerror).encode()
            self.agent.answer(job.request, b"done", b"126", *[b"0"] * 7, b"X", b"", text)
            return False
        finally:
            for fd in (stdin_end, out_end, err_end):
                os.close(fd)
        job.attach(pid, Output(out, cap), Output(err, cap), Output(complaint, COMPLAINT))
        job.stdin = to_command
        return True

    def watch(self, job: Job) -> None:
        """It is the one that runs: its bytes move from now on."""
        self.job = job
        for fd in job.streams:
            os.set_blocking(fd, False)
            self.agent.poller.register(fd, select.POLLIN)
        if job.stdin >= 0:
            os.set_blocking(job.stdin, False)
            self.agent.poller.register(job.stdin, select.POLLOUT)

    def move(self, fd: int) -> bool:
        """Bytes can move on `fd`. False if it is not the command's."""
        job = self.job
        if job and fd in job.streams:
            if job.streams[fd].take() == 0:
                self.agent.poller.unregister(fd)
        elif job and fd == job.stdin:
            self.feed(job)
        else:
            return False
        return True

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
            self.agent.poller.unregister(job.stdin)
            os.close(job.stdin)
            job.stdin = -1

    def look_at_the_clock(self, now: float) -> None:
        job = self.job
        if job and now >= job.clock.deadline:
            left = job.clock.extend(now)
            if left:
                return self.agent.answer(job.request, b"more", b"%.6f" % left)
            job.timed_out = True
            self.finish(job)

    def finish(self, job: Job) -> None:
        """The command has ended or must end: nothing of it is left when the answer goes out."""
        job.over, job.seconds, job.waited = True, time.monotonic() - job.clock.started, job.clock.stop()
        self.agent.sweep()
        self.close_stdin(job)
        for fd, stream in job.streams.items():
            try:
                self.agent.poller.unregister(fd)
            except KeyError:
                pass  # it had reached its end
            stream.drain()
        self.job = None
        self.agent.answer(job.request, *job.result())


def with_home(environment: dict[bytes, bytes], act: Callable[[int], None]) -> None:
    try:
        home = os.open(environment[b"HOME"], os.O_RDONLY | os.O_DIRECTORY)
    except PermissionError:  # an earlier command has closed it
        os.chmod(environment[b"HOME"], 0o755)
        home = os.open(environment[b"HOME"], os.O_RDONLY | os.O_DIRECTORY)
    try:
        act(home)
    finally:
        os.close(home)


def exit_code(status: int) -> int:
    """As subprocess has it: negative for a signal."""
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
