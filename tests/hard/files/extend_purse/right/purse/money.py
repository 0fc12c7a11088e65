"""Amounts are whole numbers of a currency's smallest unit."""

from fractions import Fraction

from . import dates, locales
from .errors import Refused

BASE = "EUR"
DIGITS = 2
MILLION = 1_000_000


def digits(data, code):
    return DIGITS if code == BASE else data["currencies"][code]["digits"]


def currency_of(data, name):
    """The currency of an account; of one that is not there the base."""
    return data["accounts"].get(name, {"currency": BASE})["currency"]


def read(data, text, locale, code=BASE):
    """An amount that is typed."""
    return locales.read(text, locale, digits(data, code))


def show(data, units, locale, code=BASE):
    """An amount as it is shown."""
    text = locales.write(units, locale, digits(data, code))
    if code == BASE:
        return text
    return f"{code} {text}" if locale == "ch" else f"{text} {code}"


def check_code(data, code):
    if code != BASE and code not in data["currencies"]:
        raise Refused(f"no currency {code}")


def add(data, code, places):
    if not (len(code) == 3 and code.isascii() and code.isalpha() and code.isupper()):
        raise Refused(f"{code} is no code")
    if code == BASE or code in data["currencies"]:
        raise Refused(f"there is {code} already")
    if places not in ("0", "1", "2", "3", "4"):
        raise Refused(f"{places} is no number of decimals")
    data["currencies"][code] = {"digits": int(places), "rates": {}}


def rate(data, code, day):
    """Millionths of the base for one, or None."""
    if code == BASE:
        return MILLION
    known = [each for each in data["currencies"][code]["rates"] if each <= day]
    return data["currencies"][code]["rates"][max(known)] if known else None


def need_rate(data, code, day):
    found = rate(data, code, day)
    if found is None:
        raise Refused(f"no rate of {code} on {day}")
    return found


def set_rate(data, day, code, text, locale):
    """A rate from a day on; it must change nothing in a locked month."""
    check_code(data, code)
    if code == BASE:
        raise Refused(f"{BASE} is {BASE}")
    number = locales.read(text, locale, 6)
    if number <= 0:
        raise Refused(f"{text} is no rate")
    rates = data["currencies"][code]["rates"]
    following = min((each for each in rates if each > day), default="9999-99-99")
    for month in data["locked"]:
        if dates.month_of(day) <= month and f"{month}-01" < following:
            raise Refused(f"{month} is locked")
    rates[day] = number
    return following


def drop(data, code):
    check_code(data, code)
    if code == BASE:
        raise Refused(f"{BASE} is {BASE}")
    if any(account["currency"] == code for account in data["accounts"].values()):
        raise Refused(f"{code} is in use")
    del data["currencies"][code]


def show_rate(number, locale):
    text = locales.write(number, locale, 6)
    return text.rstrip("0").rstrip(locales.MARKS[locale][1])


def exact(data, units, source, target, day):
    """What an amount is in another currency, as a fraction of its smallest unit."""
    one, other = need_rate(data, source, day), need_rate(data, target, day)
    return Fraction(units * one * 10 ** digits(data, target), other * 10 ** digits(data, source))


def convert(data, units, source, target, day):
    return units if source == target else round(exact(data, units, source, target, day))
