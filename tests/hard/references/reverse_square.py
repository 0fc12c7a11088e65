"""Right and wrong replies to reverse_square. testing/hard/test_ciphers.py finds the message without the key."""

from __future__ import annotations

from ..reverse_square import TASK
from ..spelt import wrong_digits


def right(seed: int) -> list[str]:
    digits = TASK.digits(seed)
    return [f"The key is found.\n\nMessage: {digits}", f"**Message:** {' '.join(digits)}"]


def wrong(seed: int) -> list[str]:
    return wrong_digits(TASK.digits(seed))
