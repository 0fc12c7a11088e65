"""Right and wrong work on operate_git, by a program that reads the repository alone."""

from __future__ import annotations

from evaluator import Script

from ..operate_git import Story

SOLVER = """
import subprocess
from functools import cache
def git(*words):
    return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout
@cache
def tree(commit):
    found = {}
    for file in git("ls-tree", "--name-only", commit).split():
        for line in git("show", f"{commit}:{file}").splitlines():
            key, value = line.split(" = ")
            found[file, key] = value
    return found
def changed(old, new):
    a, b = tree(old), tree(new)
    return {place for place in b if a[place] != b[place]}
merge = git("log", "--format=%H", "--merges", "main").split()[0]
left, right = git("show", "-s", "--format=%P", merge).split()
base = git("merge-base", left, right).strip()
now, theirs = tree("main"), tree(right)
ours = changed(base, left) if KEEPS else set()
wrong = {file for file, _ in now if all(tree(merge)[file, key] == tree(left)[file, key] for f, key in now if f == file)}
since = set()
for commit in git("rev-list", f"{merge}..main").split():
    since |= changed(f"{commit}~1", commit)
result = dict(now)
for place in changed(base, right):
    if place not in ours and place not in since:
        result[place] = theirs[place]
lost = []
for line in git("fsck", "--no-reflogs", "--lost-found").splitlines():
    if "commit" in line:
        commit = line.split()[-1]
        if git("show", "-s", "--format=%s", commit).strip() == TITLE:
            lost.append((int(git("show", "-s", "--format=%ct", commit)), commit))
date, commit = PICK(lost)
later = set()
for each in git("rev-list", "main").split():
    if int(git("show", "-s", "--format=%ct", each)) > date:
        later |= changed(f"{each}~1", each)
for place in changed(f"{commit}~1", commit):
    if place not in later:
        result[place] = tree(commit)[place]
files = {}
for (file, key), value in result.items():
    files.setdefault(file, []).append(f"{key} = {value}\\n")
for file, lines in files.items():
    open(file, "w").write("".join(lines))
git("commit", "-qam", "What was lost is back")
"""


def _script(seed: int, keeps: str = "True", pick: str = "max", after: str = "") -> Script:
    head = f"TITLE, KEEPS, PICK = {Story(seed).title!r}, {keeps}, {pick}"
    return Script(
        f"cat > /tmp/solve.py <<'END_OF_PROGRAM'\n{head}\n{SOLVER}END_OF_PROGRAM\npython3 /tmp/solve.py\n{after}"
    )


def right(seed: int) -> list[Script]:
    return [_script(seed)]


def wrong(seed: int) -> list[object]:
    return [
        _script(seed, keeps="False"),
        _script(seed, pick="min"),
        _script(seed, after="echo more >> notes.txt"),
        _script(seed, after="git reset -q --soft HEAD~3 && git commit -qm squashed"),
        Script("git merge -q $(git log --format=%P --merges -1 | cut -d' ' -f2) || true"),
        "It cannot be brought back.",
    ]
