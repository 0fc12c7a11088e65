"""Sandbox steps remembered across trials and runs: for tests that are deterministic by declaration, and, of
any other, for the same trial judged again (--rescore --reuse-steps).

A step's key is the hash of everything that it can depend on: the sandbox's files (tier, image,
limits) and every earlier operation in the same sandbox, then the operation itself. While all steps
are known no sandbox is opened at all; at the first unknown one it is, and the earlier steps are
done again in it. A step that timed out, was killed or broke is never remembered, and after an
interactive program was started nothing more is.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import sqlite3
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from assay import sandboxes
from assay.records import ExecResult, Limits, Sandbox, Terminal

SCHEMA = (
    "CREATE TABLE IF NOT EXISTS steps (key BLOB PRIMARY KEY, value BLOB NOT NULL, at REAL NOT NULL)"
    " WITHOUT ROWID"
)
MAX_FILE = 4 << 20  # larger files read back are not kept
MAX_BYTES = 1 << 30  # of everything remembered: beyond it the older half goes


class Memo:
    """The remembered steps, in an SQLite file that several processes may share. Losing it costs time only."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, timeout=10.0, isolation_level=None, check_same_thread=False)
        with contextlib.suppress(sqlite3.OperationalError):  # a file system without locks or shared memory
            self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=OFF")
        self.ran = self.remembered = 0  # commands of this process
        self._db.execute(SCHEMA)
        self._trim()

    def get(self, key: bytes) -> bytes | None:
        try:
            row = self._db.execute("SELECT value FROM steps WHERE key = ?", (key,)).fetchone()
        except sqlite3.DatabaseError:
            return None
        return bytes(row[0]) if row else None

    def put(self, key: bytes, value: bytes) -> None:
        with contextlib.suppress(sqlite3.DatabaseError):  # locked or full: not remembered, nothing worse
            self._db.execute("INSERT OR REPLACE INTO steps VALUES (?, ?, ?)", (key, value, time.time()))

    def _trim(self) -> None:
        """Forget the older half if it has become too much. Their room is used again."""
        facts = ("page_count", "freelist_count", "page_size")
        pages, free, size = (self._db.execute(f"PRAGMA {fact}").fetchone()[0] for fact in facts)
        if (pages - free) * size <= MAX_BYTES:
            return
        with contextlib.suppress(sqlite3.DatabaseError):  # another process is at it
            half = "SELECT at FROM steps ORDER BY at LIMIT 1 OFFSET (SELECT count(*) / 2 FROM steps)"
            self._db.execute(f"DELETE FROM steps WHERE at < ({half})")

    def close(self) -> None:
        self._db.close()


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


def _digest(*parts: object) -> bytes:
    """A hash of nested strings, bytes, numbers, pairs and mappings; lengths are part of it."""
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


@cache
def _agent() -> bytes:
    """The program that carries the steps out is part of what they depend on."""
    return b"".join(
        path.read_bytes() for path in sorted((Path(sandboxes.__file__).parent / "agent").glob("*.py"))
    )


def first_link(tier: str, image: str, limits: Limits) -> bytes:
    """The start of every chain: where the steps run."""
    return _digest("sandbox", 1, tier, image, repr(limits), _agent())


def link_of_trial(first: bytes, *trial: object) -> bytes:
    """The start of a chain that belongs to one sandbox of one trial."""
    return _digest(first, "trial", *trial)


def open_memo(path: Path, complain: Callable[[str], None]) -> Memo | None:
    """The memory in `path`; None, after a complaint, where it cannot be used: it only saves time."""
    try:
        return Memo(path)
    except (OSError, sqlite3.Error) as error:
        complain(f"sandbox steps are not remembered: {path}: {error} (it may be deleted)")
        return None


@dataclass(frozen=True)
class _Done:
    """An operation that was answered from memory, to be done again if the sandbox is needed after all."""

    argv: Sequence[str]
    files: Mapping[str, bytes]
    stdin: bytes
    time_limit_s: float
    env: Mapping[str, str]


class MemoSandbox:
    """A sandbox that answers known steps from memory, or, if not `known`, only fills the memory. `acquire`
    opens the real one."""

    def __init__(
        self,
        memo: Memo,
        acquire: Callable[[], Awaitable[Sandbox]],
        tier: str,
        first: bytes,
        *,
        known: bool = True,
    ) -> None:
        self._memo = memo
        self._acquire = acquire
        self._tier = tier
        self._chain = first
        self._known = known
        self._replay: list[_Done | bytes] = []  # bytes: a tree that was unpacked
        self._opening = asyncio.Lock()
        self._real: Sandbox | None = None
        self._remembering = True

    @property
    def tier(self) -> str:
        return self._tier

    async def _open(self) -> Sandbox:
        """The real sandbox, in the state that the steps so far left it in."""
        async with self._opening:
            if self._real is None:
                real = await self._acquire()
                try:
                    for each in self._replay:
                        if isinstance(each, bytes):
                            await real.unpack(each)
                            continue
                        self._memo.ran += 1
                        await real.run(
                            each.argv,
                            files=each.files,
                            stdin=each.stdin,
                            time_limit_s=each.time_limit_s,
                            env=each.env,
                        )
                except BaseException:
                    await real.close()
                    raise
                self._real = real
                self._replay.clear()
            return self._real

    def _look_up(self, key: bytes) -> bytes | None:
        """What is known of a step; nothing once the real sandbox is open, which must see every step."""
        return self._memo.get(key) if self._known and self._remembering and self._real is None else None

    async def run(
        self,
        argv: Sequence[str],
        *,
        files: Mapping[str, bytes] = {},
        stdin: bytes = b"",
        time_limit_s: float = 20.0,
        env: Mapping[str, str] = {},
    ) -> ExecResult:
        self._chain = _digest(self._chain, "run", list(argv), files, stdin, time_limit_s, env)
        key = self._chain
        if (known := self._look_up(key)) is not None:
            self._memo.remembered += 1
            self._replay.append(_Done(tuple(argv), dict(files), stdin, time_limit_s, dict(env)))
            return decode_result(known)
        try:
            sandbox = await self._open()
            self._memo.ran += 1
            result = await sandbox.run(argv, files=files, stdin=stdin, time_limit_s=time_limit_s, env=env)
        except BaseException:
            self._remembering = False  # what state it is in now, nobody knows
            raise
        ended = result.returncode is not None and result.returncode >= 0
        if not ended or result.timed_out or result.out_of_memory:
            self._remembering = False
        if self._remembering:
            self._memo.put(key, encode_result(result))
        return result

    async def start(
        self, argv: Sequence[str], *, files: Mapping[str, bytes] = {}, env: Mapping[str, str] = {}
    ) -> Terminal:
        self._remembering = False
        sandbox = await self._open()
        return await sandbox.start(argv, files=files, env=env)

    async def read_file(self, path: str, *, max_bytes: int = 16 << 20) -> bytes:
        key = _digest(self._chain, "read", path, max_bytes)  # reading changes nothing: the chain stays
        if (known := self._look_up(key)) is not None:
            return known
        sandbox = await self._open()
        data = await sandbox.read_file(path, max_bytes=max_bytes)
        if self._remembering and len(data) <= MAX_FILE:
            self._memo.put(key, data)
        return data

    async def pack(self, only: Sequence[str] = ()) -> bytes:
        key = _digest(self._chain, "pack", list(only))
        if (known := self._look_up(key)) is not None:
            return known
        data = await (await self._open()).pack(only)
        if self._remembering and len(data) <= MAX_FILE:
            self._memo.put(key, data)
        return data

    async def unpack(self, data: bytes) -> None:
        """Done at once only in a sandbox that is open: a known step after it needs none."""
        self._chain = _digest(self._chain, "unpack", data)
        if self._real is None and self._known and self._remembering:
            self._replay.append(data)
            return
        await (await self._open()).unpack(data)

    async def close(self) -> None:
        if self._real is not None:
            await self._real.close()
