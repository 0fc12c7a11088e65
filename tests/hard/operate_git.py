"""A repository with a merge that dropped one side, and with a commit that no branch holds any more."""

from __future__ import annotations

import random
import subprocess
from functools import partial

from evaluator import *

DESCRIPTION = "Can an agent bring back what a wrong merge and a lost commit took away, and nothing else?"
TAGS = ["hard", "git", "agent"]
REQUIRES = ["git"]

QUESTION = """The git repository in this folder holds settings of services, a file each, a line each. Two things have gone wrong with it.

1. Some time ago the branch `{branch}` was merged into main (the merge commit is called "Merge {branch}"). In some of the files that both
   sides had changed the conflict was resolved by taking main's whole file, so that all that {branch} had changed in these files was lost.
   Bring it back: each line that {branch} changed since it left main gets {branch}'s value, unless main had changed the same line before the
   merge, too, or has changed it after the merge: then main's present value stays.
2. {person}'s commit "{title}" was on main for an hour and is on no branch any more. It was amended several times; the last version of it is
   meant, by its committer date. Apply to main what this version changed against its parent: each line that it changed gets its value,
   unless a later commit on main (by committer date) has changed the line since; then main's present value stays.

Where both concern the same line, 2 wins over 1. Commit the result on main as one or more new commits on top of the present ones; do not
rewrite or drop any commit, leave no other change in the working tree, and stay on main. Change nothing else."""
SHOW = (
    'git clone -q "file://$PWD" /tmp/judged && cd /tmp/judged && git rev-parse --abbrev-ref HEAD && '
    "git log --format=%s main && echo FILES && grep -r . --include=*.conf . | sort; cd - > /dev/null; echo STATUS; git status --porcelain; "
    "echo LINKS; git log --format=%s --first-parent main | tail -1"
)
SERVICES = ("auth", "billing", "cache", "mail", "search", "upload", "video")
KEYS = (
    "retries",
    "timeout",
    "workers",
    "queue",
    "limit",
    "burst",
    "depth",
    "ttl",
    "batch",
    "window",
    "backoff",
    "shards",
)
PEOPLE = ("Mira", "Jonas", "Ada", "Emeka")
Tree = dict[str, dict[str, int]]
Change = dict[tuple[str, str], int]


class Story:
    """What happened to the repository of a seed, and how it must end."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(f"git {seed}")
        self.branch = chance.choice(["rollout", "winter", "tuning", "canary"])
        self.person = chance.choice(PEOPLE)
        self.title = chance.choice(["Calm the queues", "Raise the limits", "Settle the timeouts"])
        files = sorted(chance.sample(SERVICES, 6))
        self.base: Tree = {file: {key: chance.randint(1, 99) for key in KEYS} for file in files}
        every = [(file, key) for file in files for key in KEYS]

        def some(count: int, among: list[tuple[str, str]]) -> Change:
            return {place: chance.randint(100, 999) for place in sorted(chance.sample(among, count))}

        self.lost_files = sorted(chance.sample(files, 3))
        dropped = [place for place in every if place[0] in self.lost_files]
        kept = [place for place in every if place[0] not in self.lost_files]
        # all of the files with a wrong resolution are changed by both sides, some lines by both
        self.ours = [some(6, dropped) | some(4, kept), some(5, dropped) | some(3, kept)]
        mine = [place for change in self.ours for place in change]
        both = chance.sample([place for place in mine if place[0] in self.lost_files], 4)
        theirs_kept = [place for place in kept if place not in mine]
        self.theirs = [some(7, dropped) | some(4, theirs_kept), some(6, dropped) | dict.fromkeys(both, 0)]
        self.theirs[1] |= {place: chance.randint(100, 999) for place in both}
        self.after = [some(3, every), some(3, dropped), some(3, every)]
        place = some(7, every)
        self.versions = [  # of the lost commit, the last one is meant
            dict(list(place.items())[:5]), {at: chance.randint(100, 999) for at in place}, place,
        ]  # fmt: skip
        self.later = [some(3, every) | {chance.choice(sorted(place)): 7}, some(4, every)]

    def wanted(self) -> Tree:
        """The settings as they must be."""
        tree = {file: dict(lines) for file, lines in self.base.items()}

        def put(changes: list[Change]) -> None:
            for change in changes:
                for (file, key), value in change.items():
                    tree[file][key] = value

        put(self.ours)
        mine = {place for change in self.ours for place in change}
        theirs: Change = {place: value for change in self.theirs for place, value in change.items()}
        put([{place: value for place, value in theirs.items() if place not in mine}])
        put(self.after)
        put([self.versions[-1]])
        put(self.later)
        return tree


def make(seed: str) -> None:
    """Build the repository in the sandbox."""
    story, clock = Story(int(seed)), [1_760_000_000]

    def git(*words: str, who: str = "Kim") -> None:
        clock[0] += 977
        date = f"{clock[0]} +0000"
        names = {
            "GIT_AUTHOR_NAME": who,
            "GIT_COMMITTER_NAME": who,
            "GIT_AUTHOR_EMAIL": "k@example.org",
            "GIT_COMMITTER_EMAIL": "k@example.org",
        }
        done = subprocess.run(
            ["git", *words], capture_output=True, text=True,
            env={**os.environ, **names, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date},
        )  # fmt: skip
        assert not done.returncode, (words, done.stdout, done.stderr)

    def write(tree: Tree) -> None:
        for file, lines in tree.items():
            with open(f"{file}.conf", "w") as out:
                out.writelines(f"{key} = {value}\n" for key, value in lines.items())

    def read() -> Tree:
        tree: Tree = {}
        for file in story.base:
            with open(f"{file}.conf") as lines:
                pairs = [line.split(" = ") for line in lines]
            tree[file] = {key: int(value) for key, value in pairs}
        return tree

    def commit(change: Change, title: str, *more: str, who: str = "Kim") -> None:
        tree = read()
        for (file, key), value in change.items():
            tree[file][key] = value
        write(tree)
        git("commit", "-qam", title, *more, who=who)

    git("init", "-qb", "main")
    write(story.base)
    git("add", ".")
    git("commit", "-qm", "Settings of all services")
    git("checkout", "-qb", story.branch)
    for number, change in enumerate(story.theirs, 1):
        commit(change, f"{story.branch}: part {number}", who="Lea")
    git("checkout", "-q", "main")
    for number, change in enumerate(story.ours, 1):
        commit(change, f"Numbers of week {number}")
    merged, theirs = read(), {place: value for change in story.theirs for place, value in change.items()}
    for (file, key), value in theirs.items():
        if file not in story.lost_files:
            merged[file][key] = value
    git("merge", "-q", "-s", "ours", "--no-commit", story.branch)
    write(merged)
    git("commit", "-qam", f"Merge {story.branch}")
    git("branch", "-qD", story.branch)
    for number, change in enumerate(story.after, 3):
        commit(change, f"Numbers of week {number}")
    for number, change in enumerate(story.versions):
        if number:
            git("reset", "-q", "--hard", "HEAD~1")
        commit(change, story.title, who=story.person)
    git("reset", "-q", "--hard", "HEAD~1")
    for number, change in enumerate(story.later, 6):
        commit(change, f"Numbers of week {number}")
    git("config", "user.name", "agent")
    git("config", "user.email", "agent@example.org")


def judge(seed: int, printed: str) -> tuple[Score, str]:
    """Whether the settings, the commits and the working tree are as they must be; the score is the share of lines."""
    story = Story(seed)
    head, _, rest = printed.partition("FILES\n")
    shown, _, rest = rest.partition("STATUS\n")
    status, _, first = rest.partition("LINKS\n")
    titles = [
        "Settings of all services",
        *(f"Numbers of week {n}" for n in range(1, 8)),
        f"Merge {story.branch}",
    ]
    wanted = {
        f"./{file}.conf:{key} = {value}"
        for file, lines in story.wanted().items()
        for key, value in lines.items()
    }
    found = set(shown.splitlines())
    right = len(wanted & found) / len(wanted)
    faults = [f"wrong or missing: {line}" for line in sorted(wanted - found)[:8]]
    faults += [f"not there before: {line}" for line in sorted(found - wanted)[:4]]
    faults += [f"the commit {title!r} is gone" for title in titles if title not in head.splitlines()]
    faults += [] if head.startswith("main\n") else ["main is not checked out"]
    faults += [f"left in the working tree: {status.strip()[:100]}"] if status.strip() else []
    faults += [] if first.strip() == titles[0] else ["the history does not begin as it did"]
    return Score(right if faults else 1.0, not faults), "\n".join(faults)


def build(seed: int) -> Node:
    """The test of a seed."""
    story = Story(seed)
    question = QUESTION.format(branch=story.branch, person=story.person, title=story.title)
    work = str(seed) >> Setup(make, time_limit_s=60) >> question >> AgentRun([Shell()], max_turns=40)
    return work >> SHOW >> TerminalRun(time_limit_s=30) >> PyFunc(partial(judge, seed))
