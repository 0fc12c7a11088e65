"""Results on disk: one file for each run, one line for each finished trial, pictures by their hash."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import glob
import hashlib
import os
import re
import urllib.parse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from assay.errors import ConfigError, StoreError
from assay.files import replace_file
from assay.gc_pause import gc_paused
from assay.records import VERDICTS, TrialRecord, image_suffix
from assay.results.journal import Journal
from assay.results.merging import Merge, Outdated, said_of
from assay.results.sandbox_contents import Named
from assay.results.schema import LightLine, Line
from assay.results.serialize import L, encode_line, plain, read_line, record_of
from assay.results.spending import Spending
from assay.results.test_versions import version_of
from assay.results.trial_index import TrialIndex
from assay.results.untrusted_files import MAX_PICTURE, TooLong, lines, regular, run_file

RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def _folder_part(part: str) -> str:
    part = urllib.parse.quote(part, safe="").replace("__", "%5F%5F")  # "__" stands for the slash
    part = "%5F" + part[1:] if part.startswith("_") else part
    return part[:-1] + "%5F" if part.endswith("_") else part


def folder_name(model: str) -> str:
    """A model's name as one folder name; different models get different folders.

    >>> folder_name("openai/gpt-4o"), folder_name("my_server/a:b")
    ('openai__gpt-4o', 'my_server__a%3Ab')
    """
    name = "__".join(_folder_part(part) for part in model.split("/"))
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) > 150:
        name = name[:120] + "-" + hashlib.sha256(model.encode()).hexdigest()[:16]
    return name or "%"


def model_of(folder: str) -> str:
    """The inverse of `folder_name`, but for names that are too long for one.

    >>> model_of(folder_name("my_server/a:b__c"))
    'my_server/a:b__c'
    """
    return "/".join(map(urllib.parse.unquote, folder.split("__")))


class Images:
    """Pictures as files named by the SHA-256 of their bytes; equal pictures are stored once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(self, data: bytes) -> str:
        """Store picture bytes and return the file's name, '' for a picture that is too large to keep."""
        if len(data) > MAX_PICTURE:
            return ""
        name = f"{hashlib.sha256(data).hexdigest()}.{image_suffix(data) or 'bin'}"
        path = self.folder / name
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            replace_file(path, data)
        return name


def _why(error: OSError, path: Path) -> StoreError:
    advice = {
        errno.ENOSPC: "the disk is full; make room",
        errno.EDQUOT: "your disk quota is used up; make room",
        errno.EFBIG: "the file has reached its size limit (ulimit -f)",
        errno.EACCES: "no permission; use --logdir to write elsewhere",
        errno.EROFS: "the disk is read-only; use --logdir to write elsewhere",
    }.get(error.errno or 0, error.strerror or str(error))
    return StoreError(f"cannot write results to {path}: {advice}. Then continue with --resume")


class Store:
    """Append to one run's file; only this process may write to it while it is open.

    A line is passed to the system whole and at once, so that a crash of this process loses no finished trial;
    `sync` flushes the file to the disk, against a crash of the machine.
    """

    def __init__(
        self, path: Path, images: Path, *, secrets: Sequence[str] = (), create: bool = False
    ) -> None:
        """`secrets` never reach the file. `create`: the file must be new (FileExistsError)."""
        self.path = path
        self._images = Images(images)
        self._secrets = [(msgspec.json.encode(each)[1:-1], b"[secret]") for each in secrets]
        self._unsynced = False
        self._began = not create  # an earlier process began it
        self._spending: Spending | None = None
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | (os.O_EXCL if create else 0)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = regular(path, flags)
        except FileExistsError:
            if create and path.parent.is_dir():
                raise
            raise StoreError(
                f"cannot write results to {path}: a file, or a link to nothing, is in the way"
            ) from None
        except OSError as error:
            raise _why(error, path) from None
        try:
            self._lock()
            self._mend()
        except BaseException:
            os.close(self._file)
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ConfigError(
                f"another process is writing to {self.path}; wait for it, or start a new run with --runid"
            ) from None

    def _mend(self) -> None:
        """Complete a half line that a crash of the machine left: the next line must not be glued to it."""
        size = os.fstat(self._file).st_size
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            self._write(b"\n")

    def append(self, record: TrialRecord) -> None:
        """Keep one finished trial. Raises StoreError, leaving the file unchanged."""
        try:
            line = encode_line(record, self._images.save)
        except OSError as error:
            raise _why(error, self._images.folder) from None
        self._write(self._scrub(line))

    def _write(self, line: bytes) -> None:
        before = os.fstat(self._file).st_size
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, before)  # no half line; nobody else writes while we hold the lock
            raise _why(error, self.path) from None
        self._unsynced = True

    def journal(self) -> Journal:
        """The file for parts of this run's unfinished trials. What another run left there is removed."""
        return Journal(self.path.with_suffix(".journal"), self._scrub, fresh=not self._began)

    def spending(self) -> Spending:
        """The payments of this run. What another run left there is removed."""
        if self._spending is None:
            self._spending = Spending(self.path.with_suffix(".spent"), fresh=not self._began)
        return self._spending

    def _scrub(self, line: bytes) -> bytes:
        for secret, mark in self._secrets:
            line = line.replace(secret, mark)
        return line

    def sync(self) -> None:
        """Wait until everything appended is on the disk."""
        if self._unsynced:
            self._unsynced = False
            try:
                os.fsync(self._file)
            except OSError as error:
                raise _why(error, self.path) from None

    def close(self) -> None:
        """Sync and release the file. May be called twice."""
        if self._spending is not None:
            self._spending.close()
        if self._file < 0:
            return
        try:
            self.sync()
        finally:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True)
class Results:
    """The results folder: `<root>/<commit>/<model>/run-<k>.jsonl` and `<root>/images/`."""

    root: Path
    secrets: Sequence[str] = ()

    @property
    def images(self) -> Path:
        return self.root / "images"

    def scrub(self, text: str) -> str:
        """`text` without secrets, as the files have it."""
        for secret in self.secrets:
            text = text.replace(secret, "[secret]")
        return text

    def run_file(self, commit: str, model: str, run: str) -> Path:
        if not RUN_NAME.fullmatch(run):
            raise ConfigError(f"--runid {run!r}: use letters, digits, dots, dashes and underscores")
        return self.root / commit / folder_name(model) / f"run-{run}.jsonl"

    def runs(self, commit: str, model: str) -> list[str]:
        """The run ids of a model at a commit, oldest first."""
        files = (self.root / commit / folder_name(model)).glob("run-*.jsonl")
        ids = [path.name.removeprefix("run-").removesuffix(".jsonl") for path in files]
        return sorted(ids, key=lambda run: (int(run) if run.isdecimal() else 0, run))

    def commits(self, model: str) -> set[str]:
        """The commits with runs of a model."""
        return {path.parent.parent.name for path in self._of(model)}

    def newest(self, commit: str, model: str) -> list[str]:
        """The run ids of a model at a commit, the one last written to first."""
        written = {
            run: self.run_file(commit, model, run).stat().st_mtime_ns for run in self.runs(commit, model)
        }
        return sorted(written, key=lambda run: written[run], reverse=True)

    def latest(self, commit: str, model: str) -> str | None:
        """The run of a model at a commit that was last written to."""
        return next(iter(self.newest(commit, model)), None)

    def open_new(self, commit: str, model: str, run: str | None = None) -> Store:
        """Open the file of a new run; without `run`, under the next free number."""
        while True:
            taken = [int(each) for each in self.runs(commit, model) if each.isdecimal()]
            path = self.run_file(commit, model, run or str(max(taken, default=0) + 1))
            try:
                return Store(path, self.images, secrets=self.secrets, create=True)
            except FileExistsError:
                if run is not None:
                    raise ConfigError(
                        f"run {run} of {model} exists already ({path}); "
                        "continue it with --resume, or choose another --runid"
                    ) from None

    def open_existing(self, commit: str, model: str, run: str) -> Store:
        """Open a run's file to append to; it is created if missing."""
        return Store(self.run_file(commit, model, run), self.images, secrets=self.secrets)

    def verdicts(
        self,
        model: str,
        conditions: Mapping[str, Mapping[str, Any]],
        parameters: Mapping[str, Any],
        problems: list[str],
        done: TrialIndex,
    ) -> None:
        """Add trials of a model that have a verdict, in any run of any commit, to `done`, each with the
        version of the test in its newest verdict. Trials under other `conditions` of their suite, or with
        other `parameters` of the model, answer another question and are not added."""
        newest, parameters = TrialIndex(), plain(parameters)
        for path in self._of(model):
            for record in read_file(path, problems, light=True):
                then = newest.get(record.key)
                if (
                    record.outcome not in VERDICTS
                    or record.conditions != conditions.get(record.suite, {})
                    or record.parameters != parameters
                    or (then is None and record.key in done)  # known from elsewhere
                    or (then is not None and record.started_at <= then)
                ):
                    continue
                newest.put(record.key, record.started_at)
                done.put(record.key, version_of(record))

    def models(self) -> set[str]:
        """The models with a result, by the names of their folders."""
        return {model_of(path.parent.name) for path in self.files() if path.stat().st_size}

    def judges(self) -> set[str]:
        """The judges of the first result of each run."""
        firsts = (next(read_file(path, [], light=True), None) for path in self.files())
        return {name for first in firsts if first is not None for name in first.judges.values()}

    def files(self) -> list[Path]:
        """All run files."""
        return sorted(self.root.glob("*/*/run-*.jsonl"))

    def _of(self, model: str) -> list[Path]:
        return sorted(self.root.glob(f"*/{glob.escape(folder_name(model))}/run-*.jsonl"))


@dataclass
class Read:
    """Records, the places of their lines (file and offset), the lines that could not be read (file, line and
    why), and the records that do not count: because of their conditions, as sentences, and because of the
    version of their test."""

    records: list[TrialRecord] = field(default_factory=list)
    places: list[tuple[Path, int]] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    other_kinds: list[str] = field(default_factory=list)
    outdated: list[Outdated] = field(default_factory=list)

    @property
    def left_out(self) -> list[str]:
        """The records that do not count and why, a sentence each."""
        return [*self.other_kinds, *said_of(self.outdated)]

    @property
    def problems(self) -> list[str]:
        """Everything that the user must be told."""
        return [*self.unreadable, *self.left_out]


# How each line begins that `Store` writes: with its trial
TRIAL = re.compile(rb'\{"v":\d+(?:,"(?:test|model|suite)":"(?:[^"\\]|\\.)*+"){3},"epoch":\d+(?=[,}])')


def scan_lines(path: Path, problems: list[str], kind: type[L]) -> Iterator[tuple[int, L]]:
    """The lines of one file, lazily, each with its offset in bytes; broken ones are added to `problems`,
    named by file and line, when all is read."""
    named, offset, following = Named(path), 0, 1
    broken: dict[int, tuple[str, str]] = {}
    trials: dict[bytes, int] = {}  # the heads of broken lines, whose trials were not run again
    try:
        with run_file(path) as file:
            for text in lines(file):
                at, offset = offset, offset + len(text)
                number, following = following, following + text.endswith(b"\n")
                try:
                    line = read_line(text, kind)
                except (ValueError, RecursionError) as error:
                    if text.isspace():
                        continue
                    what = "bytes" if text.endswith(b"\0") else "line"  # a record may stand behind these
                    said = f"{path}:{number}: unreadable {what} left out: {error}"
                    broken.setdefault(number, (said, what))
                    if head := TRIAL.match(text):
                        trials[head[0]] = number
                    continue
                if trials and (head := TRIAL.match(text)):
                    trials.pop(head[0], None)
                line.versions = named(line.versions)
                yield at, line
    except TooLong as error:
        problems.append(f"{path}: a line is {error}")
    except OSError as error:
        problems.append(f"{path}: cannot be read: {error.strerror or error}")
    again = (
        "to run its trial again, name the tests and --model with --resume --runid "
        f"{path.stem.removeprefix('run-')}; "
    )
    problems += [
        f"{said} ({again if number in trials.values() else ''}to end this message, delete the {what})"
        for number, (said, what) in broken.items()
    ]


def scan(path: Path, problems: list[str], light: bool = True) -> Iterator[tuple[int, TrialRecord]]:
    """The trials of one file, as `scan_lines` finds them. `light`: without their explanations and replies,
    which are most of a line, and only with the judges that were asked."""
    kind: type[Line | LightLine] = LightLine if light else Line
    return ((at, record_of(line)) for at, line in scan_lines(path, problems, kind))


def read_file(path: Path, problems: list[str], light: bool = False) -> Iterator[TrialRecord]:
    """The trials of one file, as `scan` finds them."""
    return (record for _, record in scan(path, problems, light))


@gc_paused(freeze=True)
def load_records(
    files: Iterable[Path],
    *,
    keep: Callable[[TrialRecord], bool] = lambda record: True,
    light: bool = False,
    alone: bool = False,
) -> Read:
    """Every trial of `files` that `keep` accepts, once: assay.results.merging decides which try counts. The
    others still tell which version of a test is the newest, unless `alone`. `light`: without explanations."""
    read = Read()
    merge: Merge[tuple[Path, int]] = Merge()
    for path in files:
        for at, record in scan(path, read.unreadable, light):
            if keep(record):
                merge.add(record, (path, at))
            elif not alone:
                merge.know(record)
    for record, place in merge.all_shown():
        read.records.append(record)
        read.places.append(place)
    read.other_kinds, read.outdated = merge.other_kinds(), merge.outdated()
    return read


@dataclass
class Earlier:
    """What a run's file already holds.

    `done`: the trials that need no other try, with the version of the test that was run. `broken`: the
    others, with the offset of their last try's line. `conditions`: suite -> the flags under which its trials
    were made. From verdicts: all `parameters` that the model had, and all sets of `judges`. Of the trials
    that are kept, once they are noted: the `versions` by suite, and the `sandboxes` with their limits.
    """

    done: TrialIndex = field(default_factory=TrialIndex)
    broken: TrialIndex = field(default_factory=TrialIndex)
    conditions: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    parameters: list[Mapping[str, Any]] = field(default_factory=list)
    judges: list[Mapping[str, str]] = field(default_factory=list)
    versions: dict[str, list[Mapping[str, str]]] = field(default_factory=dict)
    sandboxes: set[tuple[str, str]] = field(default_factory=set)

    @property
    def tried(self) -> bool:
        """Whether the file has any trial."""
        return bool(self.parameters or self.broken)

    def note(self, record: TrialRecord) -> None:
        """Add the surroundings of a trial that is kept."""
        known = self.versions.setdefault(record.suite, [])
        if record.versions not in known:
            known.append(record.versions)
        if record.sandbox:
            self.sandboxes.add((record.sandbox, record.limits))


def read_earlier(path: Path, problems: list[str]) -> Earlier:
    """Read a run's file, if it exists, to resume it."""
    earlier = Earlier()
    for offset, record in scan(path, problems) if path.exists() else ():
        if record.conditions:
            earlier.conditions[record.suite] = record.conditions
        if record.outcome not in VERDICTS:
            if record.key not in earlier.done:
                earlier.broken.put(record.key, str(offset))
            continue
        earlier.done.put(record.key, version_of(record))
        earlier.broken.discard(record.key)
        for known, its in ((earlier.parameters, record.parameters), (earlier.judges, record.judges)):
            if its not in known:
                known.append(its)
    return earlier


def broken_trials(path: Path, broken: TrialIndex) -> Iterator[TrialRecord]:
    """The last tries of those trials of a run's file that are still `broken`."""
    for offset, record in scan(path, []) if broken else ():
        if broken.get(record.key) == str(offset):
            yield record
