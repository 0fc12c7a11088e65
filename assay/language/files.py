"""Nodes that write files into the trial's sandbox."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, cast

from assay.errors import ModelFault, NodeError
from assay.few import few
from assay.language.apart import read
from assay.language.dsl import Branch, Branches, Context, Node, Reason, no_output
from assay.language.extract import json_text
from assay.language.given_files import given_files
from assay.language.inside import NOTHING
from assay.language.values import as_bytes, as_text, binary_block, how_it_ended, is_binary, on_one_line
from assay.records import Block
from assay.sandboxes.agent.trees import packed
from assay.threads import in_thread

MAX_FILES = 1000
MAX_DEPTH = 50  # folders
LARGEST_FOLDER = 48 << 20  # bytes of all files of `Files`
NAMED, NAME = 6, 40  # names in short, and characters of one
LEFT_OUT = frozenset((".git", "__pycache__"))
MADE_NS = 1_700_000_000 * 10**9  # the time of all its files, so that the same files are the same bytes


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


async def write_files(node: Node, ctx: Context, files: Mapping[str, bytes]) -> tuple[Block, ...]:
    """Write files into the work directory; returns them as blocks. Raises ModelFault if existing files are in
    the way."""
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
        super().__post_init__()
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

    Names come from a model: if one leads out of the work directory, the trial is a FAIL and nothing is
    written.
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


@dataclass(frozen=True, repr=False)
class Files(Node):
    """Put files into the work directory, and pass the value on. `source`: a folder, whose content it is, with
    the modes of the files, relative to the folder of the test file that says it; a dict of names to
    contents; or a function that returns such a dict, called on the host when a trial begins, for files that
    are large and made by a program. What lies in .git and __pycache__ is left out; links are refused."""

    source: str | Path | Mapping[str, str | bytes] | Callable[[], Mapping[str, str | bytes]]
    in_sandbox = True
    is_judge = False

    def __post_init__(self) -> None:
        if isinstance(self.source, Mapping):
            try:
                pairs = tuple(files_in(dict(self.source)).items())
            except ValueError as error:
                raise NodeError(f"Files: {error}") from None
            object.__setattr__(self, "source", pairs)  # a dict would make the node unhashable
        elif isinstance(self.source, (str, Path)):
            file = sys._getframe(2).f_globals.get("__file__")  # of whoever called Files(...)
            folder = Path(file).parent / self.source if file else Path(self.source).absolute()
            if not folder.is_dir():
                raise NodeError(f"Files: {folder} is not a folder")
            object.__setattr__(self, "source", folder)

    @property
    def in_short(self) -> str:
        """The folder, or the names of the files."""
        if isinstance(self.source, Path):
            return f"{on_one_line(self.source.name, NAME)}/"
        if callable(self.source):
            return ""
        names = [on_one_line(name, NAME) for name, _ in cast(Any, self.source)]
        return few(names, NAMED)

    async def run(self, value: Any, ctx: Context) -> Branches:
        import asyncio

        folder = self.source.name if isinstance(self.source, Path) else ""
        if isinstance(self.source, Path):
            found = await asyncio.to_thread(_content, self.source)
        elif callable(self.source):
            found = await in_thread(_made, self.source)
        else:
            found = [(name, 0o644, content) for name, content in cast(Any, self.source)]
        block = given_files(folder, found)
        with ctx.attempting(self, block):
            sandbox = await ctx.open_sandbox()
            await sandbox.unpack(_packed(found))
        yield Branch(value, Reason(self, block))


def _made(make: Callable[[], Mapping[str, str | bytes]]) -> list[tuple[str, int, bytes]]:
    """Name, mode and content of every file that a function makes. Raises NodeError."""
    try:
        return [(name, 0o644, content) for name, content in files_in(dict(make())).items()]
    except (ValueError, TypeError) as error:
        raise NodeError(f"Files: {error}") from None


def _content(folder: Path) -> list[tuple[str, int, bytes]]:
    """Name, mode and content of every file below a folder. Raises NodeError."""
    found: list[tuple[str, int, bytes]] = []
    left = LARGEST_FOLDER
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not LEFT_OUT.isdisjoint(path.relative_to(folder).parts):
            continue
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise NodeError(f"Files: {path} is not a file or folder of its own")
        if path.is_file():
            left -= path.stat().st_size
            if left < 0 or len(found) >= MAX_FILES:
                raise NodeError(
                    f"Files: {folder} has more than {MAX_FILES} files or {LARGEST_FOLDER >> 20} MB"
                )
            found.append((name, path.stat().st_mode & 0o777, path.read_bytes()))
    return found


def _packed(found: Sequence[tuple[str, int, bytes]]) -> bytes:
    """Files with the folders that they are in, as `Sandbox.unpack` takes them."""
    parts: dict[str, bytes] = {}
    for name, mode, content in found:
        for folder in reversed(PurePosixPath(name).parents[:-1]):
            parts.setdefault(str(folder), packed(b"d", 0o755, MADE_NS, f"work/{folder}", b""))
        parts[name] = packed(b"f", mode | 0o600, MADE_NS, f"work/{name}", content)
    return b"".join(parts.values())
