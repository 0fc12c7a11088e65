"""One page for each test and model: a tab a trial, every step shown.

All these pages are the same file under many names. Each finds its record, which is plain data, in a file of
the folder `data` and draws it (templates/load.js, cell.js); so a report is written as fast as its texts.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from assay.records import TrialRecord, Usage
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
    usage, calls, cost = record.usage, "", ""
    tokens = f"{usage.input_tokens:,} in, {usage.output_tokens:,} out" if usage != Usage() else ""
    if usage.reasoning_tokens:
        tokens += f" ({usage.reasoning_tokens:,} reasoning)"
    if record.calls:
        cost = wording.money(record.cost) if record.cost is not None else "unknown"
        cached = f", {record.cached_calls} from the cache" if record.cached_calls else ""
        retried = f", {record.attempts} attempts" if record.attempts > record.calls else ""
        calls = f"{record.calls}{cached}{retried}"
    spent = {
        "time": record.seconds,
        "model time": record.model_seconds,
        "sandbox time": record.sandbox_seconds,
    }
    waits = {"waiting for a core": record.waited_seconds, "waiting for a sandbox": record.queue_seconds}
    spent |= {name: seconds for name, seconds in waits.items() if seconds >= SHOWN_S}
    about = {name.replace("_", " "): value for name, value in record.about.items() if name != SELF_JUDGED}
    found = [
        ("score", wording.score(record.score) if record.score is not None else ""),
        *((name, wording.score(value)) for name, value in record.metrics.items()),
        *((name, wording.duration(seconds)) for name, seconds in spent.items() if seconds),
        ("tokens", tokens),
        ("cost", cost),
        ("calls", calls),
        ("model", _named(about)),
        ("parameters", _named(record.parameters)),
        ("sandbox", " · ".join(filter(None, (record.sandbox, record.limits)))),
        *((wording.ROLES.get(role, role), judge) for role, judge in judges_asked(record).items()),
        ("commit", record.commit[:12]),
        ("started", record.started_at[:19].replace("T", " ") + " UTC" if record.started_at else ""),
    ]
    return [(name.replace("_", " "), value) for name, value in found if value]


def _named(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())[:500]


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
