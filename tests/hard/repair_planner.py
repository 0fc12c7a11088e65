"""A planner that remembers ranks and the beginning of its plan, in which several faults hide each other."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from evaluator import *

from .cases import Cases

DESCRIPTION = "Can an agent find seven faults of a planner, most of which show only after a certain sequence of changes?"
TAGS = ["hard", "code", "python", "agent"]

FOLDER = Path(__file__).parent / "files" / "repair_planner"
COUNT = 7  # faults
SCRIPTS, STEPS = 60, 100
COMMAND = "python3 -m crewplan"
QUESTION = """In this folder is crewplan, a Python program of several files. README.md says what it must do, rule by rule. A user writes:

    "crewplan plans wrongly. {complaint} And that is not all that I have seen."

Find out what is wrong and mend it. There are more faults than the one that the user tells of: afterwards everything in README.md must hold, whatever sequence of commands comes.
Leave README.md as it is. The program is run as `python3 -m crewplan` in this folder; long random scripts that you do not see decide."""

# file, what is right, what is planted (pairs of these for each fault), and what a user may notice first
Edit = tuple[str, str, str]
FAULTS: tuple[tuple[tuple[Edit, ...], str], ...] = (
    ((("ranks.py", "            self.forget(before)\n",
       "            self.weights.pop(before, None)\n            self.tails.pop(before, None)\n"),),
     "I made the last job of a long chain urgent, and the first one of the chain is placed no earlier than before."),
    ((("commands.py", "        self.ranks.forget(first)\n        return True\n\n    def save",
       "        self.ranks.forget(second)\n        return True\n\n    def save"),),
     "I took a link away, and the job before it goes on to be treated as if it were urgent."),
    ((("commands.py", "        names[second].after[first] = int(gap)\n        self.ranks.forget(first)\n",
       "        self.ranks.forget(second)\n        names[second].after[first] = int(gap)\n"),),
     "I put an urgent job behind another one, and that is not placed any earlier."),
    ((("commands.py", "        self.ranks.forget(name)\n        self.jobs.remove(name)\n",
       "        self.jobs.remove(name)\n        self.ranks.weights.pop(name, None)\n        self.ranks.tails.pop(name, None)\n"),),
     "I removed an urgent job, and those that came before it are still in front."),
    ((("plan.py", "sorted(job.after.items())", "sorted(job.after)"),),
     "I made a link again with a greater gap, and the times stayed what they were."),
    ((("plan.py", "job.skill, job.pin, sorted", "job.skill, sorted"),),
     "I pinned a job to another worker, and it stayed where it was."),
    ((("commands.py", "        self.workers.touch()\n", "        if change is joined:\n            self.workers.touch()\n"),),
     "A worker came back from a holiday early, and no job was planned for that time."),
    ((("workers.py", "        Workers.versions += 1\n        self.version = Workers.versions\n",
       "        self.version = getattr(self, \"version\", 0) + 1\n"),
      ("workers.py", "        found.last = self.last\n", "        found.last, found.version = self.last, self.version\n")),
     "I loaded what I had kept and gave somebody else the day off, and a job was planned for that day."),
    ((("plan.py", "(start, calendar.work, calendar", "(start, len(calendar.tasks), calendar"),),
     "A job went to the worker who had already been given the longest ones."),
    ((("calendar.py", "yield start - gap, end + gap", "yield start, end + gap"),),
     "A worker had no time to change over to another skill."),
    ((("ranks.py", "*(self.weight(job.name) for", "*(job.priority for"),),
     "A job that waits for a job that waits for another one is urgent, and the first of them is placed too late."),
    ((("reports.py", "job.due is not None and end", "job.due and end"),), "A job that was due at once is not among the late ones."),
    ((("order.py", "NEVER if job.due is None else job.due", "job.due or NEVER"),), "A job that is due at once is placed too late."),
    ((("jobs.py", "dict(self.after))", "self.after)"),), "I loaded what I had kept, and a link was not what it had been then."),
    ((("spans.py", "        if b > end:\n", "        elif b > end:\n"),),
     "A worker was there for an hour in a long holiday, and then was given work in the rest of it."),
    ((("spans.py", "max(b, end)\n", "b\n"),), "A worker who was away for longer than said at first got a job in that time."),
    ((("reports.py", "sorted((self.jobs[name] for name in job.after), key=lambda each: each.number)",
       "[self.jobs[name] for name in job.after]"),),
     "Two jobs end just when another one begins, and its chain has the one that was made later."),
    ((("plan.py", "calendar.work, calendar.worker.number, calendar", "calendar.work, calendar.worker.name, calendar"),),
     "Two workers have done equally much, and the newer one got the job."),
    ((("ranks.py", "        self.tails.clear()\n", ""),), "I loaded what I had kept, and the tail of a job is not what it was then."),
    ((("commands.py", "self.jobs, self.workers = jobs.copy(), workers.copy()", "self.jobs, self.workers = jobs, workers"),),
     "I loaded what I had kept for the second time, and got something else than for the first time."),
)  # fmt: skip


def planted(seed: int) -> list[tuple[tuple[Edit, ...], str]]:
    """The faults of a seed; the user complains about the first."""
    return random.Random(f"planner {seed}").sample(FAULTS, COUNT)


def files_of(seed: int) -> Mapping[str, str]:
    """The program with its faults."""
    found = {
        path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8")
        for path in FOLDER.rglob("*.*")
        if path.suffix != ".pyc"
    }
    for edits, _ in planted(seed):
        for name, right, wrong in edits:
            file = f"crewplan/{name}"
            assert found[file].count(right) == 1, (name, right)
            found[file] = found[file].replace(right, wrong)
    return found


def script(chance: random.Random) -> str:
    """A random command script that stays in a small world, so that everything meets."""
    workers, jobs, skills = (
        ["zoe", "ben", "ann"],
        list("pqrstuvw"),
        ["saw", "dig", "fix"][: chance.choice([2, 3])],
    )

    def worker() -> str:
        return f"worker {chance.choice(workers)} {chance.choice([0, 1, 2])} {' '.join(chance.sample(skills, chance.choice([1, 2, 2])))}"

    def job() -> str:
        return (
            f"job {chance.choice(jobs)} {chance.randint(1, 3)} {chance.choice(skills)} {chance.randint(0, 2)}"
        )

    linked = [tuple(chance.sample(jobs, 2)) for _ in range(5)]

    def link() -> str:
        first, second = chance.choice(linked) if chance.random() < 0.5 else chance.choices(jobs, k=2)
        return f"link {first} {second} {chance.choice([0, 0, 0, 1, 3])}"

    def away(word: str) -> str:
        start = chance.randint(0, 12)
        return f"{word} {chance.choice(workers)} {start} {start + chance.randint(1, 6)}"

    def again() -> str:
        """The same link with two gaps, and a plan after each."""
        first, second = chance.choice(linked)
        return f"link {first} {second} 0\nplan\nlink {first} {second} {chance.choice([2, 4])}\nplan"

    def undone() -> str:
        """A worker's time is changed, and after going back another worker's."""
        word = chance.choice("ab")
        return f"save {word}\n{away('off')}\nplan\nload {word}\n{away('off')}\nplan"

    lines = [
        f"worker {name} {chance.choice([0, 1, 2])} {' '.join(chance.sample(skills, 2))}" for name in workers
    ]
    lines += [
        f"job {name} {chance.randint(1, 3)} {chance.choice(skills)} {chance.randint(0, 2)}" for name in jobs
    ]
    lines += [link() for _ in range(8)]
    kinds: list[tuple[Callable[[], str], int]] = [
        (again, 2), (undone, 2), (worker, 2), (job, 3), (link, 6), (partial(away, "off"), 5), (partial(away, "on"), 4),
        (lambda: f"fire {chance.choice(workers)}", 1), (lambda: f"remove {chance.choice(jobs)}", 2),
        (lambda: f"length {chance.choice(jobs)} {chance.randint(1, 4)}", 2),
        (lambda: f"skill {chance.choice(jobs)} {chance.choice(skills)}", 2),
        (lambda: f"priority {chance.choice(jobs)} {chance.randint(0, 3)}", 4),
        (lambda: f"due {chance.choice(jobs)} {chance.choice(['none', '0', '0', '4', '7', '12'])}", 4),
        (lambda: f"pin {chance.choice(jobs)} {chance.choice(['none', *workers])}", 4),
        (lambda: f"unlink {chance.choice(jobs)} {chance.choice(jobs)}", 6),
        (lambda: f"save {chance.choice('ab')}", 2), (lambda: f"load {chance.choice('ab')}", 3),
        (lambda: f"rank {chance.choice(jobs)}", 5), (lambda: f"chain {chance.choice(jobs)}", 2),
        (lambda: "\n".join(f"chain {name}" for name in jobs), 5), (lambda: "late", 5), (lambda: "plan", 8), (lambda: f"when {chance.choice(jobs)}", 2),
    ]  # fmt: skip
    makers, weights = [make for make, _ in kinds], [weight for _, weight in kinds]
    lines += [make() for make in chance.choices(makers, weights, k=STEPS)]
    return "\n".join([*lines, "plan", "late"]) + "\n"


# the program without faults, on several scripts in one process
EVERY = """
import json, sys
from crewplan.commands import Office
found = []
for text in json.load(sys.stdin):
    office = Office()
    found.append("".join(answer + chr(10) for line in text.splitlines() for answer in office.do(line.split())))
json.dump(found, sys.stdout)
"""


def cases(seed: int) -> list[tuple[str, str]]:
    """Scripts, and what the program without faults prints."""
    chance = random.Random(f"planner cases {seed}")
    texts = [script(chance) for _ in range(SCRIPTS)]
    argv = [sys.executable, "-B", "-c", EVERY]
    done = subprocess.run(
        argv, input=json.dumps(texts), capture_output=True, text=True, cwd=FOLDER, check=True, timeout=60
    )
    return list(zip(texts, json.loads(done.stdout), strict=True))


def build(seed: int) -> Node:
    """The test of a seed."""
    question = QUESTION.format(complaint=planted(seed)[0][1])
    work = Files(partial(files_of, seed)) >> question >> AgentRun([Shell(), EditFile()], max_turns=50)
    return work >> Cases(COMMAND, partial(cases, seed), files=["crewplan"])
