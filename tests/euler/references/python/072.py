LIMIT = 1_000_000

# For each denominator b there are phi(b) numerators.
phi = list(range(LIMIT + 1))
for p in range(2, LIMIT + 1):
    if phi[p] == p:
        phi[p::p] = [value - value // p for value in phi[p::p]]
print(sum(phi[2:]))
