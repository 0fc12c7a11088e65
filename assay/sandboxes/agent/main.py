"""The agent's one loop: requests come, bytes move, processes end, time passes."""

from __future__ import annotations

import select
import sys
import time

from assay.sandboxes.agent.child import Nursery
from assay.sandboxes.agent.command import Commands
from assay.sandboxes.agent.frames import VERSION, pack, pairs
from assay.sandboxes.agent.host import Host
from assay.sandboxes.agent.processes import (
    descendants,
    end_all,
    mapped,
    processes,
    resident,
    resident_at_most,
    shared,
)
from assay.sandboxes.agent.quick import os, signal
from assay.sandboxes.agent.terminal import Terminals
from assay.sandboxes.agent.waiting import LOOK_EVERY_S, Waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

WATCH_EVERY_S = 0.05  # how often memory is summed where no cgroup does it
WATCH_CLOSELY_S = 0.01  # and how often beyond half of what is allowed: programs take 3 MB in a millisecond
IGNORED = (1, 2, 3, 15)  # SIGHUP, SIGINT, SIGQUIT, SIGTERM


class Agent:
    """`begin` must come first: the host's first frame says how everything else is done."""

    def __init__(self) -> None:
        self.host = Host()
        self.poller = select.poll()
        self.wake, waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        for number in IGNORED:
            signal.signal(number, signal.SIG_IGN)
        self.nursery = Nursery()
        self.commands = Commands(self)
        self.terminals = Terminals(self, 0)
        self.waiting = Waiting(1.0)
        self.watch_at = 0.0
        self.alone = os.getpid() == 1

    # -- the conversation with the host

    def begin(self, compiled: list[bytes]) -> None:
        """The first frame holds the key and the settings; the first answer tells what came of them, and what
        the host can spare the next agent of compiling."""
        try:
            settings = dict(pairs(self.host.first()))
        except EOFError:
            os._exit(0)
        self.nursery.settle(settings)
        self.terminals = Terminals(self, int(settings[b"output"]))
        self.waiting = Waiting(float(settings[b"cpus"]))
        self.watched_memory = int(settings[b"watched_memory"])
        self.watched_processes = int(settings[b"watched_processes"])
        self.requests: dict[bytes, Any] = {
            b"run": self.commands.run,
            b"prepare": self.commands.prepare,
            b"go": self.commands.go,
            b"read_file": self.commands.read_file,
            b"pack": self.commands.pack,
            b"unpack": self.commands.unpack,
            b"start": self.terminals.start,
            b"type": self.terminals.type,
            b"read": self.terminals.read,
            b"end": self.terminals.end,
        }
        self.poller.register(self.host.requests, select.POLLIN)
        self.poller.register(self.wake, select.POLLIN)
        with open("/proc/self/status", "rb") as file:
            status = dict(line.split(b":\t", 1) for line in file.read().splitlines() if b":\t" in line)
        self.answer(
            b"0",
            b"hello",
            VERSION,
            b"%d" % os.getpid(),
            b"%d" % os.getuid(),
            b"%d" % self.nursery.uid,
            status.get(b"CapEff", b"0").strip(),
            b"1" if self.nursery.kernel.filtered else b"0",
            sys.version.split()[0].encode(),
            pack(compiled),
        )
        self.nursery.kernel.keep_code()  # while the host thinks of what to ask

    def answer(self, *fields: bytes) -> None:
        try:
            self.host.answer(*fields)
        except OSError:
            self.leave()

    def serve(self) -> NoReturn:
        while True:
            for fd, event in self.poller.poll(self.patience()):
                if fd == self.host.requests:
                    self.hear()
                elif fd == self.wake:
                    try:
                        os.read(self.wake, 4096)
                    except BlockingIOError:
                        pass
                elif not self.commands.move(fd):
                    self.terminals.move(fd, event)
            self.handle_deaths()
            self.look_at_the_clock()

    def hear(self) -> None:
        try:
            for request, kind, *fields in self.host.hear():
                try:
                    self.requests[kind](request, *fields)
                except OSError as error:  # no descriptor or no memory left for it
                    self.answer(request, b"broken", b"the agent cannot do it: " + str(error).encode())
        except EOFError:
            self.leave()

    def leave(self) -> NoReturn:
        """The host is gone or has closed the sandbox: so is everything in it."""
        self.commands.job = self.commands.standby = None
        self.terminals.named.clear()
        self.sweep(give_up_s=2.0)
        os._exit(0)

    # -- while things run

    def patience(self) -> int | None:
        """Milliseconds until something must be looked at even if nothing happens."""
        job, terminals = self.commands.job, self.terminals
        deadlines = [each.reading[2].deadline for each in terminals.named.values() if each.reading]
        if job:
            deadlines.append(job.clock.deadline)
        if deadlines:
            deadlines.append(self.waiting.looked_at + LOOK_EVERY_S)
            if self.nursery.wants_spare:
                deadlines.append(self.waiting.begun + self.nursery.spare_after_s)
        if self.watched_memory and (job or terminals.living()):
            deadlines.append(max(self.watch_at, time.monotonic()))
        if not deadlines:
            return None
        left_s = min(deadlines) - time.monotonic()
        return max(0, int(min(left_s, 3600) * 1000) + 1)  # poll counts in 32 bits

    def look_at_the_clock(self) -> None:
        now = time.monotonic()
        if self.waiting.clocks:
            if self.nursery.wants_spare and now >= self.waiting.begun + self.nursery.spare_after_s:
                self.nursery.hold_spare()
            if now >= self.waiting.looked_at + LOOK_EVERY_S:
                self.waiting.look(now)
        self.commands.look_at_the_clock(now)
        self.terminals.look_at_the_clock(now)
        if self.watched_memory and now >= self.watch_at and (self.commands.job or self.terminals.named):
            self.watch_at = now + WATCH_EVERY_S
            self.watch(now)

    def watch(self, now: float) -> None:
        """Where no cgroup bounds memory and processes: sum them, and end what is over."""
        pids = descendants(processes(), [os.getpid()])
        crowded = len(pids) > self.watched_processes
        taken = sum(map(mapped, pids))
        if taken > self.watched_memory / 2 and sum(map(resident_at_most, pids)) > self.watched_memory / 2:
            self.watch_at = now + WATCH_CLOSELY_S
        if not crowded and taken <= self.watched_memory:
            return
        with self.nursery.as_child():  # whose memory only its own user may look at
            held = shared(pids)
            if not crowded and held + sum(map(resident_at_most, pids)) <= self.watched_memory:
                return
            if not crowded and held + sum(map(resident, pids)) <= self.watched_memory:
                return
        job = self.commands.job
        if job:
            job.out_of_memory = not crowded
            job.note = b"[killed: more than %d processes]\n" % self.watched_processes if crowded else b""
            self.commands.finish(job)
        else:
            for terminal in self.terminals.living():
                self.terminals.hang_up(terminal)

    # -- the end of things

    def handle_deaths(self) -> None:
        """Reap the dead, then deal with what their death means."""
        self.reap()
        for terminal in self.terminals.living():
            if terminal.dead:
                self.terminals.hang_up(terminal)
        job = self.commands.job
        if job and job.status is not None:
            self.commands.finish(job)

    def reap(self) -> bool:
        """Wait for every child that has ended. False when there is none left, alive or dead."""
        owners = {each.pid: each for each in self.terminals.named.values() if not each.dead}
        job, standby = self.commands.job, self.commands.standby
        while True:
            try:
                pid, status, used = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if not pid:
                return True
            if pid == self.nursery.spare:
                self.nursery.spare = 0
                continue
            self.waiting.reaped += used.ru_utime + used.ru_stime
            if pid in owners:
                owners[pid].dead = True
            elif standby and standby.status is None and pid == standby.pid:
                standby.status = status
            elif job:  # its own process, or an orphan that it left
                job.cpu += used.ru_utime + used.ru_stime
                job.max_rss = max(job.max_rss, used.ru_maxrss * 1024)
                if pid == job.pid:
                    job.status = status

    def spared(self) -> set[int]:
        """The processes that are to live on: a command that is not over, interactive programs."""
        spared = {terminal.pid for terminal in self.terminals.living() if not terminal.dead}
        job, standby = self.commands.job, self.commands.standby
        if job and not job.over:
            spared.add(job.pid)
        if standby and standby.status is None:
            spared.add(standby.pid)
        return spared

    def sweep(self, give_up_s: float = 1.0) -> None:
        """Kill every process inside but this one, the live interactive programs and a live command."""
        end_all(self.spared(), self.alone, self.reap, give_up_s)


def main(compiled: list[bytes]) -> NoReturn:
    """`compiled`: the tag of this Python and each module as it compiled it; empty if the host had done so."""
    agent = Agent()
    agent.begin(compiled)
    agent.serve()
