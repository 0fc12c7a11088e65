"""The largest prime factor of one number, by trial division."""

NUMBER = 600_851_475_143


def largest_prime_factor(number: int) -> int:
    divisor = 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            number //= divisor  # what is left has no prime factor below `divisor`
        else:
            divisor += 1
    return number


print(largest_prime_factor(NUMBER))
