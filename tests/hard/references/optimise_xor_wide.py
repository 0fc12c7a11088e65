"""Right and wrong replies to optimise_xor_wide."""

from functools import partial

from ..optimise_xor_wide import TASK
from . import optimise_xor

right = partial(optimise_xor.right, task=TASK)
wrong = partial(optimise_xor.wrong, task=TASK)
