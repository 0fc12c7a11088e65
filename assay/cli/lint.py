"""assay lint: find mistakes in tests before a model is asked."""

from __future__ import annotations

import argparse
import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.cli.request import selection_of
from assay.records import Table, TrialKey
from assay.report.messages import say
from assay.report.wording import count
from assay.running.wiring import references_finder, unknown_references
from assay.stdout import print_json, stdout
from assay.suites.choice import choose
from assay.suites.lint import (
    Finding,
    of_asking,
    of_ending,
    of_facts,
    of_files,
    of_picture,
    of_tree,
    of_verdict,
)
from assay.suites.loading import load_tests
from assay.suites.sample import Sample
from assay.suites.selected import Selected
from assay.suites.selection import APPLIED
from assay.suites.stray_references import stray_references, without_tests

FOUND = ("kind", "where", "test", "text")
MORE = re.compile(r" \(and [\d,]+ more like it\)$")


def command(options: argparse.Namespace, root: Path) -> int:
    """Print every finding; the exit code is 1 if there is more than hints."""
    selection, references = selection_of(options, root), references_finder(root)
    errors: list[str] = []
    left_out: list[str] = []
    suites = {name: suite for name, suite in selection.suites_in(errors, left_out)}
    for text in left_out:
        say(text)
    samples = [each for suite in suites.values() if suite for each in selection.samples_of(suite)]
    findings = [Finding("error", "", "", text) for text in errors]
    findings += [each for sample in samples for each in of_tree(sample)]
    lines: dict[str, int] = {}
    if APPLIED in suites:
        choice, wanted = choose(selection, None), selection.wants
        for text in choice.messages:
            say(text)
        loaded = load_tests(choice.files, root=root, wanted=lambda listed: wanted(listed.id, listed.tags))
        lines = {test.id: test.line for file in choice.files for test in file.tests}
        samples += loaded.every()
        findings += of_files(loaded, choice.errors)
        alone = without_tests(choice.files) if selection.is_whole else choice.lone_references
        stray = stray_references(choice.files, root, unknown_references, alone)
        findings += [Finding("error", where, "", text) for where, text in stray]
    chosen = Selected(suites={name: suite for name, suite in suites.items() if suite})

    def of(sample: Sample, right: bool) -> Sequence[Any]:
        key = TrialKey(sample.id, 1, sample.suite, sample.source)
        found: Sequence[Any] = references(key, right, hook=chosen.references)
        return found

    for sample in samples:
        findings += of_facts(sample, of)
        findings += [each for each in (of_ending(sample), of_picture(sample)) if each is not None]
    findings += [each for each in asyncio.run(_verdicts(samples)) if each is not None]
    findings = _once(findings)
    show(findings, lines, options.format)
    counts = Counter(each.kind for each in findings)
    said = ", ".join(count(counts[kind], kind) for kind in ("error", "warning", "hint"))
    say(f"{count(len(samples), 'test')}: {said}")
    return 1 if counts["error"] or counts["warning"] else 0


def _once(findings: Sequence[Finding]) -> list[Finding]:
    """Findings that are the same for many rows of a test, or samples that one line of a suite makes, reported
    once, for the first of them."""
    alike: dict[tuple[str, ...], list[Finding]] = {}
    for each in findings:
        group = each.test.partition("[")[0] if each.suite == APPLIED else ""
        alike.setdefault((each.kind, each.where, group, each.text), []).append(each)
    return [
        replace(first, text=f"{first.text} (and {len(more):,} more like it)") if more else first
        for first, *more in alike.values()
    ]


async def _verdicts(samples: Sequence[Sample]) -> list[Finding | None]:
    return [await check(sample) for sample in samples for check in (of_verdict, of_asking)]


def show(findings: Sequence[Finding], lines: dict[str, int], format: str) -> None:
    """The findings as compilers print theirs, so that editors find the place, the worst first and hints that
    say the same together; or as JSON, or a table in Markdown."""
    from assay.report.sanitise import one_line
    from assay.report.terminal import show_tables

    rows = []
    for each in findings:
        group = each.test.partition("[")[0]
        line = next((lines[name] for name in (each.test, group, f"{group}[*]") if name in lines), None)
        place = f"{each.where}:{line}" if line is not None else each.where
        rows.append(dict(zip(FOUND, (each.kind, place, each.test, each.text), strict=True)))
    if format == "json":
        print_json(rows)
        return
    if format == "markdown" and rows:
        show_tables([Table("Findings", FOUND, tuple((*row.values(),) for row in rows))], format="markdown")
        return
    for each, row in zip(findings, rows, strict=True):
        row["name"] = each.test.partition(".")[2] if each.suite == APPLIED else each.test
        row["text"] = one_line(row["text"], 600)
    out = stdout()
    for kind in ("error", "warning"):
        for row in rows:
            if row["kind"] == kind:
                out.write(_line(row, row["text"]))
    alike: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        if row["kind"] == "hint":
            alike.setdefault(MORE.split(row["text"])[0], []).append(row)
    for text, its in alike.items():
        if len(its) > 1:  # said once, above the places
            out.write(f"{len(its)} hints: {text}\n")
        for row in its:
            out.write(_line(row, row["text"][len(text) :].strip() if len(its) > 1 else row["text"]))


def _line(row: Mapping[str, str], text: str) -> str:
    """'tests/sums.py:7: hint: TestSums: it has no references'."""
    return ": ".join(filter(None, (row["where"], row["kind"], row["name"], text))) + "\n"
