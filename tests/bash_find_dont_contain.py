from evaluator import *

DESCRIPTION = (
    "Can the model write a command that finds the files without a certain text, awkward names included?"
)
TAGS = ["bash"]
DETERMINISTIC = True

question = """
I need a bash command that lists all .c and .h files below the current folder which don't have "copyright" anywhere
in them (in upper or lower case or mixed). Leave out everything in folders called third_party or build, wherever they are.
Sorted in plain byte order (LC_ALL=C), one path a line like src/main.c or ./src/main.c, nothing else. File names may have
blanks in them.
"""


def make_tree():
    import os

    files = {
        "main.c": "int main(void) { return 0; }\n",
        "done.c": "/* Copyright 2024 */\n",
        "lib/io.h": "#pragma once\n",
        "lib/shout.h": "// COPYRIGHT us\n",
        "lib/late.c": "int x;\n" * 500 + "// (c)opyright\n",
        "lib/deep/last.c": "int x;\n" * 500 + "// CopyRight: me",
        "lib/my file.c": "int y;\n",
        "lib/my other file.c": "copyright\n",
        "-v.c": "int dash;\n",
        "empty.h": "",
        "Zeta.c": "int z;\n",
        "lib/third_party/zip.c": "int zip;\n",
        "third_party/a/b/c.h": "int c;\n",
        "lib/build/gen.c": "int gen;\n",
        "rebuild/build.c": "int again;\n",
        "third_party.h": "int t;\n",
        "notes.txt": "nothing\n",
        "x.cc": "int cc;\n",
        "y.c.orig": "int orig;\n",
        "binary.c": "int b; \0\1\2 copyright\n",
        "binary2.c": "int b; \0\1\2\n",
    }
    for name, content in files.items():
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        with open(name, "w") as file:
            file.write(content)
    os.makedirs("folder.c")
    with open("folder.c/in.c", "w") as file:
        file.write("int in;\n")


def without_dot(output):
    return [line.removeprefix("./") for line in output.rstrip("\n").split("\n")]


wanted = [
    "-v.c",
    "Zeta.c",
    "binary2.c",
    "empty.h",
    "folder.c/in.c",
    "lib/io.h",
    "lib/late.c",
    "lib/my file.c",
]
wanted += ["main.c", "rebuild/build.c", "third_party.h"]

TestBashFindDontContain = (
    Setup(make_tree)
    >> question
    >> LLMRun()
    >> ExtractCode(lang="bash", keep_main=True)
    >> TerminalRun()
    >> PyFunc(without_dot)
    >> EqualEvaluator(wanted)
)

if __name__ == "__main__":
    print(run_test(TestBashFindDontContain))
