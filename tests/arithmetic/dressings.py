"""The ways in which models write a number: whatever the dressing, the lenient reading gets the number back.

>>> DRESSINGS["grouped"](Decimal("-1234.50")), DRESSINGS["power of ten"](Decimal("-1234.50"))
('-1,234.50', '-1.23450 \\\\times 10^{3}')
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

Dressing = Callable[[Decimal], str]
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _grouped(separator: str) -> Dressing:
    return lambda number: f"{number:,f}".replace(",", separator)


def _scientific(number: Decimal) -> tuple[str, int]:
    """Mantissa and power of ten, with every digit."""
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    first, *rest = map(str, digits)
    return f"{'-' if sign else ''}{first}.{''.join(rest) or '0'}", len(rest) + exponent


def _power(template: str) -> Dressing:
    def dress(number: Decimal) -> str:
        mantissa, power = _scientific(number)
        return template.format(m=mantissa, k=power, raised=str(power).translate(RAISED))

    return dress


def _form(template: str) -> Dressing:
    return lambda number: template.replace("N", f"{number:f}")


DRESSINGS: dict[str, Dressing] = {
    "plain": _form("N"),
    "sentence": _form("The answer is N."),
    "equation": _form("12.5 × 7 - 3 = N"),
    "lines": _form("First I add the 7 ones,\nthen the 12 tens.\n\nN\n"),
    "bold": _form("**N**"),
    "bold sentence": _form("**Answer:** **N** ✅"),
    "code": _form("`N`"),
    "code block": _form("```\nN\n```"),
    "dollars": _form("$N$"),
    "two dollars": _form("$$ N $$"),
    "round brackets": _form(r"The sum of 3 and 4 is not \(N\)."),
    "square brackets": _form("\\[\nN\n\\]"),
    "boxed": _form(r"\[ \boxed{N} \] I checked this 2 times."),
    "boxed with words": _form(r"\boxed{\text{about } N \text{ or } 3}"),
    "two boxes": _form(r"\boxed{1} was wrong, so \(\boxed{N}\)."),
    "boxed with spacing": _form(r"$\boxed {\; N\, }$"),
    "grouped": _grouped(","),
    "grouped in LaTeX": _grouped("{,}"),
    "grouped and squeezed": _grouped(",\\!"),
    "grouped by LaTeX spaces": _grouped("\\,"),
    "grouped by spaces": _grouped(" "),
    "grouped by thin spaces": _grouped("\u2009"),
    "grouped by narrow spaces": _grouped("\u202f"),
    "grouped by hard spaces": _grouped("\u00a0"),
    "grouped and boxed": lambda number: rf"so $\boxed{{{number:,f}}}$".replace(",", "{,}"),
    "typographic minus": lambda number: f"= {number:f}".replace("-", "\u2212"),
    "minus apart": lambda number: f"It is {number:f}".replace("-", "- "),
    "minus apart in LaTeX": lambda number: rf"\({number:f}\)".replace("-", "-\\,"),
    "power of ten": _power(r"{m} \times 10^{{{k}}}"),
    "power with a dot": _power(r"${m} \cdot 10^{{{k}}}$"),
    "power with an asterisk": _power("{m} * 10^{k}"),
    "power with \\ast": _power(r"{m} \ast 10^{{{k}}}"),
    "raised power": _power("{m} × 10{raised}"),
    "exponent": _power("{m}e{k:+d}"),
    "uncertainty": lambda number: f"{number:f}(4)",
    "after a fraction": _form(r"\frac{1}{2} of it would be less; N"),
    "before a fraction": _form(r"N, and not \frac{7}{\frac{1}{2}}"),
    "after thinking": _form("<think>Perhaps 12? No, 13.</think>\n\nN"),
    "before endless thinking": _form("N\n<think>Or is it 12? Or 13"),
    "after swallowed thinking": _form("It is 12, or 13.\n</think>\n\nN"),
}
