"""Traces of twenty-four threads drawn as lanes: which locks are held at every access to a variable?"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_set
from .drawing import INK, Canvas, circle

DESCRIPTION = "Can the model tell from drawn traces of threads which locks guard each variable?"
TAGS = ["hard", "vision", "locks"]

COLOURS = {"R": "#d42020", "B": "#2448d8", "G": "#0f8a3c", "O": "#e08a00"}
SHAPES = {"C": (40, 0), "S": (4, 45), "T": (3, -90)}  # corners and turn of a circle, square, triangle
LOCKS = [colour + shape for colour in COLOURS for shape in SHAPES]
EDGE = 34  # pixels left of the first event
NONE = "none"
QUESTION = """The picture shows what {threads} threads did, each in a lane of its own, from left to right. A filled circle, square or triangle means that the thread takes a lock, the same
sign hollow that it lets the lock go; each colour and shape is a lock of its own: R, B, G or O for red, blue, green or orange, followed by C, S or T for circle, square
or triangle, so that GT is the green triangle. A thread may take a lock that it holds once more, and then holds it until it has let it go as often as it took it. A black letter means that the
thread uses the variable of that name. (How the lanes were timed against each other does not matter.)

Which locks were held by the using thread at every single use of each variable? End your reply with {variables} lines, one for each variable, with the locks in any order or {none}, such as

A: GT RC
B: {none}"""

Event = tuple[str, str]  # "take" or "free" and a lock, or "use" and a variable


@dataclass(frozen=True)
class Locksets:
    """`threads` lanes of `events` events on `size` pixels each, with `variables` variables."""

    threads: int
    events: int
    variables: int
    size: int
    lane: int  # pixels from one lane to the next

    @property
    def names(self) -> str:
        """The variables."""
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: self.variables]

    @cache  # noqa: B019 - there is one of them
    def traces(self, seed: int) -> tuple[tuple[Event, ...], ...]:
        """The events of each thread."""
        chance = random.Random(f"lockset {seed}")
        while True:
            guards = {name: chance.sample(LOCKS, chance.choice((1, 2, 2, 3))) for name in self.names}
            traces = tuple(self._trace(chance, guards) for _ in range(self.threads))
            uses = [what for trace in traces for kind, what in trace if kind == "use"]
            found = [locks for locks in held(traces).values() if locks]
            if min(uses.count(name) for name in self.names) >= 6 and 2 * len(found) >= self.variables:
                return traces

    def _trace(self, chance: random.Random, guards: dict[str, list[str]]) -> tuple[Event, ...]:
        """A thread that takes the guards of a variable before it uses it, and now and then forgets one."""
        found: list[Event] = []
        owned: list[str] = []
        while len(found) < self.events:
            usable = [name for name, locks in guards.items() if set(locks) <= set(owned)]
            kind = chance.random()
            if usable and kind < 0.45:
                found.append(("use", chance.choice(usable)))
            elif kind < 0.475 and owned:  # with one of its guards only: the others do not guard it
                near = [name for name, locks in guards.items() if set(locks) & set(owned)]
                found.append(("use", chance.choice(near or [*guards])))
            elif owned and (len(owned) > 5 or kind > 0.78):
                lock = owned.pop(chance.randrange(len(owned)))
                found.append(("free", lock))
            else:
                wanted = [each for each in guards[chance.choice([*guards])] if each not in owned]
                lock = chance.choice(wanted or owned if chance.random() < 0.85 else LOCKS)
                owned.append(lock)
                found.append(("take", lock))
        return tuple(found)

    def wanted(self, seed: int) -> dict[str, list[str]]:
        """The locks of each variable."""
        return {name: sorted(locks) or [NONE] for name, locks in sorted(held(self.traces(seed)).items())}

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The lanes."""
        canvas = Canvas(EDGE + self.events * self.size + 8, 12 + self.threads * self.lane)
        for n, trace in enumerate(self.traces(seed)):
            y = 6 + (n + 0.5) * self.lane
            canvas.rectangle(EDGE - 4, y - 0.5, EDGE + self.events * self.size, y + 0.5, "#c8c8c8")
            canvas.text(EDGE / 2 - 4, y, str(n + 1), "#808080")
            for place, (kind, what) in enumerate(trace):
                x = EDGE + (place + 0.5) * self.size
                if kind == "use":
                    canvas.rectangle(x - 8, y - 9, x + 8, y + 9, "#ffffff")
                    canvas.text(x, y, what, INK)
                    continue
                corners, turn = SHAPES[what[1]]
                canvas.area([circle(x, y, 9, corners, turn)], COLOURS[what[0]])
                if kind == "free":
                    canvas.area([circle(x, y, 4.5 if what[1] == "T" else 6, corners, turn)], "#ffffff")
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(threads=self.threads, variables=self.variables, none=NONE)
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_set))
        )


def held(traces: tuple[tuple[Event, ...], ...]) -> dict[str, set[str]]:
    """The locks held at every use of a variable."""
    found: dict[str, set[str]] = {}
    for trace in traces:
        owned: list[str] = []
        for kind, what in trace:
            if kind == "take":
                owned.append(what)
            elif kind == "free":
                owned.remove(what)
            else:
                found[what] = found.get(what, set(LOCKS)) & set(owned)
    return found


TASK = Locksets(threads=24, events=48, variables=24, size=22, lane=40)
build = TASK.build
