"""Right and wrong work on repair_larder."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator import Call, Script

from ..repair_larder import planted


def _mended(faults: Sequence[tuple[str, str, str, str]]) -> Script:
    lines = ["python3 - <<'END_OF_PROGRAM'", "from pathlib import Path"]
    for name, good, bad, _ in reversed(faults):
        lines.append(f"path = Path({'larder/' + name!r})")
        if bad:
            lines.append(f"path.write_text(path.read_text().replace({bad!r}, {good!r}))")
        else:
            lines.append("before = '            cost += self.shelf.draw(lot, lot.units)'")
            lines.append(f"path.write_text(path.read_text().replace(before, {good!r} + before))")
    return Script("\n".join([*lines, "END_OF_PROGRAM"]))


def right(seed: int) -> list[Script]:
    return [_mended(planted(seed))]


def wrong(seed: int) -> list[object]:
    faults = planted(seed)
    return [
        *(_mended([each for each in faults if each is not left]) for left in faults),
        _mended(faults[:1]),
        [Call("shell", command="cat README.md larder/*.py"), "I see no fault."],
    ]
