"""One page for each test and model: a tab a trial, every step shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from assay.harness.causes import of_record
from assay.records import Outcome, TrialRecord
from assay.report import wording
from assay.report.aggregate import Row
from assay.report.changes import again
from assay.report.environment import environment, script
from assay.report.explanation import Pictures, pieces
from assay.report.failures import errors, failures
from assay.report.neighbours import Neighbours, Step

SHOWN_S = 0.1  # of waiting: less is not worth a line
MARKS = {Outcome.PASS: "✓", Outcome.FAIL: "✗", Outcome.ERROR: "!", Outcome.SKIPPED: "–"}  # noqa: RUF001


def page_name(suite: str, test: str, model: str) -> str:
    """A file name that says which cell it is and is safe whatever the names hold.

    >>> page_name("applied", "print_hello.TestPrintHello", "../../etc/passwd")
    'print-hello-testprinthello-etc-passwd-9f8c346614.html'
    """
    digest = sha256("\0".join((suite, test, model)).encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{_slug(test, 36)}-{_slug(model, 24)}-{digest}.html".lstrip("-")


def _slug(text: str, width: int) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:width].strip("-")


@dataclass(frozen=True)
class Fact:
    name: str
    value: str


def facts(record: TrialRecord) -> list[Fact]:
    """What else is known of a trial, beside its steps; empty ones left out."""
    usage, found = record.usage, []

    def add(name: str, value: str) -> None:
        if value:
            found.append(Fact(name, value))

    add("score", wording.score(record.score) if record.score is not None else "")
    for name, value in record.metrics.items():
        add(name, wording.score(value))
    add("time", wording.duration(record.seconds) if record.seconds else "")
    add("model time", wording.duration(record.model_seconds) if record.model_seconds else "")
    add("sandbox time", wording.duration(record.sandbox_seconds) if record.sandbox_seconds else "")
    if record.waited_seconds >= SHOWN_S:
        add("of it waiting for a core", wording.duration(record.waited_seconds))
    if record.queue_seconds >= SHOWN_S:
        add("in the queue for a sandbox", wording.duration(record.queue_seconds))
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


def details(record: TrialRecord) -> list[Fact]:
    """A suite's own fields and the versions of what ran, for the fold at the end."""
    named = [*record.conditions.items(), *record.extra.items(), *record.versions.items()]
    return [Fact(str(name), str(value)[:2000]) for name, value in named]


def render_cell(
    row: Row,
    model: str,
    source: str,
    pictures: Pictures,
    page: tuple[str, str] | None = None,
    around: Neighbours | None = None,
    beside: bool = True,
) -> str:
    """The page of one test and model. `source`: a relative link to the test's file, or ''. `page`: title
    of and link to the suite's own page about this test. `around`: where else it leads. `beside`: whether
    there is a page that shows two cells beside each other."""
    trials = row.trials[model]
    code, policy = script("theme.js", "cell.js")
    return environment().get_template("cell.html.j2").render(
        row=row,
        model=model,
        total=row.cells[model],
        failed=" · ".join(filter(None, (failures(row.cells[model]), errors(row.cells[model])))),
        source=source,
        page=page,
        around=around or Neighbours(),
        ways=_ways(around),
        here=page_name(row.suite, row.test, model),
        beside=beside,
        script=code,
        policy=policy,
        trials=[
            {
                "record": trial,
                "label": _label(trials, place),
                "mark": MARKS[trial.outcome],
                "why": of_record(trial),
                "again": again(trial),
                "facts": facts(trial),
                "details": details(trial),
                "pieces": pieces(trial.reason, pictures) if trial.reason is not None else [],
            }
            for place, trial in enumerate(trials)
        ],
    )  # fmt: skip


def render_side_by_side() -> str:
    """The page that shows two cells' pages beside each other; which, its address says."""
    code, policy = script("theme.js", "side.js", frames=True)
    return environment().get_template("side.html.j2").render(script=code, policy=policy)


def _ways(around: Neighbours | None) -> list[tuple[str, Step | None, str, str]]:
    """Name, link, words and key of the links at the top."""
    if around is None:
        return []
    return [
        ("before", around.before, "← Previous test", "p"),
        ("after", around.after, "Next test →", "n"),
        ("failure", around.failure, "Next failure ↓", "f"),
    ]


def _label(trials: Sequence[TrialRecord], place: int) -> str:
    epochs = [trial.epoch for trial in trials]
    return f"Trial {epochs[place]}" if len(set(epochs)) == len(epochs) else f"Trial {place + 1}"
