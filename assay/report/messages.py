"""Messages for people, on stderr, in the lines of their terminal."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import textwrap

from assay.home import typed
from assay.report.sanitise import strip_terminal, visible

# What starts the commands that messages name, beside this program and this Python
COMMANDS = ("make (?:-C|image|setup)", "uv pip", "apt-get", "dnf", "cd", "python -m", "inspect view")
NARROWEST = 40  # columns in which a message is broken between words
TIED = "\N{NO-BREAK SPACE}"  # a space within a command, while lines are broken


def say(text: str) -> None:
    """A message for people, on stderr. It may quote results files, which may be a stranger's."""
    shown = visible(strip_terminal(text))
    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else 0
    if NARROWEST <= width < len(shown):
        shown = broken(shown, width)
    print(shown, file=sys.stderr, flush=True)  # noqa: T201


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
