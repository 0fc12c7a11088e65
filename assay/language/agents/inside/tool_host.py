"""Runs inside the sandbox for as long as an agent works there: it keeps the agent's shell and interpreter,
and reads and changes files for it.

Started on a terminal as `python3 -I -c SOURCE`. A request is a line of JSON; its answer is JSON between two
edges, which hold a random token of the request. A kept program says how a call ended on a descriptor of its
own, which no command inherits, with a token that it only gets once the call is over: nothing that is printed
can end a call. All that is left behind stays below this process, so that it lives as long as the agent works.
Standard library only; Python 3.9 or later.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import stat
import time

from assay.language.inside_library import json_tools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

EDGE = "\x1e"  # JSON holds none
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
TIOCNOTTY = 0x5422
STATUS = 3  # the descriptor on which a program says how a call ended
CHUNK = 1 << 16
LARGEST_FILE = 16 << 20
LONGEST_LINE = 2000  # characters of one line of a file that are shown
DRAINED = 256  # reads at most of what a call has left in a pipe: something in the background may flood it


class Refusal(Exception):
    """What was asked for cannot be done; the message is for the model."""


class Middle:
    """Output of which the head and the tail are kept: what is too much goes from the middle."""

    def __init__(self, room: int) -> None:
        self.half, self.size = room // 2, 0
        self.head, self.tail = bytearray(), bytearray()

    def add(self, data: bytes) -> None:
        self.size += len(data)
        rest = data[max(0, self.half - len(self.head)) :]
        self.head += data[: len(data) - len(rest)]
        self.tail += rest
        if len(self.tail) > 4 * self.half:
            del self.tail[: -self.half]

    def text(self) -> str:
        tail = self.tail[max(0, len(self.tail) - self.half) :]
        left_out = self.size - len(self.head) - len(tail)
        mark = b"\n[... %d bytes left out ...]\n" % left_out if left_out > 0 else b""
        return bytes(self.head + mark + tail).decode("utf-8", "replace")


class Program:
    """A program with pipes: what it is told, what it prints (both streams as one), what it says of calls."""

    def __init__(self, argv: list[str], env: dict[str, str], room: int) -> None:
        told, self.stdin = os.pipe()
        self.out, printed = os.pipe()
        self.status, said = os.pipe()
        ends = [(told, 0), (printed, 1), (printed, 2), (said, STATUS)]
        # none of these may be one of the numbers that the others get
        moved = [(fcntl_dup(fd), fd, to) for fd, to in ends]
        actions: list[Any] = [(os.POSIX_SPAWN_DUP2, high, to) for high, _, to in moved]
        try:
            self.pid = os.posix_spawnp(
                argv[0],
                argv,
                {**os.environ, **env},
                file_actions=actions,
                setpgroup=0,
                setsigdef=[signal.SIGPIPE, signal.SIGINT, signal.SIGHUP],
            )
        except OSError as error:
            for fd in (self.stdin, self.out, self.status):
                os.close(fd)
            raise Refusal(f"{argv[0]} cannot be started: {error.strerror}") from None
        finally:
            for fd in {fd for high, low, _ in moved for fd in (high, low)}:
                os.close(fd)
        for fd in (self.stdin, self.out, self.status):
            os.set_blocking(fd, False)
        self.typed, self.said = b"", b""
        self.code: int | None = None
        self.open = [self.out, self.status]
        self.output = Middle(room)

    def take(self, fd: int) -> bool:
        """Read what is there; False if that was nothing."""
        try:
            data = os.read(fd, CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self.open = [each for each in self.open if each != fd]
        elif fd == self.out:
            self.output.add(data)
        elif len(self.said) < CHUNK * 16:
            self.said += data
        return bool(data)

    def push(self) -> None:
        """Tell it what it takes now."""
        try:
            while self.typed:
                self.typed = self.typed[os.write(self.stdin, self.typed[:CHUNK]) :]
        except BlockingIOError:
            pass
        except OSError:  # it has ended, or closed it
            self.typed = b""

    def hush(self) -> None:
        """No more is said to it."""
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    def drain(self) -> str:
        """Everything that it printed since the last time."""
        for _ in range(DRAINED):
            if self.out not in self.open or not self.take(self.out):
                break
        text, self.output = self.output.text(), Middle(2 * self.output.half)
        return text

    def end(self) -> None:
        """Kill it, with its process group."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except OSError:
            pass
        self.hush()
        for fd in (self.out, self.status):
            os.close(fd)


def fcntl_dup(fd: int) -> int:
    """A copy beyond the numbers that a program gets, closed when it is executed."""
    import fcntl

    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10)


class ToolHost:
    """Does what the host asks for, one request at a time."""

    def __init__(self) -> None:
        self.loads, self.dumps = json_tools()
        self.requests, self.answers, self.heard = os.dup(0), os.dup(1), b""
        self.programs: dict[str, Program] = {}
        self.kinds = {"say": self.say, "run": self.once, "read": read_file, "edit": edit_file}

    def serve(self) -> NoReturn:
        self.answer("ready", {})
        while True:
            self.wait(None)
            while b"\n" in self.heard:
                line, _, self.heard = self.heard.partition(b"\n")
                request = self.loads(line.decode())
                try:
                    answer = self.kinds[request["do"]](request)
                except Refusal as error:
                    answer = {"error": str(error)}
                except OSError as error:
                    answer = {"error": f"{error.strerror}"}
                except ValueError as error:  # of a name that no file can have
                    answer = {"error": str(error)}
                except MemoryError:
                    answer = {"error": "there is not enough memory for it"}
                self.answer(request["token"], answer)

    def answer(self, token: str, answer: dict[str, Any]) -> None:
        data = f"{EDGE}{token}{self.dumps(answer)}{EDGE}{token}\n".encode()
        while data:
            data = data[os.write(self.answers, data[:CHUNK]) :]

    def wait(self, seconds: float | None, busy: Program | None = None) -> None:
        """Move what can be moved, for at most so long; of the `busy` program also what it is told."""
        poller = select.poll()
        owners: dict[int, Program] = {}
        for program in [*self.programs.values(), *([busy] if busy else [])]:
            for fd in program.open:
                owners[fd] = program
                poller.register(fd, select.POLLIN)
        if busy and busy.typed:
            poller.register(busy.stdin, select.POLLOUT)
        if not busy:
            poller.register(self.requests, select.POLLIN)
        for fd, _ in poller.poll(None if seconds is None else max(0, int(seconds * 1000) + 1)):
            if busy and fd == busy.stdin:
                busy.push()
            elif fd == self.requests:
                data = os.read(fd, CHUNK)
                if not data:
                    os._exit(0)
                self.heard += data
            else:
                owners[fd].take(fd)
        self.reap(busy)

    def reap(self, busy: Program | None) -> None:
        """Bury what has ended: programs, and orphans that they left."""
        known = {program.pid: program for program in [*self.programs.values(), *([busy] if busy else [])]}
        while True:
            try:
                pid, code = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            if pid in known:
                known[pid].code = os.WEXITSTATUS(code) if os.WIFEXITED(code) else -os.WTERMSIG(code)

    def say(self, request: dict[str, Any]) -> dict[str, Any]:
        """Tell a program that is kept something, and wait until it says that it is done with it."""
        name, begun = request["program"], time.monotonic()
        self.reap(None)
        gone = self.programs.get(name)
        if gone is not None and gone.code is not None:  # since the last call
            gone.end()
            del self.programs[name]
        if name not in self.programs:
            self.programs[name] = Program(request["argv"], request["env"], request["room"])
        program, end = self.programs[name], request["end"].encode()
        program.said, program.typed = b"", request["text"].encode("utf-8", "replace")
        program.push()
        deadline = begun + request["limit"]
        while True:
            found = program.said.find(end)
            line = program.said[found + len(end) :] if found >= 0 else b""
            if b"\n" in line:
                code: dict[str, Any] = {"status": int(line.split(b"\n")[0] or b"0")}
                if found:
                    code["said"] = program.said[:found].decode("utf-8", "replace")
                break
            if program.code is not None or not (left := deadline - time.monotonic()) > 0:
                code = {"timed_out": True} if program.code is None else {"ended": program.code}
                break
            # its death is no event on a pipe that something in the background holds
            self.wait(min(left, 0.05 if self.status_closed(program) else 1.0), program)
        printed = program.drain()
        if "status" not in code:
            program.end()
            del self.programs[name]
        return {**code, "printed": printed, "seconds": time.monotonic() - begun}

    def status_closed(self, program: Program) -> bool:
        return program.status not in program.open

    def once(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run a program to its end. `said`: what it wrote on its descriptor."""
        begun = time.monotonic()
        program = Program(request["argv"], request["env"], request["room"])
        program.typed = request["text"].encode("utf-8", "replace")
        deadline = begun + request["limit"]
        while program.code is None and (left := deadline - time.monotonic()) > 0:
            program.push()
            if not program.typed:
                program.hush()
            self.wait(min(left, 0.02 if self.status_closed(program) else 1.0), program)
        while program.status in program.open and program.take(program.status):
            pass
        code = {"timed_out": True} if program.code is None else {"ended": program.code}
        printed = program.drain()
        program.end()
        said = program.said.decode("utf-8", "replace")
        return {**code, "said": said, "printed": printed, "seconds": time.monotonic() - begun}


def opened(path: str, flags: int) -> int:
    """A descriptor of a regular file that is not too large."""
    try:
        fd = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise Refusal(f"{path}: {getattr(error, 'strerror', '') or error}") from None
    its = os.fstat(fd)
    why = "a folder" if stat.S_ISDIR(its.st_mode) else "" if stat.S_ISREG(its.st_mode) else "not a file"
    if not why and its.st_size > LARGEST_FILE:
        why = f"{its.st_size} bytes long; use the shell to look at parts of it"
    if why:
        os.close(fd)
        raise Refusal(f"{path} is {why}")
    return fd


def content(path: str, flags: int = os.O_RDONLY) -> bytes:
    with open(opened(path, flags), "rb", buffering=0) as file:
        return file.read(LARGEST_FILE + 1)


def read_file(request: dict[str, Any]) -> dict[str, Any]:
    """Lines of a text file."""
    path, first, room = request["path"], max(1, request["first"]), request["room"]
    data = content(path)
    if b"\0" in data[:8192]:
        raise Refusal(f"{path} is not a text file ({len(data)} bytes); use the shell to look at it")
    lines = data.decode("utf-8", "replace").split("\n")
    if lines[-1] == "":
        del lines[-1]
    if first > max(1, len(lines)):
        raise Refusal(f"{path} has {len(lines)} lines")
    shown: list[str] = []
    for line in lines[first - 1 : first - 1 + request["lines"]]:
        if len(line) > LONGEST_LINE:
            line = f"{line[:LONGEST_LINE]}[... {len(line) - LONGEST_LINE} characters left out ...]"
        room -= len(line.encode()) + 1
        if room < 0:
            break
        shown.append(line)
    last = first - 1 + len(shown)
    text = "\n".join(shown)
    if first > 1 or last < len(lines):
        text += f"\n[lines {first} to {last} of {len(lines)}]"
    return {"printed": text or "[the file is empty]"}


def edit_file(request: dict[str, Any]) -> dict[str, Any]:
    """Replace the one place where a text stands in a file, or make a new file."""
    path, new = request["path"], request["new"].encode("utf-8", "replace")
    old = request["old"].encode("utf-8", "replace")
    if not old:
        if os.path.lexists(path) and (not os.path.isfile(path) or os.path.getsize(path)):
            raise Refusal(f"{path} is there already; give the old_text that is to be replaced")
        if folder := os.path.dirname(path):
            os.makedirs(folder, exist_ok=True)
        write(path, new, os.O_CREAT)
        return {"printed": f"made {path} ({len(new)} bytes)"}
    data = content(path)
    found = data.count(old)
    if found != 1:
        why = (
            "is not in the file"
            if not found
            else f"stands there {found} times; give more of what is around it"
        )
        raise Refusal(f"{path}: old_text {why}")
    if len(data) - len(old) + len(new) > LARGEST_FILE:
        raise Refusal(f"{path} would be too large")
    at = data.find(old)
    write(path, data[:at] + new + data[at + len(old) :], 0)
    line = data.count(b"\n", 0, at) + 1
    return {"printed": f"changed {path} at line {line}"}


def write(path: str, data: bytes, flags: int) -> None:
    with open(opened(path, os.O_WRONLY | flags), "wb", buffering=0) as file:
        left = memoryview(data)
        while left:
            left = left[file.write(left) :]
        file.truncate(len(data))


def main() -> None:
    import fcntl
    import termios

    mode = termios.tcgetattr(0)
    mode[:4] = [0, 0, mode[2], 0]  # raw: a line may be of any length, and no byte means anything
    mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
    termios.tcsetattr(0, termios.TCSANOW, mode)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        fcntl.ioctl(0, TIOCNOTTY)  # a command that asks at its terminal must not read our requests
    except OSError:
        pass
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    host = ToolHost()
    for fd in (host.requests, host.answers):
        os.set_inheritable(fd, False)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    host.serve()


if __name__ == "__main__":
    main()
