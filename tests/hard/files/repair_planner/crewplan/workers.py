"""Workers and when they are away."""

from dataclasses import dataclass, field


@dataclass
class Worker:
    name: str
    number: int
    setup: int
    skills: frozenset
    away: list = field(default_factory=list)

    def copy(self):
        return Worker(self.name, self.number, self.setup, self.skills, list(self.away))


class Workers:
    """`version` is another one after each change, so that a plan knows whether it is still about these."""

    versions = 0

    def __init__(self):
        self.by_name, self.last = {}, 0
        self.touch()

    def touch(self):
        Workers.versions += 1
        self.version = Workers.versions

    def add(self, name, setup, skills):
        self.last += 1
        self.by_name[name] = Worker(name, self.last, setup, frozenset(skills))
        self.touch()

    def remove(self, name):
        del self.by_name[name]
        self.touch()

    def in_order(self):
        return sorted(self.by_name.values(), key=lambda worker: worker.number)

    def copy(self):
        found = Workers()
        found.by_name = {name: worker.copy() for name, worker in self.by_name.items()}
        found.last = self.last
        return found
