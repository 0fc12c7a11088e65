"""Queues whose first jobs all go on to other queues at once, change there by who stands before them, and block: by mind."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .states import ending, judge_states

DESCRIPTION = (
    "Can the model serve a network of queues at once, round after round, with every job in its place?"
)
TAGS = ["hard", "reasoning", "game"]

KINDS = "abcde"
Queues = tuple[str, ...]
PROMPT = """{count} stations are numbered from 1 to {count}. Each has a queue of jobs, which are written as letters from a to {most}, the first in the queue at the left. A queue
holds {room} jobs at the most. Each station has {exits} exits, which are numbers of stations. The queues at the start ("-" is an empty one) and the exits:

{stations}

A job wants to go from its station by the first exit if it is an a, by the second if it is a b and so on. In each round all stations are served at
the same time:

1. The queue of each station that held {room} jobs at the beginning of the round is turned round: the last job is the first now, and so on.
2. The first job of each queue wants to go to another queue. That one has room for {room} jobs less those that it held at the beginning of the round: those
   that leave it in this round make no room yet. If more jobs want to come into a queue than it has room for, then in rounds 1, 3, 5 and so on those
   from the stations with the lowest numbers have a place, in rounds 2, 4, 6 and so on those from the stations with the highest numbers.
3. All jobs that have a place leave their queues, which move up. A first job that has no place goes to the end of its own queue instead,
   where an a becomes a b, b becomes c, c becomes d, d becomes e and e becomes a.
4. The jobs that have left arrive one by one, in rounds 1, 3, 5 and so on in ascending order of the stations that they left, in rounds 2, 4, 6 and so on in descending
   order. Each goes to the end of its new queue, and becomes another letter by the table: the row is the letter that arrives, the column is the job
   directly before it in the queue at that moment ("-" if there is none).

{table}

{ending}"""


@dataclass(frozen=True)
class Network:
    """`stations` with room for so many jobs each; `asked`: the rounds after which the queues are asked for."""

    stations: int
    room: int
    jobs: int
    asked: tuple[int, ...]
    active: int  # jobs that change their station in a round, on average

    @cache  # noqa: B019 - there are few of them
    def puzzle(
        self, seed: int
    ) -> tuple[Queues, tuple[tuple[int, ...], ...], dict[str, str], dict[str, Queues]]:
        """The queues at the start, the exits, the table, and the queues asked for."""
        for attempt in range(1_000):
            chance = random.Random(f"queues {seed} {attempt}")
            numbers = range(self.stations)
            exits = self.exits(chance)
            table = {one + two: chance.choice(KINDS) for one in KINDS for two in "-" + KINDS}
            queues = [""] * self.stations
            for _ in range(self.jobs):
                queues[chance.choice([n for n in numbers if len(queues[n]) < self.room])] += chance.choice(
                    KINDS
                )
            start, found, gone = tuple(queues), {}, 0
            for number in range(1, self.asked[-1] + 1):
                gone += self.serve(queues, exits, table, number)
                if number in self.asked:
                    found[f"After round {number}"] = self.rows(queues)
            if gone >= self.active * self.asked[-1]:
                return start, exits, table, found
        raise ValueError(f"no network for seed {seed}")

    def exits(self, chance: random.Random) -> tuple[tuple[int, ...], ...]:
        """The exits of each station: as many lead to one station as to another, so that none is full for ever."""
        goals = [list(range(self.stations))]
        while len(goals) <= len(KINDS):
            new = chance.sample(goals[0], self.stations)
            if not any(one == other for old in goals for one, other in zip(old, new, strict=True)):
                goals.append(new)
        return tuple(zip(*goals[1:], strict=True))

    def serve(
        self, queues: list[str], exits: tuple[tuple[int, ...], ...], table: dict[str, str], number: int
    ) -> int:
        """Serve a round; how many jobs went to another station."""
        order = range(self.stations) if number % 2 else range(self.stations - 1, -1, -1)
        free = [self.room - len(queue) for queue in queues]
        full = [not left for left in free]
        leaving = list[tuple[str, int]]()
        for station in order:
            queue = queues[station][::-1] if full[station] else queues[station]
            if queue:
                first, goal = queue[0], exits[station][KINDS.index(queue[0])]
                if free[goal]:
                    free[goal] -= 1
                    leaving.append((first, goal))
                    queue = queue[1:]
                else:
                    queue = queue[1:] + KINDS[(KINDS.index(first) + 1) % len(KINDS)]
            queues[station] = queue
        for job, goal in leaving:
            queues[goal] += table[job + (queues[goal] or "-")[-1]]
        return len(leaving)

    def rows(self, queues: list[str]) -> Queues:
        """A row for each station."""
        return tuple(f"{number}: {queue or '-'}" for number, queue in enumerate(queues, 1))

    def wanted(self, seed: int) -> dict[str, Queues]:
        """The queues asked for."""
        return self.puzzle(seed)[-1]

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        start, exits, table, _ = self.puzzle(seed)
        rows = ["arrives | before:  " + "  ".join("-" + KINDS)]
        rows += [
            f"   {one}    |          " + "  ".join(table[one + two] for two in "-" + KINDS) for one in KINDS
        ]
        question = PROMPT.format(
            count=self.stations,
            most=KINDS[-1],
            room=self.room,
            exits=len(KINDS),
            stations="\n".join(
                f"    {number:>2}: {queue or '-':{self.room + 3}} exits "
                + " ".join(f"{n + 1:>2}" for n in its)
                for number, (queue, its) in enumerate(zip(start, exits, strict=True), 1)
            ),
            table="\n".join(f"    {row}" for row in rows),
            ending=ending(
                "round",
                self.asked,
                f'{self.stations} lines, one for each queue as above without the exits, such as "3: abca"',
            ),
        )
        return question >> LLMRun() >> PyFunc(partial(judge_states, partial(self.wanted, seed)))


TASK = Network(stations=25, room=5, jobs=80, asked=(10, 20, 30, 40), active=16)
build = TASK.build
