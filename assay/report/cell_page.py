"""One page for each test and model: a tab a trial, every step shown.

All these pages are the same file under many names. Each finds its record, which is plain data, in a file of
the folder `data` and draws it (templates/load.js, cell.js); so a report is written as fast as its texts.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
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

SHOWN_S = 0.1  # of waiting: less is not worth a line


def page_name(suite: str, test: str, model: str) -> str:
    """A file name that says which cell it is and is safe whatever the names hold.

    >>> page_name("applied", "print_hello.TestPrintHello", "../../etc/passwd")
    'print-hello-testprinthello-etc-passwd-9f8c346614.html'
    """
    digest = sha256("\0".join((suite, test, model)).encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{_slug(test, 36)}-{_slug(model, 24)}-{digest}.html".lstrip("-")


@functools.lru_cache(maxsize=1024)
def _slug(text: str, width: int) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:width].strip("-")


def facts(record: TrialRecord) -> list[tuple[str, str]]:
    """What else is known of a trial, beside its steps, by name; empty ones left out."""
    usage, found = record.usage, []

    def add(name: str, value: str) -> None:
        if value:
            found.append((name, value))

    add("score", wording.score(record.score) if record.score is not None else "")
    for name, value in record.metrics.items():
        add(name, wording.score(value))
    add("time", wording.duration(record.seconds) if record.seconds else "")
    add("model time", wording.duration(record.model_seconds) if record.model_seconds else "")
    add("sandbox time", wording.duration(record.sandbox_seconds) if record.sandbox_seconds else "")
    if record.waited_seconds >= SHOWN_S:
        add("waiting for a core", wording.duration(record.waited_seconds))
    if record.queue_seconds >= SHOWN_S:
        add("waiting for a sandbox", wording.duration(record.queue_seconds))
    if usage.input_tokens or usage.output_tokens:
        reasoning = f" ({usage.reasoning_tokens:,} reasoning)" if usage.reasoning_tokens else ""
        add("tokens", f"{usage.input_tokens:,} in, {usage.output_tokens:,} out{reasoning}")
    if record.calls:
        add("cost", wording.money(record.cost) if record.cost is not None else "unknown")
        cached = f", {record.cached_calls} from the cache" if record.cached_calls else ""
        retried = f", {record.attempts} attempts" if record.attempts > record.calls else ""
        add("calls", f"{record.calls}{cached}{retried}")
    add("model", ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in record.about.items())[:500])
    add("parameters", ", ".join(f"{name} {value}" for name, value in record.parameters.items())[:500])
    add("sandbox", " · ".join(filter(None, (record.sandbox, record.limits))))
    for role, judge in record.judges.items():
        add(wording.ROLES.get(role, role.replace("_", " ")), judge)
    add("commit", record.commit[:12])
    add("started", record.started_at[:19].replace("T", " ") + " UTC" if record.started_at else "")
    return found


def details(record: TrialRecord) -> list[tuple[str, str]]:
    """A suite's own fields and the versions of what ran, for the fold at the end."""
    named = [*record.conditions.items(), *record.extra.items(), *record.versions.items()]
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
    """What the page of one test and model shows, as cell.js reads it. `source`: a relative link to the test's
    file, or ''. `page`: title of and link to the suite's own page about this test. `around`: where else it
    leads. `beside`: whether there is a page that shows two cells beside each other."""
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
    """What the model's trials came to, behind its name."""
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
    """The file that every cell's page is. `digits`: how many of the number in a page's name say in which file
    its data lie."""
    code, policy = script("theme.js", "load.js", loads=True)
    draws = f"{DRAWS}?{version()[:8]}"
    return render("cell", script=code, policy=policy, draws=draws, digits=digits)


def render_side_by_side() -> str:
    """The page that shows two cells' pages beside each other; which, its address says."""
    code, policy = script("theme.js", "side.js", frames=True)
    return render("side", script=code, policy=policy)


def _label(trials: Sequence[TrialRecord], place: int) -> str:
    epochs = [trial.epoch for trial in trials]
    return f"Trial {epochs[place]}" if len(set(epochs)) == len(epochs) else f"Trial {place + 1}"
