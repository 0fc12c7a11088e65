"""Which run --resume goes on with, where the command names none."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import ConfigError
from assay.git import NO_COMMIT
from assay.results.natural_order import natural
from assay.results.store import Earlier, read_earlier
from assay.running.session import Session


def check_named_run(session: Session, models: Sequence[str]) -> None:
    """Raise ConfigError if --resume names a run that none of the models has: a mistyped id would begin a new
    one, in which everything is paid for again."""
    asked, results, commit = session.request, session.results, session.commit
    if not (asked.resume and asked.runid):
        return
    if any(results.run_file(commit, model, asked.runid).exists() for model in models):
        return
    saved = sorted({run for model in models for run in results.runs(commit, model)}, key=natural)
    at = f" at commit {commit}" if commit != NO_COMMIT else ""
    listed = f"{', '.join(saved[:12])}{' ...' if saved[12:] else ''}"
    there = f"saved runs are {listed}" if saved else "nor is there any other"
    raise ConfigError(
        f"--resume: there is no run {asked.runid} of {' or '.join(models)}{at}, so there is nothing to "
        f"resume; {there}. To start a new run of this id, leave out --resume"
    )


def run_to_resume(session: Session, model: str, name: str, problems: list[str]) -> tuple[str | None, Earlier]:
    """The run and what it holds: the newest one that has a trial of these tests, or none at all yet; no run
    if all are of other tests. `name`: of the model, as in records. `problems`: broken lines of its file are
    added."""
    asked, results = session.request, session.results
    named = asked.runid or asked.resumed.get(name)
    runs = [named] if named else results.newest(session.commit, name)
    for run in runs:
        found = list[str]()
        earlier = read_earlier(results.run_file(session.commit, name, run), found)
        tried = (earlier.done, earlier.broken)
        keys = (trial.key for trial in session.plan(model))
        if named or not any(tried) or any(key in each for key in keys for each in tried):
            problems += found
            return run, earlier
    if runs:
        session.message(
            f"--resume: no earlier run of {name} has any of these tests, so a new one begins (to add them "
            f"to a run, give its --runid: {', '.join(reversed(runs))})"
        )
    return None, Earlier()
