"""tangles: heaps of linked rings. README.md has the rules."""

import sys

from heaps import Fault, heap, names


def answer(kind, *rest):
    if kind == "list" and not rest:
        its = [(name, heap(name)) for name in names()]
        return ", ".join("{} {} {}".format(name, len(one.linked), one.pairs) for name, one in its)
    if len(rest) != {"with": 2, "lift": 2, "parts": 2, "chain": 3}.get(kind):
        raise Fault("no such command")
    its, rings = heap(rest[0]), [each.upper() for each in rest[1:]]
    for ring in rings[0] if kind == "parts" else rings:
        if ring not in its.linked:
            raise Fault("no ring " + ring)
    if kind == "with":
        return " ".join(sorted(its.linked[rings[0]])) or "none"
    if kind == "lift":
        return " ".join(sorted(its.far(rings[0])))
    if kind == "chain":
        return str(its.far(rings[0]).get(rings[1], "none"))
    left, parts = set(its.linked) - set(rings[0]), 0
    while left:
        left -= set(its.far(min(left), rings[0]))
        parts += 1
    return str(parts)


for line in sys.stdin:
    if line.strip():
        try:
            print(answer(*line.lower().split()))
        except Fault as fault:
            print("error:", fault)
