"""Right and wrong replies to optimise_sums."""

from __future__ import annotations

import random

from ..optimise_sums import chain, planted, targets_of


def _reply(lines: list[str]) -> str:
    return "I took the largest apart first.\n\n```\n" + "\n".join(lines) + "\n```\n"


def _lines(seed: int) -> list[str]:
    return [f"{total} = {a} + {b}" for total, a, b in planted(seed)[1]]


def _doubled(seed: int) -> list[str]:
    lines, known = [], {1}
    for target in targets_of(seed):
        so_far, power = 0, 1
        while power <= target:
            if power not in known:
                lines.append(f"{power} = {power // 2} + {power // 2}")
                known.add(power)
            if target & power:
                if so_far and so_far + power not in known:
                    lines.append(f"{so_far + power} = {so_far} + {power}")
                    known.add(so_far + power)
                so_far += power
            power *= 2
    return lines


def _searched(seed: int) -> list[str]:
    """What the usual search finds: a few steps too many."""
    found = chain(targets_of(seed), random.Random(1))
    return [f"{total} = {a} + {b}" for total, (a, b) in sorted(found.items())]


def right(seed: int) -> list[str]:
    return [_reply(_lines(seed)), "An example:\n```\n2 = 1 + 1\n```\n" + _reply(_lines(seed))]


def wrong(seed: int) -> list[str]:
    lines, searched = _lines(seed), _searched(seed)
    return [
        _reply(_doubled(seed)),
        *([_reply(searched)] if len(searched) > len(lines) else []),  # by luck it may be as short
        _reply(lines[:-1]),
        _reply([*lines, "9999 = 1 + 9998"]),
        _reply([*lines, "1 = 1 + 1"]),
        _reply(lines[1:]),
        "It cannot be done.",
    ]
