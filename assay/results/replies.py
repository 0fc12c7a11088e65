"""The replies of a saved trial's models, found again by their questions."""

from __future__ import annotations

import hashlib
import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assay.asked import what_was_asked
from assay.errors import NotRecorded
from assay.records import Block, Completion, JsonMode, Message, Reply, Tool, TrialRecord, Usage

SHORTENED = re.compile(r"\n\[\.\.\. \d+ characters left out \.\.\.\]\n")
EXCERPT = 300


def question_hash(
    messages: Sequence[Message], want_json: JsonMode = False, tools: Sequence[Tool] = ()
) -> str:
    """A hash of a question, whoever was asked: roles, texts, hashes of pictures, JSON mode. 32 hex digits."""
    asked = what_was_asked(messages, want_json, tools)
    return hashlib.sha256(json.dumps(asked).encode("ascii")).hexdigest()[:32]


@dataclass
class Recorded:
    """The replies of one saved trial. A question finds its reply by its hash; if it was asked more than once,
    the replies come in order, the last one repeatedly. `in_order`: a question that was not asked still gets
    the next reply of its role, for a dialogue whose questions contain measurements. So does one with results
    of tools: those calls are made again, and a time or an order in what they print may be another."""

    replies: Sequence[Reply]
    in_order: bool = False
    by_question: dict[tuple[str, str], deque[Reply]] = field(default_factory=dict)
    turns: dict[str, deque[Reply]] = field(default_factory=dict)
    by_prompt: dict[str, deque[Reply]] = field(default_factory=dict)  # of a record older than the hashes

    def __post_init__(self) -> None:
        for reply in self.replies:
            self.by_question.setdefault((reply.role, reply.asked), deque()).append(reply)
            self.turns.setdefault(reply.role, deque()).append(reply)

    def reply(
        self,
        role: str,
        name: str,
        messages: Sequence[Message],
        want_json: JsonMode = False,
        tools: Sequence[Tool] = (),
    ) -> Completion:
        """The completion. Raises NotRecorded if this was not asked or its reply was not kept whole."""
        found = self.by_question.get((role, question_hash(messages, want_json, tools)))
        measured = self.in_order or any(message.role == "tool" for message in messages)
        if not found and measured:
            found = deque([self.turns[role][0]]) if self.turns.get(role) else None
        if not found and messages:
            found = self.by_prompt.get(messages[-1].content.strip())
        if not found:
            raise NotRecorded(_not_asked(role, name, messages))
        reply = found.popleft() if len(found) > 1 else found[0]
        if (its := self.turns.get(role)) and reply in its:
            its.remove(reply)
        if reply.text is None:
            raise NotRecorded(f"{name} replied to this ({role}), but the reply was too long to be kept")
        return Completion(
            reply.text,
            reply.usage,
            reply.cost,
            cached=True,
            attempts=0,
            finish_reason=reply.finish_reason,
            calls=reply.calls,
        )


def _not_asked(role: str, name: str, messages: Sequence[Message]) -> str:
    prompt = messages[-1].content if messages else ""
    shown = prompt if len(prompt) <= EXCERPT else prompt[:EXCERPT] + " ..."
    pictures = sum(len(message.images) for message in messages)
    about = f" about {pictures} picture{'s'[: pictures != 1]}" if pictures else ""
    return f"{name} ({role}) was not asked this{about} when its replies were saved:\n{shown}"


def recorded(record: TrialRecord, *, in_order: bool = False) -> Recorded:
    """The replies of a record; in one older than the hashes, found by the prompts in its steps."""
    if record.replies or record.reason is None:
        return Recorded(record.replies, in_order)
    its = Recorded((), in_order)
    usage, cost = record.usage, record.cost  # known for the whole trial, so the first reply gets it
    for prompt, text in _turns(record.reason):
        reply = Reply("", "", None if SHORTENED.search(text) else text, usage, cost)
        its.by_prompt.setdefault(prompt.strip(), deque()).append(reply)
        usage, cost = Usage(), None if cost is None else 0.0
    return its


def _turns(root: Block) -> Iterator[tuple[str, str]]:
    """Prompt and reply of each call that the steps show."""
    prompt: str | None = None
    stack = [root]
    while stack:
        block = stack.pop()
        if block.kind == "chat" and block.role == "user":
            prompt = block.body
        elif block.kind == "chat" and block.role == "assistant" and prompt is not None:
            yield prompt, block.body
            prompt = None
        stack.extend(reversed(block.children))
