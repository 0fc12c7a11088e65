"""Values: numbers, texts, None for empty, and errors."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Error:
    name: str

    def __str__(self):
        return self.name


def arithmetic(op, left, right):
    left, right = (0 if each is None else each for each in (left, right))
    if isinstance(left, str) or isinstance(right, str):
        return Error("#VALUE")
    if op == "/":
        return left // right if right else Error("#DIV")
    return {"+": left + right, "-": left - right, "*": left * right}[op]


def compare(op, left, right):
    if left is None:
        left = "" if isinstance(right, str) else 0
    if right is None:
        right = "" if isinstance(left, str) else 0
    left, right = (isinstance(left, str), left), (isinstance(right, str), right)
    return int({"=": left == right, "<>": left != right, "<": left < right, ">": left > right}[op])
