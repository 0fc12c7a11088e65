"""Runs inside the sandbox: an interpreter that keeps its variables. It reads the length of some code and the
code, executes it, and only then reads the word by which it says on descriptor 3 that it is done. Standard
library only; Python 3.9 or later."""

from __future__ import annotations

import ast
import linecache
import os
import sys
import traceback

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STATUS = 3


def line(requests: int) -> bytes:
    data = b""
    while not data.endswith(b"\n"):
        more = os.read(requests, 1)
        if not more:
            os._exit(0)
        data += more
    return data


def execute(text: str, names: dict[str, Any], name: str) -> int:
    """Run it; of a last line that is an expression show the value. The exit status, as of a script."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    try:
        tree = ast.parse(text, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), names)
            if value is not None:
                print(repr(value))
        return 0
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException as error:  # noqa: BLE001 - the model's code may raise what it likes
        own = error.__traceback__.tb_next if error.__traceback__ else None
        traceback.print_exception(type(error), error, own)
        return 1


def main() -> None:
    requests, status = os.dup(0), os.dup(STATUS)
    os.close(STATUS)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    sys.path.insert(0, "")  # only now: what lies there must not stand in for what is imported here
    names: dict[str, Any] = {"__name__": "__main__"}
    number = 0
    while True:
        size, text, number = int(line(requests)), b"", number + 1
        while len(text) < size:
            text += os.read(requests, size - len(text))
        code = execute(text.decode(), names, f"<call {number}>")
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError, AttributeError):
                pass
        os.write(status, line(requests).rstrip() + b" %d\n" % (code & 0xFF))


if __name__ == "__main__":
    main()
