"""The sum of the amicable numbers below 10000."""

LIMIT = 10_000


def sum_of_proper_divisors(number: int) -> int:
    if number == 1:
        return 0
    total, divisor = 1, 2
    while divisor * divisor < number:
        if number % divisor == 0:
            total += divisor + number // divisor
        divisor += 1
    return total + divisor if divisor * divisor == number else total


def is_amicable(number: int) -> bool:
    partner = sum_of_proper_divisors(number)
    return partner not in (0, number) and sum_of_proper_divisors(partner) == number


print(sum(number for number in range(1, LIMIT) if is_amicable(number)))
