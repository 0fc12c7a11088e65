"""Agents in inspect_ai: react with its bash tool, in its local sandbox, or in docker if the folder has a
compose.yaml. Runs in an environment of its own.

python bench/peers/inspect_agents.py TRIALS AT_ONCE TURNS FOLDER, with OPENAI_BASE_URL and OPENAI_API_KEY set
"""

from __future__ import annotations

import sys
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.agent import react
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes
from inspect_ai.tool import bash

trials, at_once, turns, folder = *map(int, sys.argv[1:4]), sys.argv[4]
compose = Path(folder, "compose.yaml")
dataset = [Sample(input=f"Task {number}: write notes.", target="done") for number in range(trials)]
(log,) = evaluate(
    Task(
        dataset=dataset,
        solver=react(tools=[bash(timeout=60)]),
        scorer=includes(),
        sandbox=("docker", str(compose)) if compose.exists() else "local",
    ),
    model=f"openai/bench-{turns}",
    model_args={"responses_api": False},
    max_connections=at_once,
    max_samples=at_once,
    max_sandboxes=at_once,
    display="none",
    log_dir=f"{folder}/logs",
    log_level="warning",
)
if log.status != "success" or log.results is None or log.results.completed_samples != trials:
    sys.exit(f"inspect_ai ended with {log.status}: {log.error}")
