"""Follow results files that another process appends to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from assay.records import TrialRecord
from assay.report.live.board import Place
from assay.results.serialize import decode_line
from assay.results.untrusted_files import MAX_LINE, run_file

CHUNK = 8 << 20  # bytes per read; a line may be longer


class Rewritten(Exception):
    """A file was truncated or replaced, so what was read may no longer be there."""


class Follower:
    """One file. Only whole lines are read; a broken one is left out, as by `show`, which tells it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read = 0
        self._inode = 0

    def news(self) -> Iterator[tuple[TrialRecord, Place]]:
        """The trials appended since the last call, without their explanations. Raises Rewritten."""
        try:
            now = self.path.lstat()
        except OSError:
            if self._read:
                raise Rewritten from None
            return
        if now.st_size < self._read or (self._inode and now.st_ino != self._inode):
            raise Rewritten
        self._inode = now.st_ino
        if now.st_size == self._read:
            return
        try:
            file = run_file(self.path)
        except OSError:
            return
        with file:
            file.seek(self._read)
            rest = b""
            while len(rest) <= MAX_LINE and (chunk := file.read(CHUNK)):
                lines = (rest + chunk).split(b"\n")
                rest = lines.pop()
                for line in lines:
                    place = Place(self.path, self._read, len(line))
                    self._read += len(line) + 1
                    if (record := parsed(line, light=True)) is not None:
                        yield record, place
            if len(rest) > MAX_LINE:  # not one of our records; the rest is not read either
                self._read = now.st_size


def parsed(line: bytes, *, light: bool = False) -> TrialRecord | None:
    """The trial of a line, `light` without its explanation; None if the line is not a trial."""
    try:
        return decode_line(line, light=light)
    except (ValueError, RecursionError):
        return None


def read_at(places: list[Place]) -> list[TrialRecord]:
    """The whole trials at `places`; those no longer there are left out."""
    found = []
    for place in places:
        try:
            with run_file(place.file) as file:
                file.seek(place.offset)
                record = parsed(file.read(place.length))
        except OSError:
            continue
        if record is not None:
            found.append(replace(record, later=place.later) if place.later else record)
    return found
