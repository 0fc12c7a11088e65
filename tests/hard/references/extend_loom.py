"""Right and wrong work on extend_loom."""

from __future__ import annotations

from evaluator import Call, Script

from ..extend_loom import files
from ..repair_loom import FAULTS, program, with_faults
from .repair_tally import written


def right(seed: int) -> list[Script]:
    return [written({"market.loom": program()["market.loom"]})]


def wrong(seed: int) -> list[object]:
    return [
        *(written({"market.loom": with_faults([fault])["market.loom"]}) for fault in FAULTS[4:28:6]),
        written({"market.loom": files(seed)["market.loom"]}),
        [Call("shell", command="cat NEXT.md"), "That is too much for one day."],
    ]
