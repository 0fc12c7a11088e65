"""How often recorded blind replies pass each test, and the tier that follows.

    python -m testing.applied.calibration    writes tests/tiers.json and the table of docs/hard.md

A tier follows from the share of replies that a reader found right: hard up to 60%, medium up to 90%, easy
above. Of the suite hard it takes three replies. With fewer, a family is what its author expects, but not
hard: that is measured.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from assay.suites.tiers import FILE, TIERS
from testing.applied.corpus import FOLDER
from tests.hard.suite import families, module_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "hard.md"
TABLE = ROOT / "tests" / FILE
MARKS = "<!-- measured -->\n", "<!-- end -->\n"
ENOUGH = 3  # replies from which a tier of a hard family follows


@dataclass(frozen=True)
class Measured:
    """The blind replies to one test: whether a reader found each right, and the newest one's date."""

    passed: tuple[bool, ...]
    date: str

    @property
    def tier(self) -> str:
        """The tier by the share of right replies."""
        rate = sum(self.passed) / len(self.passed)
        return "hard" if rate <= 0.6 else "medium" if rate <= 0.9 else "easy"


def measured() -> dict[str, Measured]:
    """What the corpus has of each test."""
    passed: dict[str, list[bool]] = defaultdict(list)
    dates: dict[str, str] = {}
    for path in sorted(FOLDER.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                passed[row["test"]].append(row["should_be"] == "pass")
                dates[row["test"]] = max(dates.get(row["test"], ""), row["round"][:10])
    return {test: Measured(tuple(its), dates[test]) for test, its in passed.items()}


def expected(family: str) -> str:
    """The tier that the author of a hard family expects; medium where that is hard."""
    said = next(each for each in TIERS if each in module_of(family).TAGS)
    return "medium" if said == "hard" else said


def tier_of(test: str, its: Measured) -> str:
    """The tier that follows from the replies to a test."""
    suite, _, family = test.partition(".")
    if suite != "hard" or len(its.passed) >= ENOUGH:
        return its.tier
    return expected(family)


def tiers() -> dict[str, str]:
    """Test -> tier, of every hard family and every other test that blind replies were given to."""
    found = {f"hard.{family}": expected(family) for family in families()}
    found |= {test: tier_of(test, its) for test, its in measured().items()}
    return dict(sorted(found.items()))


def table() -> str:
    """The rows of docs/hard.md."""
    found = measured()
    rows = ["| family | tier | blind replies | of them right | date |", "| --- | --- | ---: | ---: | --- |"]
    every: list[bool] = []
    for family in families():
        its = found.get(f"hard.{family}")
        if its is None:
            rows.append(f"| `{family}` | {expected(family)}, expected | 0 |  |  |")
            continue
        every += its.passed
        tier = tier_of(f"hard.{family}", its)
        tier += ", expected" if len(its.passed) < ENOUGH else ""
        rows.append(f"| `{family}` | {tier} | {len(its.passed)} | {sum(its.passed)} | {its.date} |")
    rows.append(f"| together |  | {len(every)} | {sum(every)} |  |")
    return "\n".join(rows) + "\n"


def page(text: str) -> str:
    """The page with the table between its marks."""
    begin, end = (text.index(mark) for mark in MARKS)
    return text[: begin + len(MARKS[0])] + table() + text[end:]


def tiers_file() -> str:
    """The content of tests/tiers.json."""
    return json.dumps(tiers(), indent=2) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    TABLE.write_text(tiers_file(), encoding="utf-8")
