"""What is printed about a plan."""


class Reports:
    def __init__(self, jobs, plan, ranks):
        self.jobs, self.times, self.calendars, self.ranks = jobs.by_name, plan.times, plan.calendars, ranks

    def plan(self):
        jobs = sorted(self.jobs.values(), key=lambda job: job.number)
        placed = [(self.times[job.name][1], job.number, job.name) for job in jobs if job.name in self.times]
        lines = [f"{name} {self.when(name)[0]}" for _, _, name in sorted(placed)]
        return [*lines, *(f"{job.name} never" for job in jobs if job.name not in self.times)] or ["empty"]

    def when(self, name):
        return [" ".join(map(str, self.times[name])) if name in self.times else "never"]

    def late(self):
        found = []
        for name, (_, _, end) in self.times.items():
            job = self.jobs[name]
            if job.due is not None and end > job.due:
                found.append((job.due - end, job.number, name))
        return [f"{name} {-by}" for by, _, name in sorted(found)] or ["none"]

    def chain(self, name):
        if name not in self.times:
            return ["never"]
        found = [name]
        while name := self.decider(self.jobs[name]):
            found.append(name)
        return [" ".join(reversed(found))]

    def decider(self, job):
        """The name of the job that keeps this one from an earlier start, or None."""
        worker, start, _ = self.times[job.name]
        for before in sorted((self.jobs[name] for name in job.after), key=lambda each: each.number):
            if self.times[before.name][2] + job.after[before.name] == start:
                return before.name
        task = self.calendars[worker].before(job.name)
        if task is None:
            return None
        setup = 0 if task[2] == job.skill else self.calendars[worker].worker.setup
        return task[3] if task[1] + setup == start else None

    def rank(self, name):
        return [f"{self.ranks.weight(name)} {self.ranks.tail(name)}"]
