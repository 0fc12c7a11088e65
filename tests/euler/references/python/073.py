LIMIT = 12_000

# All fractions with denominator b between the bounds, less those that reduce to a smaller denominator:
# reduced[b] = all(b) - sum of reduced[d] over the proper divisors d of b.
reduced = [0] * (LIMIT + 1)
for b in range(1, LIMIT + 1):
    lowest = b // 3 + 1
    highest = (b - 1) // 2
    reduced[b] = max(0, highest - lowest + 1)
for d in range(1, LIMIT + 1):
    for multiple in range(2 * d, LIMIT + 1, d):
        reduced[multiple] -= reduced[d]
print(sum(reduced))
