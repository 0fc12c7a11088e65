"""Rings and their links."""


class Chain:
    def __init__(self, pairs):
        self.near = {}
        for one, other in pairs:
            self.near.setdefault(one, set()).add(other)
            self.near.setdefault(other, set()).add(one)

    def its(self, name):
        return self.near.get(name, set())

    def linked(self, name):
        return " ".join(sorted(self.its(name))) or "none"

    def common(self, one, other):
        return " ".join(sorted(self.its(one) & self.its(other))) or "none"

    def piece(self, name, without=()):
        found, todo = {name}, [name]
        while todo:
            new = self.its(todo.pop()) - found - set(without)
            found |= new
            todo += new
        return found

    def lift(self, name):
        return len(self.piece(name))

    def cut(self, name):
        return len({frozenset(self.piece(other, name)) for other in self.its(name)})
