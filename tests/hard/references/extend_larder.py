"""Right and wrong work on extend_larder: the program's own classes extended (files/extend_larder/), with undo by copies."""

from __future__ import annotations

import json

from evaluator import Call, Script

from ..extend_larder import extended


def _built(seed: int, *changes: tuple[str, str, str]) -> Script:
    files = extended(seed)
    for name, before, after in changes:
        assert before in files[f"larder/{name}.py"], before
        files[f"larder/{name}.py"] = files[f"larder/{name}.py"].replace(before, after)
    lines = ["python3 - <<'END_OF_PROGRAM'", "import json"]
    for name, text in files.items():
        lines.append(f"open({name!r}, 'w').write(json.loads({json.dumps(text)!r}))")
    return Script("\n".join([*lines, "END_OF_PROGRAM"]))


def right(seed: int) -> list[Script]:
    return [_built(seed)]


def wrong(seed: int) -> list[object]:
    return [
        _built(seed, ("journal", "            self.undone = []\n\n    def undo", "\n    def undo")),
        _built(seed, ("commands", "cost, min(lot.day, int(day))", "cost, int(day)")),
        _built(seed, ("journal", "        if before != self.state():\n            self.levels[-1][0].append(before)\n        return", "        self.levels[-1][0].append(before)\n        return")),
        _built(seed, ("commands", "until <= day if UNTIL_INCLUDED else until < day", "until < day if UNTIL_INCLUDED else until <= day")),
        _built(seed, ("holds", "        found = {}\n        for (number, _), units in self.by_who.pop(who).items():\n            found[number] = found.get(number, 0) + units\n        return found", "        return {number: units for (number, _), units in self.by_who.pop(who).items()}")),
        [Call("shell", command="cat NEXT.md"), "That is too much for one day."],
    ]  # fmt: skip
