"""How often recorded blind replies pass each family, and the tier that follows: the table of docs/hard.md.

    python -m testing.hard.calibration    writes the table into docs/hard.md

A tier follows from three replies or more: hard up to 60% passed, medium up to 90%, easy above. With fewer a
family that every reply passed is at most medium; one that nobody was asked is what its author expects.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from pathlib import Path

from testing.applied.corpus import FOLDER
from tests.hard.suite import module_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "hard.md"
MARKS = "<!-- measured -->\n", "<!-- end -->\n"
ENOUGH = 3  # replies from which a tier follows
TIERS = ("easy", "medium", "hard")


def measured() -> dict[str, list[bool]]:
    """Family -> whether each blind reply passed, as a reader judged it."""
    found = defaultdict(list)
    for path in sorted(FOLDER.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                suite, _, family = row["test"].partition(".")
                if suite == "hard":
                    found[family].append(row["should_be"] == "pass")
    return found


def tier_of(family: str) -> str:
    """The tier in the family's tags."""
    return next(each for each in TIERS if each in module_of(family).TAGS)


def fits(tier: str, passed: list[bool]) -> bool:
    """Whether a tag agrees with what was measured."""
    if len(passed) < ENOUGH:
        return tier != "hard" or not passed or not all(passed)
    rate = sum(passed) / len(passed)
    return tier == ("hard" if rate <= 0.6 else "medium" if rate <= 0.9 else "easy")


def table() -> str:
    """The rows of docs/hard.md."""
    passed = measured()
    rows = ["| family | tier | blind replies | of them right |", "| --- | --- | ---: | ---: |"]
    for family in sorted(passed):
        its = passed[family]
        rows.append(f"| `{family}` | {tier_of(family)} | {len(its)} | {sum(its)} |")
    every = [each for its in passed.values() for each in its]
    rows.append(f"| together |  | {len(every)} | {sum(every)} |")
    return "\n".join(rows) + "\n"


def page(text: str) -> str:
    """The page with the table between its marks."""
    begin, end = (text.index(mark) for mark in MARKS)
    return text[: begin + len(MARKS[0])] + table() + text[end:]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
