"""The commands."""

from crewplan.jobs import Jobs
from crewplan.plan import Plan
from crewplan.ranks import Ranks
from crewplan.reports import Reports
from crewplan.spans import joined, without
from crewplan.workers import Workers


class Office:
    def __init__(self):
        self.jobs, self.workers = Jobs(), Workers()
        self.ranks, self.plan = Ranks(self.jobs), Plan()
        self.kept = {}

    def do(self, words):
        name, *rest = words
        if name in ("plan", "when", "late", "chain", "rank"):
            self.plan.renew(self.jobs, self.workers, self.ranks)
            if rest and rest[0] not in self.jobs.by_name:
                return ["no"]
            return getattr(Reports(self.jobs, self.plan, self.ranks), name)(*rest)
        return ["ok" if getattr(self, name)(*rest) else "no"]

    def worker(self, name, setup, *skills):
        if name in self.workers.by_name:
            return False
        self.workers.add(name, int(setup), skills)
        return True

    def fire(self, name):
        if name not in self.workers.by_name:
            return False
        self.workers.remove(name)
        for job in self.jobs.by_name.values():
            if job.pin == name:
                job.pin = None
        return True

    def off(self, name, start, end):
        return self.away(name, joined, start, end)

    def on(self, name, start, end):
        return self.away(name, without, start, end)

    def away(self, name, change, start, end):
        worker = self.workers.by_name.get(name)
        if not worker:
            return False
        worker.away = change(worker.away, int(start), int(end))
        self.workers.touch()
        return True

    def job(self, name, length, skill, priority):
        if name in self.jobs.by_name:
            return False
        self.jobs.add(name, int(length), skill, int(priority))
        return True

    def remove(self, name):
        if name not in self.jobs.by_name:
            return False
        self.ranks.forget(name)
        self.jobs.remove(name)
        return True

    def length(self, name, value):
        return self.change(name, "length", int(value))

    def skill(self, name, value):
        return self.change(name, "skill", value)

    def priority(self, name, value):
        return self.change(name, "priority", int(value))

    def due(self, name, value):
        return self.change(name, "due", None if value == "none" else int(value))

    def pin(self, name, value):
        if value == "none":
            return self.change(name, "pin", None)
        worker, job = self.workers.by_name.get(value), self.jobs.by_name.get(name)
        if not worker or not job or job.skill not in worker.skills:
            return False
        return self.change(name, "pin", value)

    def change(self, name, what, value):
        if name not in self.jobs.by_name:
            return False
        setattr(self.jobs.by_name[name], what, value)
        self.ranks.forget(name)
        return True

    def link(self, first, second, gap):
        names = self.jobs.by_name
        if first not in names or second not in names or self.jobs.leads_to(second, first):
            return False
        names[second].after[first] = int(gap)
        self.ranks.forget(first)
        return True

    def unlink(self, first, second):
        names = self.jobs.by_name
        if second not in names or first not in names[second].after:
            return False
        del names[second].after[first]
        self.ranks.forget(first)
        return True

    def save(self, word):
        self.kept[word] = self.jobs.copy(), self.workers.copy()
        return True

    def load(self, word):
        if word not in self.kept:
            return False
        jobs, workers = self.kept[word]
        self.jobs, self.workers = jobs.copy(), workers.copy()
        self.ranks.forget_all(self.jobs)
        return True
