"""The circuit of exclusive-ors again, of so many inputs that sharing has to be searched for."""

from __future__ import annotations

from .optimise_xor import Circuits

DESCRIPTION = "Can the model find a small circuit for sixteen sums of sixteen inputs, where terms cancel?"
TAGS = ["hard", "reasoning"]

TASK = Circuits(size=16, gates=30, most_terms=11, fewest_terms=96, spare=5)
build = TASK.build
