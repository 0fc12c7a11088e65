"""The sum of all primes below two million, by the sieve of Eratosthenes."""

LIMIT = 2_000_000

is_prime = bytearray([1]) * LIMIT
is_prime[0] = is_prime[1] = 0
for n in range(2, int(LIMIT**0.5) + 1):
    if is_prime[n]:
        is_prime[n * n :: n] = bytes(len(range(n * n, LIMIT, n)))
print(sum(n for n in range(LIMIT) if is_prime[n]))
