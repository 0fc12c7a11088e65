"""Runs inside the sandbox: calls a function of the test's author with what a model gave, and says on
descriptor 3 what it returned (R) or raised (E). Standard library only; Python 3.9 or later."""

from __future__ import annotations

import os
import sys

from assay.language.inside_library import library, read_stdin, write_all

SAID = 3
SHOWN = 30_000  # characters of what it returned


def main() -> None:
    json = library("json")
    request = json.loads(read_stdin())
    said = os.dup(SAID)  # which no program that it starts inherits
    os.close(SAID)
    sys.path.append(os.getcwd())  # last, so that no file there stands in for a module
    names = {"__name__": "__main__", "__file__": "<test>"}
    try:
        exec(compile(request["source"], "<test>", "exec"), names)
        returned = names[request["name"]](**request["given"])  # type: ignore[operator]
        text = returned if isinstance(returned, str) else json.dumps(returned, default=repr)
        answer = f"R{text[:SHOWN]}" + (
            f"\n[... {len(text) - SHOWN} characters left out]" if len(text) > SHOWN else ""
        )
    except BaseException as error:  # noqa: BLE001 - an exit is an answer as well
        answer = f"E{type(error).__name__}: {error}"[:SHOWN]
    sys.stdout.flush()
    write_all(said, answer.encode("utf-8", "replace").decode())
    os._exit(0)


if __name__ == "__main__":
    main()
