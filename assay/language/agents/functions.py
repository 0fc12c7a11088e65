"""A typed function of the test's author as a tool. It runs in the sandbox."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict

from assay.errors import NodeError
from assay.language.agents.programs import TIME_LIMIT_S, ended
from assay.language.agents.tool import OUTPUT, AgentTool
from assay.language.agents.workbench import Done, Workbench
from assay.language.function_source import check_plain, function_source
from assay.language.inside import command_of
from assay.language.tools import arguments_for, tool_of
from assay.records import Tool

PLAIN = (
    str,
    int,
    float,
    bool,
    type(None),
    list,
    dict,
    tuple,
    object,
    Any,
)  # what JSON is made of, or any of it
ABSTRACT = (Sequence, Mapping, Iterable, Collection)


@dataclass(frozen=True)
class FunctionTool(AgentTool):
    """`fn` with what it uses of its file goes to the sandbox and is called there, in the work directory; what
    it returns is told to the model, as JSON if it is not text. An exception is an error for the model."""

    fn: Callable[..., Any]

    def __post_init__(self) -> None:
        told = tool_of(self.fn)
        for name, hint in get_type_hints(self.fn).items():
            if name != "return" and (other := _not_json(hint)):
                raise NodeError(
                    f"{told.name}: {name} is {other}; a tool in the sandbox takes JSON, e.g. a dict or a str"
                )
        check_plain(self.fn)

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


def _not_json(hint: Any) -> str:
    """What of a type is not made of JSON; '' if all of it is."""
    if dataclasses.is_dataclass(hint):
        return "a dataclass"
    if (
        isinstance(hint, type)
        and get_origin(hint) is None
        and hint not in (*PLAIN, *ABSTRACT)
        and not is_typeddict(hint)
    ):
        return f"of the type {hint.__name__}"
    if get_origin(hint) in (set, frozenset):
        return "a set"
    if get_origin(hint) is Literal:
        return ""
    inside = get_type_hints(hint).values() if is_typeddict(hint) else get_args(hint)
    return next(filter(None, map(_not_json, inside)), "")
