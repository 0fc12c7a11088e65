"""The command that started a run, saved beside its results before its first trial, for --resume.

A command can name files to run and switch the sandbox off, so a command in untrusted results must not be
taken for the user's own: each is signed with a key that is only in the user's cache folder.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from assay.files import modified_ns, replace_file
from assay.home import cache_folder
from assay.results.untrusted_files import content

SUFFIX = ".request"
KEY = "requests.key"
VERSION = 2
LONGEST = 1 << 20  # bytes of such a file
MAYBE = -1  # values of a flag
SAME_CALL = "the same call of assay.run with resume=True"
SAME_REST = "the same call of assay.run with skip_existing=True"
WHOSE = {"--model": 1, "--all-models": 0}
# Flags that judge all trials, of which --skip-existing leaves out some, and those that go with them.
OF_ALL = {
    "--skip-existing": 0, "--fail-under": 1, "--fail-if-worse-than": 1, "--margin": 1, "--confidence": 1,
    "--with-changed": 0, "--export": 1,
}  # fmt: skip


@dataclass(frozen=True)
class SavedCommand:
    """`argv`: the command's flags, with those added from config.json. `cwd`: the folder that its paths are
    relative to. `commit`: the folder of its results. `runs`: model -> the id of its run. `places`: where its
    tests were looked for."""

    argv: tuple[str, ...]
    cwd: str
    commit: str
    runs: Mapping[str, str]
    places: tuple[str, ...] = ()


def save_command(command: SavedCommand, run_file: Path, anew: bool = False, added: bool = False) -> None:
    """Write the command beside a run's file, completely or not at all. If the run is resumed, its first
    command stays and counts as the newest, except `anew`, or if it had ended and tests are `added` to it.
    Raises OSError."""
    path = run_file.with_suffix(SUFFIX)
    if (kept := load_command(path)) is not None and not (added or (anew and kept.runs == command.runs)):
        os.utime(path)
        return
    asked = {"v": VERSION, **asdict(command)}
    replace_file(path, json.dumps({**asked, "signed": _signature(asked)}).encode(), sync=True)


def load_command(path: Path) -> SavedCommand | None:
    """The saved command; None if the file is missing or invalid, or was not signed with this user's key."""
    try:
        value = json.loads(content(path, LONGEST))
        signed = str(value.pop("signed"))
        if not hmac.compare_digest(signed.encode(), _signature(value).encode()):
            return None
        argv, runs = value["argv"], value["runs"]
        if value["v"] != VERSION or not isinstance(argv, list) or not isinstance(runs, dict):
            return None
        named = {str(model): str(run) for model, run in runs.items()}
        places = tuple(map(str, value.get("places", ())))  # earlier versions did not save them
        return SavedCommand(tuple(map(str, argv)), str(value["cwd"]), str(value["commit"]), named, places)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def rest_of(command: SavedCommand, models: Sequence[str]) -> list[str]:
    """What follows `run` in the command that runs, at any commit, the trials that `models` have not had."""
    words = without(command.argv, {**WHOSE, **OF_ALL})
    if not any(word.startswith("--endpoint") for word in words):  # which name models as well
        words += [word for model in models for word in ("--model", model)]
    return [*words, "--skip-existing"]


def is_known(run_file: Path) -> bool:
    """Whether a run has this user's command beside it. If `assay.run` started it, it never had one, and
    SAME_CALL goes on."""
    return load_command(run_file.with_suffix(SUFFIX)) is not None


def _signature(asked: Mapping[str, Any]) -> str:
    return hmac.new(_key(), json.dumps(asked, sort_keys=True).encode(), hashlib.sha256).hexdigest()


def _key() -> bytes:
    """This user's key, created on first use. Raises OSError."""
    path = cache_folder() / KEY
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        return content(path, LONGEST)
    with os.fdopen(made, "wb") as file:
        file.write(secrets.token_bytes(32))
    return content(path, LONGEST)


def last_command(
    results: Path, wanted: Callable[[SavedCommand], bool] = lambda _: True
) -> SavedCommand | None:
    """The command of the run in the folder `results` that was last started or resumed, of those `wanted`."""
    found = results.glob(f"*/*/run-*{SUFFIX}")
    commands = map(load_command, sorted(found, key=lambda path: (modified_ns(path), path), reverse=True))
    return next((each for each in commands if each is not None and wanted(each)), None)


def without(argv: Sequence[str], flags: Mapping[str, int]) -> list[str]:
    """`argv` without some flags: name -> number of values that follow it, MAYBE for one or none.

    >>> without(["--a", "--b", "1", "--b=2", "--c", "3", "--c", "--d"], {"--a": 0, "--b": 1, "--c": MAYBE})
    ['--d']
    """
    kept: list[str] = []
    skip = 0
    for word in argv:
        name, equals, _ = word.partition("=")
        if skip > 0:
            skip -= 1
            continue
        maybe, skip = skip == MAYBE, 0
        if maybe and not word.startswith("-"):
            continue
        if name in flags:
            skip = 0 if equals else flags[name]
        else:
            kept.append(word)
    return kept
