from evaluator import *

DESCRIPTION = "Can the model write a bash script with arguments that picks and sorts files by their size?"
TAGS = ["code", "bash"]
DETERMINISTIC = True

question = """
Please write a bash script that is called with a folder and a digit. It lists the regular files right in that folder (not
in folders below it, hidden files yes, links no) whose size in bytes ends with this digit: the largest first, those of the
same size by name (in byte order, LC_ALL=C), just the names, one a line. Names can have spaces. If the folder doesn't exist or the second argument
isn't a single digit it prints nothing and ends with status 2, otherwise with 0.
"""


def make_files():
    import os

    os.makedirs("my things/below")
    sizes = {
        "a": 17,
        "b c": 7,
        "d  e": 127,
        ".hidden": 17,
        "below/f": 27,
        "g": 70,
        "h": 0,
        "*": 10007,
        "-l": 37,
        "Z": 17,
    }
    for name, size in sizes.items():
        with open(f"my things/{name}", "wb") as file:
            file.write(b"x" * size)
    os.symlink("a", "my things/link")


def runs(args, expected):
    """Whether the script prints this with these arguments, its status in the last line."""
    return BashRun(args=args) >> EqualEvaluator(expected)


def with_status(code):
    """The script in a subshell of its own, so that its status can be printed behind its output."""
    return f'(\n{code}\n)\necho "status $?"\n'


TestBashListFilesBySizeModTen = (
    Setup(make_files)
    >> question
    >> LLMRun()
    >> ExtractCode(lang="bash", keep_main=True)
    >> PyFunc(with_status)
    >> (
        runs(["my things", "7"], "*\nd  e\n-l\n.hidden\nZ\na\nb c\nstatus 0")
        & runs(["my things/", "0"], "g\nh\nstatus 0")
        & runs(["my things", "5"], "status 0")
        & runs(["no such folder", "7"], "status 2")
        & runs(["my things", "17"], "status 2")
        & runs(["my things", ""], "status 2")
    )
)

if __name__ == "__main__":
    print(run_test(TestBashListFilesBySizeModTen))
