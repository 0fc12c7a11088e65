"""Shortest programs of a small machine, each as short as can be, where nothing tells whether the goal is near."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

DESCRIPTION = "Can the model find two shortest programs of ten instructions, where nothing tells whether the goal is near?"
TAGS = ["hard", "reasoning", "planning"]

PROMPT = """A machine has three registers, x, y and z, with numbers from 0 to {last}. It has these instructions, named by letters. Each sets one register; all results are taken
modulo {modulus} (so that they are from 0 to {last} again):

{instructions}

A program is a word of these letters, which are carried out from left to right. Find a program of at most {length} instructions for each of these tasks:

{tasks}

There is one for each, and none is shorter than {length}. Work it out without running any code. End your reply with {count} lines, one for each task, with its name and
the program, such as "T1: {example}". It passes if all programs do what they should."""

REGISTERS = "xyz"
State = tuple[int, ...]


@dataclass(frozen=True)
class Instruction:
    """Register `its` becomes times * its + share * other + more."""

    its: int
    other: int
    times: int
    share: int
    more: int

    def after(self, state: State, modulus: int) -> State:
        """The state that it leads to."""
        result = (self.times * state[self.its] + self.share * state[self.other] + self.more) % modulus
        return (*state[: self.its], result, *state[self.its + 1 :])

    def before(self, state: State, modulus: int) -> State:
        """The state that it comes from."""
        rest = state[self.its] - self.share * state[self.other] - self.more
        return (*state[: self.its], rest * pow(self.times, -1, modulus) % modulus, *state[self.its + 1 :])

    def __str__(self) -> str:
        its, other = REGISTERS[self.its], REGISTERS[self.other]
        parts = [(self.times, f" {its}"), (self.share, f" {other}"), (self.more, "")]
        said = ""
        for number, name in parts:
            if number:
                size = (
                    name.strip() if name and abs(number) == 1 else f"{abs(number)}{name.replace(' ', ' * ')}"
                )
                said += (
                    (" + " if number > 0 else " - ") + size if said else ("-" if number < 0 else "") + size
                )
        return f"{its} = {said}"


@dataclass(frozen=True)
class Task:
    """A state to begin with, the goal, and a shortest program between them."""

    start: State
    goal: State
    program: str


@dataclass(frozen=True)
class Programs:
    """A machine of so many instructions, and tasks whose shortest programs all have the same length."""

    name: str
    instructions: int
    modulus: int  # a prime, so that each instruction can be undone
    tasks: int
    length: int

    def machine(self, chance: random.Random) -> dict[str, Instruction]:
        """Instructions by letter; each register is set by one at least, and the others are used for it."""
        while True:
            made = []
            for n in range(self.instructions):
                its = n % len(REGISTERS)
                other = (its + chance.choice((1, 2))) % len(REGISTERS)
                times, share = chance.choice((1, 2, 3, -1, -2)), chance.choice((1, 1, 2, -1))
                made.append(Instruction(its, other, times, share, chance.choice((0, 0, *range(1, 20)))))
            if {each.other for each in made} == {0, 1, 2} and len({(e.its, e.other) for e in made}) == len(
                made
            ):
                chance.shuffle(made)
                return {chr(ord("a") + n): each for n, each in enumerate(made)}

    def spread(
        self, machine: dict[str, Instruction], state: State, depth: int, back: bool
    ) -> list[dict[State, str]]:
        """The states at each distance, with a shortest program for each."""
        found = [{state: ""}]
        seen = {state}
        for _ in range(depth):
            ring: dict[State, str] = {}
            for each, program in found[-1].items():
                for letter, instruction in machine.items():
                    step = instruction.before if back else instruction.after
                    new = step(each, self.modulus)
                    if new not in seen:
                        seen.add(new)
                        ring[new] = letter + program if back else program + letter
            found.append(ring)
        return found

    def shortest(self, machine: dict[str, Instruction], start: State, goal: State) -> str | None:
        """A shortest program of at most `length` instructions, found from both ends; None if there is none."""
        half = self.length // 2
        there = self.spread(machine, start, self.length - half, back=False)
        back = self.spread(machine, goal, half, back=True)
        for length in range(self.length + 1):
            ahead = min(length, self.length - half)
            meet = there[ahead].keys() & back[length - ahead].keys()
            if meet:
                middle = min(meet)
                return there[ahead][middle] + back[length - ahead][middle]
        return None

    @cache  # noqa: B019 - there are one or two of them
    def planted(self, seed: int) -> tuple[dict[str, Instruction], dict[str, Task]]:
        """The machine, and the tasks by name."""
        chance = random.Random(f"{self.name} {seed}")
        machine = self.machine(chance)
        found: list[Task] = []
        while len(found) < self.tasks:
            start = tuple(chance.randrange(self.modulus) for _ in REGISTERS)
            goal = self.run(machine, start, "".join(chance.choices(sorted(machine), k=self.length)))
            program = self.shortest(machine, start, goal)
            if program is not None and len(program) == self.length:
                found.append(Task(start, goal, program))
        return machine, {f"T{n}": task for n, task in enumerate(found, 1)}

    def run(self, machine: dict[str, Instruction], start: State, program: str) -> State:
        """The state after a program."""
        for letter in program:
            start = machine[letter].after(start, self.modulus)
        return start

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """The share of tasks whose program is short enough and right; passed if all are."""
        machine, tasks = self.planted(seed)
        plain = re.sub(r"[*_`|]", " ", reply)
        told = []
        for name, task in tasks.items():
            lines = re.findall(rf"(?im)^[ \t#>-]*{name}[ \t]*:([^\n]{{0,200}})", plain)
            program = re.sub(r"[\s,;.>-]+", "", lines[-1] if lines else "").lower()
            if not program or not set(program) <= set(machine) or len(program) > self.length:
                told.append(f"{name}: not 1 to {self.length} instructions: {program[:40]!r}")
            elif (end := self.run(machine, task.start, program)) != task.goal:
                told.append(f"{name}: {program} leads to {_text(end)}")
        return Score(1 - len(told) / self.tasks, not told), "; ".join(told)

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        machine, tasks = self.planted(seed)
        question = PROMPT.format(
            last=self.modulus - 1,
            modulus=self.modulus,
            instructions="\n".join(f"    {letter}: {each}" for letter, each in machine.items()),
            length=self.length,
            tasks="\n".join(
                f"    {name}: from {_text(each.start)} to {_text(each.goal)}" for name, each in tasks.items()
            ),
            count=self.tasks,
            example="".join(sorted(machine)[n * n % len(machine)] for n in range(self.length)),
        )
        return question >> LLMRun() >> PyFunc(partial(self.judge, seed))


def _text(state: Sequence[int]) -> str:
    return ", ".join(f"{name} = {number}" for name, number in zip(REGISTERS, state, strict=True))


TASK = Programs("program", instructions=5, modulus=97, tasks=2, length=10)
build = TASK.build
