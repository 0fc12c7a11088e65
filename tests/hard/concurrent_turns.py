"""A lock for readers and writers in asyncio, under a loop that runs what is ready in any order, with cancellation."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from functools import partial
from typing import TypedDict

from evaluator import *

from .cases import Cases

DESCRIPTION = "Can the model write an asyncio lock whose turns hold in every order, with cancelled waiters?"
TAGS = ["hard", "code", "python", "threads"]

RUNS, EACH = 8, 50
HARNESS = r'''
import asyncio, json, random, sys
sys.path.insert(0, "")
import solution

class Loop(asyncio.SelectorEventLoop):
    """Time is not waited for; what is ready at the same time is run in any order."""
    now = 0.0
    def time(self):
        return self.now
    def _run_once(self):
        if not self._ready:
            waiting = [each for each in self._scheduled if not each._cancelled]
            if not waiting:
                raise RuntimeError("stuck")
            self.now = max(self.now, min(each._when for each in waiting))
        due = [each for each in self._scheduled if each._when <= self.now and not each._cancelled]
        for each in due:
            self._ready.append(asyncio.Handle(each._callback, each._args, self, each._context))
            each.cancel()
        some = list(self._ready)
        self.random.shuffle(some)
        self._ready.clear()
        self._ready.extend(some)
        self.call_soon(lambda: None)  # so that the selector does not wait
        super()._run_once()

def play(scenario):
    loop = Loop()
    loop.random = random.Random(scenario["seed"])
    asyncio.set_event_loop(loop)
    lines = []
    def log(what, n):
        lines.append(f"{loop.now:g} {what} {n}")
    async def worker(lock, n, start, turns):
        await asyncio.sleep(start)
        for kind, hold, then, more in turns:
            log("ask-" + kind, n)
            try:
                await (lock.read() if kind == "read" else lock.write())
            except asyncio.CancelledError:
                log("gone", n)
                raise
            log("got", n)
            try:
                await asyncio.sleep(hold)
                if then == "upgrade":
                    log("ask-upgrade", n)
                    try:
                        done = await lock.upgrade()
                    except asyncio.CancelledError:
                        log("gone-upgrade", n)
                        raise
                    log("upgraded" if done is True else "refused" if done is False else "nonsense", n)
                    await asyncio.sleep(more)
                elif then == "downgrade":
                    log("downgrade", n)
                    lock.downgrade()
                    await asyncio.sleep(more)
            finally:
                log("release", n)
                lock.release()
    async def main():
        lock = solution.Lock(scenario["most"])
        tasks = [asyncio.ensure_future(worker(lock, n, *each)) for n, each in enumerate(scenario["workers"])]
        async def stop(at, n, rounds):
            await asyncio.sleep(at)
            for _ in range(rounds):
                await asyncio.sleep(0)
            log("cancel", n)
            tasks[n].cancel()
        stops = [asyncio.ensure_future(stop(*each)) for each in scenario["stops"]]
        for n, each in enumerate(await asyncio.gather(*tasks, return_exceptions=True)):
            log("end" if each is None or isinstance(each, asyncio.CancelledError) else "error", n)
        for each in stops:
            each.cancel()
        await asyncio.gather(*stops, return_exceptions=True)
    try:
        loop.run_until_complete(main())
    except RuntimeError as error:
        lines.append(f"{loop.now:g} {error} 0")
    return lines

for scenario in json.load(sys.stdin):
    print("\n".join(play(scenario)), end="\n\n")
'''
PROMPT = """Write a Python module with a class Lock for asyncio (Python 3.11 or newer, standard library only): a lock for readers and
writers.

    Lock(most)           a lock that at most `most` readers hold at once
    await lock.read()    come in as a reader
    await lock.write()   come in as the writer
    await lock.upgrade() of a reader: become the writer. Returns True when it is, False if it cannot be
    lock.downgrade()     of the writer: become a reader, at once. Not a coroutine
    lock.release()       of the task that holds it: go out. Not a coroutine; the task is one that holds the lock as a reader or a writer

The rules:

1. Either there is one writer inside and nobody else, or there are 0 to `most` readers.
2. Those who wait to come in stand in one queue, in the order in which they called. Only the first of the queue may come in: a reader when
   no writer is inside and fewer than `most` readers are, a writer when nobody is inside. Then the next is the first, and so on.
   So nobody passes anybody, and whoever calls while others wait goes behind them, whatever he wants.
3. upgrade(): the reader stays a reader while it waits, and becomes the writer when it is the only one inside. While a reader waits for its
   upgrade, nobody comes in from the queue. If another reader waits for its upgrade already, upgrade() returns False at once and changes
   nothing. A reader who is the only one inside is upgraded at once, whoever stands in the queue.
4. A task may be cancelled at any moment, also in the very moment in which its turn has come but it has not run yet. If CancelledError comes
   out of read() or write(), the task is not inside and not in the queue. If it comes out of upgrade(), the task is a reader inside
   (it will call release() itself), also if it had just become the writer, and it does not wait for the upgrade any more. A cancellation is
   never swallowed. Whether a cancelled task counts as gone from the cancellation on, or only when it has run, is left to you.
5. Whatever lets somebody in by these rules (a release, a downgrade, an upgrade that is over, a cancelled task that goes) lets them in at
   once: time does not go on before they have returned from their call. Whoever need not wait does not wait, either.
6. A lock is used by one event loop, and a task calls read() or write() only while it is not inside. The loop may run what is ready in any order,
   not only in the order in which it became ready; so those let in together may return in any order, and others may
   call between the moment in which a task is let in and the moment in which it runs. Such calls come after it.

This program runs your module (solution.py) on hidden scenarios, which it reads as JSON from stdin; the lines that it prints are compared
with the rules:

{harness}

Give the whole module in one code block. You cannot run it before it is judged: every one of {number} scenarios must be right."""


class Scenario(TypedDict):
    """What the program is told. A worker: when it begins, and (kind, time inside, change, time after it) of each
    of its turns. A stop: when, whom, and how many rounds of the loop later."""

    most: int
    workers: list[tuple[int, list[tuple[str, int, str, int]]]]
    stops: list[tuple[float, int, int]]
    seed: int


def scenarios(seed: int, run: int) -> list[Scenario]:
    """The scenarios of one run: small whole times, so that much happens at the same time."""
    found: list[Scenario] = []
    for number in range(EACH):
        chance = random.Random(f"turns {seed} {run} {number}")
        count = chance.randint(3, 8)
        writers = chance.choice([0.2, 0.4, 0.6])
        workers = []
        for _ in range(count):
            turns = []
            for _ in range(chance.randint(1, 3)):
                kind = "write" if chance.random() < writers else "read"
                change = {"read": "upgrade", "write": "downgrade"}[kind] if chance.random() < 0.45 else ""
                hold = chance.randint(change == "upgrade", 4)
                turns.append((kind, hold, change, chance.randint(0, 3)))
            workers.append((chance.randint(0, 6), turns))
        # several at once, but never at the time of a call of upgrade(): then it could matter when who is gone
        moments = [chance.randint(1, 12) + part for part in (0.25, 0.5, 0.75)]
        stops = [
            (chance.choice(moments), n, chance.choice([0, 0, 1, 2, 3]))
            for n in range(count)
            if chance.random() < 0.6
        ]
        found.append(
            {
                "most": chance.randint(1, 4),
                "workers": workers,
                "stops": stops,
                "seed": chance.randrange(10**9),
            }
        )
    return found


class Believed:
    """The lock by the rules: who is inside and who waits. Told what happens, it says who must come in."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.readers: set[int] = set()
        self.writer: int | None = None
        self.upgrader: int | None = None
        self.queue: list[tuple[int, str]] = []
        self.returning: dict[int, str] = {}  # who must return at once -> what it must log

    def _let_in(self) -> None:
        if self.upgrader is not None:
            if self.readers == {self.upgrader}:
                self.writer, self.upgrader = self.upgrader, None
                self.readers.clear()
                self.returning[self.writer] = "upgraded"
            return
        while self.queue and self.writer is None:
            n, kind = self.queue[0]
            if kind == "read" and len(self.readers) < self.most:
                self.readers.add(n)
            elif kind == "write" and not self.readers:
                self.writer = n
            else:
                return
            self.queue.pop(0)
            self.returning[n] = "got"

    def _out(self, n: int) -> None:
        self.readers.discard(n)
        self.writer = None if self.writer == n else self.writer
        self.queue = [each for each in self.queue if each[0] != n]

    def happens(self, what: str, n: int) -> bool:
        """Take up what a line says; whether it may be."""
        if (
            what in ("got", "upgraded", "refused", "gone", "gone-upgrade")
            and self.returning.pop(n, "") != what
        ):
            return False
        if what in ("ask-read", "ask-write"):
            self.queue.append((n, what.removeprefix("ask-")))
        elif what == "ask-upgrade" and self.upgrader is not None:
            self.returning[n] = "refused"
        elif what == "ask-upgrade":
            self.upgrader = n
        elif what == "cancel" and (n == self.upgrader or self.returning.get(n) == "upgraded"):
            self.upgrader = None if n == self.upgrader else self.upgrader
            if n == self.writer:
                self.writer = None
                self.readers.add(n)
            self.returning[n] = "gone-upgrade"
        elif what == "cancel":
            if n in self.returning or n in [each for each, _ in self.queue]:
                self.returning[n] = "gone"
                self._out(n)
        elif what == "downgrade":
            self.writer = None
            self.readers.add(n)
        elif what == "release":
            self._out(n)
        elif what not in ("got", "upgraded", "refused", "gone", "gone-upgrade", "end"):
            return False
        self._let_in()
        return True


def follows(lines: Iterable[str], most: int, workers: int) -> bool:
    """Whether a scenario's lines are as the rules say, to the end of all workers."""
    believed, time, ended = Believed(most), 0.0, 0
    for line in lines:
        words = line.split(" ")
        if len(words) != 3 or not words[2].isascii() or not words[2].isdigit():
            return False
        try:
            at = float(words[0])
        except ValueError:
            return False
        if not at >= time or (at > time and believed.returning):
            return False  # time went on before somebody had returned
        time = at
        if not believed.happens(words[1], int(words[2])):
            return False
        ended += words[1] == "end"
    return ended == workers and not (believed.queue or believed.readers or believed.writer is not None)


def cases(seed: int) -> list[tuple[str, list[Scenario]]]:
    """Runs of the program, and their scenarios."""
    runs = [scenarios(seed, run) for run in range(RUNS)]
    return [(json.dumps(each), each) for each in runs]


def share(printed: str, asked: list[Scenario]) -> float:
    """The share of scenarios that went by the rules, and by what was asked."""
    blocks = printed.rstrip("\n").split("\n\n")
    right = 0
    for block, scenario in zip(blocks, asked, strict=False):
        lines = block.split("\n")
        right += _as_asked(lines, scenario) and follows(lines, scenario["most"], len(scenario["workers"]))
    return right / len(asked)


def _as_asked(lines: list[str], scenario: Scenario) -> bool:
    """Whether each worker asked for what it was to ask, as far as it came, and began when it was to begin."""
    stopped = {n for _, n, _ in scenario["stops"]}
    for n, (start, turns) in enumerate(scenario["workers"]):
        its = [line.split(" ") for line in lines if line.endswith(f" {n}") and " cancel " not in line]
        asked = [what for _, what, *_ in its if what in ("ask-read", "ask-write")]
        wanted = [f"ask-{kind}" for kind, *_ in turns]
        if asked != wanted[: len(asked)] or (n not in stopped and len(asked) < len(wanted)):
            return False
        if asked and its[0][0] != str(start):
            return False
    told = {f"{at:g} cancel {n}" for at, n, _ in scenario["stops"]}
    return told.issuperset(line for line in lines if " cancel " in line)


def build(seed: int) -> Node:
    """The test of a seed: the scenarios differ."""
    shown = "\n".join(f"    {line}".rstrip() for line in HARNESS.strip().splitlines())
    question = PROMPT.format(harness=shown, number=RUNS * EACH)
    program = question >> LLMRun() >> ExtractCode(keep_main=True) >> MakeFile("solution.py")
    return (
        program >> Files({"harness.py": HARNESS})
        >> Cases("python3 harness.py", partial(cases, seed), files=["solution.py", "harness.py"], agrees=share)
    )  # fmt: skip
