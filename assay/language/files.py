"""Nodes that write files into the trial's sandbox."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from assay.errors import ModelFault, NodeError
from assay.language.apart import read
from assay.language.dsl import Branch, Branches, Context, Node, Reason, no_output
from assay.language.extract import json_text
from assay.language.values import as_bytes, as_text, binary_block, how_it_ended, is_binary
from assay.records import Block

MAX_FILES = 1000
MAX_DEPTH = 50  # folders


def name_fault(name: str) -> str:
    """What is wrong with a file name relative to the work directory; '' if it may be used.

    >>> name_fault("src/a.py"), name_fault("../a")
    ('', 'leads out of the work directory')
    """
    path = PurePosixPath(name)
    if not name or name.endswith("/") or not path.parts:
        return "does not name a file"
    if path.is_absolute() or ".." in path.parts:
        return "leads out of the work directory"
    if any(ord(character) < 32 or ord(character) == 127 for character in name):
        return "holds a control character"
    if any("\ud800" <= character <= "\udfff" for character in name):
        return "is not valid text"
    if len(path.parts) > MAX_DEPTH:
        return f"lies more than {MAX_DEPTH} folders deep"
    if any(len(part.encode("utf-8", errors="replace")) > 255 for part in path.parts) or len(name) > 1000:
        return "is too long"
    return ""


def _shown(name: str, content: bytes) -> Block:
    if is_binary(content):
        return binary_block(content, f"file {name}")
    return Block("code", f"file {name}", as_text(content), language=PurePosixPath(name).suffix.lstrip("."))


NOTHING = ("true",)  # a command that is given for the files that come with it


async def write_files(node: Node, ctx: Context, files: Mapping[str, bytes]) -> tuple[Block, ...]:
    """Write files into the work directory; returns them as blocks. Raises ModelFault where what is there
    already stands in the way."""
    blocks = tuple(_shown(name, content) for name, content in files.items())
    with ctx.attempting(node, *blocks):
        sandbox = await ctx.open_sandbox()
        written = await sandbox.run(NOTHING, files=files)
        if written.returncode != 0:
            why = written.output.strip()[-500:] or how_it_ended(written)
            raise ModelFault(f"no files written: {why}")
    return blocks


@dataclass(frozen=True, repr=False)
class MakeFile(Node):
    """Write the incoming value to the file `name` in the work directory, and pass it on."""

    name: str
    in_sandbox = True
    is_judge = False

    def __post_init__(self) -> None:
        if fault := name_fault(self.name):
            raise NodeError(f"MakeFile({self.name!r}): the name {fault}")

    async def run(self, value: Any, ctx: Context) -> Branches:
        blocks = await write_files(self, ctx, {self.name: as_bytes(value)})
        yield Branch(value, Reason(self, blocks))


def files_in(value: Any) -> dict[str, bytes]:
    """The files of {"name": "content"}, an object or its JSON. Raises ValueError saying what is wrong.

    Content that is not text is written as JSON.
    """
    found = value
    if not isinstance(value, dict):
        text = json_text(as_text(value))
        found = None if text is None else json.loads(text)
    if not isinstance(found, dict) or not found:
        raise ValueError("no JSON object with file names and contents")
    if len(found) > MAX_FILES:
        raise ValueError(f"{len(found)} files are more than {MAX_FILES}")
    files: dict[str, bytes] = {}
    for name, content in found.items():
        if fault := name_fault(str(name)):
            raise ValueError(f"the file name {str(name)[:200]!r} {fault}")
        path = str(PurePosixPath(str(name)))
        files[path] = as_bytes(content if isinstance(content, (str, bytes)) else json.dumps(content))
    for name in files:
        if clash := next((str(up) for up in PurePosixPath(name).parents if str(up) in files), None):
            raise ValueError(f"{clash!r} is both a file and a folder")
    return files


@dataclass(frozen=True, repr=False)
class MakeFilesFromJSON(Node):
    """Write the files of an incoming {"name": "content"} object, and pass the value on.

    Names come from a model: one that leads out of the work directory is a FAIL, and nothing is written.
    """

    in_sandbox = True
    is_judge = False

    async def run(self, value: Any, ctx: Context) -> Branches:
        try:
            files = await read(files_in, as_text(value)) if not isinstance(value, dict) else files_in(value)
        except ValueError as error:
            yield no_output(self, f"no files written: {error}")
            return
        blocks = await write_files(self, ctx, files)
        yield Branch(value, Reason(self, blocks))
