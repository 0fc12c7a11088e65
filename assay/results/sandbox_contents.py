"""The contents of a run's sandboxes, kept once beside its file; a record names them by a short hash."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import SandboxError
from assay.files import replace_file
from assay.records import TrialRecord
from assay.results.untrusted_files import LARGEST, content

if TYPE_CHECKING:
    import asyncio

SUFFIX = ".sandboxes"
NAMED = "sandbox"  # in TrialRecord.versions: the hash; once read, the prefix of each thing's name
MOST = 200  # kinds of sandboxes, and things in one, that are read from an untrusted file


def read_sandbox_contents(path: Path) -> dict[str, dict[str, str]]:
    """Hash -> contents of these sandboxes, read from the file beside a run's file; {} if there is none."""
    try:
        kinds = json.loads(content(path, LARGEST))["sandboxes"]
        return {
            str(name)[:100]: {str(what)[:100]: str(version)[:100] for what, version in [*its.items()][:MOST]}
            for name, its in [*kinds.items()][:MOST]
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


class Named:
    """Add the contents of the sandbox to a trial's versions, for the trials of one run's file."""

    def __init__(self, run_file: Path) -> None:
        self._path = run_file.with_suffix(SUFFIX)
        self._contents: dict[str, dict[str, str]] | None = None
        self._whole: dict[tuple[tuple[str, str], ...], dict[str, str]] = {}  # one for all equal ones

    def __call__(self, versions: dict[str, str]) -> dict[str, str]:
        key = tuple(versions.items())
        if (whole := self._whole.get(key)) is None:
            whole = self._whole[key] = dict(versions)
            if NAMED in versions:
                if self._contents is None:
                    self._contents = read_sandbox_contents(self._path)
                inside = self._contents.get(whole.pop(NAMED), {})
                whole.update({f"{NAMED} {what}": each for what, each in inside.items()})
        return whole


@dataclass
class SandboxContents:
    """Find out the contents of a run's sandboxes, once for each kind, while its trials run."""

    files: Iterable[Path]
    _found: dict[str, dict[str, str]] = field(default_factory=dict)
    _asking: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _versions: dict[tuple[str, tuple[tuple[str, str], ...]], Mapping[str, str]] = field(default_factory=dict)

    def note(self, record: TrialRecord, pool: Any) -> TrialRecord:
        """The record of a finished trial, with the hash of the contents of its sandbox from `pool`."""
        if not record.sandbox or pool is None:
            return record
        facts = "\0".join((record.sandbox, pool.identity, os.uname().release))
        name = hashlib.blake2b(facts.encode(), digest_size=6).hexdigest()
        if name not in self._asking:
            import asyncio  # showing saved results needs none

            self._asking[name] = asyncio.create_task(self._ask(name, record.sandbox, pool))
        key = (name, tuple(record.versions.items()))
        if key not in self._versions:
            self._versions[key] = {**record.versions, NAMED: name}
        return replace(record, versions=self._versions[key])

    async def _ask(self, name: str, tier: str, pool: Any) -> None:
        contents = getattr(pool, "contents", None)  # a node of a cluster does not say
        with contextlib.suppress(SandboxError):
            self._found[name] = {"tier": tier, **(await contents() if contents is not None else {})}
            for file in self.files:
                _add(file.with_suffix(SUFFIX), self._found)

    async def finish(self) -> None:
        """Wait for pending questions. Raises CancelledError if cancelled."""
        import asyncio

        await asyncio.gather(*self._asking.values(), return_exceptions=True)

    def stop(self) -> None:
        for task in self._asking.values():
            task.cancel()


def _add(path: Path, found: Mapping[str, Mapping[str, str]]) -> None:
    """Add `found` to the file. A failure to write is ignored: only these facts will be missing."""
    text = json.dumps({"v": 1, "sandboxes": {**read_sandbox_contents(path), **found}})
    with contextlib.suppress(OSError):
        replace_file(path, text.encode())
