"""Machines of states, read from their files."""

import re
from pathlib import Path


class Fault(Exception):
    """What is wrong with a command or a machine."""


class Machine:
    def __init__(self, path):
        self.start, self.arrows = "", {}
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if not self.start:
                if len(words) != 2 or words[0] != "start":
                    raise Fault("the first line is not the start")
                self.start = words[1]
                continue
            if len(words) != 3 or not re.fullmatch("[0-9]", words[1]):
                raise Fault("a line is no arrow: " + line)
            if words[:2] in [list(each) for each in self.arrows]:
                raise Fault("there are two arrows " + " ".join(words[:2]))
            self.arrows[words[0], words[1]] = words[2]
        self.states = sorted({state for state, _ in self.arrows})
        self.inputs = sorted({given for _, given in self.arrows})
        named = {self.start, *self.states, *self.arrows.values()}
        if not all(re.fullmatch("[A-Z]{1,6}", state) for state in named):
            raise Fault("a state has no good name")
        lacking = [(state, given) for state in sorted(named) for given in self.inputs if (state, given) not in self.arrows]
        if lacking or not self.arrows:
            raise Fault("arrows are missing: " + ", ".join(map(" ".join, lacking)))

    def follow(self, state, inputs):
        """The states that are passed, with the first."""
        passed = [state]
        for given in inputs:
            passed.append(self.step(passed[-1], given))
        return passed

    def step(self, state, given):
        if (state, given) not in self.arrows:
            raise Fault("no arrow {} {}".format(state, given))
        return self.arrows[state, given]


def names():
    """The names of all machines."""
    return sorted(path.stem for path in Path("machines").glob("*.txt"))


def machine(name):
    """The machine of a name."""
    if name not in names():
        raise Fault("no machine " + name)
    return Machine(Path("machines") / (name + ".txt"))
