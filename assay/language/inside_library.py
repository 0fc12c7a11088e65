"""What our programs inside a sandbox use of the standard library, at the least cost: their start is part of
what a verdict costs, and json alone brings re and enum. Standard library only; Python 3.9 or later."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PATH = list(sys.path)  # before a program changes it


class NotFromHere:
    """A block in which imports find what they do without the program, whatever lies in its directory."""

    def __enter__(self) -> None:
        self.before, sys.path = sys.path, PATH

    def __exit__(self, *error: object) -> None:
        sys.path = self.before


def library(name: str) -> Any:
    """A module of the standard library."""
    with NotFromHere():
        return __import__(name)


class Reading:
    """How json.loads reads, for Python's own C code."""

    strict, object_hook, object_pairs_hook, parse_float, parse_int = True, None, None, float, int
    parse_constant = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": -float("inf")}.get
    memo = None


def json_tools() -> tuple[Callable[[str], Any], Callable[[Any], str]]:
    """json.loads and json.dumps, without the import of json, re and enum where their C code can be had."""
    try:
        import _json

        in_c: Any = _json
        scan, text_of = in_c.make_scanner(Reading), in_c.encode_basestring_ascii
        parts = in_c.make_encoder(None, None, text_of, None, ": ", ", ", False, False, True)
        trial = {"a": [None, True, 1, -1.5, "\x1e"]}
        text = "".join(parts(trial, 0))
        if text == '{"a": [null, true, 1, -1.5, "\\u001e"]}' and scan(text, 0)[0] == trial:
            return lambda text: scan(text, 0)[0], lambda value: "".join(parts(value, 0))
    except (ImportError, AttributeError, TypeError, ValueError):
        pass
    json = library("json")
    return json.loads, json.dumps


def read_stdin() -> str:
    """What was sent to this process, in which nobody can read it again."""
    text = sys.stdin.buffer.read().decode()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return text


def write_all(descriptor: int, text: str) -> None:
    data = text.encode()
    while data:
        data = data[os.write(descriptor, data) :]
