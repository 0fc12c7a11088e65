from itertools import count
from math import isqrt


def pentagonal(n: int) -> int:
    return n * (3 * n - 1) // 2


def is_pentagonal(p: int) -> bool:
    """p = n(3n-1)/2 exactly when 24p + 1 is the square of 6n - 1."""
    root = isqrt(24 * p + 1)
    return root * root == 24 * p + 1 and root % 6 == 5


def smaller_partners(difference: int):
    """All j >= 1 for which pentagonal(j) + difference is pentagonal(k).

    With step = k - j it says: 2 * difference = step * (3 * (2j + step) - 1).
    """
    for step in range(1, difference):
        if step * (3 * (2 + step) - 1) > 2 * difference:
            return
        factor, rest = divmod(2 * difference, step)
        if rest == 0 and (factor + 1) % 3 == 0 and ((factor + 1) // 3 - step) % 2 == 0:
            yield ((factor + 1) // 3 - step) // 2


# Differences in growing order, so the first one that fits is the smallest.
print(
    next(
        difference
        for difference in map(pentagonal, count(1))
        for j in smaller_partners(difference)
        if is_pentagonal(2 * pentagonal(j) + difference)
    )
)
