"""The results of compilers, so that the same sources need not be compiled again.

They are kept outside of every sandbox, where no program can write, and come only from the first command in a
pristine sandbox: nothing but the compiler has run there when its files are read. A key is the hash of
everything that a compiler depends on: the sandbox's files (backend, image), its limits, the agent, the
processor, the command with its time limit, and every file in the work directory. Whatever else a source makes
its compiler read (`include_bytes!` of a sandbox file, a random number) keeps its first value, for that source
only.

Only successful results are kept. A failure may be the machine's (no memory, no process left), so it is tried
again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.errors import ModelFault, SandboxError
from assay.records import ExecResult, Sandbox
from assay.running.value_store import ValueStore, decode_result, digest, encode_result

MAX_BYTES = 1 << 29  # in all
LARGEST = 16 << 20  # of one program with its sources
# Text by which sources or the command make the result depend on the time or the processor.
CHANGING = re.compile(rb"__DATE__|__TIME__|__TIMESTAMP__|\bnative\b")


@dataclass(frozen=True)
class Step:
    """A command in a sandbox. `compiles`: it only compiles `files`."""

    argv: Sequence[str]
    files: Mapping[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""
    time_limit_s: float = 20.0
    env: Mapping[str, str] = field(default_factory=dict)
    compiles: bool = False

    def __post_init__(self) -> None:
        for name in ("files", "env"):  # copied: a step may be repeated after the caller changes them
            object.__setattr__(self, name, dict(getattr(self, name)))

    async def run(self, sandbox: Sandbox) -> ExecResult:
        return await sandbox.run(
            self.argv, files=self.files, stdin=self.stdin, time_limit_s=self.time_limit_s, env=self.env
        )

    @property
    def facts(self) -> tuple[object, ...]:
        """Everything that distinguishes the step from others."""
        return list(self.argv), self.files, self.stdin, self.time_limit_s, self.env


def _owned(path: Path) -> None:
    """Raise OSError if others may have written what SQLite would read: the file, its log, or a log beside
    it."""
    for end in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(FileNotFoundError):
            state = path.with_name(path.name + end).stat()
            if state.st_uid != os.geteuid() or state.st_mode & 0o022:
                raise OSError("others than its owner can write into it")
    if path.parent.stat().st_mode & 0o002:
        raise OSError("everybody can write into its folder")


class Compiled:
    """The work directories of sandboxes after compiling. Raises OSError if others could write to the file."""

    def __init__(self, path: Path) -> None:
        _owned(path)
        self._kept = ValueStore(path, MAX_BYTES)

    async def build(
        self, sandbox: Sandbox, where: bytes, step: Step, alone: Callable[[], bool]
    ) -> ExecResult:
        """Compile in a pristine sandbox, or unpack the earlier result of the same step there. `where`: a hash
        of the sandbox's files and limits. `alone`: whether nothing else has begun there meanwhile."""
        texts = (*(each.encode("utf-8", "replace") for each in step.argv), *step.files.values())
        if any(CHANGING.search(text) for text in texts):
            return await step.run(sandbox)
        key = digest("compiled", 1, where, platform.machine(), *step.facts)
        if (found := self._recall(key)) is not None:
            result, tree = found
            try:
                await sandbox.unpack(tree)
            except ModelFault as error:  # it came from such a sandbox, so the model is not at fault
                raise SandboxError(f"earlier results of the compiler cannot be restored: {error}") from error
            return replace(result, from_cache=True)
        result = await step.run(sandbox)
        if result.returncode == 0 and not result.notes:
            with contextlib.suppress(ModelFault):  # too large to pack
                tree = await sandbox.pack()
                if alone():
                    await self._keep(key, result, tree)
        return result

    def _recall(self, key: bytes) -> tuple[ExecResult, bytes] | None:
        """The kept result; None also if it is damaged."""
        value = self._kept.get(key) or b""
        sealed, rest = value[:32], value[32:]
        if not value or hashlib.sha256(key + rest).digest() != sealed:
            return None
        size = int.from_bytes(rest[:4], "big")
        return decode_result(rest[4 : 4 + size]), rest[4 + size :]

    async def _keep(self, key: bytes, result: ExecResult, tree: bytes) -> None:
        said = encode_result(result)
        value = len(said).to_bytes(4, "big") + said + tree
        if len(value) <= LARGEST:
            await self._kept.keep(key, hashlib.sha256(key + value).digest() + value)

    def close(self) -> None:
        self._kept.close()
