from itertools import permutations


def is_prime(n: int) -> bool:
    if n < 2 or n % 2 == 0:
        return n == 2
    return all(n % d for d in range(3, int(n**0.5) + 1, 2))


def pandigitals_from_the_largest():
    for length in range(9, 0, -1):
        for digits in permutations("987654321"[-length:]):
            yield int("".join(digits))


# Most candidates of eight and nine digits go at the first division: their digit sums are multiples of 3.
print(next(n for n in pandigitals_from_the_largest() if is_prime(n)))
