"""The 10001st prime: each candidate is divided by the primes below its square root."""

from itertools import count

POSITION = 10001

primes = [2]
for candidate in count(3, 2):
    if len(primes) == POSITION:
        break
    for prime in primes:
        if prime * prime > candidate:
            primes.append(candidate)
            break
        if candidate % prime == 0:
            break
print(primes[-1])
