"""Messages for people on stderr, wrapped to their terminal."""

from __future__ import annotations

import re
import shlex
import sys
import textwrap
from collections.abc import Callable
from typing import TextIO

from assay.home import typed
from assay.report.sanitise import strip_terminal, visible
from assay.stdout import columns

# First words of commands in messages, beside this program and this Python
COMMANDS = ("make (?:-C|image|setup)", "uv pip", "apt-get", "dnf", "cd", "python -m", "inspect view")
NARROWEST = 40  # columns; messages are not wrapped to fewer
TIED = "\N{NO-BREAK SPACE}"  # replaces spaces in commands during wrapping


def say(text: str, out: TextIO | None = None) -> None:
    """Write a message to stderr, or to `out`. It may quote results files, which are untrusted."""
    out = out or sys.stderr
    shown = visible(strip_terminal(text))
    width = columns(out) if out.isatty() else 0
    if NARROWEST <= width < len(shown):
        shown = broken(shown, width)
    print(shown, file=out, flush=True)


def each_once() -> Callable[[str], None]:
    """`say` that says each text once, as both sides of a comparison may be read from the same files."""
    said: set[str] = set()

    def once(text: str) -> None:
        if text not in said:
            said.add(text)
            say(text)

    return once


def command() -> re.Pattern[str]:
    """Matches a command in a message, up to its end or the next comma or semicolon, and what is in
    backticks."""
    started_by = "|".join([re.escape(typed()), re.escape(shlex.quote(sys.executable)), *COMMANDS])
    return re.compile(rf"`[^`\n]+`|(?<![\w/-])(?:{started_by}) (?:'[^'\n]*'|[^'`,;()\n]|,(?! ))*(?<! )")


def broken(text: str, width: int) -> str:
    """`text` in lines of at most `width` columns, broken between words. A command stays on one line, to be
    copied: the terminal then wraps a long one without a newline."""
    lines = []
    for line in command().sub(lambda found: found[0].replace(" ", TIED), text).split("\n"):
        indent = line[: len(line) - len(line.lstrip(" "))]
        lines += textwrap.wrap(
            line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False,
            expand_tabs=False, replace_whitespace=False,
        ) or [""]  # fmt: skip
    return "\n".join(lines).replace(TIED, " ")
