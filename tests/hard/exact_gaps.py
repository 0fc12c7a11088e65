"""An expression language that exists only in the prompt, in which blanks decide what binds."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from evaluator import *

from .cases import Cases

DESCRIPTION = (
    "Can the model write an interpreter for a language in which blanks decide precedence, without running it?"
)
TAGS = ["medium", "code", "python"]

PROMPT = """Write a Python program (standard library only) that interprets Gap, a language for small sums. It reads lines from stdin,
each a program of its own, and prints one line for each.

Statements
- A line consists of statements, separated by ";". Blanks around a statement do not matter. A statement that is empty is
  ignored. From "#" to the next ";" (or the end of the line) everything is a comment and is ignored.
- "NAME = EXPRESSION" assigns (blanks around "=" may be missing); any other statement is an expression, whose value is shown. The values that are shown are printed
  in order, separated by ", ". If none is shown, the program prints "nothing".
- A statement with an error is shown as "?" (also an assignment) and has no effect at all; the statements after it go on.
- The value that was shown last in this line is "it", at first 0. ("?" changes nothing.) Assigning to it is an error.
- Names are of small letters. A name that was never assigned in this line has the value {unknown}.
- Assigning to a name that ends in "{summing}" adds the value to the name's value so far (0 if it was never assigned) instead of
  replacing it; this addition is no operator, so its result may be of any size. Each line begins with no names assigned.

Values
- All values are whole numbers. A literal is a row of digits; in front of it there may be a base, a single digit from 2 to 9, and "'", as in
  3'201 (which is 19); a digit that is not below the base is an error.
- (E) is E, [E] is {square}, {{E}} is {curly}. Blanks just inside brackets do not matter.
- E! directly behind a number, a name or a closing bracket is the factorial of that operand; of a negative operand it is the
  negative of the factorial of its absolute value; of more than 9 (or less than -9) it is an error. There may be several: 3!! is 720.
- A "-" in front of an operand is a sign: it belongs to that operand alone, "!" included (-3! is -6), and there may be several
  (--3 is 3). A blank between a sign and what follows it is an error.

Operators, each between two operands
- + and - and * as usual; a / b is the quotient {division}; a % b is {remainder}; a / 0 and a % 0 are errors.
- a ^ b is a to the power of b; for a negative b it is 0, except that 1 ^ b is 1 and (-1) ^ b is 1 or -1 as usual; 0 ^ 0 is 1; b above
  12 is an error.
- a < b is the smaller and a > b is the larger of both.
- After each operator (not after signs, brackets or "!") a result above {limit} or below -{limit} is replaced by {beyond}.

What binds
- The looseness of an operator is the larger one of the numbers of blanks to its left and to its right. An operator of smaller
  looseness binds more tightly, whatever it is: 2 * 3+4 is 14.
- Of equal looseness: ^ binds most tightly, then * / %, then + -, then < >.
- Of equal looseness and the same of these four groups: they are taken from left to right, so 9-3-2 is 4; but from right to left if
  the group is that of ^, or if the looseness is {right} or more. So with {right} blanks beside each minus 9 - 3 - 2 is 8.
- Brackets come first, as everywhere.

Everything that is no statement by these rules (a missing operand, an unknown character, brackets that do not match, two operands
without an operator, a capital letter, a blank inside a number or a name, "=" anywhere else) is an error of its statement. A ";" or
"#" always ends what stands before it, also inside brackets. Lines have at most 200 characters and no tabs."""


@dataclass(frozen=True)
class Dialect:
    """What a seed decides."""

    unknown: str
    summing: str
    square: str
    curly: str
    division: str
    remainder: str
    limit: int
    beyond: str
    right: int


BRACKETS: dict[str, Callable[[int], int]] = {
    "the absolute value of E": abs,
    "E with its digits reversed, the sign kept ([-120] would be -21)": lambda e: (
        (1 if e >= 0 else -1) * int(str(abs(e))[::-1])
    ),
    "the sum of the decimal digits of E, never negative": lambda e: sum(map(int, str(abs(e)))),
    "the number of decimal digits of E (0 has one)": lambda e: len(str(abs(e))),
}
DIVISIONS: dict[str, Callable[[int, int], int]] = {
    "rounded towards zero": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "rounded down": lambda a, b: a // b,
    "rounded away from zero": lambda a, b: -(-abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1),
}
REMAINDERS: dict[str, Callable[[int, int], int] | None] = {
    "the remainder of abs(a) by abs(b), with the sign of a": lambda a, b: (
        (1 if a >= 0 else -1) * (abs(a) % abs(b))
    ),
    "the remainder of abs(a) by abs(b), never negative": lambda a, b: abs(a) % abs(b),
    "a - b * (a / b), with this language's quotient": None,
}
UNKNOWNS: dict[str, Callable[[str], int]] = {
    "the number of its letters": len,
    "the place of its first letter in the alphabet (a is 1)": lambda name: ord(name[0]) - 96,
    "the place of its last letter in the alphabet (a is 1)": lambda name: ord(name[-1]) - 96,
}
BEYONDS: dict[str, Callable[[int], int]] = {
    "the remainder of its absolute value by 1009, with its sign": lambda v: (
        (1 if v >= 0 else -1) * (abs(v) % 1009)
    ),
    "the number that its last three digits make, without a sign": lambda v: abs(v) % 1000,
    "the sum of its decimal digits, with its sign": lambda v: (
        (1 if v >= 0 else -1) * sum(map(int, str(abs(v))))
    ),
}
GROUPS = {"^": 3, "*": 2, "/": 2, "%": 2, "+": 1, "-": 1, "<": 0, ">": 0}


def dialect_of(seed: int) -> Dialect:
    """The rules of a seed."""
    chance = random.Random(f"gaps {seed}")
    square, curly = chance.sample(list(BRACKETS), 2)
    return Dialect(
        chance.choice(list(UNKNOWNS)), chance.choice("stnr"), square.replace("[-120]", "of -120 it"), curly.replace("[-120]", "of -120 it"),
        chance.choice(list(DIVISIONS)), chance.choice(list(REMAINDERS)), chance.choice([9999, 20000, 50000]),
        chance.choice(list(BEYONDS)), chance.choice([2, 3]),
    )  # fmt: skip


class Wrong(Exception):
    """An error of a statement."""


def _bracket(words: str, value: int) -> int:
    return next(made(value) for said, made in BRACKETS.items() if said[:20] == words[:20])


def applied(dialect: Dialect, sign: str, a: int, b: int) -> int:
    """The result of an operator."""
    if sign in "/%" and b == 0:
        raise Wrong
    if sign == "^":
        if b > 12:
            raise Wrong
        value = a**b if b >= 0 else (0 if abs(a) != 1 else a if b % 2 else 1)
    elif sign == "/":
        value = DIVISIONS[dialect.division](a, b)
    elif sign == "%":
        rest = REMAINDERS[dialect.remainder]
        value = rest(a, b) if rest else a - b * DIVISIONS[dialect.division](a, b)
    else:
        value = {"+": a + b, "-": a - b, "*": a * b, "<": min(a, b), ">": max(a, b)}[sign]
    return BEYONDS[dialect.beyond](value) if abs(value) > dialect.limit else value


class Line:
    """The state of one line."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect, self.names, self.it = dialect, dict[str, int](), 0

    def output(self, line: str) -> str:
        """What a line prints."""
        shown = []
        for part in line.split(";"):
            statement = part.split("#")[0].strip(" ")
            if not statement:
                continue
            try:
                value = self.done(statement)
            except Wrong:
                shown.append("?")
            else:
                shown += [] if value is None else [str(value)]
        return ", ".join(shown) or "nothing"

    def done(self, statement: str) -> int | None:
        """The value to be shown, None for an assignment."""
        if found := re.fullmatch(r"([a-z]+) *= *(.*)", statement):
            name = found[1]
            if name == "it":
                raise Wrong
            value = self.value(found[2])
            self.names[name] = value + (self.names.get(name, 0) if name.endswith(self.dialect.summing) else 0)
            return None
        self.it = self.value(statement)
        return self.it

    def value(self, text: str) -> int:
        """The value of an expression: its loosest operator splits it."""
        text = text.strip(" ")
        roots = self._operators(text)
        if not roots:
            return self._operand(text)
        loosest = max(looseness for _, _, looseness in roots)
        group = min(GROUPS[sign] for _, sign, looseness in roots if looseness == loosest)
        those = [
            (at, sign) for at, sign, looseness in roots if looseness == loosest and GROUPS[sign] == group
        ]
        at, sign = those[0] if group == 3 or loosest >= self.dialect.right else those[-1]
        return applied(self.dialect, sign, self.value(text[:at]), self.value(text[at + 1 :]))

    def _operators(self, text: str) -> list[tuple[int, str, int]]:
        """Place, sign and looseness of the operators outside brackets."""
        found, depth, operand = [], 0, False  # operand: one has just ended
        for at, character in enumerate(text):
            if character in "([{":
                depth += 1
            elif character in ")]}":
                depth, operand = depth - 1, True
                if depth < 0:
                    raise Wrong
            elif depth:
                continue
            elif character in GROUPS and operand:
                left = at - len(text[:at].rstrip(" "))
                right = len(text) - at - 1 - len(text[at + 1 :].lstrip(" "))
                found.append((at, character, max(left, right)))
                operand = False
            elif character not in " -":
                operand = True
        if depth:
            raise Wrong
        return found

    def _operand(self, text: str) -> int:
        if text[:1] == "-":
            if text[1:2] == " ":
                raise Wrong
            return -self._operand(text[1:])
        if text[-1:] == "!":
            value = self._operand(text[:-1]) if text[-2:-1] not in ("", " ", "-") else None
            if value is None or abs(value) > 9:
                raise Wrong
            product = 1
            for factor in range(2, abs(value) + 1):
                product *= factor
            return -product if value < 0 else product
        if re.fullmatch(r"[0-9]+", text):
            return int(text)
        if found := re.fullmatch(r"([2-9])'([0-9]+)", text):
            if max(found[2]) >= found[1]:
                raise Wrong
            return int(found[2], int(found[1]))
        if re.fullmatch(r"[a-z]+", text):
            known = self.it if text == "it" else self.names.get(text)
            return UNKNOWNS[self.dialect.unknown](text) if known is None else known
        if len(text) > 2 and text[0] + text[-1] in ("()", "[]", "{}") and self._closes(text):
            inner = self.value(text[1:-1])
            words = {"(": "", "[": self.dialect.square, "{": self.dialect.curly}[text[0]]
            return _bracket(words, inner) if words else inner
        raise Wrong

    @staticmethod
    def _closes(text: str) -> bool:
        """Whether the first bracket is closed by the last character, and all others match."""
        open_: list[str] = []
        for at, character in enumerate(text):
            if character in "([{":
                open_.append(character)
            elif character in ")]}":
                if not open_ or open_.pop() + character not in ("()", "[]", "{}"):
                    return False
                if not open_ and at < len(text) - 1:
                    return False
        return not open_


# ---------------------------------------------------------------- hidden lines


def _number(chance: random.Random) -> str:
    if chance.random() < 0.15:
        base = chance.randint(2, 9)
        return f"{base}'{''.join(str(chance.randrange(base + (chance.random() < 0.02))) for _ in range(chance.randint(1, 4)))}"
    return str(chance.choice([0, 1, 2, 3, 4, 5, 7, 8, 10, 12, 25, 99, 120, 1001, chance.randrange(3000)]))


def _operand_text(chance: random.Random, depth: int, names: list[str]) -> str:
    kind = chance.random()
    if depth and kind < 0.28:
        left, right = chance.choice([("(", ")"), ("(", ")"), ("[", "]"), ("{", "}")])
        pad = " " * chance.choice([0, 0, 0, 1, 2])
        text = f"{left}{pad}{expression(chance, depth - 1, names)}{pad}{right}"
    elif kind < 0.55:
        text = chance.choice([*names, "it"])
    else:
        text = _number(chance)
    if chance.random() < (0.2 if len(text) == 1 and text.isdecimal() else 0.01):
        text += "!" * chance.choice([1, 1, 1, 2])
    return "-" * chance.choice([0] * 7 + [1, 1, 2]) + text


def expression(chance: random.Random, depth: int, names: list[str]) -> str:
    """A random expression, most of them without an error."""
    parts = [_operand_text(chance, depth, names)]
    for _ in range(chance.choice([0, 1, 1, 2, 2, 3, 4])):
        widest = chance.choice([0, 1, 1, 1, 2, 2, 3, 4])
        sides = [" " * widest, " " * chance.randint(0, widest)]
        chance.shuffle(sides)
        parts += [sides[0], chance.choice("+++---**//%%^<>"), sides[1], _operand_text(chance, depth, names)]
    return "".join(parts)


def _spoilt(chance: random.Random, text: str) -> str:
    at = chance.randrange(len(text) + 1)
    return (
        text[:at]
        + chance.choice([" ", "(", ")", "]", "=", "A", "'", "-", "- ", " 5", "+", "#", ";"])
        + text[at:]
    )


def line(chance: random.Random, dialect: Dialect) -> str:
    """A random line of the language."""
    names = ["a", "bee", "x" + dialect.summing, "x" + dialect.summing, dialect.summing, "zq", "items"]
    statements = []
    for _ in range(chance.choice([1, 2, 3, 4, 5, 6])):
        text = expression(chance, chance.choice([0, 1, 2]), names)
        if chance.random() < 0.12:
            text = _spoilt(chance, text)
        if chance.random() < 0.45:
            text = chance.choice([*names, *names, "it"]) + chance.choice(["=", " = ", "  ="]) + text
        statements.append(
            " " * chance.choice([0, 1]) + text + chance.choice([""] * 8 + [" # all; ", " ", "#x"])
        )
    return chance.choice([";", "; ", " ;"]).join(statements)[:200]


def cases(seed: int) -> list[tuple[str, str]]:
    """Twelve inputs of thirty lines, and what they print."""
    dialect, chance, found = dialect_of(seed), random.Random(f"gaps cases {seed}"), []
    for _ in range(12):
        lines = [line(chance, dialect) for _ in range(30)]
        found.append(("\n".join(lines) + "\n", "\n".join(Line(dialect).output(each) for each in lines)))
    return found


def share(printed: str, expected: str) -> float:
    """The share of right lines."""
    lines, wanted = printed.rstrip("\n").split("\n"), expected.split("\n")
    right = sum(a.rstrip() == b for a, b in zip(lines, wanted, strict=False))
    return right / len(wanted) if len(lines) == len(wanted) else 0.0


def build(seed: int) -> Node:
    """The test of a seed."""
    question = PROMPT.format(**vars(dialect_of(seed)))
    program = question >> LLMRun() >> ExtractCode(keep_main=True) >> MakeFile("solution.py")
    return program >> Cases(
        "python3 -I solution.py", partial(cases, seed), files=["solution.py"], agrees=share
    )
