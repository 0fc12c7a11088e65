"""The note beside the file of a run that has not ended: the trials that the run will have, and a hash of what
chose its tests. The last trial removes it."""

from __future__ import annotations

import contextlib
import glob
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

import msgspec

from assay.files import replace_file
from assay.records import TrialKey
from assay.results.test_versions import MARK, mark_of
from assay.results.untrusted_files import content

SUFFIX = ".unfinished"
LONGEST = 1 << 28  # bytes of a note
TEST, TRIAL = 6, 8  # bytes of an id, which begins with that of the test
NOTED = TRIAL + MARK  # bytes of a trial in a note


class Tests(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Tests of one file: their `suite` and `source`, and under which conditions they are tried (kind_of)."""

    suite: str
    source: str
    kind: str = ""


Trials = dict[Tests, bytearray]  # ids, each with the mark of its test's version, one after the other
Marks = dict[bytes, bytes]  # by id


def id_of(key: TrialKey) -> bytes:
    """A short name of a trial."""
    test = f"{key.suite}\0{key.test}".encode("utf-8", "surrogatepass")
    return blake2b(test, digest_size=TEST).digest() + (key.epoch % 65536).to_bytes(TRIAL - TEST, "big")


def noted(key: TrialKey, version: str) -> bytes:
    """A trial, and the version of its test, as a note has them."""
    return id_of(key) + mark_of(version)


def marks_in(noted: bytes | bytearray) -> Marks:
    each = (bytes(noted[at : at + NOTED]) for at in range(0, len(noted), NOTED))
    return {one[:TRIAL]: one[TRIAL:] for one in each}


def packed(marks: Marks) -> bytearray:
    return bytearray().join(map(b"".join, marks.items()))


@dataclass(frozen=True)
class Note:
    """How many trials a run will have, the hash of what chose them, and which they are, as far as that is
    known. `judged`: the run's file whose trials these are, if its saved replies were judged before it had
    all of them."""

    trials: int = 0
    chosen: str = ""
    parts: Sequence[tuple[Tests, bytes | bytearray]] = ()
    judged: str = ""
    began: str = ""  # when it, or the last run of the same choice, began, as in records
    over: bool = False  # at another commit, all of the same choice had a verdict

    def marks(self) -> dict[Tests, Marks]:
        """The trials; what was noted of them last stands first."""
        found: dict[Tests, Marks] = {}
        for tests, its in reversed(self.parts):
            found.setdefault(tests, {}).update(marks_in(its))
        return found


def begin(run_file: Path, trials: int, chosen: str = "", which: Trials = {}, *, part: bool = False) -> None:
    """Note how many trials a run will have, and `which`. If what is resumed may be a `part` of it, which
    something else has `chosen`, the others still count."""
    then = note_of(run_file)
    parts: list[tuple[Tests, bytes | bytearray]] = [*which.items()]
    if part and not (chosen and chosen == then.chosen):
        trials, chosen = max((trials, chosen), (then.trials, then.chosen))
        parts += then.parts
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
    if note_of(run_file).trials <= trials:
        _forget(run_file)
    folders = run_file.parent.parent.parent
    others = [*folders.glob(f"*/{glob.escape(run_file.parent.name)}/*{SUFFIX}")] if chosen else []
    ends = range(TRIAL, len(asked) + 1, TRIAL) if others else ()
    wanted = {bytes(asked[end - TRIAL : end]) for end in ends}
    tests = {each[:TEST] for each in wanted}
    for other in others:
        then = note_of(other)
        trials_then = {each for its in then.marks().values() for each in its}
        # a test that is not among those of the same choice any more is gone
        more = {each for each in trials_then - wanted if each[:TEST] in tests}
        if then.chosen != chosen or (more if then.parts else then.trials > len(wanted)):
            continue
        if other.parent == run_file.parent:
            _forget(other)
        else:  # it is not, among the results of its own commit alone
            save(other, replace(then, over=True))


def _forget(file: Path) -> None:
    with contextlib.suppress(OSError):
        file.with_suffix(SUFFIX).unlink(missing_ok=True)


def chosen_of(run_file: Path) -> str:
    """The hash of what chose the tests of a run that was stopped and is not over; '' if there is none."""
    note = note_of(run_file)
    return "" if note.over else note.chosen


def note_of(run_file: Path) -> Note:
    """An empty one if a run has none."""
    try:
        first, _, rest = content(run_file.with_suffix(SUFFIX), LONGEST).partition(b"\n")
        trials, _, chosen = first.partition(b" ")
        found = Note(int(trials), chosen.decode())
    except (OSError, ValueError):
        return Note()
    with contextlib.suppress(ValueError):  # of an earlier form, which told less
        kind = tuple[list[tuple[Tests, bytearray]], str, str, bool]
        return Note(found.trials, found.chosen, *msgspec.json.decode(rest, type=kind))
    return found
