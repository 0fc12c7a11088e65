"""Formulas as nested tuples: ("number", 3), ("name", "a"), ("sum", "p.*"), ("+", left, right)."""

import re

COUNTS = {"+": 2, "-": 2, "*": 2, "/": 2, "max": 2, "min": 2, "or": 2, "if": 3}
OF_PATTERNS = ("sum", "count")
NAME = re.compile(r"[a-z][a-z0-9.]*")
PATTERN = re.compile(r"[a-z][a-z0-9.]*\.\*")
NUMBER = re.compile(r"-?[0-9]{1,6}")


def is_name(word):
    return bool(NAME.fullmatch(word)) and word not in COUNTS and word not in OF_PATTERNS


def parsed(words):
    """The formula of the words; ValueError if they are none."""
    formula, rest = taken(list(words))
    if rest:
        raise ValueError(rest[0])
    return formula


def taken(words):
    if not words:
        raise ValueError("a formula is missing")
    head, rest = words[0], words[1:]
    if NUMBER.fullmatch(head):
        return ("number", int(head)), rest
    if head in OF_PATTERNS:
        if not rest or not PATTERN.fullmatch(rest[0]):
            raise ValueError(head)
        return (head, rest[0]), rest[1:]
    if head in COUNTS:
        parts = []
        for _ in range(COUNTS[head]):
            part, rest = taken(rest)
            parts.append(part)
        return (head, *parts), rest
    if not is_name(head):
        raise ValueError(head)
    return ("name", head), rest


def names_in(formula):
    head, *parts = formula
    if head == "name":
        return set(parts)
    if head == "number" or head in OF_PATTERNS:
        return set()
    return set().union(*map(names_in, parts))


def renamed(formula, old, new):
    """The formula with another name for a cell."""
    head, *parts = formula
    if head == "name":
        return ("name", new if parts[0] == old else parts[0])
    if head == "number" or head in OF_PATTERNS:
        return formula
    return (head, *(renamed(part, old, new) for part in parts))
