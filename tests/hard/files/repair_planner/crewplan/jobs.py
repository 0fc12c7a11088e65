"""Jobs and their links."""

from dataclasses import dataclass, field


@dataclass
class Job:
    name: str
    number: int
    length: int
    skill: str
    priority: int
    due: int = None
    pin: str = None
    after: dict = field(default_factory=dict)  # the gap after each predecessor

    def copy(self):
        return Job(self.name, self.number, self.length, self.skill, self.priority, self.due, self.pin, dict(self.after))


class Jobs:
    def __init__(self):
        self.by_name, self.last = {}, 0

    def add(self, name, length, skill, priority):
        self.last += 1
        self.by_name[name] = Job(name, self.last, length, skill, priority)

    def followers(self, name):
        return [job for job in self.by_name.values() if name in job.after]

    def leads_to(self, first, second):
        """Whether one job is, or comes before, another one."""
        return first == second or any(self.leads_to(job.name, second) for job in self.followers(first))

    def remove(self, name):
        del self.by_name[name]
        for job in self.by_name.values():
            job.after.pop(name, None)

    def copy(self):
        found = Jobs()
        found.by_name = {name: job.copy() for name, job in self.by_name.items()}
        found.last = self.last
        return found
