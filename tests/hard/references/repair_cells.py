"""Right and wrong work on repair_cells."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator import Call, Script

from ..repair_cells import planted, program, with_faults


def _written(files: Mapping[str, str]) -> Script:
    lines = [
        "python3 - <<'END_OF_PROGRAM'",
        "from pathlib import Path",
        f"for name, text in {dict(files)!r}.items():",
        "    Path(name).write_text(text)",
        "END_OF_PROGRAM",
    ]
    return Script("\n".join(lines))


def right(seed: int) -> list[Script]:
    return [_written(program())]


def wrong(seed: int) -> list[object]:
    faults = planted(seed)
    # the obvious mend of all that is stale: work everything out anew after each change
    clear = with_faults([])["rill/engine.py"].replace(
        "cell.value is None or any(", "cell.seen != self.time or any("
    )
    return [
        *(_written(with_faults([left])) for left in faults),
        _written({**program(), "rill/engine.py": clear}),
        _written(with_faults(faults[1:])),
        [Call("shell", command="cat README.md rill/*.py"), "I see no fault."],
    ]
