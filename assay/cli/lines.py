"""A message for people, broken into the lines of a terminal."""

from __future__ import annotations

import re
import shlex
import sys
import textwrap

from assay.home import typed

# What starts the commands that messages name, beside this program and this Python
COMMANDS = ("make (?:-C|image|setup)", "uv pip", "apt-get", "dnf", "cd", "python -m", "inspect view")
TIED = "\N{NO-BREAK SPACE}"  # a space within a command, while lines are broken


def broken(text: str, width: int) -> str:
    """`text` in lines of at most `width` columns, broken between words, where a terminal would break them
    anywhere. A command stays in one piece, to be copied: the terminal's own break of a long one is none."""
    started_by = "|".join([re.escape(typed()), re.escape(shlex.quote(sys.executable)), *COMMANDS])
    command = re.compile(rf"`[^`\n]+`|(?<![\w/-])(?:{started_by}) (?:'[^'\n]*'|[^'`,;()\n]|,(?! ))*(?<! )")
    lines = []
    for line in command.sub(lambda found: found[0].replace(" ", TIED), text).split("\n"):
        indent = line[: len(line) - len(line.lstrip(" "))]
        lines += textwrap.wrap(
            line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False,
            expand_tabs=False, replace_whitespace=False,
        ) or [""]  # fmt: skip
    return "\n".join(lines).replace(TIED, " ")
