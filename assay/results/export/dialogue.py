"""The messages of a trial, extracted from the blocks that explain it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assay.records import Block, Outcome, TrialRecord
from assay.results.causes import of_record

REPLIED = " replied"
SENT = "picture sent"  # title of a picture sent with a question (assay/language/models.py)


class Turn(NamedTuple):
    """One message. `by`: the model that is asked or replies; `images`: names of files in the images
    folder."""

    role: str
    text: str
    by: str
    images: tuple[str, ...] = ()


Leaf = tuple[str, Block]
"""The title of the step that a block belongs to, and the block."""


def leaves(block: Block | None, step: str = "") -> list[Leaf]:
    """The blocks that say something, in the order of the trial."""
    found: list[Leaf] = []
    left = iter(() if block is None else (block,))
    outer: list[tuple[str, Iterator[Block]]] = []  # the steps that the blocks that are left are in
    while True:
        for each in left:
            if each.kind != "group":
                found.append((step, each))
            if each.children:
                outer.append((step, left))
                step, left = each.title or step, iter(each.children)
                break
        else:
            if not outer:
                return found
            step, left = outer.pop()


def turns(record: TrialRecord, said: Sequence[Leaf] | None = None) -> list[Turn]:
    """Every message of the trial, of the model under test and of its judges. `said`: its leaves, if known."""
    found: list[Turn] = []
    pending: tuple[str, ...] = ()
    named = True
    for _, block in leaves(record.reason) if said is None else said:
        if (kind := block.kind) == "chat":
            by = _named(block)
            named = named and by != ""
            if (role := block.role) in ("assistant", "system"):
                found.append(Turn(role, block.body, by))
            else:
                found.append(Turn("user", block.body, by, pending))
                pending = ()
        elif kind == "image" and block.title == SENT and block.file:
            last = found[-1] if found else None
            if last is not None and last.role == "user":  # a picture follows its question
                found[-1] = last._replace(images=(*last.images, block.file))
            else:
                pending = (*pending, block.file)
    return found if named else _with_names(found, record)


def _named(block: Block) -> str:
    """The model named in a chat block's title: "asked M", "M replied"."""
    title = block.title
    if block.role == "assistant":
        return title[: -len(REPLIED)] if title.endswith(REPLIED) else ""
    _, asked, name = title.rpartition("asked ")
    return name if asked else ""


def _with_names(found: list[Turn], record: TrialRecord) -> list[Turn]:
    """Name the unnamed: a question belongs to whoever replies next, a reply to the model under test."""
    named: list[Turn] = []
    following = ""
    for turn in reversed(found):
        if turn.role == "assistant":
            following = turn.by or record.model
        if not turn.by:
            turn = Turn(turn.role, turn.text, following or record.model, turn.images)
        named.append(turn)
    return named[::-1]


def dialogue(record: TrialRecord, said: Sequence[Leaf] | None = None) -> list[Turn]:
    """The messages of the model under test, without those of judges that have another name. `said`: the
    record's leaves, if known."""
    own, judges = record.model, record.judges.values()
    return [turn for turn in turns(record, said) if turn.by == own or turn.by not in judges]


def question(said: list[Turn]) -> str:
    for turn in said:
        if turn.role == "user":
            return turn.text
    return ""


def answer(said: list[Turn]) -> str:
    """The last reply."""
    for turn in reversed(said):
        if turn.role == "assistant":
            return turn.text
    return ""


def why(record: TrialRecord, said: Sequence[Leaf] | None = None) -> str:
    """One sentence with the deciding fact; for a PASS, the words of the last verdict that passed. `said`: the
    record's leaves, if known."""
    if record.outcome is not Outcome.PASS:
        return of_record(record).why
    for _, block in reversed(leaves(record.reason) if said is None else said):
        if block.kind == "verdict" and block.passed:
            return f"{block.title}: {block.body}" if block.title and block.body else block.body or block.title
    return ""
