"""assay compare A B: two saved sets of results against each other, in full."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from assay.cli.request import request_of
from assay.cli.typed_conditions import flags_for
from assay.errors import ConfigError
from assay.home import typed
from assay.report.aggregate import Row
from assay.report.messages import each_once, say
from assay.report.publish import said_of_unfinished
from assay.report.sanitise import one_line
from assay.results.one_version import ways_to_compare
from assay.results.result_set import (
    changed_tests,
    comparable,
    find_result_set,
    is_nothing_left,
    model_files,
    told_apart,
    warnings_of,
)
from assay.results.workspace import Workspace
from assay.running.wiring import settings
from assay.stdout import print_json
from assay.suites.saved_conditions import check_saved
from assay.suites.selection import APPLIED


def command(options: argparse.Namespace, root: Path) -> int:
    """The process's exit code: 0 whatever the difference. Raises ConfigError for what is not there."""
    from assay.report.compared import compare_sides, compared_data, compared_tables
    from assay.report.terminal import show_tables

    request = request_of(options, root)
    workspace, selection = request.workspace(settings(options.config, root)), request.selection
    keep = selection.keeps()
    names: list[str] = options.compare
    if names[0] == names[1]:
        raise ConfigError(f"a comparison needs two different sides, not {names[0]!r} twice")
    once = each_once()
    try:
        first, second = (find_result_set(name, workspace, keep, once, options.with_changed) for name in names)
    except ConfigError:
        if selection.typed:
            for side in (
                find_result_set(name, workspace, lambda record: True, lambda text: None) for name in names
            ):
                check_saved(selection, side.files, [side.model])
        raise
    first, second = told_apart(first, second)
    changed = changed_tests(first, second)
    records = (each for side in (first, second) for each in side.records if each.suite == APPLIED)
    folders = selection.folders_with({each.source for each in records if each.test in changed})
    flags = flags_for(selection.conditions)
    told = changed and not options.with_changed
    ways = ways_to_compare(first, second, workspace, folders, flags) if told else ""
    warnings = warnings_of(first, second, options.with_changed, ways)
    if ways and is_nothing_left(first, second):
        raise ConfigError(
            f"no test is left that {first.label} and {second.label} both finished in one version: "
            f"{one_line('; '.join(warnings))}"
        )
    sides = (first, second)
    stopped = [said for side in sides for said in said_of_unfinished(workspace, keep, side.files)]
    warnings = [*stopped, *warnings]
    first, second = comparable(first, second, options.with_changed)
    for warning in warnings:
        say(one_line(warning))
    found = compare_sides(
        [*first.labelled(), *second.labelled()], first.label, second.label, options.confidence
    )
    whole = [side for side in (first, second) if side.whole and not selection.typed]
    models = {side.label: side.model for side in whole}

    def page(row: Row, label: str) -> str:  # the pages show a model's newest trials
        model = models.get(label)
        return _page(workspace, row, model, absolute=options.format == "table") if model else ""

    if options.format == "json":
        print_json({**compared_data(found, page), "changed_tests": changed, "warnings": warnings})
        return 0
    show_tables(compared_tables(found, page, in_full=options.in_full), format=options.format)
    if first.whole and second.whole:
        pages = bool(models and found.gaps) and all(
            page(row, label) for row, _ in found.gaps for label in models
        )
        _tell_of_report(workspace, models.values(), pages, flags)
    return 0


def _page(workspace: Workspace, row: Row, model: str, *, absolute: bool) -> str:
    """The address of the page of a test's trials, if the report has one."""
    from assay.report.cell_page import page_name
    from assay.report.folder import CELLS

    path = workspace.report / CELLS / page_name(row.suite, row.test, model)
    if not path.is_file():
        return ""
    return path.resolve().as_uri() if absolute else quote(os.path.relpath(path).replace(os.sep, "/"))


def _tell_of_report(workspace: Workspace, models: Iterable[str], pages: bool, flags: str) -> None:
    """Name the report, or the command that writes it. `pages`: whether it has those of all these tests.
    `flags`: of the conditions that were typed."""
    index = workspace.report / "index.html"
    files = [file for model in models for file in model_files(workspace.results, model)]
    if pages and index.stat().st_mtime >= max(file.stat().st_mtime for file in files):
        say(f"step by step, with a page for each test's trials: {index}, side by side")
    else:
        say(f"step by step: {typed()} report{flags}{workspace.logdir}")
