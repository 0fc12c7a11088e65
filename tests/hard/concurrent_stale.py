"""Threads with store buffers: all final states that are possible only because of the buffers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import zip_longest

from evaluator import *

from .listed import judge_lists

DESCRIPTION = (
    "Can the model list exactly the final states that threads reach only because writes wait in buffers?"
)
TAGS = ["hard", "reasoning", "threads"]

PROMPT = """Each of the {count} programs below has three threads, which share the variables x, y and z, all 0 at first. Each thread has registers of its own, named by its
letter and a number, and a store buffer: a queue of writes that the others do not see yet. One step is either of these, of any thread, in any order:

- The thread does its next instruction.
- The oldest write in the thread's buffer leaves it and is stored in memory.

    v := N      puts the write of the number N to v into the thread's own buffer
    r := v      reads v: the newest write to v in the thread's own buffer if there is one, or else memory
    fence       can be done only while the thread's own buffer is empty; does nothing else

The end is reached when all threads have done all their instructions and all buffers are empty. The final state is what the registers and the
variables hold then.

{programs}

Some final states are possible, but would not be possible if each write were stored in memory at once, in the very step v := N. For each program, list all of these
states and no others. Work it out without running any code. End your reply with {count} lines, one for each program. Write each state as the digits of the
registers and variables in the order that stands beside the program, {width} digits in all, with blanks between the states, in any order, such as

G1: {example}

It passes if every list has exactly these states."""

# "fence"; or "store", variable, number; or "load", variable, which of all registers
Instruction = tuple[str, str, int]
Local = tuple[
    int, int
]  # instructions that a thread has done, and how many of its writes have left its buffer
Threads = Sequence[Sequence[Instruction]]
VARIABLES = "xyz"


def outcomes(threads: Threads, loads: int, buffered: bool = True) -> set[int]:
    """Every final state, as the digits of registers, x, y and z. All writes are of constants, so what a buffer holds follows from how many
    instructions have been done and how many writes have left. Nobody sees when a write enters a buffer or a fence is passed, so that is done
    at once; without buffers, nothing else is done until the write has left."""
    writes = [[its for its in thread if its[0] == "store"] for thread in threads]
    places: dict[int | str, int] = {
        name: 10**at for at, name in enumerate(reversed([*range(loads), *VARIABLES]))
    }

    def entered(n: int, at: int, out: int) -> Local:
        """How many instructions a thread has done once all that nobody sees is done, and how many of its writes have left."""
        while at < len(threads[n]):
            kind = threads[n][at][0]
            waiting = sum(its[0] == "store" for its in threads[n][:at]) > out
            if kind == "load" or ((kind == "fence" or not buffered) and waiting):
                break
            at += 1
        return at, out

    @cache
    def steps(n: int, at: int, out: int) -> list[tuple[Local, int, int | str]]:
        """Where a thread can go on to, the place that is written, and what is written: a number, or what is read from memory."""
        waiting = writes[n][out : sum(its[0] == "store" for its in threads[n][:at])]
        found: list[tuple[Local, int, int | str]] = []
        if waiting:
            _, name, number = waiting[0]
            found.append((entered(n, at, out + 1), places[name], number))
        if at < len(threads[n]) and threads[n][at][0] == "load" and (buffered or not waiting):
            _, name, register = threads[n][at]
            own = [its[2] for its in waiting if its[1] == name]
            found.append((entered(n, at + 1, out), places[register], own[-1] if own else name))
        return found

    first = tuple(entered(n, 0, 0) for n in range(3)), 0
    seen, left, found = {first}, [first], set()
    while left:
        done, cells = left.pop()
        ended = True
        for n in range(3):
            for on, place, value in steps(n, *done[n]):
                ended = False
                new = cells // places[value] % 10 if isinstance(value, str) else value
                after = (*done[:n], on, *done[n + 1 :]), cells + (new - cells // place % 10) * place
                if after not in seen:
                    seen.add(after)
                    left.append(after)
        if ended:
            found.add(cells)
    return found


def shown(instruction: Instruction, loads: Sequence[str]) -> str:
    """An instruction as the prompt says it."""
    kind, name, number = instruction
    return (
        kind
        if kind == "fence"
        else f"{name} := {number}"
        if kind == "store"
        else f"{loads[number]} := {name}"
    )


@dataclass(frozen=True)
class Stale:
    """`count` programs of three threads, each thread of one of the `forms`: W is a write, R a read, F a fence; there are so many
    `loads` in all. So many final states are possible if writes are stored `at_once`, and so many more are `by_buffers`."""

    name: str
    count: int
    forms: tuple[str, ...]
    loads: int
    at_once: range
    by_buffers: range

    def _drawn(self, chance: random.Random) -> tuple[Threads, list[str]]:
        """Threads, and the names of their registers."""
        while True:
            forms = [chance.choice(self.forms) for _ in range(3)]
            if "".join(forms).count("R") == self.loads:
                break
        names: list[str] = []
        written = dict.fromkeys(VARIABLES, 0)
        threads = []
        for letter, form in zip("abc", forms, strict=True):
            thread: list[Instruction] = []
            for sign in form:
                before = thread[-1][1] if thread else ""
                variable = chance.choice([each for each in VARIABLES if each != before])
                if sign == "W":
                    written[variable] += 1
                    thread.append(("store", variable, written[variable]))
                elif sign == "R":
                    thread.append(("load", variable, len(names)))
                    names.append(f"{letter}{1 + sum(each[0] == letter for each in names)}")
                else:
                    thread.append(("fence", "", 0))
            threads.append(thread)
        return threads, names

    @cache  # noqa: B019 - there are one or two of them
    def programs(self, seed: int) -> dict[str, tuple[Threads, list[str], list[str]]]:
        """Name -> threads, the names of their registers, and the states that only buffers make possible."""
        chance = random.Random(f"{self.name} {seed}")
        found: list[tuple[Threads, list[str], list[str]]] = []
        while len(found) < self.count:
            threads, names = self._drawn(chance)
            at_once = outcomes(threads, self.loads, buffered=False)
            if len(at_once) not in self.at_once:
                continue
            by_buffers = outcomes(threads, self.loads) - at_once
            if len(by_buffers) in self.by_buffers:
                found.append((threads, names, [f"{each:0{self.loads + 3}}" for each in sorted(by_buffers)]))
        return {f"G{n}": each for n, each in enumerate(found, 1)}

    def wanted(self, seed: int) -> dict[str, list[str]]:
        """The states, by program."""
        return {name: states for name, (*_, states) in self.programs(seed).items()}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        blocks = []
        for name, (threads, registers, _) in self.programs(seed).items():
            rows = ["    " + "".join(f"thread {letter}".ljust(14) for letter in "abc").rstrip()]
            for line in zip_longest(*threads):
                cells = (shown(each, registers) if each else "" for each in line)
                rows.append("    " + "".join(cell.ljust(14) for cell in cells).rstrip())
            blocks.append(f"{name}, states as {' '.join([*registers, *VARIABLES])}:\n\n" + "\n".join(rows))
        width = self.loads + 3
        question = PROMPT.format(
            count=self.count, width=width, programs="\n\n".join(blocks), example=f"{'120' * 4:.{width}} {'011' * 4:.{width}}"
        )  # fmt: skip
        return question >> LLMRun() >> PyFunc(partial(judge_lists, partial(self.wanted, seed)))


TASK = Stale(
    "stale",
    count=4,
    forms=("WRR", "WRWR", "WRRW", "WFRR"),
    loads=6,
    at_once=range(40, 120),
    by_buffers=range(16, 36),
)
build = TASK.build
