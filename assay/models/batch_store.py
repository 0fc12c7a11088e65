"""
What is sent in batches, on disk before it is sent, so that nothing is paid for twice whatever kills the run.

A batch is written down with the ids of its requests (`begin`), then made at the provider, then its id there
is noted (`sent`). A process that finds one without that id asks the provider whether it was made. Replies
stay here until the cache of replies has them (`discard`).
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import ConfigError

SCHEMA = """
CREATE TABLE IF NOT EXISTS batches (
    token TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    path TEXT NOT NULL,     -- of the API that answers its requests
    size INTEGER NOT NULL,  -- requests
    made REAL NOT NULL,     -- Unix time
    owner INTEGER NOT NULL, -- process id
    remote TEXT NOT NULL    -- its id at the provider, '' while unknown
);
CREATE TABLE IF NOT EXISTS requests (
    id TEXT PRIMARY KEY,
    token TEXT NOT NULL,
    since REAL NOT NULL,
    reply TEXT              -- JSON, once it came
);
CREATE INDEX IF NOT EXISTS by_token ON requests (token);
"""
KEPT_S = 30 * 86_400  # replies that nobody asked for again; the providers keep theirs about as long
_ours: set[str] = set()  # tokens of batches that are being made in this process


@functools.cache
def _lock_file(path: Path) -> int:
    """A file in which the byte of each process' id is locked while that process lives. It is never closed,
    because that would unlock the byte."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.lockf(file, fcntl.LOCK_EX, 1, os.getpid())
    return file


@dataclass(frozen=True)
class Batch:
    """One batch, as a row of the table."""

    token: str
    provider: str
    model: str
    path: str
    size: int
    made: float
    owner: int
    remote: str = ""  # its id at the provider, once that is known


class BatchStore:
    """One SQLite file, beside the cache of replies. Several processes may share it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            self._db = sqlite3.connect(path, timeout=30.0, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.executescript(SCHEMA)
            self._db.execute(
                "DELETE FROM requests WHERE reply IS NOT NULL AND since < ?", (time.time() - KEPT_S,)
            )
            self._locks = _lock_file(path.with_suffix(".lock"))
        except (sqlite3.Error, OSError) as error:
            raise ConfigError(
                f"cannot use {path}, which says what was sent in batches: {error}; check the disk and its "
                "permissions, or leave out --batch"
            ) from None

    def find(self, request: str) -> tuple[str, str | None] | None:
        """The token of the batch that holds a request, and its reply once that came."""
        row = self._db.execute("SELECT token, reply FROM requests WHERE id = ?", (request,)).fetchone()
        return None if row is None else (row[0], row[1])

    def batch(self, token: str) -> Batch | None:
        row = self._db.execute("SELECT * FROM batches WHERE token = ?", (token,)).fetchone()
        return None if row is None else Batch(*row)

    def unanswered(self, token: str) -> list[str]:
        """The requests of a batch that have no reply yet."""
        rows = self._db.execute("SELECT id FROM requests WHERE token = ? AND reply IS NULL", (token,))
        return [row[0] for row in rows]

    def in_order(self, token: str) -> list[str]:
        """The requests of a batch, as they were sent."""
        rows = self._db.execute("SELECT id FROM requests WHERE token = ? ORDER BY rowid", (token,))
        return [row[0] for row in rows]

    def known(self) -> set[str]:
        """The ids at providers of all batches here."""
        return {row[0] for row in self._db.execute("SELECT remote FROM batches WHERE remote != ''")}

    def begin(self, batch: Batch, requests: Sequence[str]) -> None:
        """Write down a batch that is about to be made. It is on the disk when this returns."""
        _ours.add(batch.token)
        with self._transaction():
            row = tuple(vars(batch).values())
            self._db.execute("INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            self._db.executemany(
                "INSERT OR REPLACE INTO requests VALUES (?, ?, ?, NULL)",
                ((each, batch.token, batch.made) for each in requests),
            )

    def sent(self, token: str, remote: str) -> None:
        """Note what the provider calls a batch."""
        with self._transaction():
            self._db.execute("UPDATE batches SET remote = ? WHERE token = ?", (remote, token))

    def being_made(self, batch: Batch) -> bool:
        """Whether the process that wrote a batch down may still be about to make it."""
        if batch.token in _ours or batch.owner == os.getpid():
            return batch.token in _ours
        try:
            fcntl.lockf(self._locks, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, batch.owner)
        except OSError:
            return True
        fcntl.lockf(self._locks, fcntl.LOCK_UN, 1, batch.owner)
        return False

    def made(self, token: str) -> None:
        """This process no longer tries to make a batch."""
        _ours.discard(token)

    def keep(self, token: str, replies: Iterable[tuple[str, str]]) -> None:
        """Keep replies: (request, JSON). The first to a request counts."""
        with self._transaction():
            self._db.executemany(
                "UPDATE requests SET reply = ? WHERE id = ? AND token = ? AND reply IS NULL",
                ((reply, request, token) for request, reply in replies),
            )

    def close_batch(self, token: str) -> None:
        """Forget a batch: all its replies are here, or it was never made. Requests without a reply may be
        sent again."""
        with self._transaction():
            self._db.execute("DELETE FROM requests WHERE token = ? AND reply IS NULL", (token,))
            self._db.execute("DELETE FROM batches WHERE token = ?", (token,))

    def discard(self, requests: Iterable[str]) -> None:
        """Forget replies that the cache has, or that were of no use."""
        with self._transaction():
            self._db.executemany(
                "DELETE FROM requests WHERE id = ? AND reply IS NOT NULL", ((each,) for each in requests)
            )

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise ConfigError(f"cannot write to {self.path}: {error}; check the disk") from None

    def close(self) -> None:
        self._db.close()
