"""Right and wrong replies to reverse_boxes; the steps written anew, and found by trying all chains from both ends."""

from __future__ import annotations

from functools import cache
from itertools import accumulate, pairwise, product

from ..reverse_boxes import boxes

Row = tuple[int, ...]


def _steps() -> list:
    def swapped(row: list[int]) -> list[int]:
        for at in (0, 2, 4):
            row[at], row[at + 1] = row[at + 1], row[at]
        return row

    def even_places(row: list[int]) -> list[int]:
        row[1::2] = sorted(row[1::2])
        return row

    return [
        lambda row: list(reversed(row)),
        lambda row: row[1:] + row[:1],
        lambda row: row[4:] + row[:4],
        swapped,
        lambda row: row[3:] + row[:3],
        lambda row: [x + at + 1 for at, x in enumerate(row)],
        lambda row: [x * 3 for x in row],
        lambda row: [9 - x for x in row],
        lambda row: list(accumulate(row)),
        lambda row: row[:1] + [b - a for a, b in pairwise(row)],
        lambda row: [a + b for a, b in zip(row, row[1:] + row[:1], strict=True)],
        lambda row: row[:1] + [x + row[0] for x in row[1:]],
        even_places,
        lambda row: sorted(row[:3])[::-1] + row[3:],
        lambda row: list(reversed(row)) if row[0] > row[-1] else row,
        lambda row: [x if x % 2 else x + 5 for x in row],
        lambda row: [sorted(row).index(x) for x in row],
    ]


def _out(chain: tuple[int, ...], row: Row) -> Row:
    for step in chain:
        row = tuple(x % 10 for x in _steps()[step](list(row)))
    return row


@cache
def _answers(seed: int, samples: int = 4) -> tuple[Row, ...]:
    found = []
    steps = _steps()
    for secret, rows, asked in boxes(seed):
        pairs = [(row, _out(secret, row)) for row in rows[:samples]]
        for chain in product(range(len(steps)), repeat=3):
            out = [list(row) for row, _ in pairs[:1]]
            for step in chain:
                out = [[x % 10 for x in steps[step](row)] for row in out]
            if tuple(out[0]) == pairs[0][1] and all(_out(chain, row) == to for row, to in pairs[1:]):
                found += [_out(chain, row) for row in asked]
                break
    return tuple(found)


def _said(rows: tuple[Row, ...]) -> str:
    lines = [f"Q{n}: {' '.join(map(str, row))}" for n, row in enumerate(rows, 1)]
    return "\n".join(["I tried the steps.", *lines])


def right(seed: int) -> list[str]:
    good = _said(_answers(seed))
    return [good, good.replace("Q", "**Q").replace(":", ":**")]


def wrong(seed: int) -> list[str]:
    good = _answers(seed)
    turned = (good[0][::-1] if good[0] != good[0][::-1] else (1, 2, 3, 4, 5, 6), *good[1:])
    lines = [
        _said(turned),
        _said(good[:-1]),
        _said((*good[:-1], tuple((x + 1) % 10 for x in good[-1]))),
        "I could not find the steps.",
    ]
    hurried = _answers(seed, 1)
    return [_said(hurried), *lines] if hurried != good else lines
