from evaluator import *

DESCRIPTION = "Can the model write a .gitignore that is exact about where a name may stand?"
TAGS = ["git"]
REQUIRES = ["git"]
DETERMINISTIC = True

question_build = """
what do i put into the .gitignore at the top of my repo, so that
- the folder build is ignored only at the top level, not src/build and so on
- node_modules folders are ignored wherever they are
- all *.log files are ignored in every folder, only not release.log in the folder docs at the top
- files named TODO are ignored anywhere, but not folders of that name
no folder has a name in .log. just the file please
"""

question_data = """
I need a .gitignore for our repository, it should stand at its root (I can't put others into the folders below). In every
folder named data, at any depth, everything should be ignored, with all that is in its subfolders, except the files .gitkeep and
*.schema.json that are right in that data folder. A plain file that is called data must stay visible to git. And all
files that are called .env or begin with ".env." should be ignored in all folders, but not .env.example (there are no folders
of such names, and none of these files in a data folder).
"""


def make_repository(names):
    import os
    import subprocess

    subprocess.run(["git", "init", "-q"], check=True)
    for name in names:
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        with open(name, "w") as file:
            file.write("x\n")


build_seen = [
    "src/build/x.c",
    "src/tools/build",
    "rebuild/a",
    "build.c",
    "docs/release.log",
    "src/TODO/list.txt",
    "TODO.md",
    "src/node_modules.txt",
    "my.logs/readme",
    "x.log.gz",
    "docs/readme",
]
build_ignored = [
    "build/out.o",
    "build/deep/er.o",
    "node_modules/a.js",
    "src/web/node_modules/b/c.js",
    "top.log",
    "src/a.log",
    "docs/other.log",
    "docs/old/release.log",
    "release.log",
    "TODO",
    "src/lib/TODO",
    "src/TODO/more.log",
]
data_seen = [
    "data/.gitkeep",
    "data/a.schema.json",
    "src/deep/data/.gitkeep",
    "src/deep/data/b.schema.json",
    "src/data",
    "database/x",
    "src/mydata/y.csv",
    "data.csv",
    ".env.example",
    "src/.env.example",
    "env",
    "src/prod.env",
    ".environment",
]
data_ignored = [
    "data/big.csv",
    "data/schema.json",
    "data/sub/.gitkeep",
    "data/sub/c.schema.json",
    "data/sub/deeper/z.bin",
    "src/deep/data/big.csv",
    "src/deep/data/x/y",
    "data/.hidden",
    ".env",
    "src/.env",
    ".env.local",
    "src/deep/.env.prod.old",
]


def make_build_repository():
    make_repository(build_seen + build_ignored)


def make_data_repository():
    make_repository(data_seen + data_ignored)


def visible():
    import subprocess

    listed = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard", "-z"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return set(listed.split("\0")) - {"", ".gitignore"}


def build_is_exact():
    import os

    seen = visible()
    wrong = sorted(seen ^ set(build_seen))
    return not wrong and os.path.exists(
        ".gitignore"
    ), f"seen and should not be, or the other way round: {wrong}"


def data_is_exact():
    import os

    seen = visible()
    wrong = sorted(seen ^ set(data_seen))
    return not wrong and os.path.exists(
        ".gitignore"
    ), f"seen and should not be, or the other way round: {wrong}"


TestGitignoreAnywhereBuild = (
    Setup(make_build_repository)
    >> question_build
    >> LLMRun()
    >> ExtractCode(lang="gitignore", keep_main=True)
    >> MakeFile(".gitignore")
    >> PyEvaluator(build_is_exact, time_limit_s=60)
)
TestGitignoreAnywhereData = (
    Setup(make_data_repository)
    >> question_data
    >> LLMRun()
    >> ExtractCode(lang="gitignore", keep_main=True)
    >> MakeFile(".gitignore")
    >> PyEvaluator(data_is_exact, time_limit_s=60)
)

if __name__ == "__main__":
    print(run_test(TestGitignoreAnywhereBuild))
    print(run_test(TestGitignoreAnywhereData))
