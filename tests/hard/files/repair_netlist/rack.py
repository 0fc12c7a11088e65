"""Modules and wires."""


def listed(modules):
    return " ".join(map(str, sorted(modules))) or "none"


class Rack:
    def __init__(self, name):
        with open(name) as file:
            self.wires = [tuple(map(int, line.split())) for line in file if line.strip()]

    def before(self, module):
        return listed(one for one, other in self.wires if other == module)

    def after(self, module):
        return listed(other for one, other in self.wires if one == module)

    def pulse(self, module):
        reached, todo = {module}, [module]
        while todo:
            now = todo.pop()
            new = {other for one, other in self.wires if one == now} - reached
            reached |= new
            todo += new
        return len(reached)

    def paths(self, module, count):
        ways = {module: 1}
        for _ in range(count):
            found = {}
            for one, other in self.wires:
                if one in ways:
                    found[other] = found.get(other, 0) + ways[one]
            ways = found
        return sum(ways.values())
