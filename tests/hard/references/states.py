"""Replies that end with states: in the forms that are asked and allowed, and spoiled ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

States = Mapping[str, Sequence[str]]


def said(states: States) -> str:
    """A reply as it was asked for."""
    parts = ["\n".join((f"{name}:", *rows)) for name, rows in states.items()]
    return "I went through it step by step.\n\n" + "\n\n".join(parts)


def marked(states: States) -> str:
    """The same with Markdown, and with a first guess that is taken back."""
    first, rows = next(iter(states.items()))
    parts = ["\n".join((f"**{name}:**", "```", *rows, "```")) for name, rows in states.items()]
    return "\n".join((f"{first}:", *rows[1:], rows[0], "No, once more.", *parts, "", "These are the states."))


def right_forms(states: States) -> list[str]:
    """Two right replies."""
    return [said(states), marked(states)]


def spoiled(states: States) -> list[str]:
    """Replies that are nearly right, or none: an early cell slipped, a state is missing, two rows are exchanged."""
    names = list(states)
    last = list(states[names[-1]])
    row = next(n for n, each in enumerate(last) if len(set(each)) > 1)
    cells = last[row].split() if " " in last[row] else list(last[row])
    at = next(n for n in range(1, len(cells)) if cells[n] != cells[n - 1])
    cells[at - 1], cells[at] = cells[at], cells[at - 1]
    slipped = [*last[:row], (" " if " " in last[row] else "").join(cells), *last[row + 1 :]]
    other = next(n for n in range(1, len(last)) if last[n] != last[0])
    exchanged = list(last)
    exchanged[0], exchanged[other] = last[other], last[0]
    return [
        said({**states, names[-1]: slipped}),
        said({**states, names[-1]: exchanged}),
        said({name: states[name] for name in names[1:]}),
        "I would have to run this.",
    ]


def near_misses(right: States, *others: States) -> list[str]:
    """What follows from rules misread (a misreading may happen not to matter), and spoiled replies."""
    good = said(right)
    return [*(each for each in map(said, others) if each != good), *spoiled(right)]
