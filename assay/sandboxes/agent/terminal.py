"""Interactive programs, each on a pty: what is typed, and reading up to a marker without guessing."""

from __future__ import annotations

import fcntl
import select
import sys
import time

from assay.sandboxes.agent.command import read_some
from assay.sandboxes.agent.frames import unpack
from assay.sandboxes.agent.quick import os
from assay.sandboxes.agent.waiting import Clock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.sandboxes.agent.main import Agent

HANGUP_S = 0.25  # how long a terminal's last output may take once its program is dead
ROWS, COLUMNS = 24, 80
MOST_TYPED = 16 << 20  # bytes that wait for a program to read them


class Terminal:
    """One program's. Unread output is kept up to a cap; beyond it the program waits."""

    def __init__(self, pid: int, fd: int, cap: int) -> None:
        self.pid, self.fd, self.cap = pid, fd, cap
        self.unread, self.typed, self.dead, self.ended = bytearray(), bytearray(), False, False
        self.reading: tuple[bytes, bytes, Clock] | None = None  # request, marker, its clock
        self.head = b""  # of a reading that outgrew the cap

    def take(self) -> int | None:
        """Read what the program printed, as `Output.take`; 0 once nobody holds the terminal."""
        data = read_some(self.fd)
        self.unread += data or b""
        return None if data is None else len(data)

    def full(self) -> bool:
        return self.reading is None and len(self.unread) >= self.cap

    def found(self, timed_out: bool) -> tuple[bytes, bytes, bytes] | None:
        """How a pending read ends, if it does now, what it has read, and the seconds waited for a core."""
        assert self.reading
        marker = self.reading[1]
        at = self.unread.find(marker) if marker else -1
        if at >= 0:
            why, end = b"matched", at + len(marker)
        elif self.ended or timed_out:
            why, end = b"ended" if self.ended else b"timed_out", len(self.unread)
        else:
            self.shrink(len(marker))
            return None
        data = self.head + bytes(self.unread[:end])
        del self.unread[:end]
        waited = self.reading[2].stop()
        self.reading, self.head = None, b""
        return why, data, b"%.6f" % waited

    def shrink(self, marker: int) -> None:
        """Of more than the cap keep the head for the answer and a tail to find the marker in."""
        if len(self.unread) > self.cap + marker:
            if not self.head:
                self.head = bytes(self.unread[: self.cap])
                self.unread = self.unread[self.cap :]
            else:
                del self.unread[: -marker or None]


class Terminals:
    """All that were started and not closed."""

    def __init__(self, agent: Agent, cap: int) -> None:
        self.agent, self.cap, self.count = agent, cap, 0
        self.named: dict[bytes, Terminal] = {}

    def living(self) -> list[Terminal]:
        """Those whose program has not ended, as far as is known."""
        return [each for each in self.named.values() if not each.ended]

    def start(self, request: bytes, argv: bytes, env: bytes, files: bytes) -> None:
        import termios

        master, slave = os.openpty()
        size = b"".join(number.to_bytes(2, sys.byteorder) for number in (ROWS, COLUMNS, 0, 0))
        fcntl.ioctl(slave, termios.TIOCSWINSZ, size)
        mode = termios.tcgetattr(slave)
        mode[1] &= ~termios.ONLCR  # a line ends in \n, as in a pipe
        mode[3] &= ~(termios.ECHO | termios.ECHONL)
        termios.tcsetattr(slave, termios.TCSANOW, mode)
        become = self.agent.nursery.command(unpack(argv), unpack(files))

        def act(environment: dict[bytes, bytes]) -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            become(environment)

        try:
            pid, complaint = self.agent.nursery.spawn(act, (slave, slave, slave), unpack(env))
        except OSError as error:
            os.close(master)
            return self.agent.answer(request, b"broken", b"cannot start: " + str(error.strerror).encode())
        finally:
            os.close(slave)
        with open(complaint, "rb", buffering=0) as file:  # ends at exec, which is a moment away
            words = file.read(4096)
        if words[:1] == b"N":
            os.close(master)
            return self.agent.answer(request, b"refused", words[1:])
        self.count += 1
        name = b"%d" % self.count
        self.named[name] = terminal = Terminal(pid, master, self.cap)
        terminal.unread += words[1:]  # it could not be started: that is all one reads before its end
        os.set_blocking(master, False)
        self.agent.poller.register(master, select.POLLIN)
        self.agent.answer(request, b"started", name)

    def type(self, request: bytes, name: bytes, data: bytes) -> None:
        terminal = self.named.get(name)
        if terminal and not terminal.ended and len(terminal.typed) + len(data) <= MOST_TYPED:
            terminal.typed += data
            self.push(terminal)
        self.agent.answer(request, b"ok")

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
        """Be told of what matters now: its output as long as there is room, its input if any waits."""
        if not terminal.ended:
            events = (0 if terminal.full() else select.POLLIN) | (select.POLLOUT if terminal.typed else 0)
            self.agent.poller.register(terminal.fd, events)

    def read(self, request: bytes, name: bytes, marker: bytes, limit: bytes) -> None:
        terminal = self.named.get(name)
        if terminal is None:
            return self.agent.answer(request, b"read", b"ended", b"", b"0")
        if terminal.reading is not None:  # nobody waits for that one any more
            terminal.reading[2].stop()
        terminal.reading = (request, marker, self.agent.waiting.start(float(limit)))
        self.attend(terminal)
        self.satisfy(terminal)

    def satisfy(self, terminal: Terminal, timed_out: bool = False) -> None:
        """Answer a pending read if its marker has come, its program is gone or its time is up."""
        if terminal.reading is not None:
            request = terminal.reading[0]
            found = terminal.found(timed_out)
            if found is not None:
                self.attend(terminal)
                self.agent.answer(request, b"read", *found)

    def end(self, request: bytes, name: bytes) -> None:
        terminal = self.named.pop(name, None)
        if terminal and not terminal.ended:
            terminal.ended = True
            self.agent.sweep()
            self.forget(terminal)
            self.satisfy(terminal)
        self.agent.answer(request, b"ok")

    def move(self, fd: int, event: int) -> None:
        """Bytes can move on `fd`."""
        for terminal in self.living():
            if terminal.fd == fd:
                if event & select.POLLOUT:
                    self.push(terminal)
                if event & ~select.POLLOUT and terminal.take() == 0:
                    self.hang_up(terminal)
                else:
                    self.satisfy(terminal)
                    self.attend(terminal)

    def look_at_the_clock(self, now: float) -> None:
        for terminal in list(self.named.values()):
            if terminal.reading and now >= terminal.reading[2].deadline:
                left = terminal.reading[2].extend(now)
                if left:
                    self.agent.answer(terminal.reading[0], b"more", b"%.6f" % left)
                else:
                    self.satisfy(terminal, timed_out=True)

    def hang_up(self, terminal: Terminal) -> None:
        """Its program has ended or closed it: kill what is left, keep the last words."""
        terminal.ended = True
        self.agent.sweep()
        waiting = select.poll()
        waiting.register(terminal.fd, select.POLLIN)
        deadline = time.monotonic() + HANGUP_S  # the kernel hands the last bytes over a little later
        while time.monotonic() < deadline and len(terminal.unread) < 2 * terminal.cap:
            if waiting.poll(20) and terminal.take() == 0:
                break
        self.forget(terminal)
        self.satisfy(terminal)

    def forget(self, terminal: Terminal) -> None:
        self.agent.poller.unregister(terminal.fd)
        os.close(terminal.fd)
        terminal.fd = -1
