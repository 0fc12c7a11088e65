"""Right and wrong work on repair_tally."""

from __future__ import annotations

import json
from collections.abc import Mapping

from evaluator import Call, Script

from ..repair_tally import planted, program, with_faults


def written(files: Mapping[str, str]) -> Script:
    """A script that writes these files."""
    lines = ["python3 - <<'END_OF_PROGRAM'", "import json"]
    lines += [
        f"for name, text in json.loads({json.dumps(dict(files))!r}).items():",
        "    open(name, 'w', encoding='utf-8').write(text)",
    ]
    return Script("\n".join([*lines, "END_OF_PROGRAM"]))


def right(seed: int) -> list[Script]:
    return [written(program())]


def wrong(seed: int) -> list[object]:
    faults = planted(seed)
    return [
        *(written(with_faults([left])) for left in faults[:: len(faults) // 6]),
        written(with_faults(faults[1::2])),
        [Call("shell", command="cat README.md NEXT.md tally/*.py"), "It keeps all promises."],
    ]
