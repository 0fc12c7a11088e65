from math import isqrt

LIMIT = 10**7

sieve = bytearray([1]) * (LIMIT // 2)
sieve[:2] = b"\0\0"
for n in range(2, isqrt(len(sieve)) + 1):
    if sieve[n]:
        sieve[n * n :: n] = bytes(len(sieve[n * n :: n]))
primes = [n for n, is_prime in enumerate(sieve) if is_prime]

best_n, best_phi = LIMIT, 1


def search(n, phi, index):
    """Try n and all its products with primes from `index` on, which is that of n's largest prime."""
    global best_n, best_phi
    if n * best_phi < best_n * phi and sorted(str(n)) == sorted(str(phi)):
        best_n, best_phi = n, phi
    largest = primes[index]
    while index < len(primes) and n * primes[index] < LIMIT:
        p = primes[index]
        search(n * p, phi * (p if p == largest else p - 1), index)
        index += 1


# If the smallest prime factor of n is p, then n / phi(n) >= p / (p - 1): begin with large p, and stop when no
# smaller one can help. A prime is never a solution: n and n - 1 leave different remainders modulo 9.
for index in reversed(range(len(primes))):
    p = primes[index]
    if p * p < LIMIT:
        if p * best_phi >= best_n * (p - 1):
            break
        search(p, p - 1, index)
print(best_n)
