"""Sets of times: sorted lists of pairs (from, to) that neither overlap nor touch."""


def joined(spans, start, end):
    """With one more span."""
    rest = []
    for a, b in spans:
        if b < start or a > end:
            rest.append((a, b))
        else:
            start, end = min(a, start), max(b, end)
    return sorted([*rest, (start, end)])


def without(spans, start, end):
    """Without a span."""
    found = []
    for a, b in spans:
        if a < start:
            found.append((a, min(b, start)))
        if b > end:
            found.append((max(a, end), b))
    return sorted(found)
