"""What was said below the cell of a notebook that runs, which a view in the same cell does not repeat."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from assay.report import messages


@dataclass
class _Cell:
    number: int | None = None  # None outside of IPython
    said: set[str] = field(default_factory=set)


_last = _Cell()


def say(text: str) -> None:
    """Write a message to stderr."""
    messages.say(text)
    _this().said.update(text.splitlines())


def unsaid(text: str) -> str:
    """The lines of a text that were not said in this cell."""
    said = _this().said
    return "\n".join(line for line in text.splitlines() if line not in said)


def _this() -> _Cell:
    global _last
    shell = "IPython" in sys.modules and sys.modules["IPython"].get_ipython()
    number = shell.execution_count if shell else None
    if number is None or number != _last.number:
        _last = _Cell(number)
    return _last
