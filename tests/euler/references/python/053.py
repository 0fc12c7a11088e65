from math import comb

print(sum(comb(n, r) > 1_000_000 for n in range(1, 101) for r in range(n + 1)))
