"""Right and wrong work on repair_loom."""

from __future__ import annotations

from evaluator import Call, Script

from ..repair_loom import planted, program, with_faults
from .repair_tally import written


def right(seed: int) -> list[Script]:
    return [written({"market.loom": program()["market.loom"]})]


def wrong(seed: int) -> list[object]:
    faults = planted(seed)
    return [
        *(written({"market.loom": with_faults([left])["market.loom"]}) for left in faults[::4]),
        written({"market.loom": with_faults(faults[1::2])["market.loom"]}),
        written({"market.loom": "to main\nprint words\n"}),
        [Call("shell", command="cat *.md market.loom"), "It does what the documents say."],
    ]
