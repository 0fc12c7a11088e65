"""The library: run tests, load and compare results, from a script or a notebook (`import assay`)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from assay.api.cell import say
from assay.api.given_tests import CHOOSING, check_flags, names_in, select
from assay.api.given_tests import Tests as Tests
from assay.api.in_python import as_argument, in_python, say_in_python
from assay.api.results import Comparison as Comparison
from assay.api.results import Results as Results
from assay.api.results import comparison_of, ended
from assay.errors import AssayError, ConfigError, RunEnds
from assay.home import home
from assay.language.argument_types import fault_of
from assay.records import Model
from assay.report.compared import compare_sides
from assay.report.folder import check_place
from assay.report.live.watch import live_watch
from assay.report.messages import each_once
from assay.report.publish import said_of_unfinished
from assay.rescoring.rescore import find_work, left_out, rescoring_session
from assay.rescoring.rescore import rescore as judge_again
from assay.rescoring.work import Work
from assay.results.export.registry import Wanted, exports_of, write_exports
from assay.results.result_set import ResultSet, comparable, find_result_set, told_apart, warnings_of
from assay.results.saved_command import SAME_CALL
from assay.results.saved_runs import run_files
from assay.results.serialize import number_of
from assay.running.aggregates import write_aggregates
from assay.running.event_loop import run_beside
from assay.running.execute import execute
from assay.running.request import RunRequest
from assay.running.run import RunResult
from assay.running.session import Session
from assay.running.wiring import name_of
from assay.suites.saved_conditions import saved_selection
from assay.suites.selected import Selected
from assay.suites.selection import Selection

AnyModel = str | Model | Callable[..., Any]  # by its name, an object, or a function of the dialogue
Models = AnyModel | Iterable[AnyModel]
JUDGES = ("judge", "vision_judge")


async def run_async(tests: Tests, models: Models = (), **flags: Any) -> Results:
    """`run` for a program with its own event loop."""
    names = names_in(sys._getframe(1))
    try:
        return await _run(_ready(tests, models, flags, names))
    except AssayError as error:
        raise in_python(error)  # noqa: B904 - the same one


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
    names = names_in(sys._getframe(1))
    try:
        ready = _ready(tests, models, flags, names)  # before a loop, which would fill the tracebacks
        return run_beside(partial(_run, ready))
    except AssayError as error:
        raise in_python(error).with_traceback(None)  # noqa: B904 - its cause is kept
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
    one = isinstance(models, (str, Mapping)) or callable(models) or not isinstance(models, Iterable)
    given: Any = [models] if one else models
    own: dict[str, Model] = {}
    asked = tuple(name_of(each, own) for each in given)
    flags = _with_judges(flags, own)
    wanted = [flags.pop(name, False) for name in ("report", "generate_report")]
    if wrong := [value for value in wanted if not isinstance(value, bool)]:
        raise ConfigError(f"report must be True or False, not {wrong[0]!r:.60}; report_dir is its folder")
    reports, live = any(wanted), flags.pop("live", None)
    exports = exports_of(_several("export", flags.pop("export", ())))  # before anything is paid for
    if isinstance(live, bool):
        live = 0 if live else None
    if live is not None and not (isinstance(live, int) and 0 <= live <= 65535):
        raise ConfigError(f"live must be True, False or a port (1 to 65535), not {live!r:.60}")
    if live is not None and flags.get("logdir") and not reports:  # it must not replace that of other results
        flags["report_dir"] = flags.get("report_dir") or Path(flags["logdir"]) / "report"
    request = _request(flags, models=asked)
    session = Session(request, given=own, message=say_in_python)
    if reports or live is not None:
        check_place(session.workspace.report, "report_dir")
    session.selected = select(tests, request, session, names)
    for suite in session.selected.suites.values():
        suite.check_extras(draws=reports or live is not None)
    return _Ready(session, exports, reports, live)


async def _run(ready: _Ready) -> Results:
    session, result = ready.session, RunResult()
    await session.find_installed()
    await execute(session, result, watching=live_watch(ready.live))
    result.problems += session.source.not_given
    notes = (*map(as_argument, (*result.problems, *_sum_up(session, result))), *_left_out_of(session))
    for problem in notes:
        session.message(problem)
    if result.failure is not None:
        if not isinstance(in_python(result.failure), RunEnds):
            raise result.failure
        session.message(ended(result.failure))
    models = tuple(session.models)
    files = tuple(result.files)
    results = Results(files, session.workspace, result.failure, session.selected, models, notes)
    lacking = [*session.selected.errors, *results.unfinished]
    write_exports(
        ready.exports, result.files, session.wants, session.workspace, lacking=lacking, again=SAME_CALL
    )
    if ready.reports or ready.live is not None:  # of all saved results
        Results(tuple(session.results.files()), session.workspace).report(session.workspace.report)
    return results


def _left_out_of(session: Session) -> Sequence[str]:
    """What has the trials that `skip_existing` left out."""
    if not session.request.skip_existing:
        return ()
    folder = repr(str(session.results.root)) * bool(session.workspace.logdir)
    return (f"these are only this run's trials; for all of them: assay.load({folder})",)


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
    paths = [name for name in ("config", "logdir", "report_dir") if given.get(name)]
    given |= {name: _path(name, given[name]).absolute() for name in paths}  # wherever the program goes
    for each in fields(RunRequest):
        if each.name in given:
            given[each.name] = _of_kind(each.name, str(each.type), given[each.name])
    if not isinstance(given.get("params") or {}, Mapping):
        raise ConfigError(f"params must be a dict, as in {{'top_p': 0.9}}, not {given['params']!r:.60}")
    rest = {
        name: [*value] if isinstance(value, Iterator) else number_of(value)  # which may be read again
        for name, value in flags.items()
        if name not in known
    }
    tests, tags, tiers = (_several(name, rest.pop(name, ())) for name in ("test", "tag", "tier"))
    changed = _of_kind("only_changed", "str | None", rest.pop("only_changed", None))
    selection = Selection(
        home(), tests=tests, tags=tags, only_changed=changed, flags=rest, tiers=tiers,
        given=frozenset(rest), unread=True,
    )  # fmt: skip
    return RunRequest(selection=selection, **given, **more)


def _of_kind(name: str, annotation: str, value: Any) -> Any:
    """A flag's value, or ConfigError for one of another kind. A number may stand for its text."""
    if annotation == "Sequence[str]":
        return _several(name, value)
    text = annotation.startswith("str")
    if fault := fault_of(annotation, value):
        raise ConfigError(f"{name} {fault}")
    if text and value is not None and (isinstance(value, bool) or not isinstance(value, (str, int, float))):
        raise ConfigError(f"{name} must be one text, not {value!r:.60}")
    return str(value) if text and value is not None else value


def _several(name: str, value: Any) -> tuple[str, ...]:
    several = [value] if isinstance(value, (str, Path)) or not isinstance(value, Iterable) else [*value]
    several = [] if value is None else several
    if wrong := [each for each in several if not isinstance(each, (str, Path))]:
        raise ConfigError(f"{name} must be one text or a list of texts, not {wrong[0]!r:.60}")
    return tuple(map(str, several))


def _path(name: str, value: Any) -> Path:
    if not isinstance(value, (str, os.PathLike)) or not str(value):
        raise ConfigError(f"{name} must be the path of a file or folder, not {value!r:.60}")
    return Path(value)


def load(path: str | Path = "results", *, suite: str | Iterable[str] = (), **conditions: Any) -> Results:
    """The saved results in a folder, of all commits and models, or in one run's file. `path`: relative to the
    working directory or, if it is not there, to where `run` saves. `suite`: only those of these suites.
    `conditions`: flags of suites, such as `seed=7`: only results under these values; by default those under
    the conditions of each model's newest verdict. Raises ConfigError if there are none."""
    path = _path("path", path)
    path = path.absolute() if path.exists() else home() / path
    files = run_files(path) if path.exists() else []
    if not files:
        raise ConfigError(f"there are no saved results in {path}")
    request = _request({"logdir": _logdir_of(path)})
    results = Results(tuple(files), Session(request, message=lambda text: None).workspace)
    if not (suite or conditions):
        return results
    selection = saved_selection(files, Selection(home(), suites=_several("suite", suite), flags=conditions))
    return replace(results, chosen=selection)


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

    sides = told_apart(found(first, labels[0]), found(second, labels[1]))
    stopped = [said for side in sides for said in said_of_unfinished(workspace, files=side.files)]
    one, other = comparable(*sides, with_changed)
    if one.label == other.label:
        raise ConfigError(f"a comparison needs two different sides, not {one.label!r} twice")
    warnings = [*stopped, *map(as_argument, warnings_of(*sides, with_changed))]
    for warning in warnings:
        say(warning)
    for side in (first, second):  # whose problems were said when it was counted
        warnings += side.unfinished if isinstance(side, Results) else ()
    if not (one.records and other.records):
        raise ConfigError(f"{one.label} and {other.label} have no test in common that was not changed")
    return comparison_of(
        compare_sides([*one.labelled(), *other.labelled()], one.label, other.label), warnings
    )


def rescore(results: Results | str | Path, tests: Tests | None = None, **flags: Any) -> Results:
    """Judge saved replies again, without asking a model. `results`: from `run` or `load`, or whatever
    --rescore takes. `tests`: as for `run`, by the names that they had; by default the current test files and
    suites, and the nodes and rows that the results were run with, if that was in this process. `flags`: as
    for `run`, and `model` and `suite` choose trials; flags of the results' suites take the place of what the
    records tell. The new results are in `<logdir>/rescored`. Of other tests than `tests`, nothing is
    judged."""
    names = names_in(sys._getframe(1))
    flags = _with_judges(flags, {})  # none is asked
    chosen, suites = (_several(name, flags.pop(name, ())) for name in ("model", "suite"))
    words = results.files if isinstance(results, Results) else [_path("results", results)]
    ran, folders = Selected(), tuple[str, ...]()
    if isinstance(results, Results):
        flags = {"logdir": results.workspace.results.root, **flags}
        ran, folders = results.selected, results.folders()
    request = _request(flags, models=chosen)
    request = replace(request, selection=replace(request.selection, suites=suites, folders=folders))
    try:
        request.selection.suite_names(saved=True)  # which knows those of `suite`
        session = rescoring_session(request)
        session.message = say_in_python
        session.selected = ran.from_python() if tests is None else select(tests, request, session, names)
        shown = ran if tests is None else session.selected
        models = results.models if isinstance(results, Results) else ()
        keep = results.keep if isinstance(results, Results) else lambda record: True
        work = partial(find_work, words, session, keep)
        return run_beside(partial(_rescore, work, session, models, shown, narrow=tests is not None))
    except AssayError as error:
        raise in_python(error).with_traceback(None)  # noqa: B904 - its cause is kept


async def _rescore(
    find: Callable[[], list[Work]],
    session: Session,
    models: tuple[str, ...],
    shown: Selected,
    narrow: bool,
) -> Results:
    work = find()
    if narrow:
        ids = {each.id for each in shown()}
        for each in work:
            each.keep(lambda sample: sample.id in ids or sample.suite in shown.suites)
        work = [each for each in work if each.planned] or work
    if not any(each.planned for each in work):
        if name := next(iter(work[0].broken), ""):
            raise ConfigError(f"{name} is in a file that cannot be loaded (see the error above)")
        gone = next(iter((*work[0].from_python, *work[0].gone)), "")
        raise ConfigError(f"{gone} is not in a test file: give the tests, as in rescore(results, tests)")
    judged = {suite.name: suite for each in work for suite in each.suites}
    check_flags(session, {**shown.suites, **judged}, CHOOSING)
    for suite in judged.values():
        suite.check_extras(draws=False)
    result = RunResult()
    await judge_again(session, work, result)
    for problem in result.problems:
        session.message(problem)
    if result.failure is not None:
        raise result.failure
    left = (said for each in work for said in (*each.errors, *each.problems, *left_out(each)))
    notes = (*map(as_argument, (*left, *result.problems)),)
    return Results(tuple(result.files), session.workspace, selected=shown, models=models, notes=notes)
