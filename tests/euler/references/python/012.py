"""The first triangular number with more than 500 divisors.

n(n + 1)/2 is a product of two coprime numbers, n/2 and n + 1 or n and (n + 1)/2: the numbers of their
divisors are multiplied.
"""

from itertools import count

DIVISORS = 500


def divisor_count(number: int) -> int:
    total, divisor = 1, 2
    while divisor * divisor <= number:
        exponent = 0
        while number % divisor == 0:
            number //= divisor
            exponent += 1
        total *= exponent + 1
        divisor += 1
    return total * 2 if number > 1 else total


def triangular_divisor_count(n: int) -> int:
    if n % 2 == 0:
        return divisor_count(n // 2) * divisor_count(n + 1)
    return divisor_count(n) * divisor_count((n + 1) // 2)


n = next(n for n in count(1) if triangular_divisor_count(n) > DIVISORS)
print(n * (n + 1) // 2)
