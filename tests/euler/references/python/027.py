"""The product ab of the polynomial n^2 + an + b that is prime for the most n = 0, 1, 2, ..."""

LIMIT = 1000
# At n = b the value is divisible by b, and it is not b itself: no run goes on from there. So n stays at or
# below 1000, and no value is above this one.
LARGEST = LIMIT * LIMIT + LIMIT * LIMIT + LIMIT

is_prime = bytearray([1]) * (LARGEST + 1)
is_prime[0] = is_prime[1] = 0
for n in range(2, int(LARGEST**0.5) + 1):
    if is_prime[n]:
        is_prime[n * n :: n] = bytes(len(range(n * n, LARGEST + 1, n)))


def prime_run(a: int, b: int) -> int:
    n = 0
    while (value := n * n + a * n + b) > 1 and is_prime[value]:
        n += 1
    return n


candidates = ((a, b) for b in range(2, LIMIT + 1) if is_prime[b] for a in range(-LIMIT + 1, LIMIT))
a, b = max(candidates, key=lambda coefficients: prime_run(*coefficients))
print(a * b)
