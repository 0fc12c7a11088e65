"""Which runs --resume goes on with."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from assay.errors import ConfigError
from assay.git import NO_COMMIT
from assay.results import run_notes
from assay.results.natural_order import natural
from assay.results.store import Earlier, read_earlier
from assay.running.session import Session
from assay.suites.flags import flags_of


def runs_to_resume(
    session: Session, names: Mapping[str, str], problems: list[str]
) -> dict[str, tuple[str | None, Earlier]]:
    """Model -> its run, None if it has none, and what that holds. `names`: model -> its name in records.
    `problems`: broken lines of the runs' files are added. Raises ConfigError if no model has a run, unless
    the request names the models and no run: a mistyped id, or a model that config.json names, would begin a
    new run, in which everything is paid for again. Scripts and cells of notebooks that name all that they
    want resume it however often they are started, the first time too. A run that was stopped at an earlier
    commit is no run of that id to which these tests are added."""
    asked, results, commit = session.request, session.results, session.commit
    found = {model: _run_to_resume(session, model, name, problems) for model, name in names.items()}
    if asked.runid and not asked.resumed:
        for name in names.values():
            _check_commit(session, name)
    runs = [(names[model], run) for model, (run, _) in found.items() if run is not None]
    known = asked.resumed if asked.runid else names.values()  # by the command that is gone on with
    if any(name in known or results.run_file(commit, name, run).exists() for name, run in runs):
        return found
    saved = sorted({run for name in names.values() for run in results.runs(commit, name)}, key=natural)
    at = f" at commit {commit}" if commit != NO_COMMIT else ""
    listed = f"saved runs are {', '.join(saved[:12])}{' ...' if saved[12:] else ''}" * bool(saved)
    its = f"of {' or '.join(names.values())}{at}"
    if asked.runid:
        there = f"; {listed or 'nor is there any other'}"
        what, new = f"there is no run {asked.runid} {its}", "a new run of this id"
    else:
        elsewhere = sorted({each for name in names.values() for each in results.commits(name)} - {commit})
        there = f" (--skip-existing keeps what was done at {', '.join(elsewhere[:5])})" * bool(elsewhere)
        there += f"; to add them to a run, give its --runid: {listed}" if saved else ""
        what = f"no run {its} has any of these tests" if saved else f"there is no run {its}"
        new = "a new run"
        if asked.models:
            session.message(f"--resume: {what}{there}; a new run begins")
            return found
    raise ConfigError(
        f"--resume: {what}, so there is nothing to resume{there}. To start {new}, leave out --resume"
    )


def _run_to_resume(
    session: Session, model: str, name: str, problems: list[str]
) -> tuple[str | None, Earlier]:
    """The run and what it holds: the newest one that has a trial of these tests, or none at all yet; no run
    if all are of other tests."""
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
    return None, Earlier()


def _check_commit(session: Session, name: str) -> None:
    """Raises ConfigError if a run of this id with these tests was stopped at another commit, and not at
    this one."""
    results, run, chosen = session.results, session.request.runid or "", chosen_by(session)
    if run_notes.chosen_of(results.run_file(session.commit, name, run)) == chosen:
        return
    for commit in sorted(results.commits(name) - {session.commit}):
        if run_notes.chosen_of(results.run_file(commit, name, run)) == chosen:
            raise ConfigError(
                f"--resume: run {run} of {name} with these tests was stopped at commit {commit}, and a run "
                "is resumed only at its own commit; the same command with --skip-existing instead of "
                f"--resume --runid {run} runs what it lacks"
            )


def chosen_by(session: Session) -> str:
    """A hash of what chooses the tests, not of which there are in a file."""
    selected, chosen = session.selected, session.request.selection
    stems = {file.path.stem for file in selected.files}
    names = {stem if (stem := name.partition(".")[0]) in stems else name for name in selected.names()}
    flags = sorted({flag for suite in selected.suites.values() for flag in flags_of(suite, {}).defaults})
    given = [chosen.flags.get(flag) for flag in flags]
    parts = (sorted(names), chosen.tests, chosen.tags, chosen.tiers, flags, given)
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
