"""Right and wrong interleavings for concurrent_witness."""

import random

from ..concurrent_witness import THREADS, _way, ends, final, puzzle


def _said(ways: list[str]) -> str:
    return "Backwards from the end:\n\n" + "\n".join(f"S{n}: {way}" for n, way in enumerate(ways, 1))


def right(seed: int) -> list[str]:
    programs, targets, ways = puzzle(seed)
    _, before = ends(programs)
    others = [_way(before, target, random.Random(5)) for target in targets]
    spaced = _said([" ".join(way) for way in others]).replace("S1:", "**S1:**")
    return [_said(list(ways)), spaced]


def wrong(seed: int) -> list[str]:
    programs, targets, planted = puzzle(seed)
    ways = list(planted)
    in_turn, chance = "", random.Random(seed)
    while final(programs, in_turn)[0] is None:  # any interleaving that goes to the end
        letters = list(THREADS)
        chance.shuffle(letters)
        moved = False
        for letter in letters:
            if "cannot go on" not in final(programs, in_turn + letter)[1]:
                in_turn, moved = in_turn + letter, True
                break
        if not moved:
            in_turn = ""
    return [
        _said([in_turn] * len(targets)),
        _said([*ways[:-1], ways[-1][:-1]]),
        _said([ways[1], ways[0], *ways[2:]]),
        _said(["PQR" * 11] * len(targets)),
        _said(ways[:-1]),
        "S1: there is none",
    ]
