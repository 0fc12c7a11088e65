"""What a reference, or a function that plays a model, says in one turn: a text, calls of tools, or both."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from assay.dialogue import Completion, ToolCall

SHELL = "shell"  # the tool that runs a Script


@dataclass(frozen=True, init=False, repr=False)
class Call:
    """A call of a tool: `Call("shell", command="ls")`. `written`: the arguments word for word instead, for
    names that Python cannot write and for what is not JSON."""

    tool: str
    written: str

    def __init__(self, tool: str, written: str = "", /, **arguments: Any) -> None:
        if not isinstance(tool, str) or not isinstance(written, str) or (written and arguments):
            raise TypeError('a call is written as Call("shell", command="ls"), or Call("shell", "{...}")')
        object.__setattr__(self, "tool", tool)
        object.__setattr__(self, "written", written or json.dumps(arguments, allow_nan=False))

    def __repr__(self) -> str:
        return f"Call({self.tool!r}, {self.written!r})"


@dataclass(frozen=True, init=False, repr=False)
class Turn:
    """Several calls in one reply, with a text or without:
    `Turn("I look at both.", Call("shell", command="ls"), Call("shell", command="cat x"))`."""

    parts: tuple[str | Call, ...]

    def __init__(self, *parts: str | Call) -> None:
        if wrong := [each for each in parts if not isinstance(each, (str, Call))]:
            raise TypeError(f"a Turn has texts and calls of tools, not {type(wrong[0]).__name__}")
        object.__setattr__(self, "parts", parts)

    def __repr__(self) -> str:
        return f"Turn({', '.join(map(repr, self.parts))})"


@dataclass(frozen=True)
class Script:
    """A script that solves a test in its sandbox: one call of the tool named shell, then "Done."."""

    source: str

    def turns(self, argument: str) -> tuple[str | Call, ...]:
        """As turns. `argument`: of the tool, which takes the script."""
        return (Call(SHELL, json.dumps({argument: self.source})), "Done.")


Said = str | Call | Turn


def reply_of(said: object, turn: int) -> Completion | None:
    """A model's reply that says this; None for what is not a turn. `turn`: its place in the dialogue, which
    makes the ids of its calls its own where they have none."""
    if isinstance(said, Completion):
        made = said
    elif isinstance(said, (str, Call, Turn)):
        parts = said.parts if isinstance(said, Turn) else (said,)
        text = "\n".join(part for part in parts if isinstance(part, str))
        calls = tuple(ToolCall("", part.tool, part.written) for part in parts if isinstance(part, Call))
        made = Completion(text, calls=calls, finish_reason="tool_calls" if calls else "stop")
    else:
        return None
    named = tuple(
        call if call.id else replace(call, id=f"call_{turn}_{number}")
        for number, call in enumerate(made.calls, 1)
    )
    return made if named == made.calls else replace(made, calls=named)
