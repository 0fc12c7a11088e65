"""What the pages of a written report show, read from its files as a browser would."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from assay.report.packs import number_of


def data_of(report: Path) -> dict[str, Any]:
    """Every cell's data, by the number in its page's name."""
    found: dict[str, Any] = {}
    for path in (report / "data").glob("*.js"):
        found |= data_in(path)
    return found


def data_in(path: Path) -> dict[str, Any]:
    """What one file holds, by the numbers: a call with JSON in single quotes, which nothing in it ends."""
    stamp, call = path.read_text("ascii").split("\n", 1)
    assert stamp.startswith("//") and call.startswith("assayCells({\n") and call.endswith("\n});\n")
    found: dict[str, Any] = {}
    for line in call.splitlines()[1:-1]:
        held = re.fullmatch(r"'([0-9a-f]{10})':'((?:[^'\\\n]|\\['\\])*)',?", line)
        assert held, line[:200]
        found[held[1]] = json.loads(re.sub(r"\\(.)", r"\1", held[2]))
    return found


def cells_of(report: Path) -> dict[str, Any]:
    """What each page of the folder `cells` shows, by its name."""
    data = data_of(report)
    return {path.name: data[number_of(path.name)] for path in (report / "cells").glob("*.html")}


def cell_of(report: Path, begin: str = "") -> Any:
    """What the one page shows whose name begins with `begin`."""
    (found,) = [cell for name, cell in cells_of(report).items() if name.startswith(begin)]
    return found
