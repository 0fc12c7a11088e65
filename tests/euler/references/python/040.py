from math import prod


def digit(position: int) -> int:
    """The digit at a 1-based position of 123456789101112..."""
    length, first = 1, 1  # the numbers of `length` digits begin with `first`
    while position > length * 9 * first:
        position -= length * 9 * first
        length, first = length + 1, first * 10
    number, place = divmod(position - 1, length)
    return int(str(first + number)[place])


print(prod(digit(10**k) for k in range(7)))
