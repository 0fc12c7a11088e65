"""A command's stdout, which is for its results alone. Whatever else is printed while the command runs, by
tests, suites, packages or programs that they start, goes to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TextIO

_results: TextIO | None = None


class Lent(TextIOWrapper):
    """A stream that whoever prints to it cannot close, such as by `with sys.stdout as out`."""

    def close(self) -> None:
        self.flush()


def stdout() -> TextIO:
    """Where results are printed."""
    return _results or sys.stdout


def print_json(value: object) -> None:
    """Print a result in JSON."""
    import json  # --help prints none

    json.dump(value, stdout(), indent=2)
    stdout().write("\n")


def columns(out: TextIO) -> int:
    """The width of the terminal `out`, which may be the only one that there is."""
    told = os.environ.get("COLUMNS", "")
    try:
        return int(told if told.isdecimal() else 0) or os.get_terminal_size(out.fileno()).columns or 80
    except OSError:  # it only says that it is one
        return 80


def fill_closed() -> None:
    """Let the streams that the caller closed lead nowhere: the next file that is opened, such as a run's,
    would get the descriptor of one, and with it what programs print."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = open(os.devnull, "w")  # noqa: PTH123, SIM115
            setattr(sys, name, nowhere)
            setattr(sys, f"__{name}__", nowhere)


@contextmanager
def for_results(*, to_the_end: bool = False) -> Iterator[None]:
    """A block in which only `stdout()` prints to stdout. `to_the_end`: so it stays, as the process ends."""
    global _results
    fill_closed()
    before, printed = _results, sys.stdout
    is_file = printed is sys.__stdout__ and sys.stderr is sys.__stderr__
    _results, sys.stdout = _moved(printed) if is_file else printed, sys.stderr
    try:
        yield
    finally:
        assert _results is not None
        _results.flush()
        if not to_the_end:
            if is_file:
                os.dup2(_results.fileno(), printed.fileno())
                _results.buffer.close()
            _results, sys.stdout = before, printed


def _moved(stream: TextIO) -> TextIO:
    """What `stream` was. Its descriptor, which programs inherit, is stderr's from now on."""
    stream.flush()
    own = os.dup(stream.fileno())
    os.dup2(sys.stderr.fileno(), stream.fileno())
    return Lent(os.fdopen(own, "wb"), stream.encoding, stream.errors, line_buffering=os.isatty(own))
