"""Tells hatchling, which builds the package, what it needs: the lines of requirements.txt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class RequirementsHook(MetadataHookInterface):  # type: ignore[misc]  # hatchling is there only for a build
    def update(self, metadata: dict[str, Any]) -> None:
        lines = (Path(self.root) / "requirements.txt").read_text("utf-8").splitlines()
        metadata["dependencies"] = [line for line in lines if line.strip() and not line.startswith("#")]
