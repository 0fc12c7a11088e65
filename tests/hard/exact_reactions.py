"""Reactions in a vessel that happen in any order, and must come to the right number under every one."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from evaluator import *

from .programs import Refused, Stuck, judge_program, lines_of

DESCRIPTION = "Can the model compute with reactions that happen in whatever order, few of them, and untried?"
TAGS = ["hard", "reasoning", "code"]

REACTIONS = 19  # as many as the reference has
SMALL = 2  # x + y up to which every order is gone through
VESSELS = 100_000  # contents that may be met then; the reference has 4,000 to 15,000
LARGE = 14
STEPS = 20_000
MOST_PRODUCTS = 9
KINDS = 60
CASES = 100
PROMPT = """A vessel holds molecules of several kinds. A program is a list of reactions, one a line, for example

    {example}

The first takes one A and one B away and puts one C and two D in; the second takes two D away. At least one and at most two
molecules stand at the left, at most {products} at the right; 0 means none, and may stand at the right only. A kind is a letter, followed
by further letters or digits or not; its case matters. A number from 1 to 9 before a kind says how many. A reaction is possible if the vessel holds what stands at its
left. In each step one reaction that is possible happens, once; it is not up to you which: the order of lines means nothing. If
none is possible the vessel is at rest.

At the start the vessel holds x molecules {x}, y molecules {y}, one molecule {leader}, and nothing else. x and y are whole numbers,
0 or larger. Write a program that computes in molecules {z}:

    if {left} > {right}: {greater}
    if {left} = {right}: {equal}
    if {left} < {right}: {less}

where [v] is v rounded down to a whole number. That means, for all x and y: whatever has happened so far, it is still possible to come to
rest; whenever the vessel is at rest, it holds exactly this number of {z} (of other kinds it may hold any number); and no order of
reactions, however unlikely, can go on filling the vessel without end.

Limits: at most {reactions} reactions, and {kinds} kinds. The judge goes through all orders for x + y up to {small}; no more than {vessels:,}
different contents of the vessel may be reachable then (a good program has fewer than a fifth of that). For {cases} larger inputs,
x and y up to {large}, it chooses in each step by chance one of the reactions that are possible, each as likely as another; then the
vessel must be at rest with the right number after at most {steps:,} steps.

You cannot run anything. End your reply with the program, in one fenced code block that holds nothing else."""

Reaction = tuple[Counter[str], Counter[str]]


@dataclass(frozen=True)
class Task:
    """The names at the start and of the result, the comparison a x : b y + c, and three results."""

    x: str
    y: str
    leader: str
    z: str
    a: int
    b: int
    c: int
    greater: tuple[int, int]  # times x; what is added
    equal: tuple[int, int]  # times x; what is added
    less: int  # times y, to which [x / 2] is added

    def value(self, x: int, y: int) -> int:
        """The result."""
        left, right = self.a * x, self.b * y + self.c
        if left > right:
            return self.greater[0] * x + self.greater[1]
        if left == right:
            return self.equal[0] * x + self.equal[1]
        return self.less * y + x // 2


def task_of(seed: int) -> Task:
    """The task of a seed."""
    chance = random.Random(f"reactions {seed}")
    x, y, leader, z = chance.sample("EFGHJKMNPQRSUV", 4)
    a, b = chance.choice([(1, 2), (2, 1), (1, 1)])
    one = chance.sample((1, 2, 3), 2)
    plus = chance.sample((1, 2), 2)
    return Task(
        x,
        y,
        leader,
        z,
        a,
        b,
        chance.choice((1, 2)),
        (one[0], plus[0]),
        (one[1], plus[1]),
        chance.choice((1, 2)),
    )


def side(text: str, most: int) -> Counter[str]:
    """What stands at one side of a reaction."""
    found: Counter[str] = Counter()
    if text.strip() == "0":
        return found
    for part in text.split("+"):
        molecule = re.fullmatch(r"\s*([1-9]?)\s*\*?\s*([A-Za-z][A-Za-z0-9]{0,15})\s*", part)
        if not molecule:
            raise Refused(f"this is no molecule: {part[:60]!r}")
        found[molecule[2]] += int(molecule[1] or 1)
    if found.total() > most:
        raise Refused(f"more than {most} molecules: {text[:80]!r}")
    return found


def parse(text: str) -> list[Reaction]:
    """The reactions of a program."""
    reactions = []
    for line in lines_of(text.replace("→", "->")):
        left, arrow, right = line.partition("->")
        if not arrow:
            raise Refused(f"this is no reaction: {line[:80]!r}")
        needed = side(left, 2)
        if not needed:
            raise Refused(f"nothing at the left: {line[:80]!r}")
        reactions.append((needed, side(right, MOST_PRODUCTS)))
    if len(reactions) > REACTIONS:
        raise Refused(f"{len(reactions)} reactions, {REACTIONS} allowed")
    if len({kind for reaction in reactions for each in reaction for kind in each}) > KINDS:
        raise Refused(f"more than {KINDS} kinds")
    return reactions


class Vessel:
    """Reactions over numbered kinds; what a vessel holds is a tuple of numbers."""

    def __init__(self, task: Task, reactions: list[Reaction]) -> None:
        self.task = task
        kinds = dict.fromkeys((task.z, task.x, task.y, task.leader))
        for left, right in reactions:
            kinds.update(dict.fromkeys((*left, *right)))
        self.kinds = {kind: number for number, kind in enumerate(kinds)}
        self.reactions = []
        for left, right in reactions:
            needed = [(self.kinds[kind], count) for kind, count in left.items()]
            changes = [(self.kinds[kind], right[kind] - left[kind]) for kind in {*left, *right}]
            self.reactions.append((needed, [each for each in changes if each[1]]))

    def start(self, x: int, y: int) -> tuple[int, ...]:
        """What it holds at the start."""
        holds = [0] * len(self.kinds)
        for kind, count in ((self.task.x, x), (self.task.y, y), (self.task.leader, 1)):
            holds[self.kinds[kind]] = count
        return tuple(holds)

    def after(self, holds: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """What it may hold after a step, by reaction that is possible."""
        for needed, changes in self.reactions:
            if all(holds[kind] >= count for kind, count in needed):
                new = list(holds)
                for kind, change in changes:
                    new[kind] += change
                yield tuple(new)

    def everywhere(self, x: int, y: int) -> int:
        """The one number of Z at rest, if it can always come to rest."""
        start = self.start(x, y)
        before: dict[tuple[int, ...], list[tuple[int, ...]]] = {start: []}
        todo, rests, said = [start], list[tuple[int, ...]](), set[int]()
        while todo:
            holds = todo.pop()
            nexts = list(self.after(holds))
            if not nexts:
                rests.append(holds)
                said.add(holds[0])
            for each in nexts:
                if each not in before:
                    if len(before) == VESSELS:
                        raise Stuck(f"more than {VESSELS} contents")
                    before[each] = []
                    todo.append(each)
                before[each].append(holds)
        calm, todo = set(rests), rests
        while todo:
            for each in before[todo.pop()]:
                if each not in calm:
                    calm.add(each)
                    todo.append(each)
        if len(calm) < len(before):
            raise Stuck("it may happen that it can never come to rest")
        if len(said) != 1:
            raise Stuck(f"at rest there may be {sorted(said)[:5]}")
        return said.pop()

    def by_chance(self, x: int, y: int) -> int:
        """The number of Z at rest after steps by chance."""
        chance, holds = random.Random(f"{x} {y}"), list(self.start(x, y))
        for _ in range(STEPS):
            possible = [
                changes
                for needed, changes in self.reactions
                if all(holds[kind] >= count for kind, count in needed)
            ]
            if not possible:
                return holds[0]
            for kind, change in chance.choice(possible):
                holds[kind] += change
            if max(holds) > 10_000:
                raise Stuck("too many molecules")
        raise Stuck("not at rest")


def run(task: Task, reactions: list[Reaction], given: tuple[int, int]) -> int:
    """The number of Z."""
    vessel = Vessel(task, reactions)
    return vessel.everywhere(*given) if sum(given) <= SMALL else vessel.by_chance(*given)


def cases(seed: int) -> list[tuple[tuple[int, int], int]]:
    """All small inputs, some on the border between two results, and others by chance."""
    task, chance = task_of(seed), random.Random(f"reactions cases {seed}")
    pairs = [(x, total - x) for total in range(SMALL + 1) for x in range(total + 1)]
    border = [
        (x, y)
        for x in range(LARGE + 1)
        for y in range(LARGE + 1)
        if abs(task.a * x - task.b * y - task.c) < 2
    ]
    border = [each for each in border if sum(each) > SMALL]
    pairs += border
    while len(pairs) < CASES + 10:
        x, y = chance.randint(0, LARGE), chance.randint(0, LARGE)
        if x + y > SMALL:
            pairs.append((x, y))
    return [((x, y), task.value(x, y)) for x, y in pairs]


def times(factor: int, name: str) -> str:
    """A multiple in the prompt."""
    return name if factor == 1 else f"{factor}{name}"


def build(seed: int) -> Node:
    """The test of a seed."""
    task = task_of(seed)
    question = PROMPT.format(
        example="A + B -> C + 2 D\n    2 D -> 0", products=MOST_PRODUCTS, x=task.x, y=task.y, leader=task.leader, z=task.z,
        left=times(task.a, "x"), right=f"{times(task.b, 'y')} + {task.c}",
        greater=f"{times(task.greater[0], 'x')} + {task.greater[1]}", equal=f"{times(task.equal[0], 'x')} + {task.equal[1]}",
        less=f"{times(task.less, 'y')} + [x / 2]", reactions=REACTIONS, kinds=KINDS, small=SMALL, vessels=VESSELS, cases=CASES,
        large=LARGE, steps=STEPS,
    )  # fmt: skip
    return (
        question
        >> LLMRun()
        >> PyFunc(partial(judge_program, parse, partial(run, task), partial(cases, seed)))
    )
