"""The library: run tests, load and compare results, from a script or a notebook (`import assay`)."""

from __future__ import annotations

import hashlib
import io
import math
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from assay.config import near
from assay.errors import AssayError, ConfigError, NodeError, RunEnds, TestFileError
from assay.extras import need
from assay.home import home
from assay.language.argument_types import fault_of
from assay.language.dsl import Node
from assay.language.expression_hash import expression_hash
from assay.language.node_type import NodeType, no_node
from assay.records import NOTEBOOK, Model, Table, TrialRecord
from assay.report.aggregate import Grid, GridCounter
from assay.report.cell_page import page_name
from assay.report.compared import Compared, compare_sides, compared_data, compared_tables
from assay.report.live.watch import live_watch
from assay.report.messages import each_once, say
from assay.report.notebook import notebook_html, shortened
from assay.report.publish import suites_of, tables_of, write_report
from assay.report.sanitise import strip_terminal, visible
from assay.report.screen_table import draw_plain
from assay.report.terminal import result_tables, show_tables
from assay.report.versus import pairs
from assay.rescoring.rescore import find_work, rescoring_session
from assay.rescoring.rescore import rescore as judge_again
from assay.results.clustered import Spread, clustered_wilson
from assay.results.export.frame import frame_of
from assay.results.export.registry import Wanted, exports_of, write_exports
from assay.results.export.rows import row_of
from assay.results.natural_order import in_order, natural
from assay.results.result_set import ResultSet, comparable, find_result_set, warnings_of
from assay.results.saved_runs import lines_that_count, run_files
from assay.results.schema import LightLine
from assay.results.serialize import record_of
from assay.results.store import load_records
from assay.results.workspace import Workspace
from assay.running.aggregates import write_aggregates
from assay.running.event_loop import run_beside
from assay.running.execute import execute
from assay.running.request import RunRequest
from assay.running.run import RunResult
from assay.running.session import Session
from assay.running.wiring import name_of
from assay.suites.flags import flags_of
from assay.suites.row_samples import RowSamples
from assay.suites.rows import Rows, RowTest
from assay.suites.sample import SameId, Sample
from assay.suites.selected import Selected, select_tests
from assay.suites.selection import APPLIED, Selection
from assay.suites.tiers import TIERS
from assay.suites.tree_warnings import doubts, ends_loosely, lacks_rows, precedence_trap
from assay.suites.unasked import unasked
from assay.suites.unknown_names import check_names

Tests = Node | Rows | Sample | str | Path | Mapping[str, Node] | Iterable[Any]
AnyModel = str | Model | Callable[..., Any]  # by its name, an object, or a function of the dialogue
Models = AnyModel | Sequence[AnyModel]
JUDGES = ("judge", "vision_judge")
MOST_IN_ORDER = 10_000  # tests that are shown as they were given, not by their names
MORE_FLAGS = (
    "test",
    "tag",
    "tier",
    "only_changed",
    "generate_report",
    "live",
    "export",
)  # besides a RunRequest's


class Shown:
    """Shows itself as tables, in a terminal and in a notebook."""

    def tables(self) -> list[Table]:
        raise NotImplementedError

    def _short(self) -> list[Table]:
        return [shortened(table, "results.df and results.report(folder) have all") for table in self.tables()]

    def page(self, test: str, model: str) -> str:
        """Where a report's page of a test and model is; '' if there is none."""
        return ""

    def lead(self) -> str:
        """What a reader must know before the tables; '' if nothing."""
        return ""

    def __repr__(self) -> str:
        out = io.StringIO()
        if lead := self.lead():
            out.write(f"{visible(strip_terminal(lead))}\n")
        if sys.stdout is not None and sys.stdout.isatty():
            show_tables(self._short(), file=out, width=max(80, shutil.get_terminal_size((100, 24)).columns))
        else:  # whatever FORCE_COLOR says: Jupyter sets it, and shows this as plain text
            for table in self._short():
                draw_plain(table, out)
        return out.getvalue()

    def _repr_html_(self) -> str:
        return notebook_html(self._short(), self.page, self.lead())


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

    def tables(self) -> list[Table]:
        return list(self.shown)


@dataclass(frozen=True, repr=False)
class Results(Shown):
    """The trials of one or more runs. `failure`: what ended the run early (the budget, or a server that
    cannot be reached), or None; the same call with `resume=True` resumes it. `models`: as they were given to
    `run`."""

    files: tuple[Path, ...]
    workspace: Workspace
    failure: AssayError | None = None
    selected: Selected = field(default_factory=Selected, compare=False)
    models: tuple[str, ...] = ()

    @cached_property
    def records(self) -> list[TrialRecord]:
        """The newest record of every trial, with its explanation; of many, `df` takes less memory."""
        self.problems  # noqa: B018 - says them
        return load_records(self.files).records

    @cached_property
    def df(self) -> Any:
        """A pandas DataFrame, one row a trial: test, suite, model, epoch, outcome, cause, score, cost (US
        dollars), tokens, seconds, prompt, reply and more. Raises ConfigError if pandas is not installed."""
        return frame_of(self.files, {"model": self.models, "test": self._given})

    def rates(self, groups: str | Mapping[str, str] = {}) -> Any:
        """A pandas DataFrame of pass rates, a row for each group and model: `group`, `model`, `tests`,
        `passed`, `counted` (trials), `rate`, and `low` and `high`, the ends of its 95% interval as in the
        tables. `groups`: a column of the tests' `Rows`, such as "category", or the group of a test by its
        name or by its row's id, as in `rows.column("category")`; other tests are left out. Without it there
        is one group of all. Raises ConfigError if no test is in a group or pandas is not installed."""
        need("dataframe", "a DataFrame")
        import pandas as pd

        if isinstance(groups, str):
            groups = self._by_column(groups)
        found: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for row in self._grid.tests:
            names = [row.test, *(test for _, test in self._grid.same.others.get((row.suite, row.test), ()))]
            names += [name.partition("[")[2].removesuffix("]") for name in names]
            group = next((groups[name] for name in names if name in groups), None) if groups else "all"
            for model, cell in row.cells.items() if group is not None else ():
                found.setdefault((str(group), model), []).append((cell.passed, cell.counted))
        if not found:
            raise ConfigError("no test is in a group: groups are by a test's name, or by the id of its row")
        rows = []
        models = in_order({model for _, model in found}, self.models)
        for group, model in sorted(found, key=lambda each: (natural(each[0]), models.index(each[1]))):
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

    def lead(self) -> str:
        return _ended(self.failure) if self.failure is not None else ""

    def tables(self) -> list[Table]:
        suites = suites_of(self._grid.suites, Selection(self.workspace.root))
        names = {suite.name for suite in suites if suite.defines("tables")}
        records = [record for record in self._light if record.suite in names] if names else []
        return [*result_tables(self._grid), *tables_of(suites, records)]

    @cached_property
    def _grid(self) -> Grid:
        counter, problems = GridCounter(), list[str]()
        for line in lines_that_count(self.files, problems, LightLine):
            counter.add(record_of(line))
        vars(self)["problems"] = tuple(problems)
        for problem in problems:
            say(problem)
        grid, given = counter.grid(), self._given
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
        """What of the files could not be read, by file and line, and the trials that do not count, such as
        those of a test that was changed and run again. Said on stderr too when the results are
        first counted, as for a table, a comparison or their length."""
        self._grid  # noqa: B018 - notes them
        found: tuple[str, ...] = vars(self)["problems"]
        return found

    @cached_property
    def _light(self) -> list[TrialRecord]:
        return load_records(self.files, light=True).records

    def __len__(self) -> int:
        return self._grid.trials

    def folders(self) -> tuple[str, ...]:
        """The folders of these trials' test files in the applied suite."""
        lines = lines_that_count(self.files, [], LightLine)
        sources = {line.source for line in lines if line.suite == APPLIED and line.source}
        files = [path for each in sources if (path := (self.workspace.root / each).resolve()).is_file()]
        return tuple(sorted({str(path.parent) for path in files}))

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
        both = [record for record in self._light if record.model in (first, second)]
        found = compare_sides(both, first, second)
        for pair in pairs(self._grid):
            if (pair.first, pair.second) == (first, second):
                found = replace(found, whole=pair)
            elif (pair.second, pair.first) == (first, second):
                found = replace(
                    found, whole=replace(pair, first=first, second=second, found=pair.found.turned())
                )
        return _comparison(found)

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
        workspace = replace(self.workspace, report=Path(folder))
        suites = suites_of(self._grid.suites, Selection(workspace.root))
        write_report(self.records, suites, workspace)
        vars(self)["_report"] = Path(folder)
        return Path(folder) / "index.html"

    def page(self, test: str, model: str) -> str:
        """Relative to the working directory: in the folder of the last `report`, or else of the command's."""
        folder = vars(self).get("_report", self.workspace.report)
        path = folder / "cells" / page_name(self._suites.get(test, ""), test, model)
        return os.path.relpath(path) if path.is_file() else ""

    @cached_property
    def _suites(self) -> dict[str, str]:
        return {row.test: row.suite for row in self._grid.rows}


# ---------------------------------------------------------------- tests


def _select(tests: Tests, request: RunRequest, session: Session, names: Mapping[int, str]) -> Selected:
    """The samples of `tests`. Raises ConfigError if there are none, TestFileError for a file that cannot be
    loaded."""
    selected, nodes, rows = Selected(), dict[str, Node](), dict[str, Node]()
    for key, each in _named(tests):
        if isinstance(each, Sample):
            selected.applied.append(each)
        elif isinstance(each, Node):
            name = key if isinstance(tests, Mapping) else names.get(id(each), f"test{key}")
            sample = Sample(id=f"{NOTEBOOK}.{name}", test=each, fingerprint=_fingerprint(each))
            selected.applied.append(sample)
            nodes[name] = each
            selected.messages += _doubts(name, each, lacks_rows(each))
        elif isinstance(each, Rows):
            name = key if isinstance(tests, Mapping) else names.get(id(each), f"test{key}")
            selected.others.append(_of_rows(f"{NOTEBOOK}.{name}", each))
            if each.test is not None:
                rows[name] = each.test
                selected.messages += _doubts(name, each.test)
        elif isinstance(each, (str, Path)):
            found = select_tests(_selection_of(each, request, session), session.cache)
            if found.errors:
                raise TestFileError(found.errors[0])
            selected.applied += found.applied
            selected.suites |= found.suites
            selected.others += found.others
            selected.messages += found.messages
            selected.conditions = {**selected.conditions, **found.conditions}
        elif isinstance(each, NodeType):
            raise no_node(each)
        else:
            raise TypeError(
                f"a test is a node, a path or the name of a test or a suite, not {type(each).__name__}"
            )
    if text := unasked(nodes, rows):
        selected.messages.append(text)
    if request.selection.tests or request.selection.tags:
        every = list(selected())
        check_names(
            request.selection, [each.id for each in every], [tag for each in every for tag in each.tags]
        )
    if unknown := set(request.selection.tiers) - set(TIERS):
        raise ConfigError(f"unknown tier {min(unknown)!r}; there are: {', '.join(TIERS)}")
    selected = selected.only(session.request.selection.wants)
    if unknown := request.selection.flags.keys() - _flags_of(selected, session).keys():
        flags = [*(each.name for each in fields(RunRequest)), *_flags_of(selected, session), *MORE_FLAGS]
        meant = near(min(unknown), flags, 1)
        raise TypeError(f"neither assay nor a suite that is run has an argument {min(unknown)!r}.{meant}")
    try:
        selected.make_all()
    except SameId as error:
        name = error.id.removeprefix(f"{NOTEBOOK}.")
        raise ConfigError(
            f"two of the tests are named {name!r}. Give a test once (times=2 makes two trials of it), and "
            'each test a name of its own, as in the dict {"first": one, "second": other}'
        ) from None
    if selected.errors:
        raise TestFileError(selected.errors[0])
    for text in selected.messages:
        session.message(text)
    if not selected.count:
        raise ConfigError("there is no test to run")
    return selected


def _doubts(name: str, test: Node, *more: str) -> list[str]:
    """Warnings of what is doubtful. Raises TestFileError for a test that cannot run."""
    try:
        wrong = [*doubts(test)]
    except NodeError as error:
        raise TestFileError(f"{name}: {error}") from None
    trap = precedence_trap(test)
    return [
        *(f"warning: {name} {text}" for text in (ends_loosely(test), *more) if text),
        *(f"warning: {name}: {text}" for text in (trap, *wrong) if text),
    ]


def _flags_of(selected: Selected, session: Session) -> dict[str, Any]:
    """The flags of the suites that are run, with their usual values."""
    found: dict[str, Any] = {}
    for name, suite in selected.suites.items():
        found |= flags_of(suite, session.config.suites.get(name, {})).defaults
    return found


def _of_rows(name: str, rows: Rows) -> RowSamples:
    def sample(row: RowTest) -> Sample:
        return Sample(
            id=f"{name}[{row.key}]", test=row.test, description=row.description,
            fingerprint=_fingerprint(row.test),
        )  # fmt: skip

    return RowSamples(name, rows, sample, rows.pointed)


def _named(tests: Tests) -> Iterable[tuple[str, Any]]:
    """Each with its key in a dict, or else its number."""
    if isinstance(tests, Mapping):
        return ((str(key), each) for key, each in tests.items())
    several = [tests] if isinstance(tests, (Node, NodeType, Rows, Sample, str, Path)) else tests
    if not isinstance(several, Iterable):
        raise TypeError(
            "tests must be a node, Rows, a path, the name of a test or a suite or several of these, not "
            f"{type(tests).__name__}"
        )
    return ((str(number), each) for number, each in enumerate(several, 1))


def _fingerprint(test: Node) -> str:
    """A hash of the expression, by which `resume` and comparisons tell versions of a test apart."""
    text = re.sub(r" at 0x[0-9a-f]+", "", repr(test))
    if any(callable(value) for node in test.walk() for value in vars(node).values()):
        text += expression_hash(test)  # a function is shown by its name, whatever it checks today
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _selection_of(each: str | Path, request: RunRequest, session: Session) -> Selection:
    """What a word of the command means: a test file, a folder of them, a suite or a test by its name."""
    selection = Selection(session.root, only_changed=request.selection.only_changed).also([str(each)])
    for name in selection.suite_names():
        if name != APPLIED:
            flags = flags_of(selection.suite(name), session.config.suites.get(name, {})).defaults
            own = {"system_prompt": request.system_prompt, "engine": request.engine}
            given = {flag: value for flag, value in request.selection.flags.items() if flag in flags}
            selection = replace(selection, flags={**selection.flags, **flags, **own, **given})
    return selection


def _names_in(variables: Mapping[str, Any]) -> dict[int, str]:
    """The names of variables in which the caller holds nodes. `_` and `_2` are names that a shell gives to
    what it showed."""
    return {
        id(value): name
        for name, value in variables.items()
        if isinstance(value, (Node, Rows)) and not name.startswith("_")
    }


# ---------------------------------------------------------------- what is called


async def run_async(tests: Tests, models: Models = (), **flags: Any) -> Results:
    """`run` for a program with its own event loop."""
    frame = sys._getframe(1)
    return await _run(_ready(tests, models, flags, _names_in({**frame.f_globals, **frame.f_locals})))


def run(tests: Tests, models: Models = (), **flags: Any) -> Results:
    """Run `tests` on `models` and save every result, like the command; also in a notebook.

    `tests`: a node, a list, dict or generator of nodes, `Rows`, paths of test files and folders, or names of
    tests and suites. `models`: names as for --model, functions, or objects of the Model protocol (see
    `assay.model`); by default the model of config.json. `flags`: the flags of `assay run --help` with
    underscores (times, sandbox, max_cost in US dollars, params, resume, logdir, test, tag, tier, live ...,
    and `judge` and `vision_judge`, which take what `models` takes), and of the suites that are run. Raises
    the exceptions of assay.errors; if the budget, or a server that cannot be reached, ended the run, stderr
    and `failure` of the results say so.
    """
    frame = sys._getframe(1)
    names = _names_in({**frame.f_globals, **frame.f_locals})
    try:
        ready = _ready(tests, models, flags, names)  # before a loop, which would fill the tracebacks
        return run_beside(partial(_run, ready))
    except AssayError as error:
        raise error.with_traceback(None)  # noqa: B904 - its cause is kept
    except KeyboardInterrupt as interrupt:
        interrupt.add_note("Finished trials are saved; the same call with resume=True goes on.")
        raise


@dataclass(frozen=True)
class _Ready:
    """A run whose arguments are checked and whose tests are chosen. `live`: the port of the live report."""

    session: Session
    exports: Sequence[Wanted]
    reports: bool
    live: int | None


def _ready(tests: Tests, models: Models, flags: Mapping[str, Any], names: Mapping[int, str]) -> _Ready:
    given = models if isinstance(models, Sequence) and not isinstance(models, str) else [models]
    own: dict[str, Model] = {}
    asked = tuple(name_of(each, own) for each in given)
    flags = _with_judges(flags, own)
    reports, live = flags.pop("generate_report", False), flags.pop("live", None)
    exports = exports_of(_several(flags.pop("export", ())))  # before anything is paid for
    if isinstance(live, bool):
        live = 0 if live else None
    if live is not None and flags.get("logdir") and not reports:  # it must not replace that of other results
        flags["report_dir"] = flags.get("report_dir") or Path(flags["logdir"]) / "report"
    request = _request(flags, models=asked)
    session = Session(request, given=own)
    session.selected = _select(tests, request, session, names)
    return _Ready(session, exports, reports, live)


async def _run(ready: _Ready) -> Results:
    session, result = ready.session, RunResult()
    await session.find_installed()
    await execute(session, result, watching=live_watch(ready.live))
    for problem in (*result.problems, *_sum_up(session, result)):
        session.message(problem)
    if result.failure is not None and not isinstance(result.failure, RunEnds):
        raise result.failure
    if result.failure is not None:
        session.message(_ended(result.failure))
    write_exports(ready.exports, result.files, session.wants, session.workspace)
    if ready.reports or ready.live is not None:  # of all saved results
        Results(tuple(session.results.files()), session.workspace).report(session.workspace.report)
    models = tuple(session.models)
    return Results(tuple(result.files), session.workspace, result.failure, session.selected, models)


def _ended(failure: AssayError) -> str:
    """What is said of a run that ended early. It is not raised: the results of other models would be lost."""
    return f"error: {failure}\nthe run is not complete; the same call with resume=True goes on"


def _with_judges(flags: Mapping[str, Any], own: dict[str, Model]) -> dict[str, Any]:
    """The flags with judges by their names."""
    return {
        flag: name_of(value, own) if flag in JUDGES and value is not None else value
        for flag, value in flags.items()
    }


def _sum_up(session: Session, result: RunResult) -> list[str]:
    if result.failure is not None:
        return []
    return write_aggregates(result.files, session.selected.suites.values(), session.results)


def _request(flags: Mapping[str, Any], **more: Any) -> RunRequest:
    """What the flags mean; those that a suite may have are left in the selection's."""
    known = {each.name for each in fields(RunRequest)} - {"selection", "models"}
    given = {name: value for name, value in flags.items() if name in known}
    given |= {name: Path(given[name]) for name in ("config", "logdir", "report_dir") if given.get(name)}
    for each in fields(RunRequest):
        if each.name in given and (fault := fault_of(str(each.type), given[each.name])):
            raise ConfigError(f"{each.name} {fault}")
    if not isinstance(given.get("params") or {}, Mapping):
        raise ConfigError(f"params must be a dict, as in {{'top_p': 0.9}}, not {given['params']!r:.60}")
    rest = {name: value for name, value in flags.items() if name not in known}
    tests, tags, tiers = (_several(rest.pop(name, ())) for name in ("test", "tag", "tier"))
    changed = rest.pop("only_changed", None)
    selection = Selection(home(), tests=tests, tags=tags, only_changed=changed, flags=rest, tiers=tiers)
    return RunRequest(selection=selection, **given, **more)


def _several(value: str | Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def load(path: str | Path = "results") -> Results:
    """The saved results in a folder, of all commits and models, or in one run's file. `path`: relative to the
    working directory or, if it is not there, to where `run` saves. Raises ConfigError if there are none."""
    path = Path(path) if Path(path).exists() else home() / path
    files = run_files(path) if path.exists() else []
    if not files:
        raise ConfigError(f"there are no saved results in {path}")
    request = _request({"logdir": _logdir_of(path)})
    return Results(tuple(files), Session(request, message=lambda text: None).workspace)


def _logdir_of(path: Path) -> Path:
    """The results folder, with the pictures, of a path in it: <folder>/<commit>/<model>/run-1.jsonl."""
    for folder in (path, *path.resolve().parents[:3]):
        if (folder / "images").is_dir():
            return folder
    return path if path.is_dir() else path.parent


def compare(
    first: Results | str | Path,
    second: Results | str | Path,
    *,
    labels: tuple[str, str] = ("first", "second"),
    with_changed: bool = True,
    logdir: str | Path = "results",
) -> Comparison:
    """Compare two runs of one model each, say with a new prompt and with the old one, by the names of their
    tests. A side is what `run` returned, or a name as for `assay compare`: a model, MODEL@COMMIT/run-K or a
    results file, saved in `logdir`. `labels`: of the sides that `run` returned. `with_changed`: also tests
    that were changed in between. Raises ConfigError."""
    workspace = Session(_request({"logdir": logdir}), message=lambda text: None).workspace
    once = each_once()

    def found(side: Results | str | Path, label: str) -> ResultSet:
        if isinstance(side, Results):
            return side.as_side(label)
        return find_result_set(str(side), workspace, lambda record: True, once, with_changed)

    one, other = comparable(found(first, labels[0]), found(second, labels[1]), with_changed)
    if one.label == other.label:
        raise ConfigError(f"a comparison needs two different sides, not {one.label!r} twice")
    for warning in warnings_of(one, other, with_changed):
        say(warning)
    if not (one.records and other.records):
        raise ConfigError(f"{one.label} and {other.label} have no test in common that was not changed")
    return _comparison(compare_sides([*one.labelled(), *other.labelled()], one.label, other.label))


def _comparison(found: Compared) -> Comparison:
    no_page = lambda row, label: ""  # noqa: E731
    return Comparison(compared_data(found, no_page), tuple(compared_tables(found, no_page)))


def rescore(results: Results | str | Path, tests: Tests | None = None, **flags: Any) -> Results:
    """Judge saved replies again, without asking a model. `results`: from `run` or `load`, or whatever
    --rescore takes. `tests`: as for `run`, by the names that they had; by default those that the results were
    run with, if that was in this process, and the current test files and suites. `flags`: as for `run`. The
    new results are in `<logdir>/rescored`. Of other tests than `tests`, nothing is judged."""
    frame = sys._getframe(1)
    names = _names_in({**frame.f_globals, **frame.f_locals})
    flags = _with_judges(flags, {})  # none is asked
    request = _request(flags)
    words: Sequence[str | Path] = [results] if isinstance(results, (str, Path)) else results.files
    ran = Selected()
    if isinstance(results, Results):
        request, ran = _request({"logdir": results.workspace.results.root, **flags}), results.selected
        request = replace(request, selection=replace(request.selection, folders=results.folders()))
    try:
        session = rescoring_session(request)
        session.selected = ran if tests is None else _select(tests, request, session, names)
        return run_beside(partial(_rescore, words, session, narrow=tests is not None))
    except AssayError as error:
        raise error.with_traceback(None)  # noqa: B904 - its cause is kept


async def _rescore(words: Sequence[str | Path], session: Session, narrow: bool) -> Results:
    given = session.selected
    work = find_work(words, session)
    if narrow:
        ids = {each.id for each in given()}
        for each in work:
            each.keep(lambda sample: sample.id in ids or sample.suite in given.suites)
        work = [each for each in work if each.planned] or work
    if not any(each.planned for each in work):
        gone = next(iter((*work[0].from_python, *work[0].gone)), "")
        raise ConfigError(f"{gone} is not in a test file: give the tests, as in rescore(results, tests)")
    result = RunResult()
    await judge_again(session, work, result)
    if result.failure is not None:
        raise result.failure
    return Results(tuple(result.files), session.workspace, selected=given)
