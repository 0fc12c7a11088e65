from evaluator import *

DESCRIPTION = "Can the model find and cherry-pick the right commits in a real repository, conflict included?"
TAGS = ["git", "bash", "agent"]
REQUIRES = ["git"]

question = """
I'm at a bash prompt in our repository, on main, and type in the commands that you tell me, then I show you what they print.
One line a message in a ```bash block, please (joined by && if you like); each starts in a fresh shell in the repository, and
there is no editor.

On the branch experiment there are two commits of Ines that correct how prices are rounded. I want those two on main, as two
commits, in the same order, under her name, with git's "(cherry picked from commit ...)" line in each message, and nothing else
from that branch: the lower VAT and the limit for discounts must not come along. Leave the branch experiment as it is. When
you are through reply with just DONE.
"""

next_turn = "Here is what it says:\n<A>\n\nWhat next?"


def make_repository():
    import os
    import subprocess

    def git(*arguments):
        subprocess.run(["git", *arguments], check=True, capture_output=True)

    def commit(message, author, files):
        for name, text in files.items():
            with open(name, "w") as file:
                file.write(text)
        git("add", "-A")
        git("commit", "-m", message, f"--author={author} <{author.lower()}@example.com>")

    os.environ["GIT_COMMITTER_DATE"] = os.environ["GIT_AUTHOR_DATE"] = "2024-06-03T09:00:00Z"
    price = """VAT = 20


def gross(net):
    return int(net * (100 + VAT) / 100)


def discount(price, percent):
    return int(price - price * percent / 100)
"""
    rounded = price.replace("return int(net", "return round(net")
    lower = rounded.replace("VAT = 20", "VAT = 7").replace(
        "percent):\n", "percent):\n    percent = min(percent, 50)\n"
    )
    git("init", "-b", "main")
    git("config", "user.name", "Dev")
    git("config", "user.email", "dev@example.com")
    commit("Prices", "Omar", {"price.py": price, "readme": "Prices.\n"})
    git("checkout", "-b", "experiment")
    commit("Draft a menu", "Ines", {"menu.py": "MENU = []\n"})
    commit("Gross prices: to the nearest cent", "Ines", {"price.py": rounded})
    commit("Round out the menu", "Ines", {"menu.py": "MENU = ['tea', 'soup']\n"})
    commit("Try a lower VAT, limit discounts", "Ines", {"price.py": lower})
    commit(
        "Discounts: to the nearest cent",
        "Ines",
        {"price.py": lower.replace("return int(price", "return round(price")},
    )
    commit("Rounder tables", "Omar", {"tables.py": "ROUND = 4\n"})
    git("checkout", "main")
    commit("Say more", "Omar", {"readme": "Prices, all in cents.\n"})
    with open(".git/before", "w") as file:
        refs = [["git", "rev-parse", name] for name in ("main", "experiment", "experiment~4", "experiment~1")]
        file.write("".join(subprocess.run(ref, capture_output=True, text=True).stdout for ref in refs))


def picked():
    import os
    import subprocess

    def git(*arguments):
        return subprocess.run(["git", *arguments], capture_output=True, text=True).stdout.strip()

    with open(".git/before") as file:
        main, experiment, first, second = file.read().split()
    with open("check.py", "w") as file:
        file.write(
            git("show", "main:price.py")
            + "\nprint(gross(33), gross(1.6), discount(101, 80), discount(10, 5))\n"
        )
    done = subprocess.run(["python3", "check.py"], capture_output=True, text=True, timeout=10)
    os.remove("check.py")
    checks = {
        "on main": git("symbolic-ref", "--short", "HEAD") == "main",
        "two commits on top": git("log", "-3", "--format=%s", "main").split("\n")
        == ["Discounts: to the nearest cent", "Gross prices: to the nearest cent", "Say more"]
        and git("rev-parse", "main~2") == main,
        "Ines": git("log", "-2", "--format=%an", "main").split() == ["Ines", "Ines"],
        "picked from": f"(cherry picked from commit {second})" in git("log", "-1", "--format=%b", "main")
        and f"(cherry picked from commit {first})" in git("log", "-1", "--format=%b", "main~1"),
        "content": done.stdout == "40 2 20 10\n",
        "first alone": "return round(net" in git("show", "main~1:price.py")
        and "return int(price" in git("show", "main~1:price.py"),
        "VAT": "min(" not in git("show", "main:price.py") and "VAT = 20" in git("show", "main:price.py"),
        "files": git("ls-tree", "--name-only", "main").split() == ["price.py", "readme"],
        "experiment": git("rev-parse", "experiment") == experiment,
        "nothing left": git("status", "--porcelain") == "" and not os.path.exists(".git/CHERRY_PICK_HEAD"),
    }
    return all(checks.values()), "not right: " + ", ".join(name for name, good in checks.items() if not good)


TestGitCherrypick = (
    Setup(make_repository)
    >> question
    >> LLMConversation()
    >> UntilDone(
        RegexEvaluator(r"(?m)^\W*DONE\W*$"),
        ExtractCode(lang="bash", keep_main=True) >> TerminalRun() >> LLMConversation(next_turn),
        max_iters=20,
    )
    >> PyEvaluator(picked, time_limit_s=60)
)

if __name__ == "__main__":
    print(run_test(TestGitCherrypick))
