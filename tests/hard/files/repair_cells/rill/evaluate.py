"""The value of a formula, reading no more than is needed."""

from .operators import OPERATORS
from .values import bounded, is_error


def value_of(formula, read):
    """`read(what)` gives the value of a cell, or the names of a pattern."""
    head, *parts = formula
    if head == "number":
        return parts[0]
    if head == "name":
        return read(parts[0])
    if head == "count":
        return len(read(parts[0]))
    if head == "sum":
        return total(read(parts[0]), read)
    first = value_of(parts[0], read)
    if head == "or":
        return value_of(parts[1], read) if is_error(first) else first
    if is_error(first):
        return first
    if head == "if":
        return value_of(parts[1] if first else parts[2], read)
    if head == "*" and first == 0:
        return 0
    second = value_of(parts[1], read)
    return second if is_error(second) else OPERATORS[head](first, second)


def total(names, read):
    found = 0
    for name in names:
        value = read(name)
        if is_error(value):
            return value
        found += value
    return bounded(found)
