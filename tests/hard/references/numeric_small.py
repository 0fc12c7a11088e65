"""Right and wrong replies to numeric_small; calculated with whole numbers, in units of 2^-60."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ..numeric_small import asked, text

UNIT = 60
Rounding = Callable[[int], int]


def _rounding(way: str, bits: int = 6, late: bool = False) -> Rounding:
    """Rounds whole numbers of 2^-120 or 2^-60; `late` never rounds."""

    def put(value: int) -> int:
        if late:
            return value
        size = abs(value)
        cut = max(size.bit_length() - bits, UNIT - 10)
        low, rest = size >> cut, size & ((1 << cut) - 1)
        half = 1 << (cut - 1)
        if way == "nearest":
            low += rest > half or (rest == half and low & 1)
        elif rest and (way == "up") == (value > 0) and way != "zero":
            low += 1
        return (low << cut) * (1 if value > 0 else -1)

    return put


def _result(kind: str, numbers: list[Fraction], put: Rounding) -> Fraction:
    v = [int(each * 2**UNIT) for each in numbers]
    times = lambda a, b: a * b >> UNIT  # noqa: E731 - exact: all have few bits
    if kind == "sum":
        total = v[0]
        for each in v[1:]:
            total = put(total + each)
    elif kind == "pairs":
        a, b, c, d = (put(v[n] + v[n + 1]) for n in (0, 2, 4, 6))
        total = put(put(a + b) + put(c + d))
    elif kind == "horner":
        total = v[1]
        for each in v[2:]:
            total = put(put(times(total, v[0])) + each)
    elif kind == "kahan":
        total = lost = 0
        for each in v:
            y = put(each - lost)
            after = put(total + y)
            lost = put(put(after - total) - y)
            total = after
    else:
        a, b, c, d, e, f = v
        total = put(put(times(a, b) + put(times(c, d) + e)) - f)
    return Fraction(total, 2**UNIT)


def _said(seed: int, rounding: Callable[[str], Rounding]) -> str:
    lines = [
        f"Q{n}: {text(_result(kind, numbers, rounding(way)))}"
        for n, (kind, way, numbers) in enumerate(asked(seed), 1)
    ]
    return "\n".join(["Step by step:", *lines])


def right(seed: int) -> list[str]:
    good = _said(seed, _rounding)
    return [good, good.replace("Q", "**Q").replace(": ", ":** ").replace("-", "\u2212")]


def wrong(seed: int) -> list[str]:
    good = _said(seed, _rounding)
    return [
        _said(seed, lambda way: _rounding("nearest")),
        _said(seed, lambda way: _rounding(way, bits=5)),
        _said(seed, lambda way: _rounding(way, late=True)),
        good.rpartition("\n")[0],
        good + "1",
        "I do not calculate by hand.",
    ]
