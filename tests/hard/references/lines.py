"""Replies that end with a line for each question: in forms that are right, and spoiled ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Lines = Mapping[str, Any]


def said(lines: Lines, form: str = "{}: {}") -> str:
    """A reply as it was asked for."""
    return "One after the other.\n\n" + "\n".join(form.format(*each) for each in lines.items())


def right_forms(lines: Lines) -> list[str]:
    """Two right replies, one with a first guess that is taken back."""
    name = next(iter(lines))
    return [said(lines), f"{name}: 0\n\nNo, once more.\n\n" + said(lines, "- **{}:** {}")]


def near_misses(right: Lines, *others: Lines) -> list[str]:
    """What follows from rules misread (a misreading may happen not to matter), and spoiled replies."""
    good, last = said(right), list(right)[-1]
    other = next(each for each in right.values() if each != right[last])
    return [
        *(each for each in map(said, others) if each != good),
        said({**right, last: other}),
        said({name: each for name, each in right.items() if name != last}),
        "I would have to run this.",
    ]
