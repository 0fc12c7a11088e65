"""Ten jobs on six machines with a deadline that leaves next to nothing: the schedule behind it has hardly a gap."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

DESCRIPTION = "Can the model schedule ten jobs on six machines by a deadline that usual rules miss by far?"
TAGS = ["hard", "reasoning", "planning"]

PROMPT = """There are {jobs} jobs and {machines} machines. Each job has to pass through all machines, in an order of its own; for each job, these are the machines in that order,
each with the minutes that it takes there:

{listed}

A machine works on one job at a time, and without a break until it is done there; a job is on one machine at a time, and may wait between two machines. All jobs and
machines are there from minute 0.

Decide in which order each machine takes the jobs, so that all is done by minute {deadline} at the latest. There is a way. Each machine begins with the next job in its
order as soon as it is done with the one before it and that job has come from the machine before. Work it out without running any code. End your reply with {machines}
lines, one for each machine, with the numbers of all jobs in its order, such as "M1: {example}"."""

Orders = list[list[int]]


@dataclass(frozen=True)
class Shop:
    """Each job's machines in order, and the minutes of each job on each machine."""

    routes: tuple[tuple[int, ...], ...]
    minutes: tuple[tuple[int, ...], ...]  # by job and machine

    def starts(self, orders: Sequence[Sequence[int]]) -> dict[tuple[int, int], int] | None:
        """When each job begins on each machine; None if they wait for each other for ever."""
        begun: dict[tuple[int, int], int] = {}
        passed = [0] * len(self.routes)
        taken = [0] * len(orders)
        job_free, machine_free = [0] * len(self.routes), [0] * len(orders)
        moved = True
        while moved:
            moved = False
            for machine, order in enumerate(orders):
                while taken[machine] < len(order):
                    job = order[taken[machine]]
                    if passed[job] == len(self.routes[job]) or self.routes[job][passed[job]] != machine:
                        break
                    begun[job, machine] = max(job_free[job], machine_free[machine])
                    job_free[job] = machine_free[machine] = begun[job, machine] + self.minutes[job][machine]
                    passed[job] += 1
                    taken[machine] += 1
                    moved = True
        return begun if len(begun) == sum(map(len, orders)) else None

    def end(self, orders: Sequence[Sequence[int]]) -> int | None:
        """When all is done."""
        begun = self.starts(orders)
        return (
            None
            if begun is None
            else max(at + self.minutes[job][machine] for (job, machine), at in begun.items())
        )

    def by_rule(self, urgent: Callable[[int, int], float]) -> Orders:
        """Orders by a rule: of the jobs that want the machine on which something could be done first, the one with the least number
        (B. Giffler and G. L. Thompson, Algorithms for solving production-scheduling problems, 1960)."""
        orders: Orders = [[] for _ in self.routes[0]]
        passed = [0] * len(self.routes)
        job_free, machine_free = [0] * len(self.routes), [0] * len(orders)
        while left := [job for job, route in enumerate(self.routes) if passed[job] < len(route)]:
            wants = {job: self.routes[job][passed[job]] for job in left}
            begin = {job: max(job_free[job], machine_free[wants[job]]) for job in left}
            first = min(left, key=lambda job: (begin[job] + self.minutes[job][wants[job]], job))
            machine, limit = wants[first], begin[first] + self.minutes[first][wants[first]]
            rivals = [job for job in left if wants[job] == machine and begin[job] < limit]
            chosen = min(rivals, key=lambda job: (urgent(job, passed[job]), job))
            job_free[chosen] = machine_free[machine] = begin[chosen] + self.minutes[chosen][machine]
            passed[chosen] += 1
            orders[machine].append(chosen)
        return orders

    def left(self, job: int, passed: int) -> int:
        """The minutes that a job still needs."""
        return sum(self.minutes[job][machine] for machine in self.routes[job][passed:])


@dataclass(frozen=True)
class Shops:
    """Shops of one size. A schedule is made by chance, and then nearly every wait in it is filled by making what is before it longer. A shop is
    taken if one machine works for all of the time but a share of 1 - `tight`, so that no schedule is much better, and if the usual rules and
    `tries` random ones end by more than `miss` after it."""

    name: str
    jobs: int
    machines: int
    low: int
    high: int
    tries: int
    miss: float
    tight: float

    def _drawn(self, chance: random.Random) -> tuple[Shop, Orders]:
        routes = tuple(tuple(chance.sample(range(self.machines), self.machines)) for _ in range(self.jobs))
        minutes = [[chance.randint(self.low, self.high) for _ in range(self.machines)] for _ in routes]
        shop = Shop(routes, tuple(map(tuple, minutes)))
        tried = [_by_chance(shop, chance) for _ in range(30)]
        orders = min(tried, key=lambda each: shop.end(each) or 0)
        begun, end = shop.starts(orders) or {}, shop.end(orders) or 0
        for last in (False, True):
            for job, machine in chance.sample(sorted(begun), len(begun)):
                at, place = routes[job].index(machine), orders[machine].index(job)
                after = [end]
                if at + 1 < self.machines:
                    after.append(begun[job, routes[job][at + 1]])
                if place + 1 < self.jobs:
                    after.append(begun[orders[machine][place + 1], machine])
                longest = min(min(after) - begun[job, machine], 2 * self.high)
                gap = max(0, longest - minutes[job][machine])
                minutes[job][machine] += gap if last else chance.randint(0, gap)
        return Shop(routes, tuple(map(tuple, minutes))), orders

    def rules(self, shop: Shop) -> dict[str, Orders]:
        """What the usual rules give."""
        return {
            "shortest first": shop.by_rule(lambda job, passed: shop.minutes[job][shop.routes[job][passed]]),
            "longest first": shop.by_rule(lambda job, passed: -shop.minutes[job][shop.routes[job][passed]]),
            "most left first": shop.by_rule(lambda job, passed: -shop.left(job, passed)),
            "least left first": shop.by_rule(lambda job, passed: shop.left(job, passed)),
        }

    @cache  # noqa: B019 - there are one or two of them
    def planted(self, seed: int) -> tuple[Shop, Orders, int]:
        """The shop, the planted orders, and when they end."""
        for attempt in range(10_000):
            chance = random.Random(f"{self.name} {seed} {attempt}")
            shop, orders = self._drawn(chance)
            deadline = shop.end(orders) or 0
            most = max(map(sum, zip(*shop.minutes, strict=True)))
            if most < self.tight * deadline:
                continue
            others = list(self.rules(shop).values())
            others += [_by_chance(shop, chance) for _ in range(self.tries)]
            if all((shop.end(each) or 0) > deadline * (1 + self.miss) for each in others):
                return shop, orders, deadline
        raise ValueError(f"no shop for seed {seed}")

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """How near the end is to the deadline; passed if it is not after it."""
        shop, _, deadline = self.planted(seed)
        plain = re.sub(r"[*_`|]", " ", reply)
        orders = []
        for number in range(1, self.machines + 1):
            lines = re.findall(rf"(?im)^[ \t#>-]*M(?:achine )?{number}[ \t]*:([^\n]{{0,500}})", plain)
            orders.append([int(each) - 1 for each in re.findall(r"\d{1,6}", lines[-1] if lines else "")])
            if sorted(orders[-1]) != list(range(self.jobs)):
                return Score(0.0, False), f"M{number} does not take each job once"
        end = shop.end(orders)
        if end is None:
            return Score(0.0, False), "the machines wait for each other for ever"
        return Score(min(1.0, deadline / end), end <= deadline), f"done by minute {end}, not {deadline}"

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        shop, _, deadline = self.planted(seed)
        listed = "\n".join(
            f"    {f'Job {job}:':<7} " + ", ".join(f"M{each + 1} {minutes[each]:>2}" for each in route)
            for job, (route, minutes) in enumerate(zip(shop.routes, shop.minutes, strict=True), 1)
        )
        question = PROMPT.format(
            jobs=self.jobs,
            machines=self.machines,
            listed=listed,
            deadline=deadline,
            example=" ".join(str(n * 3 % (self.jobs + 1)) for n in range(1, self.jobs + 1)),
        )
        return question >> LLMRun() >> PyFunc(partial(self.judge, seed))


def _by_chance(shop: Shop, chance: random.Random) -> Orders:
    return shop.by_rule(lambda job, passed: chance.random())


TASK = Shops("shop", jobs=10, machines=6, low=3, high=16, tries=50, miss=0.05, tight=0.96)
build = TASK.build
