r"""The number that a reply gives: one reading for keeping to the format (strict), one for ability (lenient).

Strict: the trimmed reply ends in an optional minus sign and digits, with decimals or a bare point or without.

>>> str(strict("The answer is -12.50\n")), str(strict("It is 12.")), strict("12.50 m"), strict("**12**")
('-12.50', '12', None, None)

Lenient: what a person would take for the answer. Thinking is dropped; then the first number of the last
`\boxed{}` counts, or if there is no box the last number of the reply:

>>> def read(text): return str(lenient(text))
>>> read("<think>3 or 4?</think>5"), read("<think>if 7 then"), read("6 <think>maybe 7"), read("7?</think>8")
('5', 'None', '6', '8')
>>> read(r"so \boxed{12 \text{ (or 13)}}, checked 2 times"), read(r"\boxed{1}, no, \boxed{\mathbf{2}}")
('12', '2')
>>> read("12 + 30 = 42"), read("The result is **1,234.50**."), read("$ 1{,}234 $"), read(r"\(1\,234\)")
('42', '1234.50', '1234', '1234')
>>> read("1 234 567"), read("1\u202f234"), read("12,345,678"), read("`.5`"), read("7."), read("1. 42")
('1234567', '1234', '12345678', '0.5', '7', '42')
>>> read("- 123"), read("\u2212123"), read("100 - 223 = -123"), read("**-** 5")
('-123', '-123', '-123', '-5')
>>> read(r"1.5 \times 10^{3}"), read("1.5 × 10⁻³"), read("1.5*10^3"), read("1.5e3"), read(r"2 \cdot 10^4")
('1.5E+3', '0.0015', '1.5E+3', '1.5E+3', '2E+4')
>>> read("6.674(15)e3"), read(r"7 or \frac{1}{2}"), read("6 * 7"), read("12 - 5"), read("no number")
('6674', '7', '7', '5', 'None')

A number that would keep arithmetic of any precision busy is read as infinite: wrong, and quickly so.

>>> read("1e999999999"), read("9" * 1000), str(strict("-" + "9" * 1000))
('Infinity', 'Infinity', '-Infinity')

The time is linear in the length of the reply, whatever it holds.
"""

from __future__ import annotations

import re
from decimal import Decimal

MOST_DIGITS = 300  # of a number and its power of ten together: what is smaller fits a float as well

# Possessive (++, *+, ?+): a run of digits is never tried in part, which would cost quadratic time.
STRICT = re.compile(r"(?:-|(?<![0-9]))[0-9]++(?:\.[0-9]*+)?+\Z")
NUMBER = re.compile(  # a sign right after a digit is an operator
    r"((?:(?<![0-9.])[+-])?(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++))(?:[eE]([+-]?[0-9]++))?+"
)
THINKING = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
BRACE = re.compile(r"\\.|[{}]", re.DOTALL)  # an escaped brace is none
BOXED = re.compile(r"\\boxed\s*+\{")
FRACTION = re.compile(r"\\[dt]?frac\s*+\{")

TIMES = re.compile(r"\\(?:times|cdot|ast)(?![A-Za-z])|(?<=[0-9.])[ ]*+\*[ ]*+(?=[0-9])")
LIST_POINT = re.compile(r"(?<=[0-9]\.) +(?=[0-9-])")  # "1. 42" is a list's first entry, not 1.42
# LaTeX spacing and brackets, markup, and every space that may stand between groups of digits; no line break.
DROPPED = re.compile(r"\\[,!;:()\[\] ]|[*`$ \t\u00a0\u2000-\u200b\u202f\u205f\u2060\u3000]++")
RAISED = "⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
LOWERED = str.maketrans(RAISED, "+-0123456789")
POWER = re.compile(
    r"(?:(?<=[0-9.])[×·⋅xX]10|(?<![0-9.,^])(?P<alone>10))"
    rf"(?:\^\{{([+-]?[0-9]++)\}}|\^([+-]?[0-9]++)|([⁺⁻]?[{RAISED[2:]}]++))"
)
UNCERTAINTY = re.compile(r"(?<=[0-9])\([0-9]++\)")
COMMA = re.compile(r",(?=[0-9]{3}(?![0-9]))")


def strict(reply: str) -> Decimal | None:
    """The number that the trimmed reply ends in; None if it does not end in one."""
    found = STRICT.search(reply.rstrip())
    return None if found is None else _number(found[0])


def lenient(reply: str) -> Decimal | None:
    """The number that the reply means; None if there is none in it."""
    text = reply
    if "think>" in text:
        text = THINKING.sub("", text).rpartition("</think>")[2]  # servers may swallow the opening tag
    if "\\boxed" in text and (boxes := list(BOXED.finditer(text))):
        start = boxes[-1].end()
        found = NUMBER.search(_bare(text[start : _closing(text).get(start, len(text))]))
        return None if found is None else _number(*found.groups())
    if "frac" in text:
        text = _without_fractions(text)
    numbers = NUMBER.findall(_bare(text))
    return _number(*numbers[-1]) if numbers else None


def _number(digits: str, power: str | None = None) -> Decimal:
    """A number of bounded size: Decimal("1E999999") is quick, but adding 1 to it is not."""
    exponent = power.lstrip("+-").lstrip("0") if power else ""
    if len(exponent) > 3 or len(digits) + int(exponent or 0) > MOST_DIGITS:
        return Decimal("-Infinity" if digits.startswith("-") else "Infinity")
    return Decimal(f"{digits}E{power}" if power else digits)


def _closing(text: str) -> dict[int, int]:
    """Where the braces close: place after the opening brace -> place of the closing one."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for brace in BRACE.finditer(text):
        if brace[0] == "{":
            opened.append(brace.end())
        elif brace[0] == "}" and opened:
            found[opened.pop()] = brace.start()
    return found


def _without_fractions(text: str) -> str:
    r"""`text` without \frac{A}{B}; a fraction that is not complete stays."""
    closing = _closing(text)
    kept: list[str] = []
    at = 0
    for fraction in FRACTION.finditer(text):
        middle = closing.get(fraction.end(), -1) + 1
        if fraction.start() < at or not middle or text[middle : middle + 1] != "{":
            continue  # inside one that was dropped, or half of one
        if (end := closing.get(middle + 1)) is not None:
            kept.append(text[at : fraction.start()])
            at = end + 1
    return " ".join([*kept, text[at:]]) if kept else text


def _bare(text: str) -> str:
    """`text` with its numbers as Python writes them."""
    ascii_only = text.isascii()
    if not ascii_only:
        text = text.replace("\u2212", "-")
    if "{,}" in text:
        text = text.replace("{,}", ",")
    if "\\" in text or "*" in text:
        text = TIMES.sub("×", text)
    if ". " in text:
        text = LIST_POINT.sub("\n", text)
    text = DROPPED.sub("", text)
    if "10" in text and ("^" in text or not ascii_only):
        text = POWER.sub(_as_exponent, text)
    if "(" in text:
        text = UNCERTAINTY.sub("", text)
    return COMMA.sub("", text) if "," in text else text


def _as_exponent(power: re.Match[str]) -> str:
    exponent = (power[2] or power[3] or power[4]).translate(LOWERED)
    return f"1e{exponent}" if power["alone"] else f"e{exponent}"
