"""Right and wrong replies to judgement_tracks: tracks are joined from points, claims read from their text."""

from __future__ import annotations

import re

from ..judgement_tracks import BOARD, OTHERS, TASK
from .claimed import false_of, rights, wrongs
from .routed import met, pieces_of


def _is_true(seed: int, claim: str) -> bool:
    tracks = pieces_of(BOARD, OTHERS + seed)
    names = re.findall(r"\b[TBLR]\d+\b", claim)
    numbers = [int(each) for each in re.findall(r"(?<![TBLR\d])\d+", claim)]
    if "comes out" in claim:
        return frozenset(names) in tracks
    its = [next(pieces for ends, pieces in tracks.items() if name in ends) for name in names]
    if "runs over" in claim:
        return numbers == [len({tile for tile, _ in its[0]})]
    tiles = met(*its)
    if "exactly" in claim:
        return numbers == [len(tiles)]
    return (numbers[0] - 1, numbers[1] - 1) in tiles


def right(seed: int) -> list[str]:
    return rights(false_of(TASK, seed, _is_true))


def wrong(seed: int) -> list[str]:
    return wrongs(TASK, seed, false_of(TASK, seed, _is_true))
