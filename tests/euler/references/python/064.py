from math import isqrt


def period(n: int) -> int:
    """The length of the repeating block of the continued fraction of sqrt(n); 0 for a square.

    Each remainder is (sqrt(n) + m) / d; the block ends with the term 2 * floor(sqrt(n)).
    """
    root = isqrt(n)
    if root * root == n:
        return 0
    m, d, term, length = 0, 1, root, 0
    while term != 2 * root:
        m = d * term - m
        d = (n - m * m) // d
        term = (root + m) // d
        length += 1
    return length


print(sum(period(n) % 2 for n in range(1, 10_001)))
