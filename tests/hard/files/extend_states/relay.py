"""relay: runs machines of states. README.md has the rules."""

import sys

from machines import Fault, machine, names


def shortest(its, begin, end):
    """The shortest inputs from a state to another."""
    found, todo = {begin: ""}, [begin]
    for state in todo:
        for given in its.inputs:
            after = its.step(state, given)
            if after not in found:
                found[after] = found[state] + given
                todo.append(after)
    if end not in found:
        return "none"
    return found[end] or "-"


def answer(words):
    kind, *rest = words
    if kind == "list" and not rest:
        return ", ".join("{} {}".format(name, len(machine(name).states)) for name in names())
    its = machine(rest[0].lower()) if rest else None
    given = [each.upper() for each in rest[1:]]
    known = kind in ("from", "into", "way")
    for state in given[: 2 if kind == "way" else 1] if known else []:
        if state not in its.states:
            raise Fault("no state " + state)
    if kind == "run" and len(given) == 1:
        return " ".join(its.follow(its.start, given[0]))
    if kind == "from" and len(given) == 2:
        return " ".join(its.follow(*given))
    if kind == "into" and len(given) == 1:
        return " ".join("{}:{}".format(*each) for each, to in sorted(its.arrows.items()) if to == given[0]) or "none"
    if kind == "way" and len(given) == 2:
        return shortest(its, *given)
    raise Fault("no such command")


for line in sys.stdin:
    if line.strip():
        try:
            print(answer(line.lower().split()))
        except Fault as fault:
            print("error:", fault)
