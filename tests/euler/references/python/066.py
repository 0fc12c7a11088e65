from math import isqrt


def smallest_x(d: int) -> int:
    """The least x with x*x - d*y*y = 1: the first convergent x/y of sqrt(d) that solves it."""
    root = isqrt(d)
    m, denominator, term = 0, 1, root
    x_before, x = 1, root
    y_before, y = 0, 1
    while x * x - d * y * y != 1:
        m = denominator * term - m
        denominator = (d - m * m) // denominator
        term = (root + m) // denominator
        x_before, x = x, term * x + x_before
        y_before, y = y, term * y + y_before
    return x


print(max((d for d in range(1, 1001) if isqrt(d) ** 2 != d), key=smallest_x))
