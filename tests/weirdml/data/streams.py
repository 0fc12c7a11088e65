"""Random numbers and curves that are the same on every machine, with every numpy from 1.26 on.

Only raw words of Philox are drawn: numpy promises these streams for ever, but not those of Generator's
methods. Everything made of them uses additions, multiplications, divisions and square roots, which IEEE 754
rounds one way only; sines, exponentials, matrix products and Fourier transforms differ in the last bit from
one numpy, and one processor, to the next, and are not used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_PI = 3.141592653589793
# sum of eight 16-bit numbers: mean 8 * 32767.5, variance 8 * (2**32 - 1) / 12
_MEAN, _SCALE = 262140.0, 1.0 / 53510.27960


class Stream:
    """Numbers that depend on `key` and `path` alone, e.g. Stream(key, "digits_unsup", "test", 17)."""

    def __init__(self, key: str, *path: object) -> None:
        name = "\0".join(map(str, (key, *path))).encode()
        words = np.frombuffer(hashlib.sha256(name).digest()[:16], dtype="<u8").astype(np.uint64)
        self._bits = np.random.Philox(key=words)

    def words(self, *shape: int) -> Array:
        """Random 64-bit words, uint64."""
        count = int(np.prod(shape, dtype=np.int64)) if shape else 1
        return np.asarray(self._bits.random_raw(count), dtype=np.uint64).reshape(shape)

    def uniform(self, *shape: int) -> Array:
        """Float64 in 0..1, 1 excluded, with 53 random bits each."""
        return (self.words(*shape) >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def one(self, low: float = 0.0, high: float = 1.0) -> float:
        """A number in low..high."""
        return low + (high - low) * float(self.uniform(1)[0])

    def below(self, bound: int) -> int:
        """A whole number in 0..bound-1."""
        return min(bound - 1, int(self.uniform(1)[0] * bound))

    def normal(self, *shape: int) -> Array:
        """Float64 with mean 0 and deviation 1, nearly normal: sums of eight 16-bit numbers (to +-4.9)."""
        halves = self.words(*shape, 2)
        total = np.zeros(halves.shape, dtype=np.uint64)
        for place in range(4):
            total += (halves >> np.uint64(16 * place)) & np.uint64(0xFFFF)
        summed = total[..., 0] + total[..., 1]
        return (summed.astype(np.float64) - _MEAN) * _SCALE

    def order(self, count: int) -> Array:
        """The numbers 0..count-1 shuffled, int64."""
        return np.argsort(self.words(count), kind="stable").astype(np.int64)


def circle(turns: Array) -> tuple[Array, Array]:
    """Cosine and sine of `turns` full turns.

    By octants and Taylor series (to 1e-16 on +-1/8 turn), so that every machine finds the same bits.
    """
    turns = np.asarray(turns, dtype=np.float64)
    octant = np.rint(turns * 4.0)
    x = (turns - octant * 0.25) * (2.0 * _PI)
    square = x * x
    sine = np.ones_like(x)
    cosine = np.ones_like(x)
    for n in range(15, 1, -2):
        sine = 1.0 - sine * square / (n * (n - 1))
        cosine = 1.0 - cosine * square / ((n - 1) * (n - 2)) if n > 2 else cosine
    sine = sine * x
    quarter = octant.astype(np.int64) % 4
    cos = np.where(quarter == 0, cosine, np.where(quarter == 1, -sine, np.where(quarter == 2, -cosine, sine)))
    sin = np.where(quarter == 0, sine, np.where(quarter == 1, cosine, np.where(quarter == 2, -sine, -cosine)))
    return cos, sin


def growth(x: float) -> float:
    """About exp(x) for small x, of which it has the first terms, and always above 0."""
    return 1.0 + x * (1.0 + x * (0.5 + x * (1 / 6 + x / 24)))


def bump(distance: Array) -> Array:
    """A bell of width 1: about exp(-d*d/2), and 0 beyond 3."""
    inner = np.maximum(0.0, 1.0 - distance * distance * (1 / 9))
    squared = inner * inner
    return np.asarray(squared * squared * inner)


def quota(shares: Sequence[float], count: int) -> Array:
    """How many of `count` each share comes to: rounded down, what is left goes to the first."""
    found = np.array([int(share * count) for share in shares], dtype=np.int64)
    found[0] += count - found.sum()
    return found
