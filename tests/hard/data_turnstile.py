"""A machine of some sixty states that shows a lamp at the end of each session: its states must be found from sessions."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

DESCRIPTION = (
    "Can an agent infer a machine of many states from noisy sessions of which only the ends are known?"
)
TAGS = ["medium", "python", "agent"]
DETERMINISTIC = True

STATES, BUTTONS, LAMPS = 64, "abc", "RG"
KNOWN, ASKED, LONGEST = 4500, 2000, 16
MISREAD, ENOUGH = 0.08, 0.96
QUESTION = f"""A turnstile has three buttons, {BUTTONS[0]}, {BUTTONS[1]} and {BUTTONS[2]}, and a lamp. Inside is a machine with at most {STATES + 4} states. At the beginning of each session it is in the same state; each press of
a button takes it to another state (or the same one), which depends on its state and the button alone. When the session ends the lamp shows G or R, which depends on the last state alone.

known.txt in this folder has {KNOWN:,} sessions, a line each: the buttons that were pressed, in order, a blank, and the lamp. Buttons were pressed at random, 1 to {LONGEST} of them. {MISREAD:.0%} of the lamps, at random, were noted down
wrongly. asked.txt has {ASKED:,} more sessions, without the lamp, drawn in the same way. Write lamps.txt: for each line of asked.txt a line with G or R. At least {ENOUGH:.0%} of them must be right; guessing gives half.
You have a shell with Python (numpy, scipy, numba)."""


@dataclass(frozen=True)
class Machine:
    """Where each button leads from each state, and the lamps of the states."""

    ways: tuple[tuple[int, ...], ...]
    lamps: tuple[str, ...]

    def lamp(self, presses: str) -> str:
        """What the lamp shows at the end."""
        state = 0
        for press in presses:
            state = self.ways[state][BUTTONS.index(press)]
        return self.lamps[state]

    def kinds(self) -> int:
        """How many states are reached and differ from all others."""
        reached, todo = {0}, [0]
        while todo:
            new = set(self.ways[todo.pop()]) - reached
            reached |= new
            todo += new
        kinds: dict[int, object] = {state: self.lamps[state] for state in reached}
        while True:
            finer = {state: (kinds[state], *(kinds[way] for way in self.ways[state])) for state in reached}
            numbers = {kind: n for n, kind in enumerate(dict.fromkeys(finer.values()))}
            if len(numbers) == len(set(kinds.values())):
                return len(numbers)
            kinds = {state: numbers[kind] for state, kind in finer.items()}


@cache
def machine_of(seed: int) -> Machine:
    """The machine of a seed: all of its states are reached and tell themselves apart."""
    chance = random.Random(f"turnstile {seed}")
    while True:
        ways = tuple(tuple(chance.randrange(STATES) for _ in BUTTONS) for _ in range(STATES))
        lamps = chance.sample(LAMPS * (STATES // 2), STATES)
        machine = Machine(ways, tuple(lamps))
        # each state is entered by two ways at least, so that none is too rare
        often = [sum(state in its for its in ways) for state in range(STATES)]
        if machine.kinds() == STATES and min(often) >= 1:
            return machine


def sessions(seed: int, name: str, count: int) -> Sequence[str]:
    """Presses of sessions."""
    chance = random.Random(f"turnstile {name} {seed}")
    return ["".join(chance.choices(BUTTONS, k=chance.randint(1, LONGEST))) for _ in range(count)]


def files_of(seed: int) -> Mapping[str, str]:
    """The folder."""
    chance, machine = random.Random(f"turnstile misread {seed}"), machine_of(seed)
    lines = []
    for presses in sessions(seed, "known", KNOWN):
        lamp = machine.lamp(presses)
        lines.append(f"{presses} {LAMPS[1 - LAMPS.index(lamp)] if chance.random() < MISREAD else lamp}\n")
    return {"known.txt": "".join(lines), "asked.txt": "\n".join([*sessions(seed, "asked", ASKED), ""])}


def judge(seed: int, said: str) -> tuple[Score, str]:
    """The share of sessions whose lamp is right."""
    machine, lines = machine_of(seed), [line.strip().upper() for line in said[: 20 * ASKED].splitlines()]
    asked = sessions(seed, "asked", ASKED)
    right = sum(line == machine.lamp(presses) for line, presses in zip(lines, asked, strict=False))
    return Score(right / ASKED, right >= ENOUGH * ASKED), f"{right} of {ASKED} lamps are right"


def build(seed: int) -> Node:
    """The test of a seed."""
    work = Files(partial(files_of, seed)) >> QUESTION >> AgentRun([Shell()], max_turns=40, time_limit_s=3600)
    return work >> "head -c 100000 lamps.txt" >> TerminalRun(time_limit_s=10) >> PyFunc(partial(judge, seed))
