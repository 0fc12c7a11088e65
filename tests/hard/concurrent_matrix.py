"""The matrix of what happened before what among seventy-two events, drawn with some faults: where are they?"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_set
from .stamps import sheet, square

DESCRIPTION = (
    "Can the model find the wrong squares of a drawn matrix that says which event happened before which?"
)
TAGS = ["hard", "vision", "clocks"]

QUESTION = """{processes} processes that run at the same time had these events, each process in the order given:

{lines}

These messages were sent, each at its first event and received at its second: {messages}.

An event happened before another one if it comes earlier in the same process, or if it sends the message that the other one receives, or if some third event lies between: the one happened before the third,
and the third before the other. The picture is a matrix of all {events} events: the square in row R and column C should be black exactly if event R happened before event C. The blue lines after every fifth row and column
help with counting. The matrix has some faults: squares that are black but should be white, or the other way around.

Which squares are wrong? End your reply with two lines, their number and their places, such as

NUMBER: 3
FAULTS: R4C17 R20C3 R33C28"""

NEAR = 10  # events from a message's first to its second, at most
Square = tuple[int, int]  # row and column, from 1


@dataclass(frozen=True)
class Run:
    """The events of each process, the messages, and the wrong squares."""

    processes: tuple[tuple[int, ...], ...]
    messages: tuple[tuple[int, int], ...]
    faults: frozenset[Square]

    def pasts(self) -> dict[int, frozenset[int]]:
        """What happened before each event."""
        sent = {receive: send for send, receive in self.messages}
        found: dict[int, frozenset[int]] = {}
        left = [list(events) for events in self.processes]
        last: list[int | None] = [None] * len(left)
        while any(left):
            for n, events in enumerate(left):
                while events and (events[0] not in sent or sent[events[0]] in found):
                    event = events.pop(0)
                    causes = {each for each in (last[n], sent.get(event)) if each is not None}
                    found[event] = frozenset(causes.union(*(found[each] for each in causes)))
                    last[n] = event
        return found


@dataclass(frozen=True)
class Matrices:
    """Matrices of `rows` events on squares of `size` pixels, with from `least` to `most` faults."""

    rows: int
    size: int
    processes: int
    sent: int
    least: int
    most: int

    @cache  # noqa: B019 - there is one of them
    def run(self, seed: int) -> Run:
        """A run in which messages go forward in time, and each event has one at most."""
        chance = random.Random(f"matrix {seed}")
        names = chance.sample(range(1, self.rows + 1), self.rows)
        whose = [n % self.processes for n in range(self.rows)]
        chance.shuffle(whose)  # by time
        messages: list[tuple[int, int]] = []
        free = [*range(self.rows)]
        while len(messages) < self.sent:
            one, other = sorted(chance.sample(free, 2))
            if whose[one] != whose[other] and other - one < NEAR:
                messages.append((names[one], names[other]))
                free = [each for each in free if each not in (one, other)]
        squares = [(a, b) for a in names for b in names if a != b]
        return Run(
            tuple(
                tuple(name for name, its in zip(names, whose, strict=True) if its == n)
                for n in range(self.processes)
            ),
            tuple(messages),
            frozenset(chance.sample(sorted(squares), chance.randint(self.least, self.most))),
        )

    @cache  # noqa: B019 - as above
    def field(self, seed: int) -> tuple[tuple[int, ...], ...]:
        """The squares as they are drawn, 1 for black."""
        run = self.run(seed)
        pasts, every = run.pasts(), range(1, self.rows + 1)
        return tuple(tuple(int((a in pasts[b]) != ((a, b) in run.faults)) for b in every) for a in every)

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The matrix."""
        return sheet(self.field(seed), [square(self.size), square(self.size, "#26242c")]).png()

    def wanted(self, seed: int) -> dict[str, list[str]]:
        """The answers of a seed."""
        found = [f"R{row}C{column}" for row, column in sorted(self.run(seed).faults)]
        return {"NUMBER": [str(len(found))], "FAULTS": found}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        run = self.run(seed)
        question = QUESTION.format(
            processes=self.processes,
            events=self.rows,
            lines="\n".join(f"{'ABCDEFGHIJKLMNOP'[n]}: {' '.join(map(str, its))}" for n, its in enumerate(run.processes)),
            messages=", ".join(f"{a} to {b}" for a, b in sorted(run.messages)),
        )  # fmt: skip
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_set))
        )


TASK = Matrices(rows=72, size=13, processes=7, sent=33, least=20, most=32)
build = TASK.build
