from evaluator import *

DESCRIPTION = "Can the model set up a git repository, one command a turn, seeing what each prints?"
TAGS = ["git", "bash", "agent"]
REQUIRES = ["git"]

question = """
You sit at a bash prompt in a folder with some source files, I type in what you say and show you what it printed. Give
me one line at a time, in a ```bash block (each runs in a fresh shell in this folder, no editors; what && or ; joins is fine). The job:

- make this folder a git repository whose branch is called trunk
- git should never see the *.log files and the build folder, by a .gitignore
- commit everything else (the .gitignore too) as Rana Petrov <rana@example.com>, message "Import"; name and mail belong
  to this repository's own configuration
- tag that commit v0.1 with an annotated tag, message "first"

Once it is all done, answer with the word FINISHED only. Your first command, please.
"""

next_turn = "It printed:\n\n<A>\n\nYour next command (or FINISHED)?"


def make_project():
    import os

    os.makedirs("build/obj")
    os.makedirs("src")
    files = {
        "src/app.c": "int main(void) { return 0; }\n",
        "README": "An app.\n",
        "debug.log": "x",
        "src/run.log": "y",
    }
    files["build/obj/app.o"] = "z"
    for name, content in files.items():
        with open(name, "w") as file:
            file.write(content)


def repository_is_right():
    import os
    import subprocess

    def git(*arguments):
        done = subprocess.run(["git", *arguments], capture_output=True, text=True)
        return done.stdout.strip()

    tracked = set(git("ls-tree", "-r", "--name-only", "trunk").split("\n"))
    commit = git("rev-parse", "trunk")
    checks = {
        "branch": git("symbolic-ref", "--short", "HEAD") == "trunk",
        "files": tracked == {".gitignore", "README", "src/app.c"},
        "one commit": git("rev-list", "--count", "trunk") == "1",
        "author and message": git("log", "-1", "--format=%an <%ae> %s")
        == "Rana Petrov <rana@example.com> Import",
        "mail": git("config", "--local", "user.email") == "rana@example.com",
        "name": git("config", "--local", "user.name") == "Rana Petrov",
        "annotated tag": git("cat-file", "-t", "v0.1") == "tag"
        and git("rev-parse", "v0.1^{commit}") == commit,
        "tag message": git("tag", "-l", "--format=%(contents:subject)", "v0.1") == "first",
        "nothing left": git("status", "--porcelain") == "",
        "files kept": os.path.exists("build/obj/app.o") and os.path.exists("src/run.log"),
        "ignored": git("check-ignore", "new.log", "build/x").split() == ["new.log", "build/x"],
    }
    return all(checks.values()), "not right: " + ", ".join(name for name, good in checks.items() if not good)


TestBasicGitSetup = (
    Setup(make_project)
    >> question
    >> LLMConversation()
    >> UntilDone(
        RegexEvaluator(r"(?m)^\W*FINISHED\W*$"),
        ExtractCode(lang="bash", keep_main=True) >> TerminalRun() >> LLMConversation(next_turn),
        max_iters=15,
    )
    >> PyEvaluator(repository_is_right)
)

if __name__ == "__main__":
    print(run_test(TestBasicGitSetup))
