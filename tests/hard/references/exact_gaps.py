"""Right and wrong replies to exact_gaps. The right program is another one: tokens, then a stack of operators."""

from __future__ import annotations

from ..exact_gaps import Dialect, dialect_of

PROGRAM = '''
import re, sys
from math import factorial

TOKEN = re.compile(r"(?P<number>[2-9]'[0-9]+|[0-9]+)|(?P<name>[a-z]+)|(?P<gap> +)|(?P<other>.)")
GROUP = {{"^": 3, "*": 2, "/": 2, "%": 2, "+": 1, "-": 1, "<": 0, ">": 0}}
RIGHT = {right}

class Bad(Exception):
    pass

def square(e):
    return {square}

def curly(e):
    return {curly}

def unknown(name):
    return {unknown}

def div(a, b):
    return {division}

def rem(a, b):
    return {remainder}

def beyond(v):
    return {beyond}

def apply(op, a, b):
    if op in "/%" and b == 0:
        raise Bad
    if op == "^":
        if b > 12:
            raise Bad
        if b >= 0:
            v = a ** b
        elif a == 1:
            v = 1
        elif a == -1:
            v = 1 if b % 2 == 0 else -1
        else:
            v = 0
    else:
        v = {{"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: div(a, b), "%": lambda: rem(a, b),
             "<": lambda: min(a, b), ">": lambda: max(a, b)}}[op]()
    return beyond(v) if v > {limit} or v < -{limit} else v

class Parser:
    def __init__(self, text, names, it):
        self.tokens = [(m.lastgroup, m.group()) for m in TOKEN.finditer(text)]
        self.at, self.names, self.it = 0, names, it

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def gap(self):
        kind, text = self.peek()
        if kind == "gap":
            self.at += 1
            return len(text)
        return 0

    def operand(self):
        kind, text = self.peek()
        self.at += 1
        if (kind, text) == ("other", "-"):
            return -self.operand()
        if kind == "number":
            base, quote, digits = text.rpartition("'")
            if quote and any(int(d) >= int(base) for d in digits):
                raise Bad
            value = int(digits, int(base) if quote else 10)
        elif kind == "name":
            value = self.it if text == "it" else self.names[text] if text in self.names else unknown(text)
        elif kind == "other" and text in "([{{":
            value = self.expression({{"(": ")", "[": "]", "{{": "}}"}}[text])
            value = {{"(": lambda e: e, "[": square, "{{": curly}}[text](value)
        else:
            raise Bad
        while self.peek() == ("other", "!"):
            self.at += 1
            if abs(value) > 9:
                raise Bad
            value = factorial(value) if value >= 0 else -factorial(-value)
        return value

    def expression(self, end):
        """Up to the closing bracket, or to the end for an empty one."""
        self.gap()
        values, pending = [self.operand()], []
        while True:
            before = self.gap()
            kind, text = self.peek()
            self.at += 1
            if (kind == "end" and not end) or (kind == "other" and text == end):
                break
            if kind != "other" or text not in GROUP:
                raise Bad
            loose = max(before, self.gap())
            while pending and self.first(pending[-1], (text, loose)):
                self.reduce(values, pending)
            pending.append((text, loose))
            values.append(self.operand())
        while pending:
            self.reduce(values, pending)
        return values[0]

    @staticmethod
    def first(left, right):
        """Whether the operator on the left is done before the one on the right."""
        if left[1] != right[1]:
            return left[1] < right[1]
        if GROUP[left[0]] != GROUP[right[0]]:
            return GROUP[left[0]] > GROUP[right[0]]
        return GROUP[left[0]] != 3 and left[1] < RIGHT

    @staticmethod
    def reduce(values, pending):
        b, a = values.pop(), values.pop()
        values.append(apply(pending.pop()[0], a, b))

for line in sys.stdin.read().split("\\n")[:-1]:
    names, it, shown = {{}}, 0, []
    for part in line.split(";"):
        text = part.split("#")[0].strip(" ")
        if not text:
            continue
        found = re.match(r"([a-z]+) *= *", text)
        try:
            if found:
                name = found[1]
                if name == "it":
                    raise Bad
                value = Parser(text[found.end():], names, it).expression("")
                names[name] = names.get(name, 0) + value if name.endswith("{summing}") else value
            else:
                it = Parser(text, names, it).expression("")
                shown.append(str(it))
        except Bad:
            shown.append("?")
    print(", ".join(shown) if shown else "nothing")
'''
BRACKETS = {
    "the absolute": "abs(e)",
    "E with": '(-1 if e < 0 else 1) * int("".join(reversed(str(abs(e)))))',
    "the sum": "sum(int(d) for d in str(abs(e)))",
    "the number": "len(str(abs(e)))",
}
CODE = {
    "rounded towards zero": "(abs(a) // abs(b)) * (1 if a * b >= 0 else -1)",
    "rounded down": "a // b",
    "rounded away from zero": "((abs(a) + abs(b) - 1) // abs(b)) * (1 if a * b >= 0 else -1)",
    "the remainder of abs(a) by abs(b), with the sign of a": "abs(a) % abs(b) if a >= 0 else -(abs(a) % abs(b))",
    "the remainder of abs(a) by abs(b), never negative": "abs(a) % abs(b)",
    "a - b * (a / b), with this language's quotient": "a - b * div(a, b)",
    "the number of its letters": "len(name)",
    "the place of its first letter in the alphabet (a is 1)": 'ord(name[0]) - ord("a") + 1',
    "the place of its last letter in the alphabet (a is 1)": 'ord(name[-1]) - ord("a") + 1',
    "the remainder of its absolute value by 1009, with its sign": "v % 1009 if v >= 0 else -(-v % 1009)",
    "the number that its last three digits make, without a sign": "abs(v) % 1000",
    "the sum of its decimal digits, with its sign": "sum(map(int, str(abs(v)))) * (1 if v >= 0 else -1)",
}


def _program(dialect: Dialect, **other: str) -> str:
    def bracket(said: str) -> str:
        return next(code for words, code in BRACKETS.items() if said.startswith(words))

    parts = {
        "square": bracket(dialect.square), "curly": bracket(dialect.curly), "unknown": CODE[dialect.unknown],
        "division": CODE[dialect.division], "remainder": CODE[dialect.remainder], "beyond": CODE[dialect.beyond],
        "limit": dialect.limit, "right": dialect.right, "summing": dialect.summing,
    }  # fmt: skip
    return f"```python{PROGRAM.format(**(parts | other))}```"


def right(seed: int) -> list[str]:
    return [_program(dialect_of(seed))]


def wrong(seed: int) -> list[str]:
    dialect = dialect_of(seed)
    good = _program(dialect)
    changes = {
        "loose = max(before, self.gap())": "loose = min(before, self.gap())",
        "return GROUP[left[0]] != 3 and left[1] < RIGHT": "return GROUP[left[0]] != 3",
        "            return -self.operand()\n": "            self.gap()\n            return -self.operand()\n",
        'part.split("#")[0].strip(" ")': 'line.split("#")[0].strip(" ")',
        "                it = Parser": "                Parser",
    }
    spoilt = [good.replace(old, new) for old, new in changes.items()]
    assert all(each != good for each in spoilt)
    return [*spoilt, _program(dialect, summing="zzz"), _program(dialect, limit="10 ** 12")]
