"""Right and wrong work on data_herd: what was sold and what was bought are added up apart."""

from __future__ import annotations

from dataclasses import replace

from evaluator import Call

from ..data_herd import OWNERS, account, animals, sheet
from .digitised import work


def _apart(seed: int) -> dict[str, int]:
    sums = {(owner, over): 0 for owner in range(len(OWNERS)) for over in (False, True)}
    for name, brand in sheet(seed).items():
        pounds, pence = animals(seed)[name]
        sums[brand.sign, brand.mirrored] += pounds * pence
    return {name: sums[n, False] - sums[n, True] for n, name in enumerate(OWNERS)}


def right(seed: int) -> list[object]:
    return [work(_apart(seed)), work(account(seed, sheet(seed)), "**", ",")]


def wrong(seed: int) -> list[object]:
    brands = sheet(seed)
    one = brands["K7"]
    upside = {name: replace(each, mirrored=90 < each.turn < 270) for name, each in brands.items()}
    shifted = dict(zip(brands, [*list(brands.values())[1:], one], strict=True))
    return [
        work(account(seed, {**brands, "K7": replace(one, mirrored=not one.mirrored)})),
        work(account(seed, {**brands, "K7": replace(one, sign=(one.sign + 1) % len(OWNERS))})),
        work(account(seed, upside)),
        work(account(seed, shifted)),
        work({name: -number for name, number in _apart(seed).items()}),
        [Call("shell", command="ls"), "The brands look all alike."],
    ]
