"""Is one model better than another? Both are tried on the same tests, so the tests are compared in pairs.

The unit is the test, never the trial. A test's gap is the first model's value on it (pass rate or mean
score, in [0, 1]) less the second one's. What is found here holds for other tests of the same kind.
docs/comparing.md tells why these methods and not others; testing/report/test_paired.py shows by simulation
how often the intervals hold the truth and how often a difference is seen where there is none.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.results.stats import Interval, mcnemar_exact

LEVEL = 0.95
POWER = 0.8
NOTHING = 1e-9  # means of the same scores in another order differ in their last bits
MAX_UNITS = 1_000_000  # of the gaps' common denominator; above it they count as numbers without one
MAX_WORK = 100_000_000  # bits moved, about 5 ms; above it the permutation test is not counted in whole units
HALVES = 26  # up to this many gaps without a common denominator, all swaps are counted, in two halves
LARGEST = 12  # with more gaps, this many are swapped in all ways


def fewest(confidence: float = LEVEL, comparisons: int = 1) -> int:
    """The least number of tests that can show a difference in any of so many comparisons. With fewer, p = 2 /
    2**tests, which Holm's correction multiplies by `comparisons`, is above 1 - `confidence` even for a model
    that wins all.

    >>> fewest(), fewest(0.9), fewest(0.99), fewest(comparisons=3)
    (6, 5, 8, 7)
    """
    least = (1 - confidence + 1e-12) / comparisons
    return next(tests for tests in range(1, 1000) if 2.0 ** (1 - tests) <= least)


@dataclass(frozen=True)
class Comparison:
    """Two models on the `tests` tests that both have finished.

    `mean` of the gaps (first less second) and its confidence interval; `wins`, `losses`: tests on which
    the first did better or worse. `p`: two-sided, of McNemar's exact test if `single` (one trial a test,
    passed or failed), else of the paired permutation test. `smallest`: the difference that so many tests of
    this kind find four times out of five; None if no difference would do.
    """

    tests: int
    mean: float
    low: float
    high: float
    wins: int
    losses: int
    p: float
    single: bool
    smallest: float | None

    @property
    def ties(self) -> int:
        return self.tests - self.wins - self.losses

    def turned(self) -> Comparison:
        """The same comparison from the second model's side."""
        return Comparison(
            self.tests, -self.mean, -self.high, -self.low, self.losses, self.wins, self.p, self.single,
            self.smallest,
        )  # fmt: skip


def compare(gaps: Sequence[float], *, single: bool, confidence: float = LEVEL) -> Comparison:
    """Compare two models by the gaps of the tests that both finished. `single`: each model has one trial
    of each test, which passed or failed, so that gaps are 1, 0 or -1.

    Interval and test never contradict each other in one direction: where the exact test finds nothing at
    1 - `confidence`, the interval is stretched to hold 0, which can only make it hold the truth more often.
    """
    n = len(gaps)
    gaps = [0.0 if abs(gap) < NOTHING else gap for gap in gaps]
    wins, losses = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    if not n:
        return Comparison(0, 0.0, -1.0, 1.0, 0, 0, 1.0, single, None)
    mean = math.fsum(gaps) / n
    if single:
        p = mcnemar_exact(wins, losses)
        low, high = tango(wins, losses, n, confidence)
        smallest = smallest_single(wins + losses, n, confidence)
    else:
        p = paired_permutation(gaps)
        low, high = padded_t(gaps, confidence)
        smallest = smallest_mean(gaps, confidence)
    if p > 1 - confidence + 1e-12:
        low, high = min(low, 0.0), max(high, 0.0)
    return Comparison(n, mean, min(low, mean), max(high, mean), wins, losses, p, single, smallest)


# ---------------------------------------------------------------- one trial a test


def tango(wins: int, losses: int, n: int, confidence: float = LEVEL) -> Interval:
    """Tango's score interval of (wins - losses) / n, a difference of paired proportions.

    It holds each difference d with |wins - losses - n d| <= z sqrt(n (2 q + d (1 - d))), where q is the
    share of losses that is likeliest if d is true. T. Tango, Equivalence Test and Confidence Interval
    for the Difference in Proportions for the Paired-Sample Design, Statistics in Medicine 17 (1998);
    recommended for small n by Fagerland, Lydersen and Laake, Statistics in Medicine 33 (2014).

    >>> [round(end, 3) for end in tango(0, 0, 3)], [round(end, 3) for end in tango(9, 2, 40)]
    ([-0.561, 0.561], [0.014, 0.339])
    """
    z = _normal(0.5 + confidence / 2)
    gap = wins - losses

    def score(d: float) -> float:
        linear = (2 * n - gap) * d - wins - losses
        q = (math.sqrt(max(0.0, linear * linear + 8 * n * losses * d * (1 - d))) - linear) / (4 * n)
        spread = math.sqrt(max(0.0, n * (2 * q + d * (1 - d))))
        off = gap - n * d
        return off / spread if spread > 1e-9 else 0.0 if abs(off) < 1e-9 else math.copysign(math.inf, off)

    middle = gap / n
    return Interval(
        -1.0 if losses == n else _crossing(lambda d: score(d) - z, -1.0, middle),
        1.0 if wins == n else _crossing(lambda d: score(d) + z, middle, 1.0),
    )


def smallest_single(differing: int, n: int, confidence: float = LEVEL, power: float = POWER) -> float | None:
    """The least difference that McNemar's test on `n` tests finds with probability `power`, if so many of
    them are decided differently as were now (or as many as the difference itself needs).

    Solves d = 1/n + (z_a sqrt(s) + z_b sqrt(s - d²)) / sqrt(n), s = max(differing / n, d): R. J. Connor,
    Sample Size for Testing Differences in Proportions for the Paired-Sample Design, Biometrics 43 (1987),
    turned round; 1/n is the continuity correction that makes up for the exact test's caution.
    """
    if n < fewest(confidence):
        return None
    z_a, z_b = _normal(0.5 + confidence / 2), _normal(power)

    def excess(d: float) -> float:
        s = max(differing / n, d)
        return d - 1 / n - (z_a * math.sqrt(s) + z_b * math.sqrt(max(0.0, s - d * d))) / math.sqrt(n)

    return _crossing(excess, 0.0, 1.0) if excess(1.0) > 0 else None


# ---------------------------------------------------------------- several trials a test, and scores


def padded_t(gaps: Sequence[float], confidence: float = LEVEL) -> Interval:
    """Student's t interval of the mean gap, with a gap of +1 and one of -1 added in so far as gaps repeat.

    Where all gaps differ it is the plain t interval. Where many are equal (both models pass most tests),
    their spread says little about tests that were not drawn, so two invented gaps, +1 and -1, are added
    with the weight w = the chance that two of the tests have the same gap. With w = 1 these are Bonett
    and Price's (Adjusted Wald Confidence Interval for a Difference of Binomial Proportions Based on Paired
    Data, J. Educational and Behavioral Statistics 37, 2012). Weighing them is our own; simulations stand
    behind it, not a theorem.

    >>> [[round(end, 3) for end in padded_t(gaps)] for gaps in ([0.0, 0.0, 0.0], [0.1, 0.2, 0.3])]
    [[-0.878, 0.878], [-0.048, 0.448]]
    """
    mean, spread, free = _padded(tuple(gaps))
    if not free:
        return Interval(-1.0, 1.0)
    half = t_quantile(0.5 + confidence / 2, free) * spread
    return Interval(max(-1.0, mean - half), min(1.0, mean + half))


def smallest_mean(gaps: Sequence[float], confidence: float = LEVEL, power: float = POWER) -> float | None:
    """The least difference that so many tests with gaps of this spread find with probability `power`:
    (t_a + t_b) times the standard error, as in E. Miller, Adding Error Bars to Evals (2024), section 5,
    with Student's t for the normal."""
    _, spread, free = _padded(tuple(gaps))
    if len(gaps) < fewest(confidence):
        return None
    found = (t_quantile(0.5 + confidence / 2, free) + t_quantile(power, free)) * spread
    return found if found <= 1 else None


@functools.lru_cache(maxsize=1)  # interval and smallest difference are of the same gaps
def _padded(gaps: tuple[float, ...]) -> tuple[float, float, int]:
    """Mean, standard error and degrees of freedom including the invented gaps; 0 degrees for one test."""
    n = len(gaps)
    if n < 2:
        return math.fsum(gaps), 0.0, 0
    counts = Counter(round(gap, 9) for gap in gaps)
    weight = sum(count * (count - 1) for count in counts.values()) / (n * (n - 1))
    total = n + 2 * weight
    mean = math.fsum(gaps) / total
    squares = math.fsum(gap * gap for gap in gaps) + 2 * weight - total * mean * mean
    return mean, math.sqrt(max(0.0, squares) / (total - 1) / total), int(total - 1 + 1e-9)


def paired_permutation(gaps: Sequence[float]) -> float:
    """Two-sided p-value of the paired permutation test: how many of the 2^n ways to swap the two models
    on some of the tests give a sum of gaps at least as far from 0.

    R. A. Fisher, The Design of Experiments (1935), section 21. Gaps are taken as they are. With a common
    denominator all ways are counted, as coefficients of the product of (1 + x^|gap|); with gaps of 1, 0 and
    -1 that is McNemar's exact test. Without one, up to 26 gaps are counted in two halves (E. Horowitz and
    S. Sahni, J. ACM 21, 1974). Of more, the 12 largest are swapped in all ways, and the sum of the rest is
    taken as normal with the kurtosis that it has (Edgeworth's expansion): off by less than 0.0005.

    >>> paired_permutation([1, 1, 1, 1, 1, 1]), paired_permutation([0.2, 0.4, -0.2, 0.0])
    (0.03125, 0.75)
    """
    gaps = [gap for gap in gaps if abs(gap) >= NOTHING]
    ahead = abs(math.fsum(gaps))
    if ahead < NOTHING:
        return 1.0
    sizes = [abs(gap) for gap in gaps]
    common = _common_denominator(sizes)
    if common:
        units = [round(size * common) for size in sizes]
        step = math.gcd(*units)
        units = [unit // step for unit in units]
        if len(units) * (len(units) + 2) * sum(units) <= MAX_WORK:
            return _counted(units, round(ahead * common) // step)
    if len(sizes) <= HALVES:
        return _halves(sizes, ahead)
    # A sum of whole units lies on a grid of two units; half of that is its share of a smooth curve.
    return _mostly_normal(sizes, ahead - step / common if common else ahead)


def _common_denominator(sizes: Sequence[float]) -> int:
    """The common denominator of all sizes, 0 if there is none up to MAX_UNITS."""
    common = 1
    for size in set(sizes):
        if abs(size * common - round(size * common)) <= NOTHING / len(sizes):
            continue
        near = Fraction(size).limit_denominator(MAX_UNITS)
        common = math.lcm(common, near.denominator)
        if abs(near - Fraction(size)) > NOTHING / len(sizes) or common > MAX_UNITS:
            return 0
    return common


def _counted(units: Sequence[int], ahead: int) -> float:
    """The share of swaps whose sum of whole numbers is at least `ahead` in either direction."""
    m, total = len(units), sum(units)
    width = m + 2  # bits of a coefficient: their sum is 2^m
    tail = (total - ahead) // 2
    ways, kept = 1, (1 << (tail + 1) * width) - 1
    for unit in sorted(units):
        ways = (ways + (ways << unit * width)) & kept  # one integer holds the coefficients, side by side
    as_far = ways % ((1 << width) - 1)  # the digits' sum
    return min(1.0, 2 * as_far / (1 << m))


def _halves(sizes: Sequence[float], ahead: float) -> float:
    """The same for arbitrary numbers: each sum is one of the first half plus one of the second."""
    first, second = _sums(sizes[::2]), _sums(sizes[1::2])
    as_far, at = 0, len(second)
    for each in first:  # ascending: ever more of the second half are large enough
        while at and each + second[at - 1] >= ahead - NOTHING:
            at -= 1
        as_far += len(second) - at
    return min(1.0, 2 * as_far / (len(first) * len(second)))


def _sums(sizes: Sequence[float]) -> list[float]:
    """All sums of `sizes` with arbitrary signs, in ascending order."""
    found = [0.0]
    for size in sizes:
        found = [each - size for each in found] + [each + size for each in found]
    return sorted(found)


def _mostly_normal(sizes: Sequence[float], ahead: float) -> float:
    """The same for too many numbers to count."""
    ordered = sorted(sizes, reverse=True)
    large, rest = _sums(ordered[:LARGEST]), ordered[LARGEST:]
    variance = math.fsum(size**2 for size in rest)
    spread, kurtosis = math.sqrt(variance), -2 * math.fsum(size**4 for size in rest) / variance**2

    def beyond(x: float) -> float:
        z = x / spread
        bell = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        return math.erfc(z / math.sqrt(2)) / 2 + bell * kurtosis / 24 * (z**3 - 3 * z)

    return min(1.0, max(0.0, 2 * math.fsum(beyond(ahead - each) for each in large) / len(large)))


# ---------------------------------------------------------------- quantiles


@functools.lru_cache(maxsize=1024)
def t_quantile(p: float, free: int) -> float:
    """The quantile of Student's t with `free` degrees of freedom, for 1/2 < p < 1.

    Inverts the finite sums for whole degrees of freedom, Abramowitz and Stegun 26.7.3 and 26.7.4; above
    300 the expansion 26.7.5.

    >>> round(t_quantile(0.975, 4), 4), round(t_quantile(0.975, 1000), 4)
    (2.7764, 1.9623)
    """
    if free > 300:
        z = _normal(p)
        return z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free * free)

    def inside(angle: float) -> float:
        """P(|t| < sqrt(free) tan(angle))."""
        sine, cosine = math.sin(angle), math.cos(angle)
        term = sum_ = 1.0 if free % 2 == 0 else cosine
        for k in range(2 if free % 2 else 1, free - 2, 2):
            term *= cosine * cosine * k / (k + 1)
            sum_ += term
        if free % 2 == 0:
            return sine * sum_
        return 2 / math.pi * (angle + (sine * sum_ if free > 1 else 0.0))

    angle = _crossing(lambda angle: inside(angle) - (2 * p - 1), 0.0, math.pi / 2)
    return math.sqrt(free) * math.tan(angle)


def _normal(p: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(p)


def _crossing(f: Callable[[float], float], low: float, high: float) -> float:
    """The root of `f`, which has opposite signs at both ends."""
    rising = f(high) > 0
    for _ in range(60):
        middle = (low + high) / 2
        if (f(middle) > 0) == rising:
            high = middle
        else:
            low = middle
    return (low + high) / 2
