WANTED = 4


def first_of_the_run(limit: int) -> int | None:
    """The start of the first run of WANTED such numbers below the limit."""
    factors = bytearray(limit)  # how many different primes divide each number
    run = 0
    for n in range(2, limit):
        if factors[n] == 0:  # a prime: no smaller one divides it
            for multiple in range(n, limit, n):
                factors[multiple] += 1
        run = run + 1 if factors[n] == WANTED else 0
        if run == WANTED:
            return n - WANTED + 1
    return None


limit = 1000
while (answer := first_of_the_run(limit)) is None:
    limit *= 2
print(answer)
