"""
How long the processes of a sandbox waited for a core. A time limit does not count it: it is time that a
program did not have, and the model is not to blame for what else the machine does.

The kernel counts for each thread how long it ran and how long it stood in the queue (schedstat in /proc).
A program of several threads also waits for itself, and for the CPU limit that it shares with nobody: only
what it could have had on an idle machine counts as lost. Who sleeps or waits for input stands in no queue.
"""

from __future__ import annotations

import time

from assay.sandboxes.agent.processes import descendants, processes
from assay.sandboxes.agent.quick import os

LOOK_EVERY_S = 0.1
WINDOW_S = 1.0  # over which queueing is weighed: long beside the kernel's period for CPU limits
BURST_S = 0.1  # that period: within it a program may run ahead of its limit, and then has to pause
SEEN_S = 0.02  # of running, at least, before what was seen is taken for a sample of what was not
MOST_TIMES = 2.5  # a time limit, waiting included, is never more than this times the limit
TICKS = os.sysconf("SC_CLK_TCK")


class Waiting:
    """`total`: seconds so far. `cpus`: how many cores the sandbox may have at once."""

    def __init__(self, cpus: float) -> None:
        self.cpus, self.total, self.clocks = cpus, 0.0, 0
        self.reaped = 0.0  # CPU seconds of the dead that the agent has buried

    def start(self, limit: float) -> Clock:
        """A clock for a limit of so many seconds, from now on. `stop` it once."""
        if not self.clocks:
            self.begun = self.looked_at = self.window_began = time.monotonic()
            self.begun_ticks = int(time.clock_gettime(time.CLOCK_BOOTTIME) * TICKS)
            self.known: dict[tuple[int, int], tuple[int, int]] | None = None
            self.ran = self.stood = self.credit = 0.0
            self.used_before, self.own_before = self.reaped, time.process_time()
        self.clocks += 1
        return Clock(self, limit)

    def look(self, now: float) -> None:
        """See how long every thread has run and stood since the last look."""
        table = processes()
        first = self.known is None
        seen: dict[tuple[int, int], tuple[int, int]] = {}
        known = self.known or {}
        used = self.reaped
        for pid in descendants(table, [os.getpid()]):
            _, _, ticks, started = table[pid]
            old = started < self.begun_ticks
            used += ticks / TICKS
            if first and old:  # it was there before the clock: what it did until now does not count
                self.used_before += ticks / TICKS
            for task, times in threads(pid):
                seen[pid, task] = times
                ran, stood = known.get((pid, task), times if old else (0, 0))
                if times[0] >= ran and times[1] >= stood:  # else: the number has gone to another
                    self.ran += (times[0] - ran) / 1e9
                    self.stood += (times[1] - stood) / 1e9
        self.known, self.looked_at, self.used = seen, now, used
        if now - self.window_began >= WINDOW_S:
            self.weigh()

    def weigh(self) -> None:
        """Close the window that began with the last weighing: what of it was lost to others."""
        seconds = self.looked_at - self.window_began
        if seconds <= 0 or self.known is None:
            return
        own = time.process_time()
        ran, stood = self.ran, self.stood
        used = self.used - self.used_before
        if ran >= SEEN_S and used > ran:  # processes came and went between two looks: they stood no less
            ran, stood = used, stood * used / ran
        room = max(0.0, self.cpus * seconds - (own - self.own_before))
        lost = min(ran + stood, room) - ran
        ahead = min(max(-lost, 0.0) + self.credit, self.cpus * BURST_S)
        paid = min(max(lost, 0.0), ahead)
        self.credit, lost = ahead - paid, max(lost, 0.0) - paid
        self.total += seconds * lost / max(seconds, ran + lost)
        self.window_began, self.own_before, self.used_before = self.looked_at, own, self.used
        self.ran = self.stood = 0.0


class Clock:
    """The clock of one command, or of one reading of a terminal."""

    def __init__(self, waiting: Waiting, limit: float) -> None:
        self.waiting, self.limit, self.before = waiting, limit, waiting.total
        self.started = time.monotonic()
        self.deadline = self.started + limit

    def waited(self) -> float:
        """Seconds for a core since it began, as far as is known; no more than are given back."""
        return min(self.waiting.total - self.before, (MOST_TIMES - 1) * self.limit)

    def extend(self, now: float) -> float:
        """At the deadline: put it off by what the program has waited. How far from now it is then; 0 if the
        time is up."""
        self.waiting.look(now)
        self.waiting.weigh()
        self.deadline = self.started + self.limit + self.waited()
        left = self.deadline - now
        return left if left >= 0.01 else 0.0

    def stop(self) -> float:
        """What was waited in all."""
        self.waiting.weigh()
        self.waiting.clocks -= 1
        return self.waited()


def threads(pid: int) -> list[tuple[int, tuple[int, int]]]:
    """Each thread's number, with the nanoseconds that it has run and stood in the queue.

    [] where the kernel does not count them, and for a process that has ended.
    """
    found = []
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
    for task in tasks:
        try:
            with open(f"/proc/{pid}/task/{task}/schedstat", "rb", buffering=0) as file:
                ran, stood, _ = file.read(100).split()
        except (OSError, ValueError):
            continue
        found.append((int(task), (int(ran), int(stood))))
    return found
