"""Numbers and errors."""

MISSING, ZERO, BIG, LOOP = "?missing", "?zero", "?big", "?loop"
MOST = 999999


def is_error(value):
    return isinstance(value, str)


def bounded(number):
    return number if -MOST <= number <= MOST else BIG
