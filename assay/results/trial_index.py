"""Trials by key, each with a text, in a temporary file, so that memory does not grow with them."""

from __future__ import annotations

from assay.records import TrialKey

TABLE = (
    "CREATE TABLE trials (suite BLOB, test BLOB, epoch INTEGER, text BLOB, PRIMARY KEY (suite, test, epoch))"
    " WITHOUT ROWID"
)
THIS = "suite = ? AND test = ? AND epoch = ?"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class TrialIndex:
    """An SQLite table in an unnamed file that goes with the process; a few thousand trials are not even
    written to disk."""

    def __init__(self) -> None:
        import sqlite3

        self._used = False  # most are never: the index of what is done, in a new run
        self._db = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        for statement in ("PRAGMA journal_mode = OFF", TABLE, "BEGIN"):  # one transaction, never committed
            self._db.execute(statement)

    def __del__(self) -> None:
        self._db.close()

    def add(self, key: TrialKey, text: str = "") -> bool:
        """Note a trial unless it is known; returns whether it was new."""
        return self._insert("IGNORE", key, text)

    def put(self, key: TrialKey, text: str = "") -> None:
        """Note a trial with this text, replacing its previous one."""
        self._insert("REPLACE", key, text)

    def _insert(self, otherwise: str, key: TrialKey, text: str) -> bool:
        self._used = True
        values = (*_columns(key), _bytes(text))
        return self._db.execute(f"INSERT OR {otherwise} INTO trials VALUES (?, ?, ?, ?)", values).rowcount > 0

    def get(self, key: TrialKey) -> str | None:
        """The text of a trial, None if it is unknown."""
        if not self._used:
            return None
        row = self._db.execute(f"SELECT text FROM trials WHERE {THIS}", _columns(key)).fetchone()
        return None if row is None else bytes(row[0]).decode("utf-8", "surrogatepass")

    def discard(self, key: TrialKey) -> None:
        if self._used:
            self._db.execute(f"DELETE FROM trials WHERE {THIS}", _columns(key))

    def __contains__(self, key: object) -> bool:
        return isinstance(key, TrialKey) and self.get(key) is not None

    def __len__(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM trials").fetchone()[0])


def _columns(key: TrialKey) -> tuple[bytes, bytes, int]:
    return _bytes(key.suite), _bytes(key.test), key.epoch
