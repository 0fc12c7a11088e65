"""Repeating a finished run: every reply comes from the cache and the server hears nothing."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from statistics import median

from bench.calls_bench import CONNECTIONS, LATENCY_S, assay, environment
from bench.measure import Section, Spent, Target, run
from testing.model_server import ModelServer


def measure(*, quick: bool = False) -> list[Section]:
    samples, rounds = (200, 1) if quick else (1000, 3)
    first: list[Spent] = []
    again: list[Spent] = []
    repeated_requests = 0
    with ModelServer(process=True, record=False, latency=LATENCY_S) as server:
        with tempfile.TemporaryDirectory() as name:  # byte code and file cache warm
            run(assay(5, Path(name)), env=environment(server, Path(name)))
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                first.append(run(assay(samples, folder), env=environment(server, folder)))
                shutil.rmtree(folder / "results")  # the records go, the cache stays
                server.reset()
                again.append(run(assay(samples, folder), env=environment(server, folder)))
                repeated_requests += server.stats()["requests"]

    def row(name: str, runs: list[Spent]) -> tuple[str, ...]:
        return name, f"{median(s.wall for s in runs):.2f}", f"{median(s.cpu for s in runs):.2f}"

    ratio = median(s.wall for s in again) / median(s.wall for s in first)
    targets = [
        Target("requests of the repeat", repeated_requests, 0),
        Target("time of the repeat, times the first run", ratio, 0.25),
    ]
    about = (
        f"{samples:,} samples of one call, {LATENCY_S * 1000:.0f} ms latency, {CONNECTIONS} connections, "
        f"medians of {rounds}; the repeat starts with the cache and without the records."
    )
    rows = [row("first run", first), row("repeat", again)]
    return [Section("Repeat from the cache", about, ("", "wall s", "CPU s"), rows, targets)]
