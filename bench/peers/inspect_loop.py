"""The same N one-call samples in inspect_ai. Runs in an environment of its own.

python bench/peers/inspect_loop.py SAMPLES CONNECTIONS LOG_DIR, with OPENAI_BASE_URL and OPENAI_API_KEY set
"""

from __future__ import annotations

import sys

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes
from inspect_ai.solver import generate

samples, connections, log_dir = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
dataset = [
    Sample(input=f"Question {number}: what is {number} plus {number}?", target=" ")
    for number in range(samples)
]
(log,) = evaluate(
    Task(dataset=dataset, solver=generate(), scorer=includes()),
    model="openai/gpt-4o-mini",
    temperature=0,
    max_connections=connections,
    max_samples=connections,
    display="none",
    log_dir=log_dir,
    log_level="warning",
)
if log.status != "success" or log.results is None or log.results.completed_samples != samples:
    sys.exit(f"inspect_ai ended with {log.status}: {log.error}")
print(samples)
