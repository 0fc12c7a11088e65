from evaluator import *

DESCRIPTION = "Can an agent add a command to a small program and keep what its users rely on?"
TAGS = ["code", "python", "agent"]

program = '''"""todo: add TEXT, list"""

import sys

FILE = "todo.txt"


def read():
    try:
        with open(FILE) as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def write(lines):
    with open(FILE, "w") as file:
        file.write("".join(line + "\\n" for line in lines))


def main(arguments):
    command, *rest = arguments or ["list"]
    lines = read()
    if command == "add" and rest:
        write([*lines, "[ ] " + " ".join(rest)])
    elif command == "list" and not rest:
        for number, line in enumerate(lines, 1):
            print(number, line)
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


sys.exit(main(sys.argv[1:]))
'''

question = """todo.py is our list of things to do; `python3 todo.py add buy milk`, `python3 todo.py list`. Please add:
- `done NUMBER`: marks that item as done, which is [x] instead of [ ] in todo.txt. Marking it twice changes nothing.
- `list --open`: only the items that are not done, with the numbers that they have in the whole list.
- `clear`: removes the items that are done.
A number that is no item's, or no number, is an error: a message on stderr that has the number in it, status 1, and the file
stays as it is. Everything else works as before, and the usage text names the new commands. An item's text may hold anything
that fits in a line, also "[ ]"."""


def works():
    import os
    import subprocess

    def todo(*arguments):
        done = subprocess.run(["python3", "todo.py", *arguments], capture_output=True, text=True, timeout=10)
        return done.returncode, done.stdout, done.stderr

    if os.path.exists("todo.txt"):
        os.remove("todo.txt")
    for text in ("buy milk", "write [ ] and [x]", "call Ada", "[x] marks"):
        if todo("add", *text.split()) != (0, "", ""):
            return False, f"add {text}"
    steps = [
        (["list"], "1 [ ] buy milk\n2 [ ] write [ ] and [x]\n3 [ ] call Ada\n4 [ ] [x] marks\n"),
        (["done", "2"], None),  # what it says is its own
        (["done", "2"], None),
        (["list"], "1 [ ] buy milk\n2 [x] write [ ] and [x]\n3 [ ] call Ada\n4 [ ] [x] marks\n"),
        (["list", "--open"], "1 [ ] buy milk\n3 [ ] call Ada\n4 [ ] [x] marks\n"),
        (["done", "1"], None),
        (["clear"], None),
        (["list"], "1 [ ] call Ada\n2 [ ] [x] marks\n"),
    ]
    for arguments, wanted in steps:
        code, out, err = todo(*arguments)
        if code or (wanted is not None and out != wanted):
            return False, f"{' '.join(arguments)}: status {code}, {out!r}, {err[-200:]!r}"
    for number in ("0", "3", "-1", "two"):
        code, out, err = todo("done", number)
        if code != 1 or out or number not in err or "Traceback" in err:
            return False, f"done {number}: status {code}, {out!r}, {err[-200:]!r}"
    with open("todo.txt") as file:
        if file.read() != "[ ] call Ada\n[ ] [x] marks\n":
            return False, "an error changed the file"
    code, _, err = todo("nonsense")
    return code == 2 and "done" in err and "clear" in err, f"usage: status {code}, {err!r}"


TestExtendTodo = (
    Files({"todo.py": program})
    >> question
    >> AgentRun([Shell(), ReadFile(), EditFile()], max_turns=30)
    >> PyEvaluator(works, time_limit_s=60)
)

if __name__ == "__main__":
    print(run_test(TestExtendTodo))
