"""Records of invented models of different strength, for tables and pictures."""

from __future__ import annotations

import random

from assay.records import Outcome, TrialRecord, Usage
from tests.weirdml.tasks import TASKS

# name -> how much of what can be learned it finds, how often it fails, cost of a call, missing tasks
MODELS = {
    "aurora/heron-4-large": (0.92, 0.08, 0.031, ()),
    "fjord/petrel-9": (0.74, 0.18, 0.012, ()),
    "cinder/kestrel-6-pro": (0.55, 0.27, 0.0042, ()),
    "meadow/wren-2-mini": (0.30, 0.41, 0.0009, ()),
    "open-weights/very-long-name-of-a-model-70b-instruct": (0.12, 0.62, 0.0003, ()),
    "delta/tern-1-preview": (0.66, 0.22, 0.009, ("shuffle_hard", "shapes_hard")),
}
BEST = dict(zip(TASKS, (0.995, 0.93, 0.84, 0.97, 0.93, 0.98), strict=True))
KINDS = (
    "crash",
    "crash",
    "crash",
    "no_code",
    "timeout",
    "out_of_memory",
    "no_file",
    "bad_format",
    "zero_score",
)


def records(runs: int = 15, iterations: int = 5, models=MODELS) -> list[TrialRecord]:
    """`runs` of each task for each model."""
    found = []
    for model, (skill, fails, price, missing) in models.items():
        for name in TASKS:
            if name not in missing:
                found += [
                    _run(model, name, epoch, iterations, skill, fails, price) for epoch in range(1, runs + 1)
                ]
    return found


def _run(model, name, epoch, iterations, skill, fails, price):
    draw = random.Random(f"{model} {name} {epoch}")
    task, made, level = TASKS[name], [], 0.0
    talent = min(1.0, max(0.0, draw.gauss(skill, 0.16)))
    for turn in range(iterations):
        kind = draw.choice(KINDS) if draw.random() < fails * (1.2 if turn == 0 else 0.9) else ""
        level = max(level, 0.45 + 0.13 * turn + draw.gauss(0, 0.12))
        top = task.chance + (BEST[name] - task.chance) * talent
        accuracy = (
            0.0 if kind else max(0.02, min(BEST[name], task.chance + (top - task.chance) * min(1.0, level)))
        )
        lines = draw.randint(40, 160)
        made.append({
            "kind": kind, "accuracy": round(accuracy, 4), "lines": 0 if kind == "no_code" else lines,
            "source_bytes": 38 * lines, "literal_bytes": draw.randint(100, 900), "tokens": 22 * lines,
            "seconds": round(draw.uniform(2, 200), 1), "cpu_seconds": round(draw.uniform(2, 380), 1),
        })  # fmt: skip
    best = max(one["accuracy"] for one in made)
    return TrialRecord(
        f"weirdml.{name}", model, epoch,
        Outcome.PASS if best >= task.floor else Outcome.FAIL, "weirdml", best,
        {"accuracy": best}, usage=Usage(9000, sum(one["tokens"] for one in made)), cost=price * iterations,
        calls=iterations, limits="weirdml 600s 12g 4cpu", started_at=f"2026-11-20T10:{epoch:02}:00Z",
        extra={"submissions": made, "source": "generated", "data": "0" * 16, "iterations": iterations,
               "device": "no GPU: everything runs on the CPU", "threads": 4},
    )  # fmt: skip
