LIMIT = 1_000_000

# n / phi(n) is the product of p / (p - 1) over the primes p that divide n. It depends on the set of
# primes alone, and small primes count most: the best n is the product of the first few primes.
best = 1
candidate = 2
while best * candidate <= LIMIT:
    if all(candidate % divisor for divisor in range(2, candidate)):
        best *= candidate
    candidate += 1
print(best)
