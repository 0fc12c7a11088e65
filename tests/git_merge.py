from evaluator import *

DESCRIPTION = (
    "Can the model merge branches in a real repository, cleanly and with a conflict, a command a turn?"
)
TAGS = ["git", "bash", "agent"]
REQUIRES = ["git"]

question_clean = """
I type your commands into a bash in my git repository and tell you what comes back. One line per message (&& is fine), in a
```bash block, nothing interactive. Please merge the branch units into main so that there is a merge commit, also if git
thinks that it could do without one, then delete the branch units. Reply just DONE when that is finished. Go ahead.
"""

question_conflict = """
You're at a bash prompt in a clone of our repository (I paste your commands and their output; one line at a time in a
```bash block, && is fine; each starts a new shell in that folder; there's no editor). Merge the branch prices into main. There
will be a conflict in fare.py: keep the prices from the branch prices and everything else from main. Conclude the merge
properly, then reply just DONE.
"""

next_turn = "Output:\n<A>\n\nNext?"


def make_repository():
    import os
    import subprocess

    def git(*arguments):
        env = {
            **os.environ,
            "GIT_AUTHOR_DATE": "2024-05-01T12:00:00Z",
            "GIT_COMMITTER_DATE": "2024-05-01T12:00:00Z",
        }
        subprocess.run(["git", *arguments], check=True, capture_output=True, env=env)

    def write(name, text):
        with open(name, "w") as file:
            file.write(text)

    def commit(message):
        git("add", "-A")
        git("commit", "-m", message)

    git("init", "-b", "main")
    git("config", "user.name", "Dev")
    git("config", "user.email", "dev@example.com")
    write("fare.py", "PRICES = {'day': 5, 'week': 20}\n\n\ndef fare(kind, n):\n    return PRICES[kind] * n\n")
    write("units.txt", "km\n")
    commit("Start")
    git("checkout", "-b", "units")
    write("units.txt", "km\nmiles\n")
    commit("Add miles")
    git("checkout", "-b", "prices", "main")
    write("fare.py", "PRICES = {'day': 6, 'week': 22}\n\n\ndef fare(kind, n):\n    return PRICES[kind] * n\n")
    write("prices.txt", "raised in May\n")
    commit("Raise prices")
    git("checkout", "main")


def make_conflict():
    import os
    import subprocess

    with open("fare.py", "w") as file:
        file.write(
            "PRICES = {'day': 5, 'week': 20, 'year': 400}\n\n\ndef fare(kind, n=1):\n    return PRICES[kind] * n\n"
        )
    subprocess.run(
        ["git", "commit", "-am", "Add a year"], check=True, capture_output=True, env={**os.environ}
    )


def merged_cleanly():
    import subprocess

    def git(*arguments):
        return subprocess.run(["git", *arguments], capture_output=True, text=True).stdout.strip()

    checks = {
        "on main": git("symbolic-ref", "--short", "HEAD") == "main",
        "merge commit": len(git("rev-list", "--parents", "-1", "main").split()) == 3,
        "into main": git("log", "-1", "--format=%s", "main^1") == "Start",
        "from units": git("log", "-1", "--format=%s", "main^2") == "Add miles",
        "content": git("show", "main:units.txt") == "km\nmiles",
        "branches": git("branch", "--format=%(refname:short)").split() == ["main", "prices"],
        "nothing left": git("status", "--porcelain") == "",
    }
    return all(checks.values()), "not right: " + ", ".join(name for name, good in checks.items() if not good)


def conflict_resolved():
    import os
    import subprocess

    def git(*arguments):
        return subprocess.run(["git", *arguments], capture_output=True, text=True).stdout.strip()

    with open("merged.py", "w") as file:
        file.write(git("show", "main:fare.py") + "\nprint(PRICES, fare('day'), fare('week', 3))\n")
    done = subprocess.run(["python3", "merged.py"], capture_output=True, text=True, timeout=10)
    os.remove("merged.py")
    checks = {
        "on main": git("symbolic-ref", "--short", "HEAD") == "main",
        "concluded": not os.path.exists(".git/MERGE_HEAD"),
        "merge commit": len(git("rev-list", "--parents", "-1", "main").split()) == 3,
        "into main": git("log", "-1", "--format=%s", "main^1") == "Add a year",
        "from prices": git("log", "-1", "--format=%s", "main^2") == "Raise prices",
        "content": done.stdout == "{'day': 6, 'week': 22, 'year': 400} 6 66\n",
        "other file": git("show", "main:prices.txt") == "raised in May",
        "nothing left": git("status", "--porcelain") == "",
    }
    return all(checks.values()), "not right: " + ", ".join(name for name, good in checks.items() if not good)


says_done = RegexEvaluator(r"(?m)^\W*DONE\W*$")
command = ExtractCode(lang="bash", keep_main=True) >> TerminalRun() >> LLMConversation(next_turn)

TestGitMerge = (
    Setup(make_repository)
    >> question_clean
    >> LLMConversation()
    >> UntilDone(says_done, command, max_iters=10)
    >> PyEvaluator(merged_cleanly)
)
TestGitMergeConflict = (
    Setup(make_repository)
    >> Setup(make_conflict)
    >> question_conflict
    >> LLMConversation()
    >> UntilDone(says_done, command, max_iters=15)
    >> PyEvaluator(conflict_resolved)
)

if __name__ == "__main__":
    print(run_test(TestGitMerge))
    print(run_test(TestGitMergeConflict))
