"""Amounts are whole numbers of cents."""

from . import locales

DIGITS = 2


def read(text, locale):
    """An amount that is typed."""
    return locales.read(text, locale, DIGITS)


def show(cents, locale):
    """An amount as it is shown."""
    return locales.write(cents, locale, DIGITS)
