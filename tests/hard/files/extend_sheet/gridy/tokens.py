"""A formula as a list of tokens, pairs of kind and value: number, text, place, error, name, sign."""

import re

from gridy.places import Place, Range, number

PLACE = r"(\$?)([a-z])(\$?)(\d+)(?![a-z0-9_])"
TOKEN = re.compile(
    rf'\s*(?:(?P<number>\d+)|"(?P<text>[^"]*)"|(?P<range>{PLACE}:{PLACE})|(?P<place>{PLACE})'
    r"|(?P<error>#[a-z]+)|(?P<name>[a-z][a-z0-9_]*)|(?P<sign><>|[-+*/=<>(),]))",
    re.IGNORECASE,
)


class Bad(Exception):
    """It is no formula."""


def place_of(groups):
    column_fixed, column, row_fixed, row = groups
    found = Place(number(column), int(row), bool(column_fixed), bool(row_fixed))
    if not found.is_inside():
        raise Bad
    return found


def tokens_of(text):
    found, at, text = [], 0, text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise Bad
        kind = next(name for name, value in match.groupdict().items() if value is not None)
        value, groups = match[kind], match.groups()
        if kind == "number":
            value = int(value)
        elif kind == "range":
            kind, value = "place", Range(place_of(groups[3:7]), place_of(groups[7:11]))
        elif kind == "place":
            value = place_of(groups[12:16])
        elif kind in ("error", "name"):
            value = value.upper()
        if kind == "error" and value != "#REF":
            raise Bad
        found.append((kind, value))
        at = match.end()
    return found


def content(tokens):
    """The formula as it prints."""
    return "=" + "".join(f'"{value}"' if kind == "text" else str(value) for kind, value in tokens)


def rewritten(tokens, change):
    """The tokens with each place as change(place) gives it; None: it is lost."""
    found = []
    for kind, value in tokens:
        if kind == "place":
            value = change(value)
            kind, value = ("place", value) if value is not None else ("error", "#REF")
        found.append((kind, value))
    return found
