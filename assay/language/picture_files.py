"""Picture files told from others by their structure alone: nothing is decoded but a PNG's compressed bytes,
and those up to the size that its header promises. Model bytes may come here, in the host's process."""

from __future__ import annotations

import binascii
import struct
import zlib
from dataclasses import dataclass

from assay.records import PNG_SIGNATURE, image_suffix

MAX_PIXELS = 50_000_000
MAX_UNPACKED = 32 << 20  # bytes; of more pixels the rest is believed
TAIL = 1 << 16  # bytes at whose end a camera may have left more than the picture
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # of PNG's colour types
DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # of the markers SOF0 to SOF15


@dataclass(frozen=True)
class Header:
    """What a picture's first bytes say of it."""

    format: str
    width: int
    height: int


def header(data: bytes) -> Header | None:
    """Format and size of PNG, JPEG, GIF, WebP and BMP pictures; None for anything else."""
    kind = image_suffix(data)
    size: tuple[int, int] | None = None
    if len(data) < 26:
        return None
    if kind == "png":
        size = struct.unpack_from(">II", data, 16)
    elif kind == "gif":
        size = struct.unpack_from("<HH", data, 6)
    elif kind == "bmp":
        old = data[14:18] == b"\x0c\0\0\0"
        width, height = struct.unpack_from("<HH" if old else "<Ii", data, 18)
        size = width, abs(height)  # negative: rows from the top
    elif kind == "webp":
        size = _webp(data[12:30].ljust(18, b"\0"))
    elif kind == "jpg":
        size = _jpeg(data)
    return Header("JPEG" if kind == "jpg" else kind.upper(), *size) if size else None


def _webp(chunk: bytes) -> tuple[int, int] | None:
    """https://developers.google.com/speed/webp/docs/riff_container, RFC 9649."""
    if chunk.startswith(b"VP8X"):
        return 1 + int.from_bytes(chunk[12:15], "little"), 1 + int.from_bytes(chunk[15:18], "little")
    if chunk.startswith(b"VP8L"):
        (bits,) = struct.unpack_from("<I", chunk, 9)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if chunk.startswith(b"VP8 "):
        width, height = struct.unpack_from("<HH", chunk, 14)
        return width & 0x3FFF, height & 0x3FFF
    return None


def _jpeg(data: bytes) -> tuple[int, int] | None:
    """The first frame header; segments before it are jumped over (ITU T.81, annex B)."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker, length = struct.unpack_from(">BH", data, at + 1)
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 1 if marker == 0xFF else 2 + max(2, length)
    return None


def file_fault(data: bytes) -> str:
    """Why these bytes are no whole PNG, JPEG, GIF or WebP file of at most MAX_PIXELS; '' if they are."""
    found = header(data)
    if found is None or found.format == "BMP":
        return "it is neither PNG, JPEG, GIF nor WebP"
    if not 0 < found.width * found.height <= MAX_PIXELS:
        return f"a picture of {found.width} x {found.height} pixels is too large"
    if found.format == "PNG":
        return _png_fault(data)
    whole = {
        "JPEG": b"\xff\xd9" in data[-TAIL:],
        "GIF": data[:6] in (b"GIF87a", b"GIF89a") and data.rstrip(b"\0").endswith(b"\x3b"),
        "WEBP": int.from_bytes(data[4:8], "little") + 8 <= len(data),
    }[found.format]
    return "" if whole else f"it begins as {found.format}, and its end is missing"


def png_fault(data: bytes, width: int, height: int) -> str:
    """Why these bytes are not a whole PNG of that size; '' if they are. The size stands in the header and is
    checked before anything is unpacked."""
    found = header(data)
    if found is None or found.format != "PNG":
        return "it is not a PNG"
    if (found.width, found.height) != (width, height):
        return f"it measures {found.width} x {found.height}, not {width} x {height}"
    return _png_fault(data)


def _png_fault(data: bytes) -> str:
    at, packed, palette = len(PNG_SIGNATURE), bytearray(), False
    shape = b""
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        check = data[at + 8 + length : at + 12 + length]
        if len(check) < 4 or binascii.crc32(kind + body) != int.from_bytes(check, "big"):
            return "it is not a PNG: its end is missing"
        if not shape:
            if kind != b"IHDR" or length != 13:
                return "it is not a PNG: its header is missing"
            shape = body
        if kind == b"IDAT":
            packed += body
        palette = palette or kind == b"PLTE"
        at += 12 + length
        if kind == b"IEND":
            return _pixels_fault(shape, bytes(packed), palette)
    return "it is not a PNG: its end is missing"


def _pixels_fault(shape: bytes, packed: bytes, palette: bool) -> str:
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", shape)
    if depth not in DEPTHS.get(colour, ()) or interlaced > 1 or (colour == 3 and not palette):
        return "it is not a PNG: its header has invalid values"
    bits = CHANNELS[colour] * depth

    def size(columns: int, rows: int) -> int:
        return rows * (1 + (columns * bits + 7) // 8) if columns and rows else 0

    wanted = size(width, height)
    if interlaced:
        wanted = sum(
            size(max(0, -(-(width - x) // dx)), max(0, -(-(height - y) // dy))) for x, y, dx, dy in PASSES
        )
    unpacking = zlib.decompressobj()
    try:
        there, left = 0, packed
        wanted = min(wanted, MAX_UNPACKED)
        while there <= wanted:
            some = unpacking.decompress(left, 1 << 20)
            there, left = there + len(some), unpacking.unconsumed_tail
            if not some:
                break
    except zlib.error as error:
        return f"it is not a PNG ({error})"
    return "" if there >= wanted else "it is not a PNG: pixels are missing"


def png_of_bmp(data: bytes) -> bytes:
    """An uncompressed BMP of 1, 4, 8, 24 or 32 bits as PNG. Raises ValueError for another or broken one."""
    found = header(data)
    if found is None or found.format != "BMP":
        raise ValueError("it is not a BMP")
    if not 0 < found.width * found.height <= MAX_PIXELS:
        raise ValueError(f"a picture of {found.width} x {found.height} pixels is too large")
    offset, size = (int.from_bytes(data[at : at + 4], "little") for at in (10, 14))
    old = size == 12
    depth = int.from_bytes(data[24:26] if old else data[28:30], "little")
    method = 0 if old else int.from_bytes(data[30:34], "little")
    if depth not in (1, 4, 8, 24, 32) or not (method == 0 or (method == 3 and depth == 32)):
        raise ValueError(f"a BMP of {depth} bits, compressed by method {method}, is not shown")
    upside = old or int.from_bytes(data[22:26], "little", signed=True) > 0
    stride = (found.width * depth + 31) // 32 * 4
    if offset + stride * found.height > len(data):  # before rows are counted that only the header has
        raise ValueError("rows of the BMP are missing")
    rows = [data[at : at + stride] for at in range(offset, offset + stride * found.height, stride)]
    if upside:
        rows.reverse()
    palette = b""
    if depth <= 8:
        step = 3 if old else 4
        colours = data[14 + size : min(offset, 14 + size + step * (1 << depth))]
        palette = b"".join(colours[at + 2 : at + 3] + colours[at + 1 : at + 2] + colours[at : at + 1]
                           for at in range(0, len(colours) - 2, step))  # fmt: skip
        palette = palette.ljust(3 << depth, b"\0")
    used = (found.width * depth + 7) // 8
    packed = zlib.compress(b"".join(b"\0" + _pixels(row[:used], depth) for row in rows), 1)
    shape = struct.pack(">IIBBBBB", found.width, found.height, min(depth, 8), 3 if palette else 2, 0, 0, 0)
    chunks = [(b"IHDR", shape), *([(b"PLTE", palette)] if palette else []), (b"IDAT", packed), (b"IEND", b"")]
    return PNG_SIGNATURE + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", binascii.crc32(kind + body))
        for kind, body in chunks
    )


def _pixels(row: bytes, depth: int) -> bytes:
    """A row of a BMP as PNG has it: red before blue, no fourth byte."""
    if depth <= 8:
        return row
    step = depth // 8
    out = bytearray(len(row) // step * 3)
    out[0::3], out[1::3], out[2::3] = row[2::step], row[1::step], row[0::step]
    return bytes(out)
