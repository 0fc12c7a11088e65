"""Cached values across runs, by a hash of everything that they depend on."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from assay.records import ExecResult

SCHEMA = (
    "CREATE TABLE IF NOT EXISTS steps (key BLOB PRIMARY KEY, value BLOB NOT NULL, at REAL NOT NULL)"
    " WITHOUT ROWID"
)


LOCKED_S = 1.0  # for another process to release the file; a writer waits in a thread
READER_LOCKED_S = 0.05  # the same for a reader, which waits only without WAL


class ValueStore:
    """Values by key, in an SQLite file that several processes may share. Beyond `max_bytes` the older half is
    removed. A new file is private to its owner. Once the file has failed (for example locked by a stopped
    process), this process neither reads nor writes it again."""

    def __init__(self, path: Path, max_bytes: int) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        self._max_bytes, self._since = max_bytes, 0  # bytes written since the size was checked
        self._writing, self._failed = threading.Lock(), False
        self._db = sqlite3.connect(path, timeout=LOCKED_S, isolation_level=None, check_same_thread=False)
        with contextlib.suppress(sqlite3.OperationalError):  # the file system has no locks or shared memory
            self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=OFF")
        self._db.execute(SCHEMA)
        self._trim()
        self._reader = sqlite3.connect(path, timeout=READER_LOCKED_S, check_same_thread=False)

    def get(self, key: bytes) -> bytes | None:
        row = None
        if not self._failed:
            try:
                row = self._reader.execute("SELECT value FROM steps WHERE key = ?", (key,)).fetchone()
            except sqlite3.DatabaseError:
                self._failed = True
        return bytes(row[0]) if row else None

    async def keep(self, key: bytes, value: bytes) -> None:
        """Like `put`, but in a thread, so that the event loop does not wait for the file."""
        await asyncio.to_thread(self.put, key, value)

    def put(self, key: bytes, value: bytes) -> None:
        with self._writing:
            if self._failed:
                return
            try:
                self._db.execute("INSERT OR REPLACE INTO steps VALUES (?, ?, ?)", (key, value, time.time()))
                self._since += len(value)
                if self._since > self._max_bytes // 4:
                    self._trim()
            except sqlite3.DatabaseError:  # locked or full: the value is just not cached
                self._failed = True

    def _trim(self) -> None:
        """Remove the older half if the file has grown too large. Its space is reused."""
        self._since = 0
        facts = ("page_count", "freelist_count", "page_size")
        pages, free, size = (self._db.execute(f"PRAGMA {fact}").fetchone()[0] for fact in facts)
        if (pages - free) * size <= self._max_bytes:
            return
        with contextlib.suppress(sqlite3.DatabaseError):  # another process is doing it
            half = "SELECT at FROM steps ORDER BY at LIMIT 1 OFFSET (SELECT count(*) / 2 FROM steps)"
            self._db.execute(f"DELETE FROM steps WHERE at < ({half})")

    def close(self) -> None:
        with self._writing:
            self._failed = True
            self._db.close()
        self._reader.close()


def encode_result(result: ExecResult) -> bytes:
    head = {
        "returncode": result.returncode,
        "truncated": result.truncated,
        "seconds": result.seconds,
        "waited_seconds": result.waited_seconds,
        "cpu_seconds": result.cpu_seconds,
        "max_rss": result.max_rss,
        "time_limit_s": result.time_limit_s,
        "stdout": len(result.stdout),
    }
    return json.dumps(head).encode() + b"\n" + result.stdout + result.stderr


def decode_result(value: bytes) -> ExecResult:
    head, _, output = value.partition(b"\n")
    given = json.loads(head)
    cut = given.pop("stdout")
    return ExecResult(output[:cut], output[cut:], **given)


def digest(*parts: object) -> bytes:
    """A hash of nested strings, bytes, numbers, pairs and mappings, including their lengths."""
    digest = hashlib.sha256()

    def feed(part: object) -> None:
        if isinstance(part, Mapping):
            part = sorted(part.items())
        if isinstance(part, (list, tuple)):
            digest.update(b"(%d" % len(part))
            for each in part:
                feed(each)
        else:
            data = part if isinstance(part, bytes) else repr(part).encode("utf-8", "surrogatepass")
            digest.update(b"%s%d:" % (type(part).__name__[:1].encode(), len(data)) + data)

    feed(parts)
    return digest.digest()
