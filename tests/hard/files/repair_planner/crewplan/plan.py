"""The plan. What was placed before the first change is kept, for that is much faster."""

from crewplan.calendar import Calendar
from crewplan.order import can_do, order


class Plan:
    def __init__(self):
        self.steps, self.version = [], None  # a step: what the placing depended on, the name, the worker, the start

    def renew(self, jobs, workers, ranks):
        """Bring the plan up to date."""
        jobs_now = order(jobs, workers, ranks)
        kept = []
        if self.version == workers.version:
            for step, job in zip(self.steps, jobs_now):
                if step[0] != self.basis(job):
                    break
                kept.append(step)
        self.steps, self.version = kept, workers.version
        self.calendars = {worker.name: Calendar(worker) for worker in workers.in_order()}
        self.times = {}
        for _, name, worker, start in kept:
            self.note(jobs.by_name[name], worker, start)
        for job in jobs_now[len(kept) :]:
            worker, start = self.place(job)
            self.note(job, worker, start)
            self.steps.append((self.basis(job), job.name, worker, start))

    def basis(self, job):
        """All that decides where a job comes, if the jobs before it are where they were."""
        return job.name, job.length, job.skill, job.pin, sorted(job.after.items())

    def place(self, job):
        """The worker's name and the start."""
        first = max([self.times[name][2] + gap for name, gap in job.after.items()], default=0)
        found = []
        for calendar in self.calendars.values():
            if can_do(calendar.worker, job):
                start = calendar.earliest(job, first)
                found.append((start, calendar.work, calendar.worker.number, calendar.worker.name))
        start, _, _, name = min(found)
        return name, start

    def note(self, job, worker, start):
        self.calendars[worker].put(job, start)
        self.times[job.name] = worker, start, start + job.length
