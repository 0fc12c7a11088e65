"""The folders of a command: results, report and cache."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from assay.results.store import Results


@dataclass(frozen=True)
class Workspace:
    """`root`: the folder of config.json and tests. `report`: the folder of the report. `cache`: the folder of
    cached replies and steps, None if nothing is cached."""

    root: Path
    results: Results
    report: Path
    cache: Path | None

    @property
    def logdir(self) -> str:
        """The flag that a command needs to show these results: none if they are in the usual place."""
        kept = self.results.root
        here = Path.cwd()
        path = kept.relative_to(here) if kept.is_relative_to(here) else kept
        return "" if kept == self.root / "results" else f" --logdir {shlex.quote(str(path))}"
