"""Right and wrong work on operate_valves: the valves as they lie between the other ends that patch's reference finds."""

from __future__ import annotations

from ..operate_valves import BOARD, OTHERS, TURNED, begins, files_of, followed, wanted
from .operate_patch import joined, mixed
from .written import refused, written


def _rows(seed: int) -> dict[str, str]:
    """The lines, walked from the other ends backwards."""
    places, other, found = (
        {name: place for place, name in BOARD.outer().items()},
        joined(BOARD, OTHERS + seed),
        {},
    )
    for name in begins(seed):
        met = followed(seed, places[other[name]])[1]
        found[name] = f"{other[name]} {'' if met == '-' else ''.join(TURNED[each] for each in reversed(met))}"
        found[name] += "-" if met == "-" else ""
    return found


def right(seed: int) -> list[object]:
    rows = _rows(seed)
    return [written("pipes.txt", rows), written("pipes.txt", dict(reversed(rows.items())))]


def wrong(seed: int) -> list[object]:
    rows = dict(wanted(seed))
    long = max(rows, key=lambda name: len(set(rows[name])))
    end, met = rows[long].split()
    crossed = mixed(joined(BOARD, OTHERS + seed), 4)
    wrong_way = {name: f"{crossed[name]} {row.split()[1]}" for name, row in rows.items()}
    return [
        written("pipes.txt", rows | {long: f"{end} {met[:-1] or 'O'}"}),
        written("pipes.txt", rows | {long: f"{end} {''.join(TURNED[each] for each in met)}O"}),
        written("pipes.txt", {name: row.translate(str.maketrans("<>", "><")) for name, row in rows.items()}),
        written(
            "pipes.txt", {name: row.split()[0] + " " + row.split()[1][::-1] for name, row in rows.items()}
        ),
        written("pipes.txt", wrong_way),
        written("pipes.txt", dict([*rows.items()][:-1])),
        written("pipes.txt", files_of(seed)["pipes.txt"]),
        refused("pipes.txt"),
    ]
