"""Results of runs and comparisons, which show themselves as tables."""

from __future__ import annotations

import io
import math
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from assay.api.cell import say, unsaid
from assay.config import near
from assay.errors import AssayError, ConfigError
from assay.extras import need
from assay.few import few
from assay.records import Table, TrialRecord
from assay.report.aggregate import Grid, GridCounter
from assay.report.cell_page import page_name
from assay.report.changes import changes_line, changes_table
from assay.report.compared import Compared, compare_sides, compared_data, compared_tables
from assay.report.notebook import Page, notebook_html, shortened
from assay.report.publish import said_of_unfinished, suites_of, tables_of, write_report
from assay.report.sanitise import strip_terminal, visible
from assay.report.screen_table import draw_plain
from assay.report.terminal import result_tables, show_tables
from assay.report.versus import pairs
from assay.rescoring.where_they_ran import folders_then
from assay.results.clustered import Spread, clustered_wilson
from assay.results.conditions import mixed
from assay.results.export.frame import frame_of
from assay.results.export.rows import row_of
from assay.results.natural_order import alphabetical, in_order
from assay.results.result_set import Keep, ResultSet
from assay.results.saved_runs import RESCORED, lines_that_count
from assay.results.schema import LightLine
from assay.results.serialize import record_of
from assay.results.store import Read, load_records
from assay.results.workspace import Workspace
from assay.suites.finding import has_suite
from assay.suites.selected import Selected
from assay.suites.selection import APPLIED, Selection
from assay.suites.suite import Suite

MOST_IN_ORDER = 10_000  # tests that are shown as they were given, not by their names


class Shown:
    """Shows itself as tables, in a terminal and in a notebook."""

    def tables(self) -> list[Table]:
        raise NotImplementedError

    def _short(self) -> list[Table]:
        return [shortened(table, "results.df and results.report(folder) have all") for table in self.tables()]

    def pages(self) -> Page:
        """Tells where a report's page of a test and model is."""
        return lambda test, model: ""

    def lead(self) -> str:
        """What a reader must know before the tables; '' if nothing."""
        return ""

    def __repr__(self) -> str:
        out, tables = io.StringIO(), self._short()
        if lead := unsaid(self.lead()):
            out.write(f"{visible(strip_terminal(lead))}\n")
        if sys.stdout is not None and sys.stdout.isatty():
            show_tables(tables, file=out, width=max(80, shutil.get_terminal_size((100, 24)).columns))
        else:  # whatever FORCE_COLOR says: Jupyter sets it, and shows this as plain text
            for table in tables:
                draw_plain(table, out)
        return out.getvalue()

    def _repr_html_(self) -> str:
        tables = self._short()  # which may say something
        return notebook_html(tables, self.pages(), unsaid(self.lead()))


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """Two models or runs on the tests that both finished. `data`: its numbers, as `assay compare --format
    json` prints them; the attributes are the most wanted of them, None if no test was finished by both.
    Shares, not points: a difference of 0.2 is 20 points."""

    data: Mapping[str, Any]
    shown: tuple[Table, ...]

    @property
    def verdict(self) -> str | None:
        """Whether the first is "better" or "worse" than the second, or "tie"."""
        found: str | None = self.data["difference"]["verdict"]
        return found

    @property
    def difference(self) -> float | None:
        """The mean over the tests of the first model's pass rate or score less the second's, -1 to 1."""
        found: float | None = self.data["difference"]["difference"]
        return found

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of the 95% interval of the difference."""
        ends = self.data["difference"]["interval"]
        return None if ends is None else (ends[0], ends[1])

    @property
    def p(self) -> float | None:
        """Probability of a difference at least as large by chance alone."""
        found: float | None = self.data["difference"]["p"]
        return found

    @property
    def p_holm(self) -> float | None:
        """`p` corrected by Holm's method for all pairs of the results' models; decides the verdict."""
        found: float | None = self.data["difference"]["p_holm"]
        return found

    def lead(self) -> str:
        return "\n".join(self.data["warnings"])

    def tables(self) -> list[Table]:
        return list(self.shown)


@dataclass(frozen=True, repr=False)
class Results(Shown):
    """The trials of one or more runs. `failure`: what ended the run early (the budget, or a server that
    cannot be reached), or None; the same call with `resume=True` resumes it. `models`: as they were given to
    `run`. `notes`: what was said when they were made and the files do not tell. `chosen`: which of the
    files' trials these are; None for all."""

    files: tuple[Path, ...]
    workspace: Workspace
    failure: AssayError | None = None
    selected: Selected = field(default_factory=Selected, compare=False)
    models: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    chosen: Selection | None = field(default=None, compare=False)

    @property
    def keep(self) -> Keep:
        """Whether a trial of the files is one of these."""
        return self.chosen.keeps() if self.chosen else lambda record: True

    @cached_property
    def records(self) -> list[TrialRecord]:
        """The newest record of every trial, with its explanation; of many, `df` takes less memory."""
        self.problems  # noqa: B018 - says them
        return self._read.records

    @cached_property
    def _read(self) -> Read:
        return load_records(self.files, keep=self.keep)

    @cached_property
    def df(self) -> Any:
        """A pandas DataFrame, one row a trial, sorted by model, test and epoch: test, suite, model, epoch,
        outcome, cause, score, cost (US dollars), tokens, seconds, prompt, reply and more. A test that has
        several names (`problems` says so) is here under each. Raises ConfigError if pandas is not
        installed."""
        return frame_of(self.files, {"model": self.models, "test": self._given}, self.keep)

    def rates(self, groups: str | Mapping[str, str] = {}) -> Any:
        """A pandas DataFrame of pass rates, a row for each group and model: `group`, `model`, `tests`,
        `passed`, `counted` (trials), `rate`, and `low` and `high`, the ends of its 95% interval as in the
        tables. `groups`: a column of the tests' `Rows`, such as "category", or the group of a test by its
        name or by its row's id, as in `rows.column("category")`; other tests are left out, and names that
        no test has are told. Without it there is one group of all. Raises ConfigError if no test is in a
        group or pandas is not installed."""
        need("dataframe", "a DataFrame")
        import pandas as pd

        if isinstance(groups, str):
            groups = self._by_column(groups)
        found: dict[tuple[str, str], list[tuple[int, int]]] = {}
        known: set[str] = set()
        for row in self._grid.tests:
            names = [row.test, *(test for _, test in self._grid.same.others.get((row.suite, row.test), ()))]
            names += [name.partition("[")[2].removesuffix("]") for name in names]
            known.update(names)
            group = next((groups[name] for name in names if name in groups), None) if groups else "all"
            for model, cell in row.cells.items() if group is not None else ():
                found.setdefault((str(group) or "(empty)", model), []).append((cell.passed, cell.counted))
        if not found:
            raise ConfigError("no test is in a group: groups are by a test's name, or by the id of its row")
        if unknown := [name for name in groups if name not in known]:
            named = few([*map(repr, unknown)], 3)
            say(f"rates: no test or row here is called {named}.{near(str(unknown[0]), known)}")
        rows = []
        models = in_order({model for _, model in found}, self.models)
        for group, model in sorted(found, key=lambda each: (alphabetical(each[0]), models.index(each[1]))):
            tests = found[group, model]
            passed, counted = (sum(numbers) for numbers in zip(*tests, strict=True))
            rate = passed / counted if counted else math.nan
            ends = clustered_wilson(passed, counted, Spread.of(tests))
            rows.append((group, model, sum(1 for _, n in tests if n), passed, counted, rate, *ends))
        table = pd.DataFrame(
            rows, columns=["group", "model", "tests", "passed", "counted", "rate", "low", "high"]
        )
        groups_in_order = list(dict.fromkeys(table.group))
        return table.assign(
            group=pd.Categorical(table.group, groups_in_order), model=pd.Categorical(table.model, models)
        )

    def _by_column(self, name: str) -> dict[str, str]:
        """The value that each test has in a column of its Rows, as far as the records keep it (`row_NAME` in
        the DataFrame). Raises ConfigError if none has."""
        rows = {record.test: row_of(record) for record in self._light}
        columns = list(dict.fromkeys(column for row in rows.values() for column in row))
        wanted = name if name in columns else name.removeprefix("row_")
        if wanted in columns:
            return {test: str(row[wanted]) for test, row in rows.items() if row.get(wanted) is not None}
        there = f"the columns of the rows are {', '.join(columns)}" if columns else "they are not from Rows"
        raise ConfigError(
            f"no test here has a column {name!r}: {there}.{near(name, columns)} Other groups are a dict by "
            "the tests' names, such as rates({'capitals.TestFrance': 'Europe'})"
        )

    @cached_property
    def _rescored(self) -> list[TrialRecord]:
        """The records, if their saved replies were judged again."""
        return self._light if any(RESCORED in file.parts[-4:-3] for file in self.files) else []

    def lead(self) -> str:
        if self.failure is not None:
            return ended(self.failure)
        return "\n".join(filter(None, [*self.notes, *self.unfinished, changes_line(self._rescored)]))

    def tables(self) -> list[Table]:
        suites = self._own_suites()
        names = {suite.name for suite in suites if suite.defines("tables")}
        records = [record for record in self._light if record.suite in names] if names else []
        changes = changes_table(self._rescored)
        return [*filter(None, [changes]), *result_tables(self._grid), *tables_of(suites, records)]

    @cached_property
    def _grid(self) -> Grid:
        counter, problems = GridCounter(), [*self.unfinished]
        for line in lines_that_count(self.files, problems, LightLine, self.keep):
            counter.add(record_of(line))
        grid, given = counter.grid(), self._given
        problems += filter(None, [*mixed(self._light), grid.same.left_out])
        vars(self)["problems"] = (*self.notes, *problems)
        for problem in problems:
            if self.failure is None or problem not in self.unfinished:  # of a failure, `run` has said it
                say(problem)
        if not given:
            return grid
        place = {test: at for at, test in enumerate(given)}
        rows = sorted(grid.rows, key=lambda row: place.get(row.test, len(place)))
        return replace(grid, rows=rows)

    @cached_property
    def _given(self) -> list[str]:
        """The tests in the order in which they were given, if that is known and they are not too many."""
        if self.selected.count > MOST_IN_ORDER:
            return []
        try:
            return [each.id for each in self.selected()]
        except AssayError:  # of a table that is there no more
            return []

    @cached_property
    def problems(self) -> tuple[str, ...]:
        """How many trials a stopped run lacks, what of the files could not be read, by file and line, and
        what does not count, such as trials of a test that was changed and run again, or tests that are the
        same as others; what differs between verdicts, such as versions; and which saved trials `rescore` left
        out. Said on stderr too when the results are first counted, as for a table."""
        self._grid  # noqa: B018 - notes them
        found: tuple[str, ...] = vars(self)["problems"]
        return found

    @cached_property
    def unfinished(self) -> tuple[str, ...]:
        """How many trials are missing, a sentence for each model whose last run was stopped."""
        return tuple(self._unfinished(self.keep))

    def _unfinished(self, keep: Keep) -> list[str]:
        if not self.files:
            return []
        top = self.files[0].resolve().parents[:3][-1]  # what was loaded may be a folder or a file in it
        results = replace(self.workspace.results, root=top)
        return said_of_unfinished(replace(self.workspace, results=results), keep, self.files)

    @cached_property
    def _light(self) -> list[TrialRecord]:
        return load_records(self.files, keep=self.keep, light=True).records

    def __len__(self) -> int:
        return self._grid.trials

    def folders(self) -> tuple[str, ...]:
        """The folders of these trials' test files, and the files of their suites: beside what their samples
        name as a source, in this process, or where the commands of the runs looked."""
        lines = lines_that_count(self.files, [], LightLine, self.keep)
        sources = {(line.suite, line.source) for line in lines}
        sources |= {(name, suite.defined_in) for name, suite in self.selected.suites.items()}
        files = {(suite, (self.workspace.root / each).resolve()) for suite, each in sources if each}
        places = {
            file.parent / ("" if suite == APPLIED else "suite.py") for suite, file in files if file.is_file()
        }
        usual = Selection(self.workspace.root)
        then = replace(usual, folders=folders_then(self.files, usual)).test_folders()
        found = {place.parent.name for place in places if place.name == "suite.py" and place.exists()}
        for suite in {suite for suite, _ in sources} - found:
            places |= {folder / suite / "suite.py" for folder in then if has_suite(suite, folder)}
        return tuple(sorted(str(place) for place in places if place.exists()))

    def _own_suites(self) -> list[Suite]:
        """The suites of these trials that have their own folder, in their current version."""
        names, usual = self._grid.suites, Selection(self.workspace.root)
        folders = (*self.folders(), *map(str, usual.places())) if {*names} - {APPLIED} else ()
        return suites_of(names, replace(usual, folders=folders))

    def compare(self, first: str, second: str) -> Comparison:
        """Compare two of the models by test, tag and suite. The whole is corrected for all pairs of the
        models, as in the table of these results. Raises ConfigError if one has no results."""
        models = sorted(self._grid.models)
        for name in (first, second):
            if name not in models:
                raise ConfigError(
                    f"{name!r} has no results here; models with results: {', '.join(models) or 'none'} (two "
                    "runs, or two prompts, are compared by assay.compare)"
                )
        if first == second:
            raise ConfigError(f"a comparison needs two different models, not {first!r} twice")
        keep, mine = self.keep, (first, second)
        both = [record for record in self._light if record.model in mine]
        found = compare_sides(both, first, second)
        for pair in pairs(self._grid):
            if (pair.first, pair.second) == (first, second):
                found = replace(found, whole=pair)
            elif (pair.second, pair.first) == (first, second):
                found = replace(
                    found, whole=replace(pair, first=first, second=second, found=pair.found.turned())
                )
        return comparison_of(found, self._unfinished(lambda record: record.model in mine and keep(record)))

    def as_side(self, label: str) -> ResultSet:
        """The results as one side of a comparison. Raises ConfigError unless they are of one model."""
        models = sorted(self._grid.models)
        if len(models) != 1:
            raise ConfigError(
                f"a side of a comparison is one model's results, not those of {', '.join(models) or 'none'}; "
                "two models of one run are compared by results.compare(first, second)"
            )
        return ResultSet(label, models[0], self._light)

    def report(self, folder: str | Path) -> Path:
        """Write the HTML report into `folder` and return the path of its first page. Raises StoreError."""
        workspace = replace(self.workspace, report=Path(folder).absolute())
        write_report(
            self.records,
            self._own_suites(),
            workspace,
            [*self.unfinished, *self._read.left_out],
            python="results.report(FOLDER)",
        )
        vars(self)["_report"] = workspace.report
        return workspace.report / "index.html"

    def pages(self) -> Page:
        """Relative to the working directory: in the folder of the last `report`, or else of the command's; ''
        unless the page shows these trials."""
        from assay.report.html import trial_id, trials_of_pages

        folder = vars(self).get("_report", self.workspace.report)
        shown, cells = trials_of_pages(folder), dict[tuple[str, str], list[TrialRecord]]()
        for record in self._light if shown else ():
            cells.setdefault((record.test, record.model), []).append(record)

        def page(test: str, model: str) -> str:
            if not (its := cells.get((test, model))):
                return ""
            path = folder / "cells" / page_name(its[0].suite, test, model)
            theirs = {*map(trial_id, its)} <= {*shown.get(path.name, ())} and path.is_file()
            return os.path.relpath(path) if theirs else ""

        return page


def ended(failure: AssayError) -> str:
    """What is said of a run that ended early. It is not raised: the results of other models would be lost."""
    return f"error: {failure}\nthe run is not complete; the same call with resume=True goes on"


def comparison_of(found: Compared, warnings: Sequence[str]) -> Comparison:
    no_page = lambda row, label: ""  # noqa: E731
    data = {**compared_data(found, no_page), "warnings": [*warnings]}
    return Comparison(data, tuple(compared_tables(found, no_page)))
