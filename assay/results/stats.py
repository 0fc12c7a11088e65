"""The few statistics that results need, from their textbook formulas, with the standard library only.

Rates are shares in [0, 1]. The unit of the paired tests is the test, never the
trial: epochs of one test are not independent of each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple


class Interval(NamedTuple):
    """A confidence interval, both ends included."""

    low: float
    high: float


def wilson(k: float, n: float, confidence: float = 0.95) -> Interval:
    """The Wilson score interval of a share of `k` in `n`; (0, 1), which says nothing, for n = 0.

    It assumes that the n are independent; for trials of several tests use assay.results.clustered.

    centre = (k + z²/2) / (n + z²); half width = z / (n + z²) * sqrt(k (n - k) / n + z²/4). E. B. Wilson,
    Probable Inference, the Law of Succession, and Statistical Inference, JASA 22 (1927); recommended for
    small n by Brown, Cai and DasGupta, Statistical Science 16 (2001).

    Raises ValueError unless 0 <= k <= n and 0 < confidence < 1.

    >>> [round(end, 4) for end in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    if not 0 <= k <= n:
        raise ValueError(f"need 0 <= k <= n, not k={k}, n={n}")
    if n == 0:
        return Interval(0.0, 1.0)
    z = _normal_quantile(0.5 + _checked(confidence) / 2)
    total = n + z * z
    centre = (k + z * z / 2) / total
    half = z / total * math.sqrt(k * (n - k) / n + z * z / 4)
    # The ends are exactly 0 and 1 there; floating point would miss them by a hair.
    return Interval(0.0 if k == 0 else max(0.0, centre - half), 1.0 if k == n else min(1.0, centre + half))


def mcnemar_exact(b: int, c: int) -> float:
    """Two-sided p-value of `b` wins against `c` losses under a fair coin; ties do not count.

    p = min(1, 2 * sum_{i <= min(b, c)} C(b + c, i) / 2^(b + c)). With one trial a test this is
    McNemar's exact test (Q. McNemar, Psychometrika 12 (1947)); over per-test means it is the sign test.

    >>> mcnemar_exact(9, 1)
    0.021484375
    """
    if b < 0 or c < 0:
        raise ValueError(f"counts cannot be negative: b={b}, c={c}")
    n, total = b + c, 0
    term = 1
    for i in range(min(b, c) + 1):
        total += term
        term = term * (n - i) // (i + 1)
    return min(1.0, 2 * total / (1 << n))  # integers until the one division: exact for any n


def holm(p_values: Sequence[float]) -> list[float]:
    """`p_values`, in their order, adjusted for multiple comparisons (family-wise error).

    The i-th smallest of m becomes max over j <= i of min(1, (m - j + 1) * p_j).
    S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scand. J. Statistics 6 (1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted


def pass_at_k(n: int, c: int, k: int) -> float:
    """Probability that at least one of `k` tries passes, given `c` passes in `n`: 1 - C(n-c, k) / C(n, k).

    Unbiased. M. Chen et al., Evaluating Large Language Models Trained on Code (2021), equation 1.

    >>> pass_at_k(5, 2, 1), pass_at_k(5, 2, 4)
    (0.4, 1.0)
    """
    _check_tries(n, c, k)
    return 1 - math.comb(n - c, k) / math.comb(n, k)


def pass_hat_k(n: int, c: int, k: int) -> float:
    """Probability that all of `k` tries pass, given `c` passes in `n`: C(c, k) / C(n, k).

    Unbiased. S. Yao et al., tau-bench (2024), section 4.

    >>> pass_hat_k(5, 2, 1), pass_hat_k(5, 2, 3)
    (0.4, 0.0)
    """
    _check_tries(n, c, k)
    return math.comb(c, k) / math.comb(n, k)


def _check_tries(n: int, c: int, k: int) -> None:
    if not (0 <= c <= n and 1 <= k <= n):
        raise ValueError(f"need 0 <= c <= n and 1 <= k <= n, not n={n}, c={c}, k={k}")


def _checked(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    return confidence


def _normal_quantile(p: float) -> float:
    if p == 0.975:
        return 1.959963984540054  # saves the import in the usual case
    from statistics import NormalDist

    return NormalDist().inv_cdf(p)
