"""Pages of the report: problems by models, and for each problem every program beside the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Literal

from assay.records import Block, Cell, Outcome, Table, TrialRecord
from assay.suites.exhibits import Columns, Item, Page

from .facts import Problem, participants, problems
from .languages import LANGUAGES, title_of
from .series import Series, series_of
from .statements import statement_of
from .tables import languages_solved

LETTERS = {"python": "P", "java": "J", "rust": "R", "clojure": "C", "c": "c", "cpp": "+", "javascript": "s"}
SHOWN_KINDS = ("code", "text")
PARTS = ("program", "stdout", "stderr", "compiling failed")


def page_name(number: int) -> str:
    return f"problem-{number:04}"


def pages(records: Sequence[TrialRecord]) -> Iterable[Page]:
    """The grid, and a page for each problem that was asked."""
    known = problems()
    of: dict[int, list[TrialRecord]] = {}
    for record in records:
        number = record.extra.get("problem")
        if isinstance(number, int) and number in known:
            of.setdefault(number, []).append(record)
    if not of:
        return
    yield Page("Problems by models", "problems", partial(_grid_page, records))
    for number in sorted(of):
        its = of[number]
        tests = tuple(dict.fromkeys(record.test for record in its))
        problem = known[number]
        items = partial(_problem_page, problem, its)
        yield Page(f"{number}. {problem.title}", page_name(number), items, tests, listed=False)


def _grid_page(records: Sequence[TrialRecord]) -> Iterator[Item]:
    yield grid(records)


def grid(records: Sequence[TrialRecord]) -> Table:
    """Problems down, models across; a cell's colour says in how many of its languages it was solved."""
    known = problems()
    series = series_of(records, known)
    models = list(dict.fromkeys(each.model for each in series))
    solved = {model: languages_solved([each for each in series if each.model == model]) for model in models}
    numbers = sorted({number for its in solved.values() for number in its})
    rows = []
    for number in numbers:
        problem = known[number]
        cells = [_solved_cell(problem, model, solved[model].get(number, {}), series) for model in models]
        rows.append(
            (
                Cell(number, link=page_name(number)), Cell(problem.title, link=page_name(number)),
                Cell(problem.percentage_solved, f"{problem.percentage_solved:.1f}%"),
                Cell(problem.points, f"{problem.points:.2f}"), *cells,
            )
        )  # fmt: skip
    used = [name for name in LANGUAGES if any(each.language == name for each in series)]
    legend = ", ".join(f"{LETTERS.get(name, '?')} {title_of(name)}" for name in used)
    note = f"Languages in which a problem was solved: {legend}. A dot: tried and not solved."
    columns = ("no.", "problem", "solved by", "points", *models)
    align: list[Literal["center", ""]] = ["", "", "", ""]
    for _ in models:
        align.append("center")
    return Table("", columns, tuple(rows), note, align=tuple(align))


def _solved_cell(
    problem: Problem, model: str, its: dict[str, float], series: Sequence[Series]
) -> Cell | None:
    if not its:
        return None
    order = [each.language for each in series if each.model == model and each.language in its]
    order.sort(key=lambda name: list(LANGUAGES).index(name) if name in LANGUAGES else len(LANGUAGES))
    text = "".join(LETTERS.get(name, "?") if its[name] > 0.5 else "·" for name in order)
    said = ", ".join(f"{title_of(name)} {'solved' if its[name] > 0.5 else 'not solved'}" for name in order)
    share = sum(its.values()) / len(its)
    return Cell(sum(its.values()), text, share, link=page_name(problem.number), hover=f"{model}: {said}")


def _problem_page(problem: Problem, records: Sequence[TrialRecord]) -> Iterator[Item]:
    yield (
        f"Solved by {problem.solved_by:,} of {participants():,} people ({problem.percentage_solved:.1f}%): worth "
        f"{problem.points:.2f} points. The answer is `{problem.answer}`."
    )
    if statement := statement_of(problem.number):
        yield statement
    for language in dict.fromkeys((*LANGUAGES, *(str(record.extra.get("language")) for record in records))):
        its = [record for record in records if record.extra.get("language") == language]
        if its:
            yield f"## {title_of(language)}"
            yield Columns(tuple((_heading(record, its), tuple(program_blocks(record))) for record in its))


def _heading(record: TrialRecord, its: Sequence[TrialRecord]) -> str:
    several = sum(other.model == record.model for other in its) > 1
    return f"{record.model}, trial {record.epoch}" if several else record.model


def program_blocks(record: TrialRecord) -> Iterator[Block]:
    """The verdict, the program, and what it printed."""
    passed = {Outcome.PASS: True, Outcome.FAIL: False}.get(record.outcome)
    took = f", {record.metrics['run_s']:.3g} s" if "run_s" in record.metrics else ""
    found = list(_flat(record.reason)) if record.reason else []
    words = next((block.body for block in reversed(found) if block.kind == "verdict"), record.error)
    yield Block("verdict", f"{record.outcome.value}{took}", words, passed=passed)
    yield from (b for b in found if b.kind in SHOWN_KINDS and b.title.startswith(PARTS))


def _flat(block: Block) -> Iterator[Block]:
    yield block
    for child in block.children:
        yield from _flat(child)
