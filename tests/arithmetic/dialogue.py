"""Small talk to stand before a question: does a model still calculate well after chatting for a while?

It is one dialogue, written for this suite (small_talk.txt: a paragraph a message, the user begins); a longer
context is more of the same. It holds no digit, and nothing that bears on a calculation.

>>> [len(small_talk(size)) for size in ("", "1k", "2k", "4k")]
[0, 16, 28, 44]
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from assay.records import Message

MESSAGES = {"": 0, "1k": 16, "2k": 28, "4k": 44}
"""How many messages make about a thousand, two thousand, four thousand tokens (four characters each)."""


@cache
def small_talk(size: str) -> tuple[Message, ...]:
    """The dialogue of about `size` tokens, a key of MESSAGES; it ends with the assistant's turn."""
    paragraphs = Path(__file__).with_name("small_talk.txt").read_text("utf-8").strip().split("\n\n")
    return tuple(
        Message("assistant" if at % 2 else "user", text)
        for at, text in enumerate(paragraphs[: MESSAGES[size]])
    )
