"""Sandbox-bound trials on one and two nodes of a Ray cluster, each of one core, against the local engine."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.measure import ROOT, Section, Target, run
from testing.cluster.ray_nodes import Nodes

WORK = 20_000_000  # steps of a loop: about half a second of one core
FEW = 4  # trials: what main.py costs by itself
TEST = "'question {0}' >> LLMRun() >> ExtractCode() >> PythonRun() >> SubstringEvaluator('done {0}')"
REPLY = "```python\nfor _ in range({1}):\n    pass\nprint('done {0}')\n```"
FLAGS = ("--run-tests", "--model", "oracle", "--no-cache", "--sandbox", "bubblewrap", "--fail-under", "100")


@dataclass(frozen=True)
class Turn:
    """One run of all trials. `busy`: seconds from the first trial's begin to the last one's end."""

    wall: float
    busy: float
    cpu: float  # of main.py; of the local engine with its sandboxes


def make_tests(folder: Path, count: int, work: int = WORK) -> None:
    """A file of so many tests of one Python program each, and the references that the oracle replays."""
    (folder / "references").mkdir(parents=True)
    lines = [f"Test{number:03} = {TEST.format(number)}" for number in range(count)]
    (folder / "loops.py").write_text("\n".join(["from evaluator import *", *lines, ""]), "utf-8")
    right = {f"Test{number:03}": [REPLY.format(number, work)] for number in range(count)}
    (folder / "references" / "loops.py").write_text(f"RIGHT = {right!r}\n", "utf-8")


def turn(tests: Path, cores: Sequence[int], *engine: str) -> Turn:
    from datetime import datetime

    with tempfile.TemporaryDirectory() as folder:
        held = ["taskset", "-c", ",".join(map(str, cores))]
        command = [*held, sys.executable, str(ROOT / "main.py"), *FLAGS, "--tests", str(tests)]
        spent = run([*command, "--logdir", folder, *engine])
        (file,) = Path(folder).glob("*/*/run-*.jsonl")
        records = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    begins = [datetime.fromisoformat(record["started_at"]).timestamp() for record in records]
    ends = [begin + record["seconds"] for begin, record in zip(begins, records, strict=True)]
    return Turn(spent.wall, max(ends) - min(begins), spent.cpu)


def measure(*, quick: bool = False) -> list[Section]:
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        note = "not measured: two nodes of one core each need two cores"
        return [Section("Ray", "", ("", ""), [], (), (note,))]
    count, rounds = (2 * FEW, 1) if quick else (60, 3)
    load = os.getloadavg()[0]
    turns: dict[str, list[Turn]] = {}
    with tempfile.TemporaryDirectory() as folder, Nodes(cpus=0) as nodes:
        tests, few, ray = (
            Path(folder) / "t",
            Path(folder) / "few",
            ("--engine", "ray", "--ray-address", nodes.address),
        )
        make_tests(tests, count)
        make_tests(few, FEW)
        nodes.add(prefix=("taskset", "-c", str(cores[0])))
        for _ in range(rounds):
            keep = lambda name, made: turns.setdefault(name, []).append(made)  # noqa: E731
            keep("local engine, one core", turn(tests, cores[:1]))
            keep("one node", turn(tests, cores, *ray))
            keep("few", turn(few, cores, *ray))
            second = nodes.add(prefix=("taskset", "-c", str(cores[1])))
            keep("two nodes", turn(tests, cores, *ray))
            nodes.remove(second)
            keep("local engine, two cores", turn(tests, cores))
    return [_section(turns, count, rounds, load)]


def _section(turns: dict[str, list[Turn]], count: int, rounds: int, load: float) -> Section:
    idle = median(each.cpu for each in turns.pop("few"))
    rate = {name: count / median(each.busy for each in its) for name, its in turns.items()}
    rows = []
    for name, its in turns.items():
        ours = (median(each.cpu for each in its) - idle) / (count - FEW) * 1000
        whole = median(each.wall for each in its)
        rows.append((name, f"{rate[name]:.2f}", f"{whole:.1f}", "" if "local" in name else f"{ours:.1f}"))
    second = rate["two nodes"] / rate["one node"]
    first = rate["one node"] / rate["local engine, one core"]
    targets = [
        Target("throughput of two nodes, times one node", second, 1.7, at_most=False),
        Target("throughput of one node, times the local engine on one core", first, 0.9, at_most=False),
    ]
    about = (
        f"{count} trials of a Python program that computes for about half a second, by the oracle, in "
        f"bubblewrap; medians of {rounds} interleaved runs. Each node is held to one core; main.py is on the "
        "same two cores. Trials a second: between the first trial's begin and the last one's end, the start "
        "of Ray's workers included. Whole: the process from its start to its end. CPU of main.py: what a "
        f"trial adds to it, from {FEW} trials to {count}."
    )
    note = f"The machine's load average when this began: {load:.1f}."
    columns = ("", "trials a second", "whole, s", "CPU of main.py, ms a trial")
    return Section("Ray: one node and two", about, columns, rows, targets, (note,))
