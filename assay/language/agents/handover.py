"""What goes on from an agent's work: its output, and the regular files of its work directory.

Later steps get these files in a pristine sandbox. Both are kept with the record, so that a trial can be
judged again without the model. The next agent also gets what they do not: links, and the files of HOME.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from assay.errors import ModelFault
from assay.language.agents.file_changes import changes
from assay.language.dsl import Context
from assay.records import Block, Sandbox
from assay.sandboxes.agent.files import BadName
from assay.sandboxes.agent.trees import entries, packed

CARRIED = {b"d": 0o700, b"f": 0o600}  # -> what its owner may do with it in the next sandbox
LARGEST_KEPT = 16 << 20  # compressed bytes that a record keeps
LARGEST = 256 << 20
HANDED_IN = "what the agent handed in"
NOT_KEPT = f"{HANDED_IN} (its files are too large to be kept: judging it again means doing its calls again)"


@dataclass(frozen=True)
class SavedWork:
    """An agent's work as a record has it. `files`: as `work_files` gives them, None where it used no tools;
    `story`: its turns."""

    output: str
    files: bytes | None
    story: Block


def work_files(files: bytes) -> tuple[bytes, bytes]:
    """Of packed files the folders and regular files of the work directory, all of which their owner can read
    and change, and the rest: links, and all of HOME, where shells and interpreters look for what they are to
    execute. Raises ModelFault."""
    parts: tuple[list[bytes], list[bytes]] = ([], [])
    try:
        for kind, mode, mtime, names, content, _ in entries(files):
            carried = names[0] == "work" and kind in CARRIED
            mode |= CARRIED[kind] if carried else 0
            parts[not carried].append(packed(kind, mode, mtime, "/".join(names), content))
    except BadName as error:
        raise ModelFault(f"the files of the sandbox cannot be handed on: {error}") from None
    return b"".join(parts[0]), b"".join(parts[1])


async def files_before(sandbox: Sandbox, only: Sequence[str]) -> bytes:
    """What `hand_over` compares with: the files that an agent finds, compressed; nothing if they are too many
    or too large."""
    try:
        found, _ = work_files(await sandbox.pack(only))
    except ModelFault:
        return b""
    small = zlib.compress(found, 1)
    return small if len(small) <= LARGEST_KEPT else b""


async def hand_over(
    ctx: Context, output: str, used: bool, only: Sequence[str], before: bytes
) -> tuple[Block, ...]:
    """Give up the sandbox that an agent worked in, if it `used` that; what the record tells and keeps of its
    work. Of the files those in `only` go on, or all. `before`: as `files_before` gives it. Raises ModelFault
    if they cannot be handed on."""
    if not used:
        return (Block("text", HANDED_IN, output),)
    sandbox = await ctx.open_sandbox()
    files, rest = work_files(await sandbox.pack(only))
    await ctx.renew_sandbox(files)
    ctx.left_behind = files, rest
    changed: Block | None = Block("group", "The files before could not be compared", role="changes")
    if before:
        changed = await changes(zlib.decompress(before), files)
    told = () if changed is None else (changed,)
    kept = zlib.compress(files, 1)
    if len(kept) > LARGEST_KEPT:
        return (*told, Block("text", NOT_KEPT, output))
    return (*told, Block("text", HANDED_IN, output, data=kept))


async def taken_up(ctx: Context) -> Sandbox:
    """The sandbox for an agent's work: with all files that the agent before it left, unless a step in between
    has changed those that were handed over. Judges never get it: `hand_over` gives it up."""
    left, ctx.left_behind = ctx.left_behind, None
    if left is not None and await ctx.snapshot() == left[0]:
        await ctx.renew_sandbox(b"".join(left))
    return await ctx.open_sandbox()


def unpacked(kept: bytes) -> bytes:
    """What `hand_over` kept. Raises ValueError for what it did not make: a results folder may be a
    stranger's."""
    try:
        reader = zlib.decompressobj()
        files = reader.decompress(kept, LARGEST)
        if (
            reader.unconsumed_tail
            or not reader.eof
            or any(kind not in CARRIED for kind, *_ in entries(files))
        ):
            raise ValueError("these are not the files of an agent")
    except (zlib.error, BadName) as error:
        raise ValueError(f"these are not the files of an agent: {error}") from None
    return files
