"""Agents of mini-swe-agent with its model of litellm, in threads, as its benchmarks run.

Runs in an environment of its own.

python bench/peers/mini_agents.py TRIALS AT_ONCE TURNS FOLDER, with OPENAI_API_BASE and OPENAI_API_KEY set
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml
from minisweagent.agents.default import DefaultAgent
from minisweagent.config import builtin_config_dir
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.litellm_model import LitellmModel

trials, at_once, turns, folder = *map(int, sys.argv[1:4]), Path(sys.argv[4])
config = yaml.safe_load((builtin_config_dir / "mini.yaml").read_text())["agent"]


def work(number: int) -> str:
    place = folder / f"trial-{number}"
    place.mkdir()
    model = LitellmModel(model_name=f"openai/bench-{turns}", cost_tracking="ignore_errors")
    templates = {name: config[name] for name in ("system_template", "instance_template")}
    agent = DefaultAgent(
        model, LocalEnvironment(cwd=str(place)), output_path=place / "trajectory.json", **templates
    )
    return str(agent.run(f"Task {number}: write notes.")["exit_status"])


with ThreadPoolExecutor(at_once) as pool:
    ended = list(pool.map(work, range(trials)))
if set(ended) != {"Submitted"}:
    sys.exit(f"mini-swe-agent ended with {set(ended)}")
