"""The game of falling letters again, on a larger board and for more than twice as many moves."""

from __future__ import annotations

from .exact_board import Games

DESCRIPTION = (
    "Can the model play forty moves of a game of falling letters by mind, with every cell in its place?"
)
TAGS = ["hard", "reasoning", "game"]

TASK = Games(size=9, asked=(10, 20, 30, 40), turns=(5, 9), vanished=(50, 90), most_empty=34, most_used=260)
build = TASK.build
