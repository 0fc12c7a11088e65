"""Right and wrong work on repair_planner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluator import Call, Script

from ..repair_planner import FOLDER, files_of, planted


def _mended(faults: Sequence[tuple[Any, str]], seed: int) -> Script:
    """All files as they are with the seed's other faults alone."""
    left = [each for each in planted(seed) if each not in faults]
    found = {
        name: (FOLDER / name).read_text(encoding="utf-8") for name in files_of(seed) if name.endswith(".py")
    }
    for edits, _ in left:
        for name, good, bad in edits:
            found[f"crewplan/{name}"] = found[f"crewplan/{name}"].replace(good, bad)
    lines = [
        "from pathlib import Path",
        f"for name, text in {found!r}.items():",
        "    Path(name).write_text(text)",
    ]
    return Script("\n".join(["python3 - <<'END_OF_PROGRAM'", *lines, "END_OF_PROGRAM"]))


def right(seed: int) -> list[Script]:
    return [_mended(planted(seed), seed)]


def wrong(seed: int) -> list[object]:
    faults = planted(seed)
    return [
        *(_mended([each for each in faults if each is not left], seed) for left in faults),
        _mended(faults[:1], seed),
        [Call("shell", command="cat README.md crewplan/*.py"), "I see no fault."],
    ]
