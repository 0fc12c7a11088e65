from itertools import count


def is_prime(n: int) -> bool:
    if n < 2 or n % 2 == 0:
        return n == 2
    return all(n % d for d in range(3, int(n**0.5) + 1, 2))


def is_prime_and_twice_a_square(n: int) -> bool:
    return any(is_prime(n - 2 * i * i) for i in range(1, int((n / 2) ** 0.5) + 1))


print(next(n for n in count(9, 2) if not is_prime(n) and not is_prime_and_twice_a_square(n)))
