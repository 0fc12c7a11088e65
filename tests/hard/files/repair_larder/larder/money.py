"""Cents."""

from fractions import Fraction


def part(cost, units, of):
    """The cost of some units of a lot, to the nearest cent, a half to the even one."""
    return round(Fraction(cost * units, of))
