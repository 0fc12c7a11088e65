from math import isqrt

LIMIT = 50_000_000

root = isqrt(LIMIT)
sieve = bytearray([1]) * (root + 1)
sieve[:2] = b"\0\0"
for n in range(2, isqrt(root) + 1):
    if sieve[n]:
        sieve[n * n :: n] = bytes(len(sieve[n * n :: n]))
primes = [n for n in range(root + 1) if sieve[n]]

squares = [p**2 for p in primes]
cubes = [p**3 for p in primes if p**3 < LIMIT]
fourths = [p**4 for p in primes if p**4 < LIMIT]

reached = bytearray(LIMIT)
for fourth in fourths:
    for cube in cubes:
        for square in squares:
            total = fourth + cube + square
            if total >= LIMIT:
                break
            reached[total] = 1
print(reached.count(1))
