"""Runs that were stopped before all their trials had ended: beside the file of each is a note of the trials
that it will have, and a hash of what chose its tests. The last trial removes it."""

from __future__ import annotations

import contextlib
import glob
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from hashlib import blake2b
from pathlib import Path

import msgspec

from assay.files import modified_ns, replace_file
from assay.records import Outcome, TrialKey, TrialRecord
from assay.results.store import folder_name, model_of, scan
from assay.results.untrusted_files import content

SUFFIX = ".unfinished"
LONGEST = 1 << 28  # bytes of a note
TEST, TRIAL = 6, 8  # bytes of an id, which begins with that of the test


class Tests(msgspec.Struct, frozen=True, array_like=True):
    """Tests of one file in one version: their `suite`, `source` and fingerprint, and the conditions that they
    are tried under (kind_of)."""

    suite: str
    source: str
    version: str
    kind: str = ""


Trials = dict[Tests, bytearray]  # the ids of trials, one after the other


def id_of(key: TrialKey) -> bytes:
    """A short name of a trial."""
    test = f"{key.suite}\0{key.test}".encode("utf-8", "surrogatepass")
    return blake2b(test, digest_size=TEST).digest() + (key.epoch % 65536).to_bytes(TRIAL - TEST, "big")


def _ids(packed: bytes | bytearray) -> set[bytes]:
    return {bytes(packed[at : at + TRIAL]) for at in range(0, len(packed), TRIAL)}


@dataclass(frozen=True)
class Note:
    """How many trials a run will have, the hash of what chose them, and which they are, as far as that is
    known. `judged`: the run's file whose trials these are, if its saved replies were judged before it had
    all of them."""

    trials: int = 0
    chosen: str = ""
    parts: Sequence[tuple[Tests, bytes | bytearray]] = ()
    judged: str = ""
    began: str = ""  # when, as in records
    over: bool = False  # at another commit, all of the same choice had a verdict


def begin(run_file: Path, trials: int, chosen: str = "", which: Trials = {}, *, part: bool = False) -> None:
    """Note how many trials a run will have, and `which`. If what is resumed may be a `part` of it, which
    something else has `chosen`, the others still count."""
    noted = _note(run_file)
    parts: list[tuple[Tests, bytes | bytearray]] = [*which.items()]
    if part and not (chosen and chosen == noted.chosen):
        trials, chosen = max((trials, chosen), (noted.trials, noted.chosen))
        parts += noted.parts
    save(run_file, Note(trials, chosen, parts))


def save(run_file: Path, note: Note) -> None:
    began = note.began or datetime.now(UTC).isoformat(timespec="milliseconds")
    rest = msgspec.json.encode((note.parts, note.judged, began, note.over))
    lines = f"{note.trials} {note.chosen}".encode(), rest
    with contextlib.suppress(OSError):  # it costs the note, not the run
        replace_file(run_file.with_suffix(SUFFIX), b"\n".join(lines))


def end(run_file: Path, trials: int, chosen: str = "", asked: bytes | bytearray = b"") -> None:
    """All `trials` of this part have ended. All that were `asked` for, by their ids, have a verdict, if in
    other files: they stand for the earlier runs of these tests, at any commit, that were stopped."""
    if _note(run_file).trials <= trials:
        _forget(run_file)
    folders = run_file.parent.parent.parent
    others = [*folders.glob(f"*/{glob.escape(run_file.parent.name)}/*{SUFFIX}")] if chosen else []
    wanted = _ids(asked) if others else set()
    tests = {each[:TEST] for each in wanted}
    for other in others:
        noted = _note(other)
        trials_then = {each for _, packed in noted.parts for each in _ids(packed)}
        # a test that is not among those of the same choice any more is gone
        more = {each for each in trials_then - wanted if each[:TEST] in tests}
        if noted.chosen != chosen or (more if noted.parts else noted.trials > len(wanted)):
            continue
        if other.parent == run_file.parent:
            _forget(other)
        else:  # it is not, among the results of its own commit alone
            save(other, replace(noted, over=True))


def _forget(file: Path) -> None:
    with contextlib.suppress(OSError):
        file.with_suffix(SUFFIX).unlink(missing_ok=True)


def chosen_of(run_file: Path) -> str:
    """The hash of what chose the tests of a run that was stopped and is not over; '' if there is none."""
    note = _note(run_file)
    return "" if note.over else note.chosen


def _note(run_file: Path) -> Note:
    try:
        first, _, rest = content(run_file.with_suffix(SUFFIX), LONGEST).partition(b"\n")
        trials, _, chosen = first.partition(b" ")
        kind = tuple[list[tuple[Tests, bytearray]], str, str, bool]
        more = msgspec.json.decode(rest or b'[[],"","",false]', type=kind)
        return Note(int(trials), chosen.decode(), *more)
    except (OSError, ValueError):
        return Note()


@dataclass(frozen=True)
class Stopped:
    """A run with trials that are `lacking`, of all that it will have: `which`, as far as that is known.
    `last`: of its model. `judged`: as of its note."""

    model: str
    file: Path
    trials: int
    lacking: int
    last: bool
    which: Trials = field(default_factory=dict)
    judged: str = ""


def unfinished(
    run_files: Iterable[Path],
    keep: Callable[[TrialRecord], bool],
    models: Iterable[str] = (),
    moot: Callable[[str, str, Tests, set[bytes]], bool] | None = None,
) -> list[Stopped]:
    """The runs that lack trials, those of a model from the newest: trials that neither a later run of it has,
    nor a later one that is told of will have. `keep`: of which a run must have one trial. If it has none at
    all, the trials of the model's other runs stand for it, or its name alone; those of `models` need none.
    `moot`, if results of all commits are merged: whether trials do not count, by the model's folder, when the
    run began, and some of its tests with their trials."""
    names = {folder_name(model): model for model in models}
    runs: dict[str, list[Path]] = {}
    for path in sorted(run_files, key=lambda path: (modified_ns(path), path), reverse=True):
        runs.setdefault(path.parent.name, []).append(path)

    @cache
    def keys(path: Path) -> set[bytes]:
        return {id_of(record.key) for _, record in scan(path, [])}

    found: list[Stopped] = []
    for folder, files in runs.items():
        told: set[bytes] = set()
        for at, path in enumerate(files):
            note = _note(path)
            if not note.trials or (note.over and moot):
                continue
            had = set().union(*map(keys, files[: at + 1]))
            which: Trials = {}
            for tests, packed in note.parts:
                its = _ids(packed)
                if (left := its - had - told) and not (moot and moot(folder, note.began, tests, its)):
                    which[tests] = bytearray().join({*_ids(which.get(tests, b"")), *left})
            lacking = sum(map(len, which.values())) // TRIAL if note.parts else note.trials - len(had)
            has = keys(path)
            like = [record for each in ([path] if has else files) for _, record in scan(each, [])]
            like = like or [TrialRecord("", model_of(folder), 1, Outcome.ERROR)]
            name = next((each.model for each in like if keep(each)), None)
            name = name if has else names.get(folder, name)
            if lacking > 0 and name is not None:
                told.update(*(_ids(packed) for _, packed in note.parts))
                found.append(Stopped(name, path, note.trials, lacking, not at, which, note.judged))
    return found
