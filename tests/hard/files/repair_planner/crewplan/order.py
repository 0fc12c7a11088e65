"""The order in which jobs are placed."""

NEVER = 10**9


def can_do(worker, job):
    return job.skill in worker.skills and job.pin in (None, worker.name)


def order(jobs, workers, ranks):
    """The jobs that are placed, in this order."""
    left = {name for name, job in jobs.by_name.items() if any(can_do(each, job) for each in workers.by_name.values())}
    done, found = set(), []

    def key(name):
        job = jobs.by_name[name]
        due = NEVER if job.due is None else job.due
        return -ranks.weight(name), -ranks.tail(name), due, job.number

    while ready := [name for name in left if done.issuperset(jobs.by_name[name].after)]:
        name = min(ready, key=key)
        left.remove(name)
        done.add(name)
        found.append(jobs.by_name[name])
    return found
