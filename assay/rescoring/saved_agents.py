"""What agents handed in, from the record of a trial that is judged again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from assay.language.agents.handover import HANDED_IN, SavedWork, unpacked
from assay.records import Block, TrialRecord
from assay.results.replies import SHORTENED
from assay.results.untrusted_files import kept_file, picture


def saved_agents(record: TrialRecord, run: Path) -> Iterator[SavedWork | None]:
    """The agents of a record, in their order; None for one whose work was not kept whole, so that its calls
    must be done again. `run`: the record's file."""
    if record.reason is not None:
        yield from _below(record.reason, run.parents[2] / "images")


def _below(block: Block, images: Path) -> Iterator[SavedWork | None]:
    last = block.children[-1] if block.children else None
    if block.kind == "group" and last is not None and last.title.startswith(HANDED_IN):
        yield _work(block, last, images)
        return
    for child in block.children:
        yield from _below(child, images)


def _work(story: Block, last: Block, images: Path) -> SavedWork | None:
    if last.title != HANDED_IN or SHORTENED.search(last.body):
        return None
    if not last.file:
        return SavedWork(last.body, None, _with_pictures(story, images))
    data = kept_file(images, last.file)
    try:
        whole = _with_pictures(story, images)
        return None if data is None else SavedWork(last.body, unpacked(data), whole)
    except ValueError:
        return None


def _with_pictures(block: Block, images: Path) -> Block:
    """What was seen then stands beside the new record, too."""
    data = picture(images, block.file) if block.kind == "image" else None
    children = tuple(_with_pictures(child, images) for child in block.children)
    return replace(block, data=data or b"", children=children)
