from itertools import count
from math import isqrt


def is_pentagonal(p: int) -> bool:
    """p = n(3n-1)/2 exactly when 24p + 1 is the square of 6n - 1."""
    root = isqrt(24 * p + 1)
    return root * root == 24 * p + 1 and root % 6 == 5


# Every hexagonal number is triangular: n(2n-1) is the triangle number of 2n-1.
print(next(h for h in (n * (2 * n - 1) for n in count(144)) if is_pentagonal(h)))
