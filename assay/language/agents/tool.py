"""What every tool of an agent is: a form that the model fills in, and what is done with it in the sandbox."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

from assay.language.agents.workbench import Done, Workbench
from assay.language.tools import arguments_for, tool_of
from assay.records import Tool, ToolCall

OUTPUT = 30_000  # bytes that a model is told of one call's output; of more the middle is left out
NO_OUTPUT = "[no output]"  # what a model is told instead of nothing
LARGEST_CALL = 256 << 10  # characters of a call's arguments


@dataclass(frozen=True)
class AgentTool:
    """A tool of `AgentRun`. A subclass has a `name` and a `form`, a typed function with a docstring, whose
    signature the model is told of, and does the work in `call`. Or it stands for several, its `parts`.
    `needs`: commands that the sandbox must have."""

    name: ClassVar[str]
    form: ClassVar[Callable[..., Any]]
    needs: ClassVar[tuple[str, ...]] = ()

    @property
    def parts(self) -> tuple[AgentTool, ...]:
        """The tools that the model gets."""
        return (self,)

    async def opened(self, bench: Workbench) -> tuple[AgentTool, ...]:
        """`parts`, once the work begins."""
        return self.parts

    @property
    def tool(self) -> Tool:
        """What the model is told."""
        return replace(_told(type(self).form), name=self.name)

    def arguments(self, arguments: str) -> dict[str, Any]:
        """Those of a call, by name. Raises ValueError with a sentence for the model."""
        return arguments_for(type(self).form, arguments)

    async def call(self, bench: Workbench, /, **given: Any) -> Done:
        """Do it. Raises ToolsLost."""
        raise NotImplementedError


def cut(text: str, room: int) -> str:
    """`text` within so many characters: of more the middle is left out."""
    half = room // 2
    if len(text) <= room:
        return text
    return f"{text[:half]}\n[... {len(text) - 2 * half:,} characters left out ...]\n{text[-half:]}"


@cache
def _told(form: Callable[..., Any]) -> Tool:
    return tool_of(form)


def main_argument(call: ToolCall) -> str:
    """What a call is about, in one line: its first argument that is text."""
    try:
        found = json.loads(call.arguments[:LARGEST_CALL])
        values = found.values() if isinstance(found, dict) else ()
    except (ValueError, RecursionError):
        return ""
    return next((value for value in values if isinstance(value, str)), "")
