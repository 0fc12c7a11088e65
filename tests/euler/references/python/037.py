def is_prime(n: int) -> bool:
    if n < 2 or n % 2 == 0:
        return n == 2
    return all(n % d for d in range(3, int(n**0.5) + 1, 2))


def survives_from_the_left(n: int) -> bool:
    digits = str(n)
    return all(is_prime(int(digits[i:])) for i in range(1, len(digits)))


# What is left after striking digits off the right is prime, so every candidate grows from such a prime.
found: list[int] = []
right_truncatable = [2, 3, 5, 7]
while right_truncatable:
    longer = [10 * p + d for p in right_truncatable for d in (1, 3, 7, 9)]
    right_truncatable = [n for n in longer if is_prime(n)]
    found += filter(survives_from_the_left, right_truncatable)

print(sum(found))
