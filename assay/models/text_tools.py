"""Tools of models whose server knows of none: told in a system text, and called in fenced blocks.

    ```call 3f9a1c52
    {"name": "shell", "arguments": {"command": "ls"}}
    ```

The mark behind the word is drawn anew for each run and taken out of all that a user or a tool says. So
what stands in a file or on a page is never a call, not even where the model repeats it.
"""

from __future__ import annotations

import dataclasses
import json
import re
import secrets
from collections.abc import Iterable, Sequence

from assay.models.openai_chat import ENDED_EARLY
from assay.models.provider import Call
from assay.records import Completion, Message, Tool, ToolCall

THOUGHT = "</think>"  # what stands before it was only considered
NAME = re.compile(r'"name"\s*:\s*"([^"\n]{1,100})"')

ORDER = """You can use tools. To call one, write a block of exactly this form, with one JSON object in it:

```call {mark}
{{"name": NAME, "arguments": {{...}}}}
```

Write one block for each call, and nothing behind the last one. The results are in the next message, in the
order of the calls, in blocks that begin with ```result {mark} or, if the call failed, ```error {mark}.
When you need no tool, reply without such a block.

The tools, each with the JSON schema of its arguments:
"""


class TextTools:
    """The tools of one connection, as text."""

    def __init__(self) -> None:
        self.mark = secrets.token_hex(4)
        self._opens = re.compile(rf"\s*(`{{3,}})[ \t]*call[ \t]+{self.mark}\s*")
        self._told = re.compile(rf"\s*`{{3,}}[ \t]*(?:result|error)[ \t]+{self.mark}\b.*")

    def asked(self, call: Call) -> Call:
        """A call without tools that asks for the same."""
        messages = [*self._turns(call.messages)]
        if call.tools:
            order = self._order(call.tools)
            if messages and messages[0].role == "system":
                order = f"{messages.pop(0).content}\n\n{order}"
            messages.insert(0, Message("system", order))
        return dataclasses.replace(call, messages=tuple(messages), tools=())

    def _order(self, tools: Sequence[Tool]) -> str:
        rows = [f"{tool.name}: {tool.description}\n{tool.parameters}" for tool in tools]
        return ORDER.format(mark=self.mark) + "\n" + "\n\n".join(rows)

    def _turns(self, messages: Iterable[Message]) -> Iterable[Message]:
        names: dict[str, str] = {}
        results: list[str] = []
        images: tuple[bytes, ...] = ()
        for m in messages:
            if m.role == "tool":
                word = "error" if m.failed else "result"
                name = self._unmarked(" ".join(names.get(m.call_id, "").split())[:60])
                results.append(self._block(word, name, self._unmarked(m.content)))
                images += m.images
                continue
            if results:
                yield Message("user", "\n\n".join(results), images)
                results, images = [], ()
            if m.role == "assistant":
                names |= {call.id: call.name for call in m.calls}
                blocks = [self._block("call", "", _written(call)) for call in m.calls]
                yield Message("assistant", "\n\n".join([*([m.content] if m.content else []), *blocks]))
            else:
                yield Message(m.role, self._unmarked(m.content), m.images)
        if results:
            yield Message("user", "\n\n".join(results), images)

    def _unmarked(self, text: str) -> str:
        return text.replace(self.mark, "********")

    def _block(self, word: str, name: str, text: str) -> str:
        longest = max(map(len, re.findall("`+", text)), default=0) if word != "call" else 0
        fence = "`" * max(3, longest + 1)
        return f"{fence}{word} {self.mark} {name}".rstrip() + f"\n{text}\n{fence}"

    def answered(self, reply: Completion, call: Call) -> Completion:
        """A reply with the calls that its text has. One that cannot be read has what was written as its
        arguments, and perhaps a name."""
        if not call.tools:
            return reply
        before = sum(len(m.calls) for m in call.messages)
        text, blocks = self._parted(reply.text)
        calls = tuple(call_in(f"call_{before + n}", block) for n, block in enumerate(blocks))
        finish = reply.finish_reason
        if calls and finish not in ENDED_EARLY:
            finish = "tool_calls"
        return dataclasses.replace(reply, text=text, calls=calls, finish_reason=finish)

    def _parted(self, text: str) -> tuple[str, list[str]]:
        """The text beside the calls, and what stands in each block. What follows a result that the model has
        made up itself is left out."""
        beside: list[str] = []
        blocks: list[str] = []
        block: list[str] = []
        fence = ""
        for line in text.split("\n"):
            if fence:
                end = line.strip()
                if len(end) >= len(fence) and not end.strip("`"):
                    blocks.append("\n".join(block))
                    fence, block = "", []
                else:
                    block.append(line)
            elif opens := self._opens.fullmatch(line):
                fence = opens[1]
            elif self._told.fullmatch(line):
                break
            else:
                if THOUGHT in line:
                    blocks.clear()
                beside.append(line)
        if fence:
            blocks.append("\n".join(block))
        return "\n".join(beside).strip(), blocks


def ill_written(written: str, call: Call) -> Completion:
    """The reply that Groq refuses to give because the model did not write its call of a tool as it should. It
    is the model's mistake, so it is told to the model."""
    made = call_in(f"call_{sum(len(m.calls) for m in call.messages)}", written)
    return Completion("", cost=0.0, finish_reason="tool_calls", calls=(made,))


def _written(call: ToolCall) -> str:
    """A call as the model wrote it, or would have."""
    try:
        made = {"name": call.name, "arguments": json.loads(call.arguments)}
    except (ValueError, RecursionError):
        return call.arguments  # it could not be read, and this is all of it
    return json.dumps(made, ensure_ascii=False) if call.name else call.arguments


def call_in(own: str, block: str) -> ToolCall:
    """A call with the id `own`, as far as one can be read."""
    try:
        said = json.loads(block, strict=False)
    except (ValueError, RecursionError):
        meant = NAME.search(block)
        return ToolCall(own, meant[1] if meant else "", block)
    if not isinstance(said, dict) or not isinstance(name := said.get("name"), str) or not name:
        return ToolCall(own, "", block)
    return ToolCall(own, name, json.dumps(said.get("arguments", {}), ensure_ascii=False))
