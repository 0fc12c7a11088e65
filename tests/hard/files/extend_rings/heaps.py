"""Heaps, read from their files."""

import re
from pathlib import Path


class Fault(Exception):
    """What is wrong with a command or a heap."""


class Heap:
    def __init__(self, path):
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        first, *rest = [line for line in lines if line and not line.startswith(";")] or [""]
        if not re.fullmatch("rings [A-Z]+", first) or list(first[6:]) != sorted(set(first[6:])):
            raise Fault("the first line does not name the rings")
        self.pairs, self.linked = 0, {ring: set() for ring in first[6:]}
        for line in rest:
            if not re.fullmatch("[A-Z] [A-Z]", line):
                raise Fault("no pair: " + line)
            one, other = line.split()
            if one == other or not {one, other} <= set(self.linked) or other in self.linked[one]:
                raise Fault("no pair, or one that stands twice: " + line)
            self.pairs += 1
            self.linked[one].add(other)
            self.linked[other].add(one)

    def far(self, begin, without=()):
        """Through how many rings one comes to each that hangs together with a ring."""
        found, todo = {begin: 1}, [begin]
        for ring in todo:
            for other in sorted(self.linked[ring] - set(found) - set(without)):
                found[other] = found[ring] + 1
                todo.append(other)
        return found


def names():
    """The names of all heaps."""
    return sorted(path.stem for path in Path("heaps").glob("*.txt"))


def heap(name):
    """The heap of a name."""
    if name not in names():
        raise Fault("no heap " + name)
    return Heap(Path("heaps") / (name + ".txt"))
