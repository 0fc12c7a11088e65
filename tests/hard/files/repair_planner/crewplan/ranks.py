"""Weights and tails, remembered until something changes behind a job."""


class Ranks:
    def __init__(self, jobs):
        self.jobs = jobs
        self.weights, self.tails = {}, {}

    def weight(self, name):
        if name not in self.weights:
            own = self.jobs.by_name[name].priority
            self.weights[name] = max([own, *(self.weight(job.name) for job in self.jobs.followers(name))])
        return self.weights[name]

    def tail(self, name):
        if name not in self.tails:
            after = [job.after[name] + self.tail(job.name) for job in self.jobs.followers(name)]
            self.tails[name] = self.jobs.by_name[name].length + max(after, default=0)
        return self.tails[name]

    def forget(self, name):
        """What is known of a job, and of all that come before it, is no longer so."""
        self.weights.pop(name, None)
        self.tails.pop(name, None)
        for before in self.jobs.by_name[name].after:
            self.forget(before)

    def forget_all(self, jobs):
        self.jobs = jobs
        self.weights.clear()
        self.tails.clear()
