"""Right and wrong replies to look_maze_fine."""

from functools import partial

from ..look_maze_fine import TASK
from . import look_maze

right = partial(look_maze.right, task=TASK)
wrong = partial(look_maze.wrong, task=TASK)
