WANTED = 5000


def first_with_more_ways(limit):
    """The smallest number up to `limit` that is a sum of primes in more than WANTED ways, or None."""
    ways = [1] + [0] * limit
    for p in range(2, limit + 1):
        if all(p % divisor for divisor in range(2, p)):
            for n in range(p, limit + 1):
                ways[n] += ways[n - p]
    return next((n for n in range(1, limit + 1) if ways[n] > WANTED), None)


limit = 10
while (answer := first_with_more_ways(limit)) is None:
    limit *= 2
print(answer)
