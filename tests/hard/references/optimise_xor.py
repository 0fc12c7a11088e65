"""Right and wrong replies to optimise_xor."""

from __future__ import annotations

import random

from ..optimise_xor import TASK, Circuits, paired


def _reply(lines: list[str]) -> str:
    return "I looked for shared pairs.\n\n```\n" + "\n".join(lines) + "\n```\n"


def _lines(task: Circuits, seed: int) -> list[str]:
    return [f"{name} = {a} + {b}" for name, a, b in task.planted(seed)[1]]


def _one_by_one(task: Circuits, seed: int) -> list[str]:
    lines = []
    for n, bits in enumerate(task.outputs_of(seed)):
        terms = [f"x{k}" for k in range(task.size) if bits >> k & 1]
        so_far = terms[0]
        for k, term in enumerate(terms[1:], 2):
            name = f"y{n}" if k == len(terms) else f"t{n}_{k}"
            lines.append(f"{name} = {so_far} + {term}")
            so_far = name
    return lines


def right(seed: int, task: Circuits = TASK) -> list[str]:
    lines = _lines(task, seed)
    return [
        _reply(lines),
        "First try:\n```\nt1 = x0 + x1\n```\nBetter:\n" + _reply([line.replace("+", "^") for line in lines]),
    ]


def wrong(seed: int, task: Circuits = TASK) -> list[str]:
    lines = _lines(task, seed)
    return [
        _reply(_one_by_one(task, seed)),
        _reply(
            [
                f"{name} = {a} + {b}"
                for name, a, b in paired(task.size, task.outputs_of(seed), random.Random(1))
            ]
        ),
        _reply(lines[:-1]),
        _reply([*lines, "t99 = x0 + x1"]),
        _reply([lines[0].replace("x", "x1"), *lines[1:]]),
        _reply([*lines[1:], lines[0]]),
        "There is no such circuit.",
    ]
