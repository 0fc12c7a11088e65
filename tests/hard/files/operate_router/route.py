"""The router's way to read rules.conf: python3 route.py rules.conf < requests.csv prints a pool for each request."""

import csv
import sys

MOST = 64
SETS = ("method", "host", "area", "page", "tier")


def number(field, said):
    """A number of a request or a rule: times are minutes, clients are numbers of 16 bits."""
    if field == "time":
        hours, minutes = said.split(":")
        return int(hours) * 60 + int(minutes)
    if field == "client":
        high, low = said.split(".")
        return int(high) * 256 + int(low)
    return int(said)


def condition(said):
    """The values of a field for which a condition holds, as a function."""
    words = said.split()
    field, rest = words[0], words[1:]
    is_not = rest[0] == "not"
    rest = rest[is_not:]
    if field in SETS:
        values = set(rest)
        return field, lambda value: (value in values) != is_not
    if field == "id":
        sign, size, *values = rest
        if sign != "%" or not values:
            raise ValueError(said)
        size, values = int(size), {int(each) for each in values}
        return field, lambda value: (value % size in values) != is_not
    if field == "client":
        net, _, bits = rest[0].partition("/")
        wanted, shift = number(field, net), 16 - int(bits)
        if len(rest) > 1 or not 0 <= shift <= 16:
            raise ValueError(said)
        return field, lambda value: (value >> shift == wanted >> shift) != is_not
    if field in ("size", "time"):
        first, end = (number(field, each) for each in rest)
        if first < end:
            return field, lambda value: (first <= value < end) != is_not
        return field, lambda value: (value >= first or value < end) != is_not
    raise ValueError(said)


def parse(text):
    """The rules in their order: conditions and pool."""
    rules = []
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if line:
            conditions, arrow, pool = line.partition("->")
            if not arrow or len(pool.split()) != 1 or len(line) > 2000:
                raise ValueError(line[:200])
            rules.append(([condition(each) for each in conditions.split("&") if each.strip()], pool.strip()))
    if len(rules) > MOST:
        raise ValueError(f"more than {MOST} rules")
    return rules


def request(row):
    """The fields of a request, numbers as such."""
    return {field: number(field, said) if field in ("id", "size", "client", "time") else said for field, said in row.items()}


def route(rules, fields):
    """The pool of the first rule whose conditions all hold."""
    for conditions, pool in rules:
        if all(holds(fields[field]) for field, holds in conditions):
            return pool
    return "none"


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        found = parse(file.read())
    for row in csv.DictReader(sys.stdin):
        row.pop("pool", None)
        print(route(found, request(row)))
