from evaluator import *

DESCRIPTION = "Can the model write a batch conversion that overwrites nothing and survives failures?"
TAGS = ["code", "bash"]
DETERMINISTIC = True

question = """
./render in.md out.html turns one of my notes into a page (it takes a while, so don't call it when it isn't needed). Please
write a bash script that does that for all *.md files in the current folder and the folders below it, so a/b.md gives
a/b.html beside it. A page that exists already, even an empty one, must be left as it is. If render fails (status not 0) it
often leaves half a page: that must be gone afterwards, so that the next run tries again. Go on with the others then, and end
with status 1 if any failed, else 0. The script prints nothing itself (what render prints doesn't matter). Hidden files and
links there are none, but names with blanks and worse.
"""

render = """#!/bin/sh
echo "$1|$2" >>.calls
test $# -eq 2 || exit 9
printf '<p>' >"$2" || exit 8
grep -q BROKEN -- "$1" && exit 3
cat -- "$1" >>"$2"
"""


def make_notes():
    import os

    with open("render", "w") as file:
        file.write(render)
    os.chmod("render", 0o755)
    files = {
        "one.md": "1",
        "two words.md": "2",
        "deep/er/x.md": "3",
        "deep/bad.md": "BROKEN",
        "deep/zz after bad.md": "4",
        "kept.md": "new",
        "kept.html": "old",
        "hollow.md": "new",
        "hollow.html": "",
        "-n.md": "5",
        "star * and [q].md": "6",
        "twice.md.md": "7",
        "  led.md": "8",
        "back\\slash.md": "9",
        "readme.txt": "no note",
        "amd": "none",
        "gone bad/bad 2.md": "BROKEN too",
    }
    for name, content in files.items():
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        with open(name, "w") as file:
            file.write(content)
    os.makedirs("folder.md")


def run_twice(script):
    import os
    import subprocess

    with open("/tmp/convert.sh", "w") as file:
        file.write(script)

    def convert():
        open(".calls", "w").close()
        done = subprocess.run(["bash", "/tmp/convert.sh"], capture_output=True, text=True, timeout=20)
        pages = {}
        for folder, _, names in os.walk("."):
            for name in names:
                if name.endswith(".html"):
                    path = os.path.relpath(os.path.join(folder, name))
                    with open(path) as file:
                        pages[path] = file.read()
        with open(".calls") as file:
            calls = len(file.read().splitlines())
        return done.returncode, done.stdout + done.stderr, pages, calls

    pages = {
        "one.html": "<p>1",
        "two words.html": "<p>2",
        "deep/er/x.html": "<p>3",
        "deep/zz after bad.html": "<p>4",
        "kept.html": "old",
        "hollow.html": "",
        "-n.html": "<p>5",
        "star * and [q].html": "<p>6",
        "twice.md.html": "<p>7",
        "  led.html": "<p>8",
        "back\\slash.html": "<p>9",
    }
    # every note at first, then only the two that failed, then nothing
    steps = [(1, "", pages, 11), (1, "", pages, 2)]
    for wanted in steps:
        got = convert()
        if got != wanted:
            return False, f"status, output, pages, calls: {got} instead of {wanted}"
    os.remove("deep/bad.md")
    with open("gone bad/bad 2.md", "w") as file:
        file.write("mended")
    got = convert()
    wanted = (0, "", {**pages, "gone bad/bad 2.html": "<p>mended"}, 1)
    return got == wanted, f"status, output, pages, calls: {got} instead of {wanted}"


TestBashConvertNotOverwrite = (
    Setup(make_notes)
    >> question
    >> LLMRun()
    >> ExtractCode(lang="bash", keep_main=True)
    >> PyEvaluator(run_twice, time_limit_s=60)
)

if __name__ == "__main__":
    print(run_test(TestBashConvertNotOverwrite))
