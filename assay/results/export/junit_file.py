"""JUnit XML, as CI servers show it: a testsuite for each model and suite, a testcase for each trial."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from assay.records import Outcome, TrialRecord, suite_title
from assay.report.reasons import gist
from assay.report.sanitise import visible
from assay.report.steps import lines_of
from assay.results.causes import of_record
from assay.results.export.registry import Export, whole_file
from assay.results.export.rows import started
from assay.results.export.source import Source
from assay.results.serialize import shorten

STEPS_CHARS = 50_000  # of one failure
# What XML 1.0 cannot hold even as a character reference.
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _clean(text: str) -> str:
    return NOT_XML.sub("\ufffd", visible(text))


def _text(text: str) -> str:
    return escape(_clean(text))


def _attribute(text: str) -> str:
    return quoteattr(_clean(text))


def groups(records: Sequence[TrialRecord]) -> dict[tuple[str, str], list[TrialRecord]]:
    """(suite, model) -> its records."""
    found: dict[tuple[str, str], list[TrialRecord]] = {}
    for record in records:
        found.setdefault((record.suite, record.model), []).append(record)
    return dict(sorted(found.items()))


def _fails(record: TrialRecord) -> bool:
    """Whether a verdict is a failure: the saboteur's is that a wrong reference passed."""
    return record.outcome is (Outcome.PASS if record.model == "saboteur" else Outcome.FAIL)


def _totals(records: Sequence[TrialRecord], lacking: int = 0) -> str:
    outcomes = [record.outcome for record in records]
    return (
        f'tests="{len(outcomes) + lacking}" failures="{sum(map(_fails, records))}" '
        f'errors="{outcomes.count(Outcome.ERROR) + lacking}" skipped="{outcomes.count(Outcome.SKIPPED)}" '
        f'time="{sum(record.seconds for record in records):.3f}"'
    )


def _place(record: TrialRecord) -> tuple[str, str]:
    """(classname, name). Servers make folders of the dots in a classname, so a model's own become dashes."""
    file, _, test = record.test.rpartition(".")
    parts = (record.model.replace(".", "-"), suite_title(record), file)
    return ".".join(part for part in parts if part), f"{test} [epoch {record.epoch}]"


def _steps(record: TrialRecord) -> str:
    lines = [line.text for line in lines_of(record.reason)] if record.reason is not None else []
    return shorten("\n".join(lines), STEPS_CHARS)


def _case(record: TrialRecord) -> Iterator[str]:
    place, name = _place(record)
    head = f'<testcase classname={_attribute(place)} name={_attribute(name)} time="{record.seconds:.3f}"'
    if record.source:
        head += f" file={_attribute(record.source)}"
    fails = _fails(record)
    if record.outcome in (Outcome.PASS, Outcome.FAIL) and not fails and not record.later:
        yield f"    {head}/>\n"
        return
    yield f"    {head}>\n"
    if record.outcome is Outcome.SKIPPED:
        yield f"      <skipped message={_attribute(gist(record.error))}/>\n"
    elif record.outcome is Outcome.ERROR:
        cause = _attribute(of_record(record).cause)
        yield f"      <error type={cause} message={_attribute(gist(record.error))}>"
        yield f"{_text(_steps(record) or record.error)}</error>\n"
    elif fails:
        found = of_record(record)
        cause, why = found.cause, found.why
        if record.outcome is Outcome.PASS:
            cause, why = "proves nothing", "a wrong reference passed"
        said = f"<failure type={_attribute(cause)} message={_attribute(why)}>"
        yield f"      {said}{_text(_steps(record))}</failure>\n"
    if record.later:
        said = f"a later run ended without a verdict: {gist(record.later)}"
        yield f"      <system-out>{_text(said)}</system-out>\n"
    yield "    </testcase>\n"


def _facts(record: TrialRecord) -> dict[str, str]:
    facts = {"model": record.model, "suite": suite_title(record), "commit": record.commit, **record.versions}
    facts |= {f"condition {name}": str(value) for name, value in record.conditions.items()}
    return facts | {f"parameter {name}": str(value) for name, value in record.parameters.items()}


def _properties(records: Sequence[TrialRecord]) -> Iterator[str]:
    """What the records are of: all values, where they differ."""
    values: dict[str, dict[str, None]] = {}
    for record in records:
        for name, value in _facts(record).items():
            values.setdefault(name, {})[value] = None
    yield "    <properties>\n"
    for name, its in values.items():
        yield f"      <property name={_attribute(name)} value={_attribute(', '.join(filter(None, its)))}/>\n"
    yield "    </properties>\n"


def _not_run(lacking: Sequence[str]) -> Iterator[str]:
    """A testsuite of what has no trials, as errors: servers show these, and no property."""
    if not lacking:
        return
    yield f'  <testsuite name="not run" {_totals((), len(lacking))}>\n'
    for text in lacking:
        first = text.partition("\n")[0]
        yield f'    <testcase classname="not run" name={_attribute(first.partition(":")[0])} time="0.000">\n'
        yield f'      <error type="not run" message={_attribute(first)}>{_text(text)}</error>\n'
        yield "    </testcase>\n"
    yield "  </testsuite>\n"


def write_junit(source: Source, path: Path) -> int:
    """Write `source` to `path` and return the number of trials. Raises StoreError."""
    with whole_file(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        return _write(source, file)


def _write(source: Source, file: TextIO) -> int:
    file.write("<?xml version='1.0' encoding='UTF-8'?>\n")
    file.write(f'<testsuites name="assay" {_totals(source.records, len(source.lacking))}>\n')
    file.writelines(_not_run(source.lacking))
    cases = 0
    for (suite, model), records in groups(source.records).items():
        first = min(records, key=lambda record: record.started_at)
        begin = started(first)
        time = f' timestamp="{begin.replace(tzinfo=None).isoformat(timespec="seconds")}"' if begin else ""
        file.write(
            f"  <testsuite name={_attribute(f'{suite_title(first)}: {model}')} {_totals(records)}{time}>\n"
        )
        file.writelines(_properties(records))
        for trial in source.trials(lambda record, its=(suite, model): (record.suite, record.model) == its):  # type: ignore[misc]
            file.writelines(_case(trial.record))
            cases += 1
        file.write("  </testsuite>\n")
    file.write("</testsuites>\n")
    return cases


EXPORT = Export(write_junit)
