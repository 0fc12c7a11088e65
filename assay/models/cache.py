"""
Paid replies, kept in SQLite (WAL): content-addressed, shared by any number of processes.

A reply is committed before `put` returns, so a killed process loses none that a trial has seen.
(`synchronous=NORMAL`: a power cut may lose the last ones, never damage the file.) Errors are not
replies and never come here.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import hashlib
import json
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.asked import what_was_asked
from assay.errors import ConfigError, ProviderError
from assay.records import Completion, JsonMode, Message, Tool, ToolCall, Usage
from assay.trial_clock import standing_still

VERSION = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key BLOB PRIMARY KEY,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt BLOB NOT NULL,   -- hash of the messages and the JSON flag alone, for replay
    epoch INTEGER NOT NULL,
    created REAL NOT NULL,  -- Unix time
    reply TEXT NOT NULL     -- JSON
);
CREATE INDEX IF NOT EXISTS by_prompt ON replies (prompt, model, provider, epoch);
"""


# Between two commits: each interrupts the thread that runs the trials, which costs more than writing a reply
COMMIT_EVERY_S = 0.01

# json.dumps would make an encoder at each call
_json = json.JSONEncoder(separators=(",", ":")).encode
_sorted_json = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


def prompt_hash(messages: Sequence[Message], want_json: JsonMode, tools: Sequence[Tool] = ()) -> bytes:
    """What was asked, whoever was asked: see `what_was_asked`."""
    asked = what_was_asked(messages, want_json, tools)
    return hashlib.sha256(_json(asked).encode("ascii")).digest()


def key_of(
    provider: str,
    model: str,
    parameters: Mapping[str, Any],
    prompt: bytes,
    epoch: int,
    where: Mapping[str, Any] = {},
    times: int = 0,
) -> bytes:
    """The address of one reply. `where`: how the provider is reached, if that is not as usual; `times`: how
    often the trial had asked the same before. Without both it is the key of older versions."""
    what: list[Any] = [provider, model, parameters, prompt.hex(), epoch]
    if where or times:
        what += [where, times]
    return hashlib.sha256(_sorted_json(what).encode("ascii")).digest()


class Cache:
    """One database file. Reads happen in the calling thread (microseconds), writes in a separate thread, with
    all pending ones in one commit."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._flights: dict[bytes, asyncio.Future[Completion | ProviderError | ConfigError | None]] = {}
        self._pending: list[tuple[Any, ...]] = []
        self._next: list[asyncio.Future[None]] = []  # of those who wait for the commit of what is pending
        self._committed = 0.0  # when, by the event loop's clock
        self._complained = False
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="assay cache")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _owners_alone(path)
            self._read = self._connect()
            version = self._read.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, VERSION):
                raise ConfigError(
                    f"the cache {path} has format {version}, and this version of Assay needs {VERSION}; "
                    "move it away, or use --no-cache"
                )
            if version != VERSION:  # several processes may do this at once: every statement allows for it
                self._read.executescript(
                    f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;"
                )
            self._write = self._connect()
        except (sqlite3.Error, OSError) as error:
            raise self._broken(error) from None

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=30.0, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -500")  # kB; the system keeps the file in memory anyway
        return connection

    def _broken(self, error: Exception) -> ConfigError:
        if isinstance(error, (sqlite3.OperationalError, OSError)):
            return ConfigError(
                f"cannot use the cache {self.path}: {error}; check the disk and its permissions, "
                "or use --no-cache"
            )
        return ConfigError(
            f"the cache {self.path} is damaged ({error}); nothing was changed: "
            f"move it away (mv {self.path} {self.path}.damaged) and run again, or use --no-cache"
        )

    def get(self, key: bytes) -> Completion | None:
        return self._fetch("SELECT reply FROM replies WHERE key = ?", (key,))

    def find(self, model: str, provider: str, prompt: bytes, epoch: int) -> Completion | None:
        """The newest reply by that model to that prompt, whatever its parameters."""
        query = "SELECT reply FROM replies WHERE prompt = ? AND model = ? AND provider = ? AND epoch = ?"
        return self._fetch(query + " ORDER BY created DESC LIMIT 1", (prompt, model, provider, epoch))

    def holds(self, provider: str, model: str) -> bool:
        """Whether there is any reply by that model."""
        query = "SELECT 1 FROM replies WHERE model = ? AND provider = ? LIMIT 1"
        try:
            with self._lock:
                return self._read.execute(query, (model, provider)).fetchone() is not None
        except sqlite3.Error as error:
            raise self._broken(error) from None

    def _fetch(self, query: str, values: tuple[Any, ...]) -> Completion | None:
        try:
            with self._lock:
                found = self._read.execute(query, values).fetchone()
            return None if found is None else _decode(found[0])
        except (sqlite3.Error, ValueError, TypeError, KeyError) as error:
            raise self._broken(error) from None

    async def put(
        self, key: bytes, provider: str, model: str, prompt: bytes, epoch: int, reply: Completion
    ) -> None:
        """Returns once the reply is committed: at once if it comes alone, else with others that come within
        COMMIT_EVERY_S. It is also if the caller is cancelled meanwhile. If it cannot be written, that is
        reported once on stderr and the run continues."""
        row = (key, provider, model, prompt, epoch, time.time(), _encode(reply))
        with self._lock:
            self._pending.append(row)
        loop = asyncio.get_running_loop()
        if not self._next or self._next[0].get_loop() is not loop:
            self._next = []
            loop.call_at(self._committed + COMMIT_EVERY_S, self._hand_over, loop, self._next)
        done = loop.create_future()
        self._next.append(done)
        await done

    def _hand_over(self, loop: asyncio.AbstractEventLoop, waiting: list[asyncio.Future[None]]) -> None:
        """Write what is pending in the other thread, and say so."""
        self._committed = loop.time()
        if self._next is waiting:
            self._next = []

        def tell(_: object) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed, and nobody waits
                loop.call_soon_threadsafe(_resolve, waiting)

        try:
            self._writer.submit(self._write_pending).add_done_callback(tell)
        except RuntimeError:  # closed since, which wrote it
            _resolve(waiting)

    async def reply(
        self, key: bytes, about: tuple[str, str, bytes, int], ask: Callable[[], Awaitable[Completion]]
    ) -> Completion:
        """The reply kept under `key`, that of the same call in flight, or that of `ask`, which is kept.
        `about`: provider, model, prompt and epoch of the call. Raises what `ask` raises."""
        began = time.monotonic()
        while (found := self.get(key)) is None:
            flight = self._flights.get(key)
            if flight is None:
                return await self._ask(key, about, ask)
            with standing_still():
                outcome = await asyncio.shield(flight)
            if isinstance(outcome, Completion):
                waited = time.monotonic() - began
                queued = min(outcome.queued_seconds, waited)
                return replace(
                    outcome, cached=True, attempts=0, seconds=waited - queued, queued_seconds=queued
                )
            if outcome is not None:
                raise copy.copy(outcome)
            # The caller that asked was cancelled before the reply came: ask ourselves.
        return found

    async def _ask(
        self, key: bytes, about: tuple[str, str, bytes, int], ask: Callable[[], Awaitable[Completion]]
    ) -> Completion:
        flight = self._flights[key] = asyncio.get_running_loop().create_future()
        result: Completion | ProviderError | ConfigError | None = None
        try:
            result = await ask()
            await self.put(key, *about, result)
            return result
        except (ProviderError, ConfigError) as error:
            result = error
            raise
        finally:
            del self._flights[key]
            flight.set_result(result)

    def forget(self, key: bytes) -> None:
        """Remove a useless reply, so that the question is asked again. Returns once that is done."""
        delete = "DELETE FROM replies WHERE key = ?"
        self._writer.submit(self._commit, delete, [(key,)]).result()

    def _write_pending(self) -> None:
        with self._lock:
            batch, self._pending = self._pending, []
        if batch:
            self._commit("INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?, ?, ?, ?)", batch)

    def _commit(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        try:
            with self._write:
                self._write.executemany(statement, rows)
        except sqlite3.Error as error:
            self._complain(error)

    def _complain(self, error: sqlite3.Error) -> None:
        """Once. The replies were paid for, and trials that have theirs need no cache to end."""
        if not self._complained:
            self._complained = True
            sys.stderr.write(
                f"cannot write to the cache {self.path} ({error}): replies are used but not saved, so "
                "repeating this run would pay for them again; check the disk\n"
            )

    def close(self) -> None:
        """Write what is pending, then close. May be called twice."""
        if self._pending:
            self._writer.submit(self._write_pending)
        self._writer.shutdown(wait=True)
        self._read.close()
        self._write.close()


def _resolve(waiting: Sequence[asyncio.Future[None]]) -> None:
    for each in waiting:
        if not each.done():  # not cancelled
            each.set_result(None)


def _owners_alone(path: Path) -> None:
    """Let no other user read questions and replies; SQLite gives its other files the same permissions."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    for name in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        with contextlib.suppress(OSError):  # not there, or another user's
            name.chmod(0o600)


def _encode(reply: Completion) -> str:
    tokens = list(vars(reply.usage).values())
    while len(tokens) > 3 and not tokens[-1]:  # those that older versions did not know
        tokens.pop()
    kept = {
        "text": reply.text,
        "tokens": tokens,
        "cost": reply.cost,
        "finish": reply.finish_reason,
        "model": reply.model,
    }
    calls = [[call.id, call.name, call.arguments] for call in reply.calls]
    more = {"calls": calls, "reasoning": reply.reasoning, "native": reply.native, "batch": reply.by_batch}
    return json.dumps(kept | {name: value for name, value in more.items() if value})


def _decode(text: str) -> Completion:
    found = json.loads(text)
    return Completion(
        found["text"],
        Usage(*found["tokens"]),
        cost=found["cost"],
        attempts=0,
        cached=True,
        finish_reason=found["finish"],
        model=found["model"],
        calls=tuple(ToolCall(*call) for call in found.get("calls", ())),
        reasoning=found.get("reasoning", ""),
        native=found.get("native", ""),
        by_batch=found.get("batch", False),
    )
