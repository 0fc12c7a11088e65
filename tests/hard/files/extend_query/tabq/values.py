"""Values: numbers, texts and null (None); how they compare, and how they print."""


def rank(value):
    """A key that sorts all values."""
    if value is None:
        return (0,)
    return (1, value) if isinstance(value, int) else (2, value)


def compare(op, a, b):
    """1, 0 or None."""
    if a is None or b is None:
        return None
    a, b = rank(a), rank(b)
    return int({"=": a == b, "<>": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op])


def truth(value):
    """True, False or None."""
    if value is None:
        return None
    return isinstance(value, int) and value != 0


def arithmetic(op, a, b):
    if not isinstance(a, int) or not isinstance(b, int):
        return None
    if op == "/":
        return divide(a, b)
    return {"+": a + b, "-": a - b, "*": a * b}[op]


def divide(a, b):
    if b == 0:
        return None
    whole = abs(a) // abs(b)
    return whole if (a < 0) == (b < 0) else -whole


def shown(value):
    return "-" if value is None else str(value)
