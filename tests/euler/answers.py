"""Is what a program printed the answer? The last line counts, as text or as a number."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from assay.records import OUTPUT_TAIL

LINE_END = re.compile(rb"\r\n|\n|\r")
QUOTES = "\"'`\u201c\u201d\u2018\u2019"
LONGEST = 2_000  # characters of a number; longer ones are compared as text only
NUMBER = re.compile(
    r"(?P<sign>[+-]?)"
    r"(?P<whole>[0-9]+|[0-9]{1,3}(?:(?P<group>[,_])[0-9]{3})(?:(?P=group)[0-9]{3})*)"
    r"(?:\.(?P<part>[0-9]*))?"
    r"(?:[eE](?P<exponent>[+-]?[0-9]{1,4}))?"
    r"[NMn]?"  # how Clojure prints a BigInt and a BigDecimal, and node a BigInt
)


def last_line(stdout: bytes, truncated: bool = False) -> str:
    """The last line of `stdout` that is not empty, trimmed; '' if there is none.

    `truncated`: the sandbox cut the middle out, so only what it kept of the end can be trusted, and the
    first line of that may be half a line.

    >>> last_line(b"Answer:\\r\\n 42 \\r\\n\\r\\n")
    '42'
    """
    lines = LINE_END.split(stdout[-OUTPUT_TAIL:] if truncated else stdout)
    for line in reversed(lines[1:] if truncated else lines):
        if text := line.decode("utf-8", errors="replace").strip():
            return text
    return ""


def unquoted(text: str) -> str:
    """`text` without one pair of quotes around it."""
    if len(text) >= 2 and text[0] in QUOTES and text[-1] in QUOTES:
        return text[1:-1].strip()
    return text


def number_in(text: str) -> Fraction | None:
    """The number that the whole of `text` is, exactly; None if it is none.

    Quotes, a plus sign, leading zeros, "5.0", 7.65765E7, groups of three digits (1,234 or 1_234),
    Clojure's N and M and JavaScript's n are ways to write one.

    >>> number_in("+007"), number_in("7.65765E7"), number_in('"1,234"'), number_in("142913828922N")
    (Fraction(7, 1), Fraction(76576500, 1), Fraction(1234, 1), Fraction(142913828922, 1))
    >>> number_in("1,2345"), number_in("42 is the answer"), number_in("0x2A")
    (None, None, None)
    """
    text = unquoted(text.strip())
    if len(text) > LONGEST:
        return None
    found = NUMBER.fullmatch(text)
    if found is None:
        return None
    whole = found["whole"].replace(",", "").replace("_", "")
    return Fraction(Decimal(f"{found['sign']}{whole}.{found['part'] or '0'}e{found['exponent'] or '0'}"))


def is_answer(said: str, answer: str) -> bool:
    """Whether the line `said` states `answer`: the same text, or the very same number.

    >>> is_answer("233168.0", "233168"), is_answer("233168.1", "233168"), is_answer("", "233168")
    (True, False, False)
    """
    if unquoted(said) == answer:
        return True
    number = number_in(said)
    return number is not None and number == number_in(answer)
