"""The messages of a trial, extracted from the blocks that explain it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from assay.records import Block, Outcome, TrialRecord
from assay.results.causes import of_record

SENT = "picture sent"  # title of a picture sent with a question (assay/language/models.py)


class Turn(NamedTuple):
    """One message. `by`: the model that is asked or replies; `images`: names of files in the images
    folder."""

    role: str
    text: str
    by: str
    images: tuple[str, ...] = ()


class Leaf(NamedTuple):
    """A block without children, and the title of the step that it belongs to."""

    step: str
    block: Block


def leaves(block: Block | None, step: str = "") -> Iterator[Leaf]:
    """The blocks that say something, in the order of the trial."""
    stack = [] if block is None else [Leaf(step, block)]
    while stack:
        leaf = stack.pop()
        if leaf.block.kind != "group":
            yield leaf
        if leaf.block.children:
            step = leaf.block.title or leaf.step
            stack += [Leaf(step, child) for child in reversed(leaf.block.children)]


def turns(record: TrialRecord) -> list[Turn]:
    """Every message of the trial, of the model under test and of its judges."""
    found: list[Turn] = []
    pending: list[str] = []
    for leaf in leaves(record.reason):
        block = leaf.block
        if block.kind == "image" and block.title == SENT and block.file:
            last = found[-1] if found else None
            if last is not None and last.role == "user":  # a picture follows its question
                found[-1] = Turn(last.role, last.text, last.by, (*last.images, block.file))
            else:
                pending.append(block.file)
        elif block.kind == "chat":
            role = block.role if block.role in ("system", "user", "assistant") else "user"
            found.append(Turn(role, block.body, _named(block), tuple(pending) if role == "user" else ()))
            if role == "user":
                pending = []
    return _with_names(found, record)


def _named(block: Block) -> str:
    """The model named in a chat block's title: "asked M", "M replied"."""
    if block.role == "assistant":
        return block.title.removesuffix(" replied") if block.title.endswith(" replied") else ""
    _, asked, name = block.title.rpartition("asked ")
    return name if asked else ""


def _with_names(found: list[Turn], record: TrialRecord) -> list[Turn]:
    """Name the unnamed: a question belongs to whoever replies next, a reply to the model under test."""
    named: list[Turn] = []
    following = ""
    for turn in reversed(found):
        if turn.role == "assistant":
            following = turn.by or record.model
        named.append(Turn(turn.role, turn.text, turn.by or following or record.model, turn.images))
    return named[::-1]


def dialogue(record: TrialRecord) -> list[Turn]:
    """The messages of the model under test, without those of judges that have another name."""
    judges = set(record.judges.values()) - {record.model}
    return [turn for turn in turns(record) if turn.by not in judges]


def question(said: list[Turn]) -> str:
    return next((turn.text for turn in said if turn.role == "user"), "")


def answer(said: list[Turn]) -> str:
    """The last reply."""
    return next((turn.text for turn in reversed(said) if turn.role == "assistant"), "")


def why(record: TrialRecord) -> str:
    """One sentence with the deciding fact; for a PASS, the words of the last verdict that passed."""
    if record.outcome is not Outcome.PASS:
        return of_record(record).why
    verdicts = [leaf.block for leaf in leaves(record.reason) if leaf.block.kind == "verdict"]
    for block in reversed(verdicts):
        if block.passed:
            return f"{block.title}: {block.body}" if block.title and block.body else block.body or block.title
    return ""
