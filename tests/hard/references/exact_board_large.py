"""Right and wrong replies to exact_board_large."""

from functools import partial

from ..exact_board_large import TASK
from . import exact_board

right = partial(exact_board.right, task=TASK)
wrong = partial(exact_board.wrong, task=TASK)
