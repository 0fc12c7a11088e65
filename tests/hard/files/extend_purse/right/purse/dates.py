"""Days and months, as text that sorts."""

import re
from calendar import monthrange
from datetime import date, timedelta

from .errors import Refused


def day(text):
    """A day, YYYY-MM-DD."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        try:
            date.fromisoformat(text)
            return text
        except ValueError:
            pass
    raise Refused(f"{text} is no day")


def month(text):
    """A month, YYYY-MM."""
    if re.fullmatch(r"\d{4}-\d\d", text) and 1 <= int(text[5:]) <= 12:
        return text
    raise Refused(f"{text} is no month")


def month_of(text):
    return text[:7]


def last_day(text):
    """The last day of a month."""
    return f"{text}-{monthrange(int(text[:4]), int(text[5:]))[1]:02d}"


def day_before(text):
    return "0000-00-00" if text == "0001-01-01" else (date.fromisoformat(text) - timedelta(days=1)).isoformat()
