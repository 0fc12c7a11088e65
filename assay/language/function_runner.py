"""Runs inside the sandbox: calls one function of the test's author and reports what it returned.

Started as `python3 -I -c SOURCE`, so that no file a model wrote can shadow a module. The
report goes out on a descriptor that no child inherits, from a process that no other process of
the same user may open (PR_SET_DUMPABLE), so a program that the function starts can print what
it likes and forge nothing. The function may import what lies in the work directory: it is found after the
standard library and installed packages, so that it stands in for none. Code that the function itself
imports or executes could forge: it shares the process. Standard library only; Python 3.9 or later.
"""

from __future__ import annotations

import ctypes
import linecache
import os
import sys

from assay.language.inside_library import json_tools, library, read_stdin, write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PR_SET_DUMPABLE = 4
SHOWN = 4000  # characters of a returned value, a log or a traceback


def decode(value: dict[str, Any]) -> Any:
    if "bytes" in value:
        return library("binascii").a2b_base64(value["bytes"])
    return value["json"]


def call(request: dict[str, Any]) -> dict[str, Any]:
    name, source = request["name"], request["source"]
    linecache.cache["<test>"] = (len(source), None, source.splitlines(True), "<test>")
    namespace: dict[str, Any] = {"__name__": "__main__", "__file__": "<test>"}
    try:
        exec(compile(source, "<test>", "exec"), namespace)
        function = namespace[name]
        returned = function(decode(request["value"])) if "value" in request else function()
        log = ""
        if isinstance(returned, tuple) and len(returned) == 2:
            returned, log = returned
        verdict = truth(returned)
        return {"ok": verdict, "returned": repr(returned)[:SHOWN], "log": str(log)[:SHOWN]}
    except BaseException as error:  # noqa: BLE001 - an exit in the author's function is an answer as well
        lines = library("traceback").format_exception(type(error), error, error.__traceback__)
        return {
            "ok": False,
            "error": f"{type(error).__name__}: {error}"[:SHOWN],
            "log": "".join(lines)[-SHOWN:],
            "fault": fault(error, source),
        }


class NoTruth(Exception):
    """A function returned what is neither true nor false."""


def truth(returned: Any) -> bool:
    kind = type(returned)
    never_false = callable(returned) or hasattr(kind, "__next__")
    if never_false and not (hasattr(kind, "__bool__") or hasattr(kind, "__len__")):
        hint = "are its brackets missing?" if callable(returned) else "use any(...), all(...) or list(...)"
        raise NoTruth(f"it returned a {kind.__name__}, which is always true; {hint}")
    try:
        return bool(returned)
    except Exception as error:  # noqa: BLE001 - an array of several numbers raises ValueError
        raise NoTruth(f"it returned {type(returned).__name__}, neither true nor false: {error}") from None


def fault(error: BaseException, source: str) -> dict[str, Any]:
    """What tells whose mistake an exception is: its kind, whether it arose in the author's own lines, that
    line, and the module that it names."""
    kinds = (NoTruth, UnboundLocalError, NameError, ImportError, AttributeError, TypeError)
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    own = trace is not None and trace.tb_frame.f_code.co_filename == "<test>"
    lines = source.splitlines()
    at = trace.tb_lineno if trace is not None else 0
    return {
        "kind": next((kind.__name__ for kind in kinds if isinstance(error, kind)), ""),
        "own": own,
        "line": lines[at - 1][:SHOWN] if own and 0 < at <= len(lines) else "",
        "module": str(getattr(error, "name", "") or "")[:200] if isinstance(error, ImportError) else "",
    }


def main() -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        sys.exit("cannot protect the verdict: prctl failed")
    loads, dumps = json_tools()
    request = loads(read_stdin())
    sys.path.append(os.getcwd())  # noqa: PTH109 - last
    report = os.dup(1)
    os.dup2(2, 1)
    answer = call(request)
    sys.stdout.flush()
    sys.stderr.flush()
    write_all(report, request["nonce"] + dumps(answer) + "\n")
    os._exit(0)  # threads and exit handlers of the function have had their time


if __name__ == "__main__":
    main()
