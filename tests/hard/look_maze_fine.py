"""The maze in parts again, four times as many cells on the same area."""

from __future__ import annotations

from .look_maze import Mazes

DESCRIPTION = "Can the model tell which places of a fine maze can be reached from which?"
TAGS = ["hard", "vision", "tracing"]

TASK = Mazes(wide=72, high=56, cell=14, doors=10, letters="ABCDEFGHIJKLMNOPQRST", scale=1, wall=1.4)
build = TASK.build
