from fractions import Fraction
from functools import cache
from itertools import combinations


@cache
def values(digits):
    """All values of expressions that use each of `digits` once."""
    if len(digits) == 1:
        return {Fraction(digits[0])}
    found = set()
    for size in range(1, len(digits)):
        for chosen in combinations(digits, size):
            rest = tuple(digit for digit in digits if digit not in chosen)
            for a in values(chosen):
                for b in values(rest):
                    found |= {a + b, a - b, a * b}
                    if b:
                        found.add(a / b)
    return found


def run_length(digits):
    reachable = values(digits)
    n = 0
    while n + 1 in reachable:
        n += 1
    return n


best = max(combinations(range(10), 4), key=run_length)
print("".join(str(digit) for digit in best))
