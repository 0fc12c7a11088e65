"""Threads with locks, channels, semaphores and events: every moment at which they are stuck."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import zip_longest

from evaluator import *

from .listed import judge_lists

DESCRIPTION = "Can the model find all moments at which four threads with locks, channels and events are stuck, and no others?"
TAGS = ["hard", "reasoning", "threads"]

PROMPT = """Each of the {count} programs below has four threads P, Q, R and S that run at the same time. One step is made at a time, by any thread whose next instruction
can be done, and each thread does its instructions in order:

    lock A      can be done only while no thread has lock A (not even this one); the thread then has it
    unlock A    gives lock A back
    send c, take c
                are done only together, in one step: when the next instruction of one thread is send c and that of another is take c,
                these two go on (any such two, if there are more)
    up s        raises the semaphore s by 1
    down s      can be done only while s is above 0; lowers it by 1
    sleep e     puts the thread to sleep: it makes no step until it is woken, and then its sleep e is done
    wake e      wakes all threads that are asleep by sleep e at this moment; if there is none, nothing happens

Nobody has a lock and nobody is asleep at first; semaphores are 0. A thread has ended when it has done its last instruction. Where nothing is said, an instruction can always be done.

{programs}

A program is stuck when no step is possible and not all threads have ended. For each program, list all the moments that can be reached at which it is stuck. A
moment is written as four digits, for P, Q, R and S: the number of the instruction that the thread has not done yet and cannot do (that of its sleep if
it is asleep), or 0 if the thread has ended. Work it out without running any code. End your reply with {count} lines, one for each program, with
all of its moments, with blanks between them, in any order, such as

G1: 3705 4446

It passes if every list has exactly these moments."""

Instruction = tuple[str, str]
Threads = Sequence[Sequence[Instruction]]
Moment = tuple[
    tuple[int, ...], int
]  # instructions that each thread has done, and a bit for each thread that is asleep
NAMES = "PQRS"
KINDS = ("lock", "unlock", "send", "up", "down", "sleep", "wake")


class Program:
    """What each thread holds and has added to semaphores after so many instructions."""

    def __init__(self, threads: Threads) -> None:
        self.threads = threads
        self.held: list[list[frozenset[str]]] = []
        self.sums: list[list[dict[str, int]]] = []
        for thread in threads:
            held, sums = [frozenset[str]()], [dict[str, int]()]
            for what, which in thread:
                held.append(
                    held[-1] | {which}
                    if what == "lock"
                    else held[-1] - {which}
                    if what == "unlock"
                    else held[-1]
                )
                more = {"up": 1, "down": -1}.get(what, 0)
                sums.append({**sums[-1], which: sums[-1].get(which, 0) + more} if more else sums[-1])
            self.held.append(held)
            self.sums.append(sums)

    def steps(self, moment: Moment) -> Iterator[Moment]:
        """The moments after one more step."""
        done, asleep = moment
        for n, at in enumerate(done):
            if at == len(self.threads[n]) or asleep >> n & 1:
                continue
            what, which = self.threads[n][at]
            if what == "take":
                continue  # the sender's step
            on = (*done[:n], at + 1, *done[n + 1 :])
            if what == "send":
                for other, place in enumerate(on):
                    if (
                        place < len(self.threads[other])
                        and self.threads[other][place] == ("take", which)
                        and other != n
                    ):
                        yield (*on[:other], place + 1, *on[other + 1 :]), asleep
            elif what == "sleep":
                yield done, asleep | 1 << n
            elif what == "wake":
                woken = [
                    m for m in range(4) if asleep >> m & 1 and self.threads[m][done[m]] == ("sleep", which)
                ]
                yield (
                    tuple(at + (m in woken) for m, at in enumerate(on)),
                    asleep & ~sum(1 << m for m in woken),
                )
            elif what == "lock":
                if not any(which in self.held[m][place] for m, place in enumerate(done)):
                    yield on, asleep
            elif what != "down" or sum(self.sums[m][place].get(which, 0) for m, place in enumerate(done)) > 0:
                yield on, asleep

    def explored(self) -> tuple[int, list[str]]:
        """How many moments can be reached, and those that are stuck."""
        first: Moment = ((0, 0, 0, 0), 0)
        seen, left, stuck = {first}, [first], set()
        ends = tuple(map(len, self.threads))
        while left:
            moment = left.pop()
            after = [*self.steps(moment)]
            if not after and moment[0] != ends:
                numbers = (0 if at == end else at + 1 for at, end in zip(moment[0], ends, strict=True))
                stuck.add("".join(map(str, numbers)))
            for each in after:
                if each not in seen:
                    seen.add(each)
                    left.append(each)
        return len(seen), sorted(stuck)

    def shown(self) -> str:
        """The threads side by side."""
        rows = ["       " + "".join(f"thread {name}".ljust(14) for name in NAMES).rstrip()]
        for number, line in enumerate(zip_longest(*self.threads, fillvalue=("", "")), 1):
            rows.append(f"    {number}  " + "".join(" ".join(each).ljust(14) for each in line).rstrip())
        return "\n".join(rows)


@dataclass(frozen=True)
class Stalls:
    """`count` programs of about `length` instructions a thread, of kinds of these `weights`. Between `fewest` and `most` moments are stuck, of
    `least` or more that can be reached."""

    name: str
    count: int
    length: int
    weights: tuple[int, ...]
    fewest: int
    most: int
    least: int

    def _drawn(self, chance: random.Random) -> Threads:
        """Threads as one run to their end leaves them: each step goes to the threads for which it can be done."""
        threads: list[list[Instruction]] = [[] for _ in NAMES]
        held: list[list[str]] = [[] for _ in NAMES]
        ups, asleep = dict.fromkeys("st", 0), dict[int, str]()
        while any(len(thread) < self.length for thread in threads) or asleep or any(held):
            awake = [n for n in range(4) if n not in asleep]
            short = [n for n in awake if len(threads[n]) < self.length]
            n = chance.choice(short or awake)
            what = chance.choices(KINDS, self.weights)[0] if short else chance.choice(("unlock", "wake"))
            free = [each for each in "ABC" if not any(each in its for its in held)]
            if what == "lock" and free and len(held[n]) < 2:
                held[n].append(chance.choice(free))
                threads[n].append((what, held[n][-1]))
            elif what == "unlock" and held[n] and (not short or threads[n][-1][0] != "lock"):
                which = held[n].pop(chance.randrange(len(held[n])))
                threads[n].append((what, which))
            elif what == "send" and len(short) > 1:
                other, which = chance.choice([each for each in short if each != n]), chance.choice("cd")
                threads[n].append((what, which))
                threads[other].append(("take", which))
            elif what == "up" or (what == "down" and any(ups.values())):
                which = chance.choice([each for each in "st" if what == "up" or ups[each]])
                ups[which] += 1 if what == "up" else -1
                threads[n].append((what, which))
            elif what == "sleep" and len(awake) > 2:
                asleep[n] = chance.choice("ef")
                threads[n].append((what, asleep[n]))
            elif what == "wake" and asleep:
                which = chance.choice(sorted(asleep.values()))
                asleep = {each: its for each, its in asleep.items() if its != which}
                threads[n].append((what, which))
        return threads

    @cache  # noqa: B019 - there are one or two of them
    def programs(self, seed: int) -> dict[str, tuple[Program, list[str]]]:
        """Name -> a program, and the moments at which it is stuck."""
        chance = random.Random(f"{self.name} {seed}")
        found: list[tuple[Program, list[str]]] = []
        while len(found) < self.count:
            threads = self._drawn(chance)
            if max(map(len, threads)) > 9:
                continue
            program = Program(threads)
            moments, stuck = program.explored()
            if moments >= self.least and self.fewest <= len(stuck) <= self.most:
                found.append((program, stuck))
        return {f"G{n}": each for n, each in enumerate(found, 1)}

    def wanted(self, seed: int) -> dict[str, list[str]]:
        """The moments, by program."""
        return {name: stuck for name, (_, stuck) in self.programs(seed).items()}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        shown = (f"{name}:\n\n{program.shown()}" for name, (program, _) in self.programs(seed).items())
        question = PROMPT.format(count=self.count, programs="\n\n".join(shown))
        return question >> LLMRun() >> PyFunc(partial(judge_lists, partial(self.wanted, seed)))


TASK = Stalls("stalls", count=4, length=7, weights=(4, 4, 3, 2, 2, 2, 3), fewest=8, most=24, least=700)
build = TASK.build
