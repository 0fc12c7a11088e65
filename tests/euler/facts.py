"""What is known of each problem: title, answer, how many solved it; and what that makes it worth.

facts.json names its source. Problems that it does not hold yet may come from the site (fetch.py); the
numbers of those that it holds stay, so that scores can be compared with published ones.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from assay.home import BENCHMARKS, CHECKOUT, data_folder

FOLDER = Path(__file__).resolve().parent
# What --fetch-euler got. Beside this file, where git ignores it, unless this was installed by pip.
FETCHED = data_folder() / "euler" if CHECKOUT is None and FOLDER.parent == BENCHMARKS else FOLDER / "fetched"


@dataclass(frozen=True)
class Problem:
    """`answer`: as the site accepts it, '' if it is not known. `data_file`: the file that it needs, as the
    site names it, e.g. 0022_names.txt. `solved_by`: members who solved it, 0 if that is not known."""

    number: int
    title: str
    answer: str
    solved_by: int
    data_file: str = ""

    @property
    def points(self) -> float:
        """What solving it is worth: participants / solved_by, so that the mean participant scores 1."""
        return participants() / self.solved_by if self.solved_by else 0.0

    @property
    def percentage_solved(self) -> float:
        return 100 * self.solved_by / participants()

    @property
    def short_data_file(self) -> str:
        """names.txt for 0022_names.txt: what the statements call it."""
        return self.data_file.partition("_")[2] or self.data_file


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _problem(row: Mapping[str, Any]) -> Problem:
    title = str(row.get("title") or "").replace("$", "").replace("\\,", "")
    return Problem(
        int(row["number"]), title, str(row.get("answer") or ""), int(row.get("solved_by") or 0),
        str(row.get("data_file") or ""),
    )  # fmt: skip


@cache
def participants() -> int:
    """Members of the site, when `solved_by` was counted."""
    return int(_read(FOLDER / "facts.json")["participants"])


@cache
def problems(fetched: Path = FETCHED) -> Mapping[int, Problem]:
    """Every problem by its number, in order. What facts.json lacks is taken from `fetched`/facts.json."""
    rows = {int(row["number"]): row for row in _read(FOLDER / "facts.json")["problems"]}
    newer = fetched / "facts.json"
    for row in _read(newer)["problems"] if newer.is_file() else ():
        shipped = rows.setdefault(int(row["number"]), row)
        for name, value in row.items():
            shipped[name] = shipped.get(name) or value
    return {number: _problem(row) for number, row in sorted(rows.items())}
