from collections import defaultdict
from itertools import count, product

WANTED = 8


def prime_flags(limit: int) -> bytearray:
    flags = bytearray([1]) * limit
    flags[:2] = b"\0\0"
    for n in range(2, int(limit**0.5) + 1):
        if flags[n]:
            flags[n * n :: n] = bytes(len(range(n * n, limit, n)))
    return flags


def patterns(number: str):
    """Every pattern that has stars for some or all places of one digit."""
    for digit in set(number):
        choices = [(c, "*") if c == digit else (c,) for c in number]
        for pattern in product(*choices):
            if "*" in pattern:
                yield "".join(pattern)


def smallest_of_a_family(length: int) -> int | None:
    """The smallest prime of so many digits that belongs to a family of the wanted size."""
    flags = prime_flags(10**length)
    families = defaultdict(list)
    for n in range(10 ** (length - 1), 10**length):
        if flags[n]:
            for pattern in patterns(str(n)):
                families[pattern].append(n)
    return min((family[0] for family in families.values() if len(family) == WANTED), default=None)


print(next(p for p in map(smallest_of_a_family, count(1)) if p))
