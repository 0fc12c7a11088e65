"""Where the things of a command lie: results, report, and what is remembered."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from assay.results.store import Results


@dataclass(frozen=True)
class Workspace:
    """`root`: the folder of config.json and tests. `report`: where the report goes. `cache`: the folder of
    remembered replies and steps, None where nothing is remembered."""

    root: Path
    results: Results
    report: Path
    cache: Path | None

    @property
    def logdir(self) -> str:
        """What a command that shows these results needs behind it: nothing where they lie as usual."""
        kept = self.results.root
        return "" if kept == self.root / "results" else f" --logdir {shlex.quote(str(kept))}"
