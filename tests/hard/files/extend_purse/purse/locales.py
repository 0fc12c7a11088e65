"""How amounts are written in a country."""

import re

from .errors import Refused

# name -> (between thousands, before decimals)
MARKS = {"en": (",", "."), "de": (".", ","), "ch": ("'", ".")}


def known(name):
    if name not in MARKS:
        raise Refused(f"no locale {name}")
    return name


def read(text, locale, digits):
    """An amount as a whole number of the smallest unit; it may have fewer decimals than `digits`, not more."""
    thousands, point = MARKS[locale]
    whole = rf"(?:\d+|\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+)"
    found = re.fullmatch(rf"(-?)({whole})(?:{re.escape(point)}(\d+))?", text)
    if not found or len(found[3] or "") > digits:
        raise Refused(f"{text} is no amount")
    number = int(found[2].replace(thousands, "") + (found[3] or "").ljust(digits, "0"))
    return -number if found[1] else number


def write(number, locale, digits):
    """A whole number of the smallest unit as an amount."""
    thousands, point = MARKS[locale]
    whole, rest = divmod(abs(number), 10**digits)
    text = f"{whole:,}".replace(",", thousands)
    if digits:
        text += f"{point}{rest:0{digits}d}"
    return f"-{text}" if number < 0 else text
