"""Right and wrong programs for optimise_program."""

from __future__ import annotations

from collections.abc import Mapping

from ..optimise_program import TASK, State


def _said(programs: Mapping[str, str], line: str = "{}: {}") -> str:
    return "From both ends.\n\n" + "\n".join(line.format(name, each) for name, each in programs.items())


def _near(state: State, goal: State) -> tuple[int, int]:
    """How far a state seems to be from the goal: registers that differ, and by how much."""
    apart = [min((a - b) % TASK.modulus, (b - a) % TASK.modulus) for a, b in zip(state, goal, strict=True)]
    return sum(map(bool, apart)), sum(apart)


def _beam(seed: int, name: str, wide: int = 60) -> str:
    """The best that a search finds which goes on with the states that seem nearest, unless it is right."""
    machine, tasks = TASK.planted(seed)
    task = tasks[name]
    ring = {task.start: ""}
    for _ in range(TASK.length):
        new = {}
        for state, program in ring.items():
            for letter, instruction in machine.items():
                new[instruction.after(state, TASK.modulus)] = program + letter
        best = sorted(new, key=lambda state: _near(state, task.goal))[:wide]
        ring = {state: new[state] for state in best if state != task.goal}
    return next(iter(ring.values()))


def right(seed: int) -> list[str]:
    machine, tasks = TASK.planted(seed)
    programs = {name: task.program for name, task in tasks.items()}
    found = {name: TASK.shortest(machine, task.start, task.goal) or "" for name, task in tasks.items()}
    spaced = {name: " ".join(each) for name, each in found.items()}
    return [_said(programs), _said(spaced, "- **{}:** `{}`")]


def wrong(seed: int) -> list[str]:
    machine, tasks = TASK.planted(seed)
    programs = {name: task.program for name, task in tasks.items()}
    first = programs["T1"]
    other = next(letter for letter in machine if letter != first[-1])
    return [
        _said({name: _beam(seed, name) for name in tasks}),
        _said({**programs, "T1": first[:-1] + other}),
        _said({**programs, "T2": programs["T2"][:-1]}),
        _said({**programs, "T2": programs["T2"] + programs["T2"][-1]}),
        _said({"T1": first}),
        _said({name: each + each for name, each in programs.items()}),
        "There are none that short.",
    ]
