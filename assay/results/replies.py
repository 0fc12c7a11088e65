"""What a saved trial's models replied, found again by what they were asked."""

from __future__ import annotations

import hashlib
import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assay.errors import NotRecorded
from assay.records import Block, Completion, JsonMode, Message, Reply, TrialRecord, Usage

SHORTENED = re.compile(r"\n\[\.\.\. \d+ characters left out \.\.\.\]\n")
EXCERPT = 300


def question_hash(messages: Sequence[Message], want_json: JsonMode = False) -> str:
    """What was asked, whoever was asked: roles, texts, the pictures' hashes, JSON mode. 32 hex digits."""
    said = [[m.role, m.content, *(hashlib.sha256(i).hexdigest() for i in m.images)] for m in messages]
    return hashlib.sha256(json.dumps([said, bool(want_json)]).encode("ascii")).hexdigest()[:32]


@dataclass
class Recorded:
    """The replies of one saved trial. A question finds its reply by its hash; asked more than once, the
    replies come in their order, the last one again and again. `in_order`: a question that was not asked
    then gets the next reply of its role all the same, for a dialogue whose questions hold measurements.
    """

    replies: Sequence[Reply]
    in_order: bool = False
    by_question: dict[tuple[str, str], deque[Reply]] = field(default_factory=dict)
    turns: dict[str, deque[Reply]] = field(default_factory=dict)
    by_prompt: dict[str, deque[Reply]] = field(default_factory=dict)  # of a record from before hashes

    def __post_init__(self) -> None:
        for reply in self.replies:
            self.by_question.setdefault((reply.role, reply.asked), deque()).append(reply)
            self.turns.setdefault(reply.role, deque()).append(reply)

    def reply(
        self, role: str, name: str, messages: Sequence[Message], want_json: JsonMode = False
    ) -> Completion:
        """The completion. Raises NotRecorded if this was not asked, or its reply was not kept whole."""
        found = self.by_question.get((role, question_hash(messages, want_json)))
        if not found and self.in_order:
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
            reply.text, reply.usage, reply.cost, cached=True, attempts=0, finish_reason=reply.finish_reason
        )


def _not_asked(role: str, name: str, messages: Sequence[Message]) -> str:
    prompt = messages[-1].content if messages else ""
    shown = prompt if len(prompt) <= EXCERPT else prompt[:EXCERPT] + " ..."
    pictures = sum(len(message.images) for message in messages)
    about = f" about {pictures} picture{'s'[: pictures != 1]}" if pictures else ""
    return f"{name} ({role}) was not asked this{about} when its replies were saved:\n{shown}"


def recorded(record: TrialRecord, *, in_order: bool = False) -> Recorded:
    """The replies of a record; of one that is older than their hashes, by the prompts in its steps."""
    if record.replies or record.reason is None:
        return Recorded(record.replies, in_order)
    its = Recorded((), in_order)
    usage, cost = record.usage, record.cost  # known for the trial as a whole: its first reply's
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
