"""A problem's statement and data file: fetched ones come before those that are shipped."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from assay.home import program

from .facts import FETCHED, FOLDER, Problem

SHIPPED = FOLDER / "statements"


def statement_of(number: int, fetched: Path = FETCHED, shipped: Path = SHIPPED) -> str:
    """A problem's statement as Markdown, '' if there is none here."""
    for path in (fetched / f"{number:04}.md", shipped / f"{number:03}.md"):
        if path.is_file():
            return path.read_text(encoding="utf-8").strip()
    return ""


def data_path(problem: Problem, fetched: Path = FETCHED) -> Path:
    """Where the data file of a problem that needs one is, or would be."""
    return fetched / "documents" / problem.data_file


def data_files(problem: Problem, fetched: Path = FETCHED) -> Mapping[str, bytes]:
    """What stands in the work directory of a problem's programs: its data file, under both of its names."""
    if not problem.data_file:
        return {}
    data = data_path(problem, fetched).read_bytes()
    return {problem.data_file: data, problem.short_data_file: data}


def what_is_missing(problem: Problem, fetched: Path = FETCHED, shipped: Path = SHIPPED) -> str:
    """Why a problem cannot be asked here, with the command that mends it; '' if it can."""
    get = f"get it: {program()} --fetch-euler --problem {problem.number}"
    if not statement_of(problem.number, fetched, shipped):
        return f"the statement of problem {problem.number}; {get}"
    if problem.data_file and not data_path(problem, fetched).is_file():
        return f"{problem.data_file}; {get}"
    if not problem.answer:
        return f"the answer of problem {problem.number}, which no list here holds"
    return ""
