"""Bytes that are no text, as an explanation shows them: a picture where they are one, else a hex dump.

A model's program wrote them, so nothing is decoded here: a picture's size is read from its header, and
whether it is whole from its structure (assay.language.picture_files).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.records import Block, image_suffix

MAX_BYTES = 8 << 20
MAX_PIXELS = 16_000_000  # of a picture that is shown
DUMPED = 256  # bytes, 16 on a line

_CONTROL = re.compile(rb"[\x00-\x07\x0e-\x1a\x1c-\x1f]")
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # of the markers SOF0 to SOF15


@dataclass(frozen=True)
class Header:
    """What a picture's first bytes say of it."""

    format: str
    width: int
    height: int


def is_binary(value: object) -> bool:
    """Whether `value` is bytes that nobody could read as text.

    >>> is_binary(b"caf\\xc3\\xa9"), is_binary(b"caf\\xe9"), is_binary(b"a\\0"), is_binary("a\\0")
    (False, True, True, False)
    """
    if not isinstance(value, (bytes, bytearray)):
        return False
    if _CONTROL.search(value):
        return True
    try:
        value.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def header(data: bytes) -> Header | None:
    """Format and size of PNG, JPEG, GIF, WebP and BMP pictures; None for anything else."""

    def number(at: int, width: int, order: str = "little") -> int:
        return int.from_bytes(data[at : at + width], "big" if order == "big" else "little")

    if len(data) < 26:
        return None
    kind = image_suffix(data)
    if kind == "png":
        return Header("PNG", number(16, 4, "big"), number(20, 4, "big"))
    if kind == "gif":
        return Header("GIF", number(6, 2), number(8, 2))
    if kind == "bmp" and number(14, 4) == 12:
        return Header("BMP", number(18, 2), number(20, 2))
    if kind == "bmp":
        height = int.from_bytes(data[22:26], "little", signed=True)  # negative: rows from the top
        return Header("BMP", number(18, 4), abs(height))
    if kind == "webp":
        return _webp(data)
    return _jpeg(data) if kind == "jpg" else None


def _webp(data: bytes) -> Header | None:
    """https://developers.google.com/speed/webp/docs/riff_container, RFC 9649."""
    kind, body = data[12:16], data[20:30]
    if kind == b"VP8X":
        return Header(
            "WEBP", 1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:10], "little")
        )
    if kind == b"VP8L":
        bits = int.from_bytes(body[1:5], "little")
        return Header("WEBP", 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    if kind == b"VP8 ":
        sides = (int.from_bytes(body[at : at + 2], "little") & 0x3FFF for at in (6, 8))
        return Header("WEBP", *sides)
    return None


def _jpeg(data: bytes) -> Header | None:
    """The first frame header; segments before it are jumped over (ITU T.81, annex B)."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in _JPEG_FRAMES:
            height, width = (int.from_bytes(data[at + i : at + i + 2], "big") for i in (5, 7))
            return Header("JPEG", width, height)
        at += 1 if marker == 0xFF else 2 + max(2, length)
    return None


def _shown(data: bytes, found: Header) -> bytes:
    """The picture in a format that the store keeps: a BMP as PNG, any other as it is. b'': it is broken."""
    from assay.language.picture_files import file_fault, png_of_bmp

    if found.format != "BMP":
        return b"" if file_fault(data) else data
    try:
        return png_of_bmp(data)
    except ValueError:
        return b""


def hex_dump(data: bytes) -> str:
    """The first bytes, 16 on a line, and the length.

    >>> print(hex_dump(b"BM\\x00z"))
    00000000  42 4d 00 7a                                      BM.z
    4 bytes in all
    """
    lines = []
    for at in range(0, min(len(data), DUMPED), 16):
        line = data[at : at + 16]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in line)
        lines.append(f"{at:08x}  {line.hex(' '):47}  {letters}")
    if len(data) > DUMPED:
        lines.append("...")
    return "\n".join([*lines, f"{len(data):,} bytes in all"])


def binary_block(data: bytes, title: str) -> Block:
    """A picture that can be decoded as an image block, anything else as the head of a hex dump."""
    found = header(data)
    why = ""
    if found is not None:
        size = f"{found.format}, {found.width:,} x {found.height:,} pixels, {len(data):,} bytes"
        if len(data) > MAX_BYTES or found.width * found.height > MAX_PIXELS:
            why = f"{size}: too large to be shown"
        elif picture := _shown(data, found):
            return Block("image", title, size, data=picture)
        else:
            why = f"begins as {size}, but cannot be decoded"
    said = f"{title} ({why})" if title and why else title or why
    return Block("code", said, hex_dump(data), language="hexdump")


def binary_summary(data: bytes) -> str:
    """Bytes in a few words: 'a BMP picture of 300 x 200, 180,054 bytes'."""
    found = header(data)
    what = f"a {found.format} picture of {found.width} x {found.height}, " if found else ""
    return f"{what}{len(data):,} bytes" + ("" if found else " that are no text")
