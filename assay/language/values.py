"""What travels between nodes: text, bytes, or any object; and how an explanation shows it.

Bytes that are not text are shown as a picture where they are one, else as a hex dump. A model's program wrote
them, so nothing is decoded here (assay.language.picture_files)."""

from __future__ import annotations

import re
from typing import Any

from assay.errors import NoText
from assay.language.picture_files import Header, file_fault, header, png_of_bmp
from assay.records import Block, ExecResult

MAX_BYTES = 8 << 20
MAX_PIXELS = 16_000_000  # of a picture that is shown
DUMPED = 256  # bytes, 16 on a line

# <A>, or a place for a column of Rows, whose value comes later
PLACE = re.compile(r"<[^<>\n]+>")
TOKEN = re.compile(r"(?:: )?\bassay-[0-9a-f]{20}\b")  # of make_tests: printed if all tests passed
_CONTROL = re.compile(rb"[\x00-\x07\x0e-\x1a\x1c-\x1f]")


def textless(value: Any) -> tuple[Any, ...]:
    """What has no text, of a value or of what it holds, () for nothing: of a set, a function or a Completion
    str() only says what Python calls it, in which the number of tokens would be found as an answer.

    >>> textless(["a", 1, None, {"b": 2.5}]), textless([{4}]), textless(len)
    ((), ({4},), (<built-in function len>,))
    """
    try:
        return _textless(value)
    except RecursionError:
        return ()


def _textless(value: Any) -> tuple[Any, ...]:
    kind: Any = type(value)
    if kind.__str__ is not object.__str__ or value is None or isinstance(value, (int, float, complex)):
        return ()
    if isinstance(value, (list, tuple)) and not hasattr(kind, "_fields"):
        return next(filter(None, map(_textless, value)), ())
    if isinstance(value, dict):
        return next(filter(None, map(_textless, value.values())), ())
    return (value,)


def as_text(value: Any) -> str:
    """A value as text, to be judged, asked or run: bytes are decoded, anything else is what str() says.
    Raises NoText.

    >>> as_text(b"hi"), as_text(7)
    ('hi', '7')
    """
    if lacking := textless(value):
        raise NoText(value, *lacking)
    return shown_text(value)


def shown_text(value: Any) -> str:
    """Any value as text, for people."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", errors="replace")
    try:
        return str(value)
    except (ValueError, RecursionError) as error:  # an integer of 5,000 digits, or what nests too deep
        return f"[{type(value).__name__} that cannot be shown: {error}]"


def as_bytes(value: Any) -> bytes:
    """A value as a file's content. Lone surrogates, which a model's JSON may hold, become '?'."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    return as_text(value).encode("utf-8", errors="replace")


def is_token(text: str) -> bool:
    """Whether a text is the token of a test case, which says that all tests passed."""
    return TOKEN.fullmatch(text) is not None


def without_token(text: str) -> str:
    """A text as people see it.

    >>> without_token("all tests passed: assay-aa772146a942bd5cce0a")
    'all tests passed'
    """
    return TOKEN.sub("", text) if "assay-" in text else text


def excerpt(text: str, length: int = 200) -> str:
    """The start of a text, on one line, in quotes.

    >>> excerpt("a" * 12, 5)
    "'aaaaa' ... (12 characters)"
    """
    return repr(text) if len(text) <= length else f"{text[:length]!r} ... ({len(text)} characters)"


def on_one_line(text: str, length: int = 300) -> str:
    """The start of a text, on one line, as it is.

    >>> on_one_line("a  b\\nc"), on_one_line("abcdef", 3)
    ('a b c', 'abc ...')
    """
    line = " ".join(text[: 4 * length].split())
    return line if len(line) <= length and len(text) <= 4 * length else f"{line[:length].rstrip()} ..."


def sized(number: int) -> str:
    """A number of bytes.

    >>> sized(9_999), sized(12_345), sized(12_345_678)
    ('9,999 bytes', '12 kB', '12.3 MB')
    """
    if number < 10_000:
        return f"{number:,} bytes"
    return f"{number / 1000:,.0f} kB" if number < 10_000_000 else f"{number / 1e6:,.1f} MB"


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


def _shown(data: bytes, found: Header) -> bytes:
    """The picture in a format that the store keeps: a BMP as PNG, any other as it is. b'': it is broken."""
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


def value_block(value: Any, title: str) -> Block:
    """Any value, shown: a picture as an image, other bytes that are not text in hex, the rest as text."""
    if is_binary(value):
        return binary_block(bytes(value), title)
    return Block("text", title, without_token(shown_text(value)))


def value_summary(value: Any) -> str:
    """Any value for the line of a verdict: the start of a text, the kind and size of anything else.

    >>> value_summary("hi"), value_summary(bytes(1000))
    ("'hi'", '1,000 bytes that are not text')
    """
    if not is_binary(value):
        return excerpt(without_token(shown_text(value)))
    found, size = header(bytes(value)), f"{len(value):,} bytes"
    if found is None:
        return f"{size} that are not text"
    return f"a {found.format} picture of {found.width} x {found.height}, {size}"


def seen_blocks(value: Any, title: str = "called with") -> tuple[Block, ...]:
    """What a verdict's line cannot show of a value: its picture, or its bytes in hexadecimal."""
    return (value_block(value, title),) if is_binary(value) else ()


def how_it_ended(result: ExecResult) -> str:
    """Exit status and time of a command, for a title: 'exit 0, 0.12 s'."""
    if result.timed_out:
        status = f"killed at its time limit of {result.time_limit_s:g} s"
    elif result.out_of_memory:
        status = "killed: memory limit reached"
    elif result.returncode is not None and result.returncode < 0:
        status = f"killed by signal {-result.returncode}"
    else:
        status = f"exit {result.returncode}"
    waited = result.waited_seconds
    queue = f" ({waited:.1f} s of it waiting for a core)" if waited >= 0.1 * result.seconds + 0.05 else ""
    cached = ", compiled before and taken from the cache" if result.from_cache else ""
    return f"{status}, {result.seconds:.2f} s{queue}{cached}"
