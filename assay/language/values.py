"""What travels between nodes: text, bytes, or any object; and how an explanation shows it."""

from __future__ import annotations

from typing import Any

from assay.language.binary import binary_block, binary_summary, is_binary
from assay.records import Block, ExecResult


def as_text(value: Any) -> str:
    """A value as text: bytes are decoded, anything else is what str() says.

    >>> as_text(b"hi"), as_text(7)
    ('hi', '7')
    """
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


def value_block(value: Any, title: str) -> Block:
    """Any value, shown: a picture as an image, other bytes that are no text in hex, the rest as text."""
    return binary_block(bytes(value), title) if is_binary(value) else Block("text", title, as_text(value))


def value_summary(value: Any) -> str:
    """Any value for the line of a verdict: the start of a text, the kind and size of anything else.

    >>> value_summary("hi"), value_summary(bytes(1000))
    ("'hi'", '1,000 bytes that are no text')
    """
    return binary_summary(bytes(value)) if is_binary(value) else excerpt(as_text(value))


def seen_blocks(value: Any, title: str = "called with") -> tuple[Block, ...]:
    """What a verdict's line cannot show of a value: its picture, or its bytes in hexadecimal."""
    return (value_block(value, title),) if is_binary(value) else ()


def how_it_ended(result: ExecResult) -> str:
    """Exit status and time of a command, for a title: 'exit 0, 0.12 s'."""
    if result.timed_out:
        ending = f"killed at its time limit of {result.time_limit_s:g} s"
    elif result.out_of_memory:
        ending = "killed: memory limit reached"
    elif result.returncode is not None and result.returncode < 0:
        ending = f"killed by signal {-result.returncode}"
    else:
        ending = f"exit {result.returncode}"
    waited = result.waited_seconds
    queue = f" ({waited:.1f} s of it waiting for a core)" if waited >= 0.1 * result.seconds + 0.05 else ""
    cached = ", compiled before and taken from the cache" if result.from_cache else ""
    return f"{ending}, {result.seconds:.2f} s{queue}{cached}"
