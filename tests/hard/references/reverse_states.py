"""Right and wrong answers for reverse_states; a machine is found from the samples alone."""

from __future__ import annotations

from collections.abc import Sequence

from ..reverse_states import LETTERS, MOST, STATES, answer, machines, puzzle


def _said(answers: Sequence[str], line: str = "W{}: {}") -> str:
    return "It has eight states.\n\n" + "\n".join(line.format(n, each) for n, each in enumerate(answers, 1))


def right(seed: int) -> list[str]:
    machine, samples, asked = puzzle(seed)
    inferred = machines(samples, MOST)[0][0]
    return [
        _said([answer(machine, word) for word in asked]),
        _said([" ".join(answer(inferred, word)) for word in asked], "- **{}:** `{}`"),
    ]


def wrong(seed: int) -> list[str]:
    machine, samples, asked = puzzle(seed)
    answers = [answer(machine, word) for word in asked]
    flipped = answers[-1][:-1] + "10"[int(answers[-1][-1])]
    one_step = [(to, 1 - digit) if n == 0 else (to, digit) for n, (to, digit) in enumerate(machine)]
    usual = {letter: machine[LETTERS.index(letter)][1] for letter in LETTERS}
    fewer = machines(samples[: STATES // 2], MOST, 1)[0][0]  # what fits the first samples only
    return [
        _said([answer(fewer, word) if all(to >= 0 for to, _ in fewer) else "" for word in asked]),
        _said([*answers[:-1], flipped]),
        _said([answer(tuple(one_step), word) for word in asked]),
        _said(["".join(str(usual[letter]) for letter in word) for word in asked]),
        _said(answers[:-1]),
        "Several machines are possible.",
    ]
