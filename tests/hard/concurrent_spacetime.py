"""A diagram of fourteen processes whose messages cross: how many events are concurrent with some of them?"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number
from .arcs import Arc, Plane
from .drawing import INK, Canvas, Point

DESCRIPTION = "Can the model count the events of a drawn run that are concurrent with some of them?"
TAGS = ["hard", "vision", "clocks"]

EDGE, TOP = 40, 30  # pixels left and right of the events; above the first process and below the last
NEAREST, FARTHEST = 2, 8  # processes from one end of a message to the other
FLAT, BOWS = 1.1, (-0.07, -0.03, 0.03, 0.07)  # a message's way to the right by its way down, at most; bends
TRIES = 12000
QUESTION = """The picture shows a run of {processes} processes. Each has a grey line, along which time goes from left to right, and every dot on a line is an event of its process: {events} in all. Each event sends or receives one
message: the {messages} thin arrows lead from the event that sends to the event that receives. Arrows bend a little; where they cross each other or a grey line without a dot, they have nothing to do with
it, and go on smoothly.

One event happened before another if it is further left on the same line, or if it sends the message that the other receives, or if it happened before a third event that happened before the other. Two events are concurrent if neither
happened before the other.

How many of the {events} events are concurrent with each of these events, where 5.3 is the third event from the left of process 5: {asked}?

End your reply with {count} lines, one for each of them, such as

{sample}: 25"""

Event = tuple[int, int]  # process and number, from 1


@dataclass(frozen=True)
class Diagrams:
    """`processes` lines, `lane` pixels apart, of `slots` places on `slot` pixels each; `messages` arrows."""

    processes: int
    lane: int
    slots: int
    slot: int
    messages: int
    asked: int

    @property
    def sides(self) -> tuple[int, int]:
        """Of the picture."""
        return 2 * EDGE + self.slots * self.slot, 2 * TOP + (self.processes - 1) * self.lane

    @cache  # noqa: B019 - there is one of them
    def arcs(self, seed: int) -> tuple[Arc, ...]:
        """The messages; their nodes are places: the number of the process times the places on a line, and more."""
        chance, plane, taken = random.Random(f"spacetime {seed}"), Plane(*self.sides), set[int]()
        for _ in range(TRIES):
            if len(plane.arcs) == self.messages:
                break
            one = chance.randrange(self.processes)
            other = one + chance.choice((-1, 1)) * chance.randint(NEAREST, FARTHEST)
            far = int(FLAT * abs(one - other) * self.lane / self.slot)
            left = chance.randrange(self.slots)
            right = left + chance.randint(1, far)
            begin, end = one * self.slots + left, other * self.slots + right
            if 0 <= other < self.processes and right < self.slots and not {begin, end} & taken:
                arc = Arc(self.at(begin), self.at(end), chance.choice(BOWS), (begin, end))
                if plane.add(arc):
                    taken |= {begin, end}
        return tuple(plane.arcs)

    def at(self, place: int) -> Point:
        """Where a place is."""
        process, slot = divmod(place, self.slots)
        return EDGE + (slot + 0.5) * self.slot, TOP + process * self.lane

    @cache  # noqa: B019 - as above
    def sent(self, seed: int) -> dict[Event, Event]:
        """Which event sent what each receives."""
        names: dict[int, Event] = {}
        for place in sorted(place for arc in self.arcs(seed) for place in arc.nodes):
            process = place // self.slots + 1
            names[place] = process, 1 + sum(each == process for each, _ in names.values())
        return {names[end]: names[begin] for begin, end in (arc.nodes for arc in self.arcs(seed))}

    @cache  # noqa: B019 - as above
    def wanted(self, seed: int) -> dict[str, int]:
        """The number of concurrent events of each event that is asked for."""
        counts = concurrent(self.sent(seed))
        deep = sorted(counts, key=lambda event: (counts[event], event))[: len(counts) // 2]
        chosen = random.Random(f"spacetime asked {seed}").sample(deep, self.asked)
        return {f"{process}.{number}": counts[process, number] for process, number in sorted(chosen)}

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The diagram."""
        canvas = Canvas(*self.sides)
        for process in range(self.processes):
            y = TOP + process * self.lane
            for row in (y - 1, y):
                canvas.span(row, EDGE - 6, self.sides[0] - 8, "#b8b8b8")
            canvas.text(EDGE / 2 - 4, y, str(process + 1), "#c81e1e")
        for arc in self.arcs(seed):
            arc.draw(canvas)
            for a, b in (arc.begin, arc.end):
                canvas.rectangle(a - 3, b - 3, a + 3, b + 3, INK)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        asked, messages = self.wanted(seed), len(self.arcs(seed))
        question = QUESTION.format(
            processes=self.processes, messages=messages, events=2 * messages,
            asked=", ".join(asked), count=len(asked), sample=next(iter(asked)),
        )  # fmt: skip
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


def pasts(sent: dict[Event, Event]) -> dict[Event, frozenset[Event]]:
    """What happened before each event."""
    found: dict[Event, frozenset[Event]] = {}

    def past(event: Event) -> frozenset[Event]:
        if event not in found:
            process, number = event
            causes = [(process, number - 1)] if number > 1 else []
            causes += [sent[event]] if event in sent else []
            found[event] = frozenset(causes).union(*(past(each) for each in causes))
        return found[event]

    for event in sorted([*sent, *sent.values()]):
        past(event)
    return found


def concurrent(sent: dict[Event, Event]) -> dict[Event, int]:
    """With how many others each event is concurrent."""
    before = pasts(sent)
    after = Counter(each for its in before.values() for each in its)
    return {event: len(before) - 1 - len(its) - after[event] for event, its in before.items()}


TASK = Diagrams(processes=14, lane=70, slots=50, slot=20, messages=106, asked=20)
build = TASK.build
