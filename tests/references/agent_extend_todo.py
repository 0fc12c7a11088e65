from evaluator import Call, Script, Turn

DONE = """    elif command == "done" and len(rest) == 1:
        if not rest[0].isdecimal() or not 1 <= int(rest[0]) <= len(lines):
            print(f"there is no item {rest[0]}", file=sys.stderr)
            return 1
        at = int(rest[0]) - 1
        lines[at] = "[x] " + lines[at][4:]
        write(lines)
    elif command == "list" and rest == ["--open"]:
        for number, line in enumerate(lines, 1):
            if line.startswith("[ ]"):
                print(number, line)
    elif command == "clear" and not rest:
        write([line for line in lines if not line.startswith("[x]")])
"""
USAGE = '"""todo: add TEXT, list [--open], done NUMBER, clear"""'


def edited(done=DONE, usage=USAGE):
    return [
        Turn("I read it first.", Call("read_file", path="todo.py")),
        Turn(
            Call(
                "edit_file",
                path="todo.py",
                old_text="    else:\n        print(__doc__",
                new_text=done + "    else:\n        print(__doc__",
            ),
            Call("edit_file", path="todo.py", old_text='"""todo: add TEXT, list"""', new_text=usage),
        ),
        Call(
            "shell",
            command="cd /tmp && cp /usr/src/app/todo.py . && python3 todo.py add x && python3 todo.py done 1 && cat todo.txt",
        ),
        "Added.",
    ]


TELLS = DONE.replace(
    "        write(lines)\n", "        write(lines)\n        print(f'marked {lines[at][4:]}')\n"
)

RIGHT = {"TestExtendTodo": [edited(), edited(TELLS)]}

WRONG = {
    "TestExtendTodo": [
        Script("true"),
        edited(DONE.replace("not 1 <= int(rest[0]) <= len(lines)", "int(rest[0]) > len(lines)")),
        edited(DONE.replace('"[x] " + lines[at][4:]', 'lines[at].replace("[ ]", "[x]")')),
        edited(DONE.replace('not line.startswith("[x]")', '"[x]" not in line')),
        edited(
            DONE.replace(
                'enumerate(lines, 1):\n            if line.startswith("[ ]"):\n                print',
                "enumerate((line for line in lines if line[1] == ' '), 1):\n                print",
            )
        ),
        edited(usage='"""todo: add TEXT, list"""'),
    ]
}
