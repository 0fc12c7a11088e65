"""One page for each test and model: a tab for each trial, with every step.

All these pages are the same file under many names. Each finds its data in a file of the folder `data` and
draws it (templates/load.js, cell.js), so a report is written as fast as its texts.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from assay.records import TrialRecord
from assay.report import wording
from assay.report.aggregate import Row
from assay.report.changes import judged_again
from assay.report.environment import DRAWS, render, script, version
from assay.report.explanation import Pictures, as_data, pieces
from assay.report.failures import not_passed
from assay.report.neighbours import Neighbours
from assay.report.tally import Tally
from assay.results.causes import of_record
from assay.results.conditions import SELF_JUDGED, judges_asked

SHOWN_S = 0.1  # a shorter wait is not mentioned


def page_name(suite: str, test: str, model: str) -> str:
    """A file name that identifies the cell and is safe whatever the names contain.

    >>> page_name("applied", "print_hello.TestPrintHello", "../../etc/passwd")
    'print-hello-testprinthello-etc-passwd-9f8c346614.html'
    """
    digest = sha256("\0".join((suite, test, model)).encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{_slug(test, 36)}-{_slug(model, 24)}-{digest}.html".lstrip("-")


@functools.lru_cache(maxsize=1024)
def _slug(text: str, width: int) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:width].strip("-")


def facts(record: TrialRecord) -> list[tuple[str, str]]:
    """Name and text of what else is known of a trial, beside its steps; empty ones are left out."""
    found: list[tuple[str, str]] = []
    if record.score is not None:
        found.append(("score", wording.score(record.score)))
    found += [(name.replace("_", " "), wording.score(value)) for name, value in record.metrics.items()]
    times = (
        ("time", record.seconds, 0.0),
        ("model time", record.model_seconds, 0.0),
        ("sandbox time", record.sandbox_seconds, 0.0),
        ("waiting for a core", record.waited_seconds, SHOWN_S),
        ("waiting for a connection or a sandbox", record.queue_seconds, SHOWN_S),
    )
    found += [(name, wording.duration(spent)) for name, spent, least in times if spent and spent >= least]
    found += _spending(record)
    about = {name.replace("_", " "): value for name, value in record.about.items() if name != SELF_JUDGED}
    found += [("model", _named(about)), ("parameters", _named(record.parameters))]
    found.append(("sandbox", " · ".join(filter(None, (record.sandbox, record.limits)))))
    judges = judges_asked(record).items()
    found += [(wording.ROLES.get(role, role.replace("_", " ")), judge) for role, judge in judges]
    found.append(("commit", record.commit[:12]))
    if record.started_at:
        found.append(("started", record.started_at[:19].replace("T", " ") + " UTC"))
    return [each for each in found if each[1]]


def _spending(record: TrialRecord) -> Iterator[tuple[str, str]]:
    usage = record.usage
    if usage.input_tokens or usage.output_tokens:
        cached = f" ({usage.cached_tokens:,} cached)" if usage.cached_tokens else ""
        reasoning = f" ({usage.reasoning_tokens:,} reasoning)" if usage.reasoning_tokens else ""
        yield "tokens", f"{usage.input_tokens:,} in{cached}, {usage.output_tokens:,} out{reasoning}"
    if record.calls:
        yield "cost", wording.money(record.cost) if record.cost is not None else "unknown"
        cached = f", {record.cached_calls} from the cache" if record.cached_calls else ""
        retried = f", {record.attempts} attempts" if record.attempts > record.calls else ""
        yield "calls", f"{record.calls}{cached}{retried}"


def _named(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())[:500]


def details(record: TrialRecord) -> list[tuple[str, str]]:
    """A suite's own fields and the versions of the software used, folded at the end of the page."""
    extra = dict(record.extra)
    row = extra.pop("row", {})
    its = [(f"row: {name}", value) for name, value in row.items()] if isinstance(row, dict) else []
    named = [*its, *record.conditions.items(), *extra.items(), *record.versions.items()]
    return [(str(name), str(value)[:2000]) for name, value in named]


def cell_data(
    row: Row,
    model: str,
    source: str,
    pictures: Pictures,
    page: tuple[str, str] | None = None,
    around: Neighbours | None = None,
    beside: bool = True,
) -> dict[str, Any]:
    """The content of the page of one test and model, as cell.js reads it. `source`: a relative link to the
    test's file, or ''. `page`: title of and link to the suite's own page about this test. `around`: links to
    other cells. `beside`: whether the report has a page that shows two cells side by side."""
    trials, around = row.trials[model], around or Neighbours()
    links = [("Source of the test", source)] if source else []
    return {
        "test": row.test,
        "model": model,
        "said": _said(row.cells[model]),
        "about": row.description,
        "tags": row.tags,
        "links": [*links, page] if page else links,
        "ways": [around.before, around.after, around.failure],
        "others": [other._asdict() for other in around.others],
        "here": page_name(row.suite, row.test, model) if beside and around.others else "",
        "trials": [_trial(trial, _label(trials, place), pictures) for place, trial in enumerate(trials)],
    }


def _said(total: Tally) -> str:
    """The model's results, shown after its name."""
    mean = "" if total.score is None else f", mean score {wording.score(total.score)}"
    passed = [f"passed {total.passed} of {total.counted}{mean}"] if total.counted else []
    return " " + " · ".join([*passed, *not_passed(total)])


def _trial(record: TrialRecord, label: str, pictures: Pictures) -> dict[str, Any]:
    why = of_record(record)
    return {
        "outcome": record.outcome.value,
        "label": label,
        "cause": why.cause,
        "why": why.why,
        "again": judged_again(record),
        "later": record.later,
        "error": "" if record.error == why.why else record.error,
        "facts": facts(record),
        "details": details(record),
        "pieces": [] if record.reason is None else as_data(pieces(record.reason, pictures)),
    }


def render_cells(digits: int) -> str:
    """The file behind every cell's page. `digits`: how many digits of the number in a page's name name the
    file of its data."""
    code, policy = script("theme.js", "load.js", loads=True)
    draws = f"{DRAWS}?{version()[:8]}"
    return render("cell", script=code, policy=policy, draws=draws, digits=digits)


def render_side_by_side() -> str:
    """The page that shows two cells' pages side by side; its address names them."""
    code, policy = script("theme.js", "side.js", frames=True)
    return render("side", script=code, policy=policy)


def _label(trials: Sequence[TrialRecord], place: int) -> str:
    epochs = [trial.epoch for trial in trials]
    return f"Trial {epochs[place]}" if len(set(epochs)) == len(epochs) else f"Trial {place + 1}"
