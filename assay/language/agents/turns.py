"""The turns of an agent: what its journal keeps of them, and how a report shows them."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from assay.language.agents.tool import NO_OUTPUT, cut, main_argument
from assay.language.agents.workbench import Done
from assay.language.values import on_one_line, sized
from assay.records import Block, Completion, ToolCall, TurnCost, Usage

MOST_BLOCKS = 400  # of all turns: what is left of a record's belongs to the steps behind
MOST_LINES = 300  # turns that have a line
LAST = 10  # turns that are told in full before all others
MOST_CHARS = 500_000
MOST_BYTES = 24 << 20  # of pictures
SHOWN = 10_000  # characters of one argument or result
BRIEF = 300  # the same where there is no more room
LANGUAGES = {"shell": "bash", "python": "python", "run_javascript": "javascript"}


@dataclass
class Turn:
    """A reply, and what came of each of its calls."""

    reply: Completion
    done: list[Done] = field(default_factory=list)

    @property
    def went_wrong(self) -> bool:
        return any(done.went_wrong for done in self.done)


def reply_as_json(reply: Completion) -> dict[str, Any]:
    """All of a reply, for the journal."""
    return asdict(reply)


def reply_of_json(kept: dict[str, Any]) -> Completion:
    """The inverse."""
    calls = tuple(ToolCall(**call) for call in kept["calls"])
    return Completion(**{**kept, "usage": Usage(**kept["usage"]), "calls": calls})


def done_as_json(done: Done) -> dict[str, Any]:
    """All that came of a call, for the journal."""
    return {**vars(done), "images": [base64.b64encode(each).decode() for each in done.images]}


def done_of_json(kept: dict[str, Any]) -> Done:
    """The inverse."""
    return Done(**{**kept, "images": tuple(map(base64.b64decode, kept["images"]))})


class Story:
    """Turns as blocks, within what a record holds. What is told in full first are the last turns, then those
    in which a call failed, then the others in their order; what is left has a line each."""

    def __init__(self) -> None:
        self.blocks, self.chars, self.bytes = MOST_BLOCKS, MOST_CHARS, MOST_BYTES

    def of(self, turns: Sequence[Turn], model: str) -> tuple[Block, ...]:
        half, some = MOST_LINES // 2, list(enumerate(turns, 1))
        if len(turns) > MOST_LINES:
            some = some[:half] + some[-half:]
        self.blocks -= len(some)

        def rank(each: tuple[int, Turn]) -> int:
            return 0 if each[0] > len(turns) - LAST else 1 if each[1].went_wrong else 2

        told = {number: self._turn(number, turn, model) for number, turn in sorted(some, key=rank)}
        if len(turns) > MOST_LINES:
            told[half].append(Block("text", body=f"[{len(turns) - MOST_LINES} turns left out]"))
        return tuple(block for number in sorted(told) for block in told[number])

    def _turn(self, number: int, turn: Turn, model: str) -> list[Block]:
        """One line, and all of the turn below it; of the last reply, which calls nothing, the text."""
        reply, told = turn.reply, []
        if reply.reasoning:
            thought = Block("text", "", self._cut(reply.reasoning))
            told.append(Block("group", "reasoning", children=(thought,), folded=True))
        usage, seconds = reply.usage, sum(done.seconds for done in turn.done)
        spent = TurnCost(usage.input_tokens, usage.output_tokens, reply.cost, reply.seconds, seconds)
        if reply.text or not reply.calls:
            its = None if reply.calls else spent
            told.append(Block("chat", f"{model} replied", reply.text, role="assistant", spent=its))
        self.blocks -= 2 * len(told)
        if not reply.calls:
            return told
        calls = [self._call(call, done) for call, done in zip(reply.calls, turn.done, strict=False)]
        does = calls[0].title if calls else "not done"
        if len(calls) == 1:
            told += calls[0].children
        else:
            told += calls
            does = f"{len(calls)} calls: {'; '.join(call.title for call in calls)}"
        title, passed = f"turn {number}: {on_one_line(does, 300)}", False if turn.went_wrong else None
        if self.blocks < 0:
            title, told = f"{title} (no more of it was kept)", []
        return [Block("group", title, children=tuple(told), folded=True, passed=passed, spent=spent)]

    def _call(self, call: ToolCall, done: Done) -> Block:
        """One line, and the whole below it."""
        size = sized(len(done.text.encode("utf-8", "replace")))
        result = "no output" if done.text == NO_OUTPUT else f"result of {size}" if done.text else ""
        facts = [each for each in (done.note, f"{done.seconds:.2f} s", result) if each]
        about = on_one_line(main_argument(call), 160)
        title = f"{on_one_line(call.name, 80)}{': ' * bool(about)}{about} ({', '.join(facts)})"
        given = self._arguments(call)
        self.blocks -= len(given) + 2
        told = Block("text", "result", self._cut(done.text))
        pictures = tuple(map(self._picture, done.images))
        passed = False if done.went_wrong else None
        return Block("group", title, children=(*given, told, *pictures), folded=True, passed=passed)

    def _picture(self, data: bytes) -> Block:
        self.blocks, self.bytes = self.blocks - 1, self.bytes - len(data)
        if self.bytes < 0:
            return Block("text", "picture", "[left out: the record holds no more of them]")
        return Block("image", "picture", data=data)

    def _arguments(self, call: ToolCall) -> tuple[Block, ...]:
        try:
            found = json.loads(call.arguments)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or len(found) > 8 or self.chars < 0:
            return (Block("code", "arguments", self._cut(call.arguments), language="json"),)
        language = LANGUAGES.get(call.name, "")
        return tuple(
            Block("code", on_one_line(name, 80), self._cut(value), language=language)
            if isinstance(value, str)
            else Block("code", on_one_line(name, 80), self._cut(json.dumps(value)), language="json")
            for name, value in found.items()
        )

    def _cut(self, text: str) -> str:
        room = SHOWN if self.chars > 0 else BRIEF
        text = cut(text, room)
        self.chars -= len(text)
        return text
