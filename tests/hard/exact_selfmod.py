"""A machine of one instruction and no labels, whose program must change itself to reach a list: written in bare numbers."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial
from itertools import permutations

from evaluator import *

from .programs import Stuck, judge_program, numbers_of

DESCRIPTION = "Can the model write a sorting program in bare numbers for a machine that it cannot try?"
TAGS = ["hard", "reasoning", "code"]

CELLS = 512
MOST_NUMBER = 10**9
LONGEST = 10  # a list
LARGEST = 50  # a number of it
SIZES = {True: 189, False: 195}  # of a program, by `strict`; the reference needs 186 and 192 at most
STEPS = 6_000
CASES = 100
PROMPT = """A machine has cells with the addresses 0 to {last}, each of which holds a whole number, negative ones too, and a pointer, which
is 0 at first. It has only one instruction, and no name for it: three numbers in a row. In each step the machine reads the three
cells at the pointer, at the pointer + 1 and at the pointer + 2. Their numbers, in this order, are called {order}. Then

    1. cell[Q] becomes {change}
    2. if the new number of cell[Q] is {condition}, the pointer becomes J; otherwise it becomes 3 more than it was.

(If this changes one of the three cells just read, J is still the number that was read.) The machine stops when the pointer is
negative. It is an error if P or Q is not an address, if the pointer is above {last_pointer}, or if a number grows beyond
plus or minus 1,000,000,000.

Your program is a list of numbers that are put into the cells from address 0 on. Instructions and data lie in the same
memory, and a program may change itself; there is no other way to reach a cell whose address is computed.
The input is put at address {place}: cell {place} holds n, from 1 to {longest}, and cells {first} to {place} + n hold n numbers, from -{largest} to {largest}. All
other cells are 0.

Task: when the machine stops, cells {first} to {place} + n hold the same numbers in another order: sorted by their distance from {middle} (that is
|x - {middle_term}|), {direction}; of two numbers at the same distance, the {tie} stands first. Equal numbers may occur. All other cells may hold
anything.

Limits: at most {most} numbers in the program, and at most {steps:,} steps. It is run on {cases} hidden inputs, and must be right on all.

You cannot run anything. End your reply with one fenced code block that holds the numbers of the program, and nothing else: decimal
whole numbers, separated by blanks, commas or new lines, without labels or comments."""


@dataclass(frozen=True)
class Machine:
    """What varies: the order of the three numbers, which is taken from which, when it jumps, and the task."""

    order: str  # of P, Q and J
    reverse: bool  # cell[P] - cell[Q], not cell[Q] - cell[P]
    strict: bool  # jumps below 0, not at 0
    place: int
    middle: int
    falling: bool
    larger_first: bool

    def key(self, number: int) -> tuple[int, int]:
        """What is sorted by."""
        distance = abs(number - self.middle)
        return -distance if self.falling else distance, -number if self.larger_first else number


def machine_of(seed: int) -> Machine:
    """The machine and the task of a seed."""
    chance = random.Random(f"selfmod {seed}")
    order = "".join(chance.choice(list(permutations("PQJ"))[1:]))
    return Machine(
        order=order,
        reverse=True,
        strict=chance.random() < 0.5,
        place=chance.randrange(430, 480),
        middle=chance.choice((-1, 1)) * chance.randint(6, 30),
        falling=chance.random() < 0.5,
        larger_first=chance.random() < 0.5,
    )


def parse(most: int, text: str) -> list[int]:
    """The numbers of a program."""
    return numbers_of(text, most)


def run(machine: Machine, steps: int, program: list[int], given: tuple[int, ...]) -> tuple[int, ...]:
    """What stands at the place of the list when the machine stops."""
    cells = [0] * CELLS
    cells[: len(program)] = program
    cells[machine.place : machine.place + len(given) + 1] = [len(given), *given]
    at_p, at_q, at_j = (machine.order.index(name) for name in "PQJ")
    pointer = 0
    for _ in range(steps):
        if pointer > CELLS - 3:
            raise Stuck(f"the pointer is {pointer}")
        p, q, to = cells[pointer + at_p], cells[pointer + at_q], cells[pointer + at_j]
        if not (0 <= p < CELLS and 0 <= q < CELLS):
            raise Stuck(f"no such address at {pointer}: {p} or {q}")
        value = cells[p] - cells[q] if machine.reverse else cells[q] - cells[p]
        if abs(value) > MOST_NUMBER:
            raise Stuck("a number is too large")
        cells[q] = value
        pointer = to if value < 0 or (value == 0 and not machine.strict) else pointer + 3
        if pointer < 0:
            return tuple(cells[machine.place + 1 : machine.place + len(given) + 1])
    raise Stuck("too many steps")


def cases(seed: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Lists, those with many equal distances among them, and their order."""
    machine, chance = machine_of(seed), random.Random(f"selfmod cases {seed}")
    near = sorted(range(machine.middle - LONGEST // 2, machine.middle + LONGEST // 2), key=machine.key)
    lists: list[tuple[int, ...]] = [(n,) for n in (0, machine.middle, machine.middle - 1, machine.middle + 1)]
    lists += [tuple(near), tuple(near[::-1]), tuple([machine.middle] * LONGEST)]
    while len(lists) < CASES:
        width = chance.choice((3, 12, LARGEST))
        middle = max(width - LARGEST, min(LARGEST - width, machine.middle))
        length = chance.randint(1, LONGEST)
        lists.append(tuple(middle + chance.randint(-width, width) for _ in range(length)))
    return [(each, tuple(sorted(each, key=machine.key))) for each in lists]


def build(seed: int) -> Node:
    """The test of a seed."""
    machine = machine_of(seed)
    question = PROMPT.format(
        last=CELLS - 1, last_pointer=CELLS - 3, place=machine.place, first=machine.place + 1, longest=LONGEST,
        largest=LARGEST, cases=CASES, steps=STEPS, most=SIZES[machine.strict],
        order=f"{machine.order[0]}, {machine.order[1]} and {machine.order[2]}",
        change="cell[P] - cell[Q]" if machine.reverse else "cell[Q] - cell[P]",
        condition="negative" if machine.strict else "negative or 0",
        middle=machine.middle, middle_term=f"({machine.middle})" if machine.middle < 0 else machine.middle,
        direction="the farthest first" if machine.falling else "the nearest first",
        tie="larger" if machine.larger_first else "smaller",
    )  # fmt: skip
    judge = partial(
        judge_program,
        partial(parse, SIZES[machine.strict]),
        partial(run, machine, STEPS),
        partial(cases, seed),
    )
    return question >> LLMRun() >> PyFunc(judge)
