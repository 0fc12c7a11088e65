from collections import defaultdict
from itertools import combinations

primes = [n for n in range(1000, 10_000) if all(n % d for d in range(2, int(n**0.5) + 1))]

families = defaultdict(list)
for p in primes:
    families["".join(sorted(str(p)))].append(p)

progressions = [
    (a, b, c)
    for family in families.values()
    for a, b, c in combinations(family, 3)
    if b - a == c - b and a != 1487
]
for progression in progressions:
    print(*progression, sep="")
