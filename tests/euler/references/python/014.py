"""The start below one million of the longest chain n -> n/2 (even), 3n + 1 (odd) down to 1."""

LIMIT = 1_000_000

lengths = [0] * LIMIT  # number of terms from each start below the limit; 0: not known yet
lengths[1] = 1
for start in range(2, LIMIT):
    n, steps = start, 0
    while n >= start:  # everything below `start` is known
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    lengths[start] = lengths[n] + steps
print(max(range(1, LIMIT), key=lengths.__getitem__))
