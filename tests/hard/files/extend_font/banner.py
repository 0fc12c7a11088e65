"""banner: texts in large letters. README.md has the rules."""

import sys

from fonts import Fault, font, names


def apart(one, other):
    """The number of squares at which two forms differ."""
    return sum(a != b for rows in zip(one, other) for a, b in zip(*rows))


def answer(kind, *rest):
    if kind == "list" and not rest:
        its = [(name, font(name)) for name in names()]
        return [", ".join("{} {} {}x{}".format(name, len(one.signs), one.wide, one.high) for name, one in its)]
    if kind not in ("print", "back", "ink", "like") or len(rest) != 2:
        raise Fault("no such command")
    its, text = font(rest[0]), rest[1].upper()
    if kind == "print":
        return its.rows(text)
    if kind == "back":
        return [row[::-1] for row in its.rows(text)]
    if kind == "ink":
        return [" ".join(str("".join(its.form(sign)).count("#")) for sign in text)]
    if text not in its.forms:
        raise Fault("no sign " + text)
    others = [sign for sign in its.signs if sign != text]
    nearest = min(others, key=lambda sign: apart(its.forms[text], its.forms[sign]))
    return ["{} {}".format(nearest, apart(its.forms[text], its.forms[nearest]))]


for line in sys.stdin:
    if line.strip():
        kind, *rest = line.split()
        try:
            print("\n".join(answer(kind.lower(), *(rest[:1] and [rest[0].lower()]), *rest[1:])))
        except Fault as fault:
            print("error:", fault)
