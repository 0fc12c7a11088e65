"""The value of an expression for a row."""

from tabq.values import arithmetic, compare, truth


def evaluate(expression, row):
    kind, *rest = expression
    if kind == "value":
        return rest[0]
    if kind == "cell":
        return row[rest[0]]
    if kind in ("compare", "arithmetic"):
        a, b = evaluate(rest[1], row), evaluate(rest[2], row)
        return (compare if kind == "compare" else arithmetic)(rest[0], a, b)
    values = [evaluate(part, row) for part in rest]
    if kind == "is null":
        return int(values[0] is None)
    if kind == "coalesce":
        return next((value for value in values if value is not None), None)
    if kind == "length":
        return len(values[0]) if isinstance(values[0], str) else None
    return logic(kind, [truth(value) for value in values])


def logic(kind, truths):
    """1, 0 or None."""
    if kind == "not":
        return None if truths[0] is None else int(not truths[0])
    decisive = kind == "or"
    if decisive in truths:
        return int(decisive)
    return None if None in truths else int(not decisive)
