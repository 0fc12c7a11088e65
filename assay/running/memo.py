"""Sandbox steps cached across trials and runs: for tests declared deterministic and, for any other test, when
the same trial is judged again (--rescore --reuse-steps).

A step's key is the hash of everything that it can depend on: the sandbox's files (tier, image, limits), every
earlier operation in the same sandbox, and the operation itself. While all steps are known, no sandbox is
opened; at the first unknown one it is, and the earlier steps are repeated in it. A step that timed out, was
killed or broke is never cached, and after an interactive program was started, nothing is.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Unpack

from assay import sandboxes
from assay.records import ExecResult, Limits, RunOptions, Sandbox, Terminal
from assay.running.compiled import Compiled, Step
from assay.running.value_store import ValueStore, decode_result, digest, encode_result

MAX_FILE = 4 << 20  # larger files read back are not kept
MAX_BYTES = 1 << 30  # in all


class Memo(ValueStore):
    """The cached steps, and the compilers' results beside them. Losing it costs only time."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, MAX_BYTES)
        self.compiled: Compiled | None = None
        self.ran = self.remembered = 0  # counts of commands in this process

    def close(self) -> None:
        super().close()
        if self.compiled is not None:
            self.compiled.close()


@cache
def _agent() -> bytes:
    """The program that executes the steps, which depend on it."""
    return b"".join(
        path.read_bytes() for path in sorted((Path(sandboxes.__file__).parent / "agent").glob("*.py"))
    )


def first_link(tier: str, image: str, limits: Limits) -> bytes:
    """The start of every chain: where the steps run."""
    own = [repr(each) for each in (limits.container, limits.layers) if each]
    return digest("sandbox", 1, tier, image, repr(limits), _agent(), *own)


def link_of_trial(first: bytes, *trial: object) -> bytes:
    """The start of a chain that belongs to one sandbox of one trial."""
    return digest(first, "trial", *trial)


def open_memo(folder: Path, complain: Callable[[str], None]) -> Memo | None:
    """The cache in a folder; None, after a message, if it cannot be used, since it only saves time. The same
    holds for compilers' results."""
    memo = None
    try:
        memo = Memo(path := folder / "sandbox.sqlite")
        memo.compiled = Compiled(path := folder / "compiled.sqlite")
    except (OSError, sqlite3.Error) as error:
        complain(f"sandbox steps are not cached: {path}: {error} (you may delete it)")
    return memo


class MemoSandbox:
    """A sandbox that answers known steps from the cache or, if not `known`, only fills the cache. `acquire`
    opens the real one; `where` is a hash of its files and limits, empty if compilers' results must not be
    kept."""

    def __init__(
        self,
        memo: Memo,
        acquire: Callable[[], Awaitable[Sandbox]],
        tier: str,
        first: bytes,
        *,
        known: bool = True,
        where: bytes = b"",
    ) -> None:
        self._memo = memo
        self._acquire = acquire
        self._tier = tier
        self._chain = first
        self._known = known
        self._compiled = memo.compiled if where else None
        self._where = where
        self._replay: list[Step | bytes] = []  # bytes: an unpacked tree
        self._opening = asyncio.Lock()
        self._real: Sandbox | None = None
        self._begun = 0  # commands in the real one, and other changes of its files
        self._remembering = True

    @property
    def tier(self) -> str:
        return self._tier

    async def _open(self) -> Sandbox:
        """The real sandbox, in the state after the steps so far."""
        async with self._opening:
            if self._real is None:
                real = await self._acquire()
                try:
                    for each in self._replay:
                        if isinstance(each, bytes):
                            self._begun += 1
                            await real.unpack(each)
                        else:
                            await self._do(each, real)
                except BaseException:
                    await real.close()
                    raise
                self._real = real
                self._replay.clear()
            return self._real

    async def _do(self, step: Step, sandbox: Sandbox) -> ExecResult:
        self._begun += 1
        if step.compiles and self._begun == 1 and self._compiled is not None:
            result = await self._compiled.build(sandbox, self._where, step, lambda: self._begun == 1)
        else:
            result = await step.run(sandbox)
        self._memo.ran += not result.from_cache
        self._memo.remembered += result.from_cache
        return result

    def _look_up(self, key: bytes) -> bytes | None:
        """The cached result of a step; None once the real sandbox is open, which must see every step."""
        return self._memo.get(key) if self._known and self._remembering and self._real is None else None

    async def run(self, argv: Sequence[str], **options: Unpack[RunOptions]) -> ExecResult:
        return await self._step(Step(tuple(argv), **options))

    async def build(
        self, argv: Sequence[str], *, files: Mapping[str, bytes], time_limit_s: float
    ) -> ExecResult:
        """Like `run`, for a command that only compiles `files`: an earlier result may be used."""
        return await self._step(Step(tuple(argv), files, time_limit_s=time_limit_s, compiles=True))

    async def _step(self, step: Step) -> ExecResult:
        self._chain = digest(self._chain, "run", *step.facts)
        key = self._chain
        if (known := self._look_up(key)) is not None:
            self._memo.remembered += 1
            self._replay.append(step)
            return decode_result(known)
        try:
            result = await self._do(step, await self._open())
        except BaseException:
            self._remembering = False  # its state is unknown now
            raise
        ended = result.returncode is not None and result.returncode >= 0
        if not ended or result.timed_out or result.out_of_memory:
            self._remembering = False
        if self._remembering:
            await self._memo.keep(key, encode_result(result))
        return result

    async def start(
        self, argv: Sequence[str], *, files: Mapping[str, bytes] = {}, env: Mapping[str, str] = {}
    ) -> Terminal:
        self._remembering = False
        sandbox = await self._open()
        self._begun += 1
        return await sandbox.start(argv, files=files, env=env)

    async def read_file(self, path: str, *, max_bytes: int = 16 << 20) -> bytes:
        key = digest(self._chain, "read", path, max_bytes)
        return await self._read(key, lambda sandbox: sandbox.read_file(path, max_bytes=max_bytes))

    async def pack(self, only: Sequence[str] = ()) -> bytes:
        key = digest(self._chain, "pack", list(only))
        return await self._read(key, lambda sandbox: sandbox.pack(only))

    async def _read(self, key: bytes, read: Callable[[Sandbox], Awaitable[bytes]]) -> bytes:
        """What changes nothing, so the chain stays."""
        if (known := self._look_up(key)) is not None:
            return known
        data = await read(await self._open())
        if self._remembering and len(data) <= MAX_FILE:
            await self._memo.keep(key, data)
        return data

    async def unpack(self, data: bytes) -> None:
        """Done at once only in an open sandbox: known steps after it need none."""
        self._chain = digest(self._chain, "unpack", data)
        if self._real is None and self._known and self._remembering:
            self._replay.append(data)
            return
        sandbox = await self._open()
        self._begun += 1
        await sandbox.unpack(data)

    async def close(self) -> None:
        if self._real is not None:
            await self._real.close()
