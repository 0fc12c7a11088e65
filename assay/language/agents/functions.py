"""A typed function of the test's author as a tool. It runs in the sandbox."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args, get_type_hints

from assay.errors import NodeError
from assay.language.agents.programs import TIME_LIMIT_S, ended
from assay.language.agents.tool import OUTPUT, AgentTool
from assay.language.agents.workbench import Done, Workbench
from assay.language.function_source import function_source
from assay.language.inside import command_of
from assay.language.tools import arguments_for, tool_of
from assay.records import Tool


@dataclass(frozen=True)
class FunctionTool(AgentTool):
    """`fn` with what it uses of its file goes to the sandbox and is called there, in the work directory; what
    it returns is told to the model, as JSON if it is not text. An exception is an error for the model."""

    fn: Callable[..., Any]

    def __post_init__(self) -> None:
        told = tool_of(self.fn)
        for name, hint in get_type_hints(self.fn).items():
            if name != "return" and _has_dataclass(hint):
                raise NodeError(
                    f"{told.name}: {name} is a dataclass; a tool in the sandbox takes JSON, e.g. a dict"
                )

    def __repr__(self) -> str:
        return self.fn.__qualname__

    @property
    def tool(self) -> Tool:
        return tool_of(self.fn)

    def arguments(self, arguments: str) -> dict[str, Any]:
        return arguments_for(self.fn, arguments)

    async def call(self, bench: Workbench, /, **given: Any) -> Done:
        function = function_source(self.fn, by_name=True)
        text = json.dumps({"name": function.name, "source": function.source, "given": given})
        request = {"do": "run", "argv": command_of("agents/inside/tool_function"), "env": {}, "text": text}
        limit_s = bench.bounded(TIME_LIMIT_S)
        answer = await bench.ask({**request, "room": OUTPUT}, limit_s)
        done, said = ended(answer, limit_s), str(answer.pop("said", ""))
        if done.failed or not said:
            return Done(done.text, True, done.seconds, done.note)
        failed, returned = said[:1] == "E", said[1:]
        shown = f"{returned}\n[printed]\n{answer['printed']}" if answer["printed"] else returned
        return Done(shown or "[nothing]", failed, done.seconds, "failed" if failed else "")


def _has_dataclass(hint: Any) -> bool:
    return dataclasses.is_dataclass(hint) or any(map(_has_dataclass, get_args(hint)))
