"""A picture that a judge is to see: whether the bytes of a value are one, and in a form that providers take.

A model's program wrote them, so they are decoded in the trial's sandbox. Where that has no Pillow, another
process does it, of one format, under limits. This process sees headers, and bytes whose size was checked.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import NodeError, SandboxUnavailable
from assay.language.dsl import Branch, Branches, Context, Node, Reason, StringNode
from assay.language.inside import file_text
from assay.language.picture_files import MAX_PIXELS, file_fault, header, png_of_bmp
from assay.language.picture_script import MAX_MADE, MAX_SENT, MAX_SIDE, NO_PILLOW, SENT
from assay.language.values import binary_block
from assay.threads import in_thread

MAX_BYTES = 32 << 20
TIME_LIMIT_S = 20.0
MAX_HEADER = 1 << 20  # bytes before the size of a JPEG, which come from a camera


@dataclass(frozen=True, repr=False)
class Image(Node):
    """The start of a pipeline: outputs the bytes of a picture file (PNG, JPEG, GIF, WebP or BMP). `path` is
    relative to the folder of the test file that says it, or a function that returns such bytes, called on the
    host when a trial begins. In Rows it may have columns: then it is relative to the folder of their file."""

    path: str | Path | Callable[[], bytes]
    is_judge = False
    yields_picture = True

    def __post_init__(self) -> None:
        if callable(self.path) or self.has_column:
            return
        if not isinstance(self.path, (str, Path)):
            raise NodeError(
                "Image: path must be the name of a file or a function that returns its bytes, not "
                f"{type(self.path).__name__}"
            )
        file = sys._getframe(2).f_globals.get("__file__")  # of whoever called Image(...)
        path = Path(file).parent / self.path if file else Path(self.path).absolute()
        object.__setattr__(self, "path", path)
        try:
            with path.open("rb") as opened:
                start = opened.read(MAX_HEADER)
        except OSError as error:
            raise NodeError(f"Image: {path} cannot be read: {error.strerror}") from None
        if header(start) is None:
            raise NodeError(f"Image: {path} is not a PNG, JPEG, GIF, WebP or BMP file")

    @property
    def has_column(self) -> bool:
        """Whether `Rows` has to put something into the path."""
        return isinstance(self.path, str) and "<" in self.path

    @property
    def in_short(self) -> str:
        """The name of the file."""
        return f'"{self.path.name}"' if isinstance(self.path, Path) else ""

    def unfit(self, before: Node, verdict: bool) -> str:
        if verdict or not isinstance(before, StringNode) or not before.text.strip():
            return ""
        return (
            f"a test begins with its Image, so the text {before.text!r:.60} before it is not sent to the "
            "model; write Image(...) >> LLMVisionRun(THE TEXT, llm=LLM)"
        )

    async def run(self, value: Any, ctx: Context) -> Branches:
        import asyncio

        if callable(self.path):
            data, name = await in_thread(self.path), "picture"
            if not isinstance(data, bytes) or header(data) is None:
                raise NodeError("Image: the function returned no bytes of a PNG, JPEG, GIF, WebP or BMP file")
        elif self.has_column:
            raise NodeError(
                f'{self!r} names a column, and there are no Rows: write Rows("FILE.csv") >> {self!r} >> ...'
            )
        else:
            path = Path(self.path)
            data, name = await asyncio.to_thread(path.read_bytes), path.name
        yield Branch(data, Reason(self, binary_block(data, name)))


def encoded_image(value: Any) -> bytes:
    """The PNG of a Pillow image that the author's code made, or bytes that are a whole picture file already
    (a BMP as PNG). Raises ValueError when `value` is not a picture, or one of more than MAX_PIXELS."""
    if isinstance(value, (bytes, bytearray)):
        data = bytes(value)
        found = header(data)
        if found is not None and found.format == "BMP":
            return png_of_bmp(data)
        if why := file_fault(data):
            raise ValueError(f"these {len(data)} bytes are not a picture: {why}")
        return data
    if not hasattr(value, "save"):
        raise ValueError(f"a picture is needed, not {type(value).__name__}")
    if value.width * value.height > MAX_PIXELS:
        raise ValueError(f"a picture of {value.width} x {value.height} pixels is too large")
    image = value
    if image.mode not in ("1", "L", "LA", "P", "RGB", "RGBA"):
        image = image.convert("RGB")
    out = io.BytesIO()
    image.save(out, format="PNG")
    return out.getvalue()


def is_picture(value: Any) -> bool:
    """Whether a value is the bytes of a picture file, by how they begin, or a Pillow image."""
    if isinstance(value, (bytes, bytearray)):
        return header(bytes(value[:MAX_HEADER])) is not None
    return hasattr(value, "save") and hasattr(value, "width")


async def picture_to_send(value: Any, ctx: Context) -> bytes:
    """PNG, JPEG, GIF or WebP, at most MAX_SIDE pixels a side. Raises ValueError for what is not a picture."""
    import asyncio

    if not isinstance(value, (bytes, bytearray)):
        value = await asyncio.to_thread(encoded_image, value)  # the author's own image, which may be large
    data = bytes(value)
    if not data or len(data) > MAX_BYTES:
        raise ValueError(f"{len(data):,} bytes are not a picture that can be shown")
    found = header(data)
    if found is not None and found.width * found.height > MAX_PIXELS:
        raise ValueError(f"a picture of {found.width} x {found.height} pixels is too large")
    said = await _in_the_sandbox(data, ctx)
    if said is None and found is not None:
        said = await _in_a_process(data, found.format)
    if said is None:  # no Pillow anywhere
        return await asyncio.to_thread(encoded_image, data)
    return _checked(data, said)


def _checked(data: bytes, said: bytes) -> bytes:
    """The picture that a decoder found, looked at once more: it may have been taken over."""
    line, _, made = said.partition(b"\n")
    try:
        facts = json.loads(line)
        picture = data if facts.get("as_is") is True else made
    except (ValueError, AttributeError, RecursionError):
        raise ValueError("decoding it went wrong") from None
    found = header(picture)
    if "fault" in facts:
        fault = str(facts["fault"])
    elif found is None or found.format not in SENT or max(found.width, found.height) > MAX_SIDE:
        fault = "decoding it gave no picture"
    elif len(picture) > (MAX_SENT if picture is data else MAX_MADE):
        fault = "it is too large to be sent"
    else:
        return picture
    raise ValueError(f"these {len(data):,} bytes are not a picture ({fault})")


def sent_as_it_is(data: bytes) -> bool:
    """Whether these bytes look like a still picture that needs no decoder to become what is sent. Of one that
    is broken or moves this may be wrong."""
    found = header(data)
    fits = found is not None and found.format in SENT and max(found.width, found.height) <= MAX_SIDE
    return fits and len(data) <= MAX_SENT


def decoder(python: str = "python3", format: str = "") -> list[str]:
    """The command that reads a picture, of any format or only of one."""
    return [python, "-I", "-c", file_text("picture_script.py"), format]


async def _in_the_sandbox(data: bytes, ctx: Context) -> bytes | None:
    """What the script says there; None where there is no sandbox, or no Pillow in it."""
    try:
        sandbox = await ctx.open_sandbox()
    except SandboxUnavailable:
        return None
    result = await sandbox.run(decoder(), stdin=data, time_limit_s=TIME_LIMIT_S)
    if result.returncode in (NO_PILLOW, 126, 127):
        return None
    if result.timed_out:
        raise ValueError("decoding it takes too long")
    if result.returncode != 0 or result.truncated:
        raise ValueError("decoding it takes too much memory, or breaks the decoder")
    return result.stdout


async def _in_a_process(data: bytes, format: str) -> bytes | None:
    """The same without a sandbox: another process, one format, and limits on memory and time."""
    import asyncio
    import contextlib
    from asyncio.subprocess import DEVNULL, PIPE

    process = await asyncio.create_subprocess_exec(
        *decoder(sys.executable, format), stdin=PIPE, stdout=PIPE, stderr=DEVNULL, cwd="/", env={}
    )
    try:
        async with asyncio.timeout(TIME_LIMIT_S):
            said, _ = await process.communicate(data)
    except TimeoutError:
        raise ValueError("decoding it takes too long") from None
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode == NO_PILLOW:
        return None
    if process.returncode != 0:
        raise ValueError("it breaks the decoder")
    return said
