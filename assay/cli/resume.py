"""--resume alone: repeat the command of the last run and say so, or say why that is not possible."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path

from assay.cli.flags import FLAGS
from assay.config import near
from assay.errors import ConfigError, StoreError
from assay.git import head_commit
from assay.home import typed
from assay.records import EVAL_LLM, VISION_EVAL_LLM, Traits
from assay.report.messages import say
from assay.results.natural_order import natural
from assay.results.run_notes import chosen_of
from assay.results.saved_command import (
    MAYBE,
    SAME_CALL,
    WHOSE,
    SavedCommand,
    is_known,
    last_command,
    rest_of,
    save_command,
    without,
)
from assay.results.store import folder_name, model_of
from assay.running.roles import judge_names
from assay.running.run import ModelRun
from assay.running.session import Session

# Flags that say which run is meant.
SELECTING = (
    "model", "endpoint", "all_models", "suite", "test", "tag", "tier", "tests", "only_changed", "runid",
    "skip_existing", "cli_words",
)  # fmt: skip
OF_RESUMING = {"--run-tests": 0, "--resume": 0, "--runid": 1}


def is_alone(options: argparse.Namespace) -> bool:
    """Whether --resume means the last run, because no flag says which run is meant."""
    other = options.cli_command not in ("", "run")
    return options.resume and not other and not any(getattr(options, name) for name in SELECTING)


def is_of_a_model(options: argparse.Namespace) -> bool:
    """Whether --resume means the last run of some models, or of an id, because no flag says which tests."""
    said = {name for name in SELECTING if getattr(options, name)}
    run = bool(options.resume) and options.cli_command in ("", "run")
    return run and said in ({"model"}, {"runid"}, {"model", "runid"})


def run_of(options: argparse.Namespace, argv: Sequence[str], root: Path) -> SavedCommand:
    """The last run, made here at this commit, that has the run id and all the models of the flags: its
    command, for these models, followed by the flags given now; printed on stderr. Raises ConfigError if there
    is none."""
    here, commit = str(Path.cwd()), head_commit(root)

    def fits(each: SavedCommand, commit: str = commit) -> bool:
        ids = {each.runs.get(model) for model in options.model} if options.model else set(each.runs.values())
        usual = not any(word.startswith("--endpoint") for word in each.argv)
        same = (each.cwd, each.commit) == (here, commit)
        return usual and same and None not in ids and options.runid in (None, *ids)

    results = options.logdir or root / "results"
    found = last_command(results, fits)
    if found is None:
        _refuse_unknown(results / commit, options)
        files = [*results.glob("*/*/run-*.jsonl")]
        ids = sorted({path.stem.removeprefix("run-") for path in files}, key=natural)
        known = {model_of(path.parent.name) for path in files}
        unknown = next((model for model in options.model if model not in known), "")
        wanted = f"no run{f' {options.runid}' * bool(options.runid)}{_of(options.model)}"
        if then := last_command(results, lambda each: fits(each, each.commit)):
            raise ConfigError(
                f"--resume: {wanted} was started here at this commit, {commit}, but one at {then.commit}. "
                f"{_elsewhere(then, options.model or [*then.runs])}"
            )
        raise ConfigError(
            f"--resume: {wanted} was started here at this commit, so there is nothing to resume"
            + (
                f"; saved runs are {', '.join(ids[:12])}{' ...' if ids[12:] else ''}"
                if ids and options.runid
                else ""
            )
            + f".{near(unknown, known, 1) if unknown else ''} {_by_name(options.model)}"
        )
    runs = {model: run for model, run in found.runs.items() if not options.model or model in options.model}
    if options.runid:
        runs = {model: run for model, run in runs.items() if run == options.runid}
    left = without(found.argv, {**WHOSE, **({"--logdir": 1} if options.logdir else {})})
    models = [word for model in runs for word in ("--model", model)]
    named = ["--runid", *set(runs.values())] if len(set(runs.values())) == 1 else []
    given = without(argv, {**OF_RESUMING, **WHOSE})
    whole = ["run", *_not_given_again(left, given), *models, *given, "--resume", *named]
    say(f"resuming the last run of {' and '.join(runs)}: {typed()} {shlex.join(whole)}")
    return SavedCommand(tuple(whole), found.cwd, found.commit, runs)


def _refuse_unknown(commit: Path, options: argparse.Namespace) -> None:
    """Raise ConfigError if a run in the folder `commit` that the flags mean has no command."""
    folders = [folder_name(model) for model in options.model] or ["*"]
    files = [file for each in folders for file in commit.glob(f"{each}/run-{options.runid or '*'}.jsonl")]
    if not all(map(is_known, files)):
        raise ConfigError(
            f"--resume: the command of the last run{_of(options.model)} is not known. It is gone or somebody "
            f"else's, or the run was started from Python, where {SAME_CALL} goes on. "
            f"{_by_name(options.model)}"
        )


def _elsewhere(found: SavedCommand, models: Sequence[str]) -> str:
    """What to do about a command's run at another commit."""
    rest = f"{typed()} run {shlex.join(rest_of(found, models))}"
    return f"A run goes on only at its commit; here, this runs what it lacks: {rest}"


def _of(models: Sequence[str]) -> str:
    return f" of {' and '.join(models)}" if models else ""


def _by_name(models: Sequence[str]) -> str:
    """What to do where no saved command says what is to go on."""
    named = shlex.join([word for model in models or ["MODEL"] for word in ("--model", model)])
    return (
        f"To go on with saved results, name the tests too: {typed()} run TESTS {named} --resume; to "
        "start a new run, leave out --resume"
    )


def _not_given_again(before: Sequence[str], now: Sequence[str]) -> list[str]:
    """The flags of a command without those that are replaced by flags given now; those that may be given
    several times add to each other."""
    words = {word.partition("=")[0] for word in now}
    again: dict[str, int] = {}
    for flag in FLAGS:
        if flag.about.get("action") != "append" and not words.isdisjoint(flag.signs):
            values = 0 if "action" in flag.about else MAYBE if "nargs" in flag.about else 1
            again |= dict.fromkeys(flag.signs, values)
    return without(before, again)


def last_run(options: argparse.Namespace, argv: Sequence[str], root: Path) -> SavedCommand:
    """The last run's command, followed by the flags given now, which win; printed on stderr. Raises
    ConfigError if no run has recorded its command, or the run cannot be resumed from here."""
    folder = options.logdir or root / "results"
    found = last_command(folder)
    if found is None:
        _refuse_unknown(folder / head_commit(root), options)
        raise ConfigError(
            f"--resume: no run in {folder} was started on this machine with a recorded command, so there is "
            "nothing to resume (a command recorded in somebody else's results does not count). "
            f"{_by_name(())}"
        )
    ids = set(found.runs.values())
    named = ["--runid", *ids] if len(ids) == 1 else []
    asked = without(found.argv, {"--logdir": 1} if options.logdir else {})
    given = without(argv, OF_RESUMING)
    whole = ["run", *_not_given_again(asked, given), *given, "--resume", *named]
    command = f"{typed()} {shlex.join(whole)}"
    if Path(found.cwd) != Path.cwd():
        raise ConfigError(
            f"--resume: the last run was started in {found.cwd}, and its flags may name files from there: "
            f"cd {shlex.quote(found.cwd)} and try again; the command is {command}"
        )
    if (now := head_commit(root)) != found.commit:
        raise ConfigError(
            f"--resume: the last run was made at commit {found.commit}, but this is {now}. "
            f"{_elsewhere(found, [*found.runs])}"
        )
    say(f"resuming the last run: {command}")
    return SavedCommand(tuple(whole), found.cwd, found.commit, found.runs)


def note_command(options: argparse.Namespace, session: Session, runs: Sequence[ModelRun]) -> None:
    """Save the command beside the file of each of `runs`, in place of an earlier one if all of that was
    resumed, or had ended before these tests were added. Raises StoreError."""
    argv = without(options.cli_argv, {**OF_RESUMING, "--all-models": 0})
    if not (options.model or options.endpoint):
        argv += [word for model in session.models for word in ("--model", model)]
    flags = {EVAL_LLM: "--judge", VISION_EVAL_LLM: "--vision-judge"}
    given = session.request.judges
    for role, flag in flags.items():  # config.json may name another one by then
        judge = judge_names("", Traits(), session.config, given)[role]
        if role in session.needed and judge and not given[role]:
            argv += [flag, judge]
    files = {each.roles.llm.name: each.store.path for each in runs}
    command = SavedCommand(
        tuple(session.results.scrub(word) for word in argv), str(Path.cwd()), session.commit,
        {model: path.stem.removeprefix("run-") for model, path in files.items()},
        tuple(str(place.resolve()) for place in session.request.selection.places()),
    )  # fmt: skip
    whole = options.cli_resumed == command.runs
    for run in runs:
        path, again = run.store.path, len(run.earlier.broken) + run.anew + len(run.others)
        added = run.left > again and not chosen_of(path)
        try:
            save_command(command, path, anew=whole, added=added)
        except OSError as error:
            raise StoreError(f"cannot write beside {path}: {error.strerror or error}") from None
