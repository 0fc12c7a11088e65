"""What a worker does when."""

from bisect import insort
from dataclasses import dataclass, field


@dataclass
class Calendar:
    worker: object
    tasks: list = field(default_factory=list)  # sorted (start, end, skill, name)
    work: int = 0

    def put(self, job, start):
        insort(self.tasks, (start, start + job.length, job.skill, job.name))
        self.work += job.length

    def earliest(self, job, start):
        """The first time from `start` on at which the job can begin."""
        moved = True
        while moved:
            moved = False
            for a, b in self.closed(job):
                if a < start + job.length and start < b:
                    start, moved = b, True
        return start

    def closed(self, job):
        """Times that the job must not touch."""
        yield from self.worker.away
        for start, end, skill, _ in self.tasks:
            gap = 0 if skill == job.skill else self.worker.setup
            yield start - gap, end + gap

    def before(self, name):
        """The task before that of a job, or None."""
        names = [task[3] for task in self.tasks]
        at = names.index(name)
        return self.tasks[at - 1] if at else None
