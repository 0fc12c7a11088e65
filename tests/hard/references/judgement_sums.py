"""Right and wrong replies to judgement_sums. The sums are counted up here once more."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from ..judgement_sums import ROWS, TASK, Claim


def _refuted(claim: Claim, first: int = 0) -> int:
    terms = [[factor * ROWS[name][1](k) for k in range(first, 21)] for factor, name in claim]
    two = {one + other for one, other in product(*terms[:2]) if one + other <= TASK.limit}
    return sum(all(n - third not in two for third in terms[2]) for n in range(TASK.limit + 1))


def _said(counts: Mapping[str, int], line: str = "{}: {}") -> str:
    return "I sieved.\n\n" + "\n".join(line.format(name, count) for name, count in counts.items())


def right(seed: int) -> list[str]:
    counts = {name: _refuted(claim) for name, (claim, _) in TASK.claims(seed).items()}
    return [_said(counts), _said(counts, "- **{}:** {} numbers.")]


def wrong(seed: int) -> list[str]:
    claims = {name: claim for name, (claim, _) in TASK.claims(seed).items()}
    counts = TASK.wanted(seed)
    return [
        _said({**counts, "C7": counts["C7"] - 1}),
        _said({name: _refuted(claim, first=1) for name, claim in claims.items()}),
        _said({name: count + 1 for name, count in counts.items()}),
        _said({name: count for name, count in counts.items() if name != "C20"}),
        _said(dict.fromkeys(counts, 0)),
        "All of them are true.",
    ]
