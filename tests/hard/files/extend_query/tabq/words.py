"""A line cut into words."""

import re

from tabq.errors import Mistake

WORD = re.compile(r"\s*(?:('[^']*')|(\d+)|([a-z_][a-z_0-9]*)|(<>|<=|>=|[-+*/=<>(),.]))", re.IGNORECASE)


def words(text):
    """Pairs of kind and value: text, number, name or sign."""
    found, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = WORD.match(text, at)
        if not match:
            raise Mistake
        quoted, number, name, sign = match.groups()
        if quoted:
            found.append(("text", quoted[1:-1]))
        elif number:
            found.append(("number", int(number)))
        elif name:
            found.append(("name", name.lower()))
        else:
            found.append(("sign", sign))
        at = match.end()
    return found
