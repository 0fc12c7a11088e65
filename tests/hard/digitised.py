"""Sheets that come as a picture with the task: an agent reads them by eye and joins them with the tables of its folder."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from evaluator import *

from .answers import judge_all, same_number

OTHER = 6_000_000  # added to seeds, so that no sheet is one of the family that it is drawn by
TOOLS = """The picture is not in your folder, and tools cannot get at it: read it by eye. You have a shell with Python there."""


def table(head: str, rows: Iterable[Sequence[Any]]) -> str:
    """A file of lines with commas."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([head.split(","), *rows])
    return out.getvalue()


def ending(names: Sequence[str]) -> str:
    """How a reply must end."""
    return f"{TOOLS}\n\nEnd your reply with {len(names)} lines, one for each of {', '.join(names)}, such as\n\n{names[0]}: 12345"


def digitised(
    picture: Callable[[], bytes],
    files: Callable[[], Mapping[str, str]],
    wanted: Callable[[], Mapping[str, int]],
    task: str,
) -> Node:
    """The picture with the task, the tables in the folder, and numbers at the end of the reply that must all be right."""
    work = AgentRun([Shell()], task=task, max_turns=20, time_limit_s=7200)
    return Image(picture) >> Files(files) >> work >> PyFunc(partial(judge_all, wanted, same_number))
