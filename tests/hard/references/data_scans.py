"""Right and wrong replies to data_scans: the list is taken page by page, and sums are kept apart for each kind."""

from __future__ import annotations

from ..data_scans import DEPOTS, book, lines_of

Sums = dict[str, int]


def _sums(
    seed: int, strikes: bool = True, first: bool = False, swapped: int = -1, tests: bool = True
) -> Sums:
    """The sums; `swapped`: a page that is read as if seen from the front."""
    sums = dict.fromkeys(DEPOTS, 0)
    done: set[tuple[int, str]] = set()
    for page, at, depot, kind, _ in sorted(lines_of(seed), key=lambda line: line[4], reverse=not first):
        value, crossed = book(seed)[page - 1][1][at]
        if (page, at) in done:
            continue
        done.add((page, at))
        if page == swapped:
            text = f"{value:04}"
            value = int(text[1] + text[0] + text[3] + text[2])
        if (crossed and strikes) or (kind == "test" and tests):
            continue
        (name,) = (each for each in DEPOTS if each[:4].upper() == depot.strip()[:4].upper())
        sums[name] += -value if kind.strip().lower() == "out" else value
    return sums


def _said(sums: Sums, mark: str = "") -> str:
    return "All pages are read.\n\n" + "\n".join(
        f"{mark}{name}{mark}: {value}" for name, value in sums.items()
    )


def right(seed: int) -> list[str]:
    return [_said(_sums(seed)), _said(_sums(seed), "**")]


def wrong(seed: int) -> list[str]:
    sums = _sums(seed)
    return [
        _said({**sums, "CORVE": sums["CORVE"] + 10}),
        _said(_sums(seed, strikes=False)),
        _said(_sums(seed, first=True)),
        _said(_sums(seed, swapped=2)),
        _said(_sums(seed, tests=False)),
        "The pages cannot be read.",
    ]
