"""Read a log of inspect_ai by its own reader and say how many samples it has.

python bench/peers/inspect_open.py LOG whole|header
"""

from __future__ import annotations

import sys

from inspect_ai.log import read_eval_log

log = read_eval_log(sys.argv[1], header_only=sys.argv[2] == "header")
print(len(log.samples) if log.samples else log.results.completed_samples)
