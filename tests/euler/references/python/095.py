LIMIT = 1_000_000

smallest_prime = list(range(LIMIT + 1))
for p in range(2, int(LIMIT**0.5) + 1):
    if smallest_prime[p] == p:
        for multiple in range(p * p, LIMIT + 1, p):
            if smallest_prime[multiple] == multiple:
                smallest_prime[multiple] = p

# The sum of all divisors of p * m is p + 1 times that of m; if p divides m, those counted twice are p times
# the divisors of m / p.
all_divisors = [0, 1] + [0] * (LIMIT - 1)
for n in range(2, LIMIT + 1):
    p = smallest_prime[n]
    m = n // p
    all_divisors[n] = (p + 1) * all_divisors[m]
    if smallest_prime[m] == p:
        all_divisors[n] -= p * all_divisors[m // p]
proper_divisors = [total - n for n, total in enumerate(all_divisors)]

# Follow each number once: `seen_from` remembers the start that first met a number.
seen_from = [0] * (LIMIT + 1)
longest, answer = 0, 0
for start in range(2, LIMIT + 1):
    n = start
    while 0 < n <= LIMIT and not seen_from[n]:
        seen_from[n] = start
        n = proper_divisors[n]
    if 0 < n <= LIMIT and seen_from[n] == start:  # came back to a number of this very walk
        chain = [n]
        while proper_divisors[chain[-1]] != n:
            chain.append(proper_divisors[chain[-1]])
        if len(chain) > longest:
            longest, answer = len(chain), min(chain)
print(answer)
