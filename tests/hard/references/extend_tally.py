"""Right and wrong work on extend_tally."""

from __future__ import annotations

from evaluator import Call, Script

from ..repair_tally import FAULTS, program, with_faults
from .repair_tally import written

SLIPS = (
    "max(filter(None",
    "(float(found * percent",
    "len(self.groups)",
    "sum({max(0",
    "self.past.pop()\n        self.guard",
    "[int(cents * weight",
)


def right(seed: int) -> list[Script]:
    return [written(program())]


def wrong(seed: int) -> list[object]:
    return [
        *(written(with_faults([fault])) for fault in FAULTS if any(slip in fault[2] for slip in SLIPS)),
        [Call("shell", command="cat NEXT.md"), "That is too much for one day."],
    ]
