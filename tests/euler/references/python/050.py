from itertools import accumulate

LIMIT = 1_000_000

is_prime = bytearray([1]) * LIMIT
is_prime[:2] = b"\0\0"
for n in range(2, int(LIMIT**0.5) + 1):
    if is_prime[n]:
        is_prime[n * n :: n] = bytes(len(range(n * n, LIMIT, n)))
primes = [n for n in range(LIMIT) if is_prime[n]]
totals = [0, *accumulate(primes)]  # totals[k] is the sum of the first k primes


def prime_sum_of(terms: int) -> int | None:
    """A prime below the limit that is a sum of so many consecutive primes."""
    for start in range(len(primes) - terms + 1):
        total = totals[start + terms] - totals[start]
        if total >= LIMIT:
            return None
        if is_prime[total]:
            return total
    return None


longest = max(k for k, total in enumerate(totals) if total < LIMIT)
print(next(p for p in map(prime_sum_of, range(longest, 0, -1)) if p))
