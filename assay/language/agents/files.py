"""Tools that read and change files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.language.agents.programs import ended
from assay.language.agents.tool import OUTPUT, AgentTool
from assay.language.agents.workbench import Done, Workbench

FILE_LIMIT_S = 20.0
LINES = 1000


@dataclass(frozen=True)
class ReadFile(AgentTool):
    """The agent may read text files. `max_output`: bytes that it is told at once."""

    name = "read_file"

    max_output: int = OUTPUT

    async def call(self, bench: Workbench, /, **given: Any) -> Done:
        lines = max(1, given.get("lines", LINES))
        request = {"path": given["path"], "first": given.get("first_line", 1), "lines": lines}
        return _done(await bench.ask({"do": "read", **request, "room": self.max_output}, FILE_LIMIT_S))

    @staticmethod
    def form(path: str, first_line: int = 1, lines: int = LINES) -> None:
        """Read lines of a text file.

        path: of the file, from the first folder
        first_line: number of the first line to read
        lines: how many to read at most
        """


@dataclass(frozen=True)
class EditFile(AgentTool):
    """The agent may replace a text in a file that stands there exactly once, and make new files."""

    name = "edit_file"

    async def call(self, bench: Workbench, /, **given: Any) -> Done:
        request = {"path": given["path"], "old": given["old_text"], "new": given["new_text"]}
        return _done(await bench.ask({"do": "edit", **request}, FILE_LIMIT_S))

    @staticmethod
    def form(path: str, old_text: str, new_text: str) -> None:
        """Replace a text in a file by another, or make a new file.

        path: of the file, from the first folder
        old_text: the text to be replaced, which must stand in the file exactly once; empty to make a new file
        new_text: what is to stand there
        """


def _done(answer: dict[str, Any]) -> Done:
    done = ended(answer, FILE_LIMIT_S)
    return Done(done.text, done.failed, done.seconds, done.note)
