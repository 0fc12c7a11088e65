"""Right and wrong work on repair_next."""

from __future__ import annotations

import json
from collections.abc import Sequence

from evaluator import Call, Script

from ..repair_next import planted


def _mended(faults: Sequence[tuple[str, str, str, str]]) -> Script:
    lines = ["python3 - <<'END_OF_PROGRAM'", "import json"]
    for name, good, bad, _ in reversed(faults):
        lines += [
            f"path, bad, good = 'larder/{name}.py', json.loads({json.dumps(bad)!r}), json.loads({json.dumps(good)!r})",
            "text = open(path).read()",
            "assert bad in text",
            "open(path, 'w').write(text.replace(bad, good))",
        ]
    return Script("\n".join([*lines, "END_OF_PROGRAM"]))


def right(seed: int) -> list[Script]:
    return [_mended(planted(seed))]


def wrong(seed: int) -> list[object]:
    faults = planted(seed)
    return [
        *(_mended([each for each in faults if each is not left]) for left in faults),
        _mended(faults[:1]),
        [Call("shell", command="cat NEXT.md larder/*.py"), "It follows the rules."],
    ]
