"""What starting the command line costs, against starting Python, and one sample from start to end."""

from __future__ import annotations

import sys
from statistics import median

from bench.calls_bench import measure_one
from bench.measure import ROOT, Section, Target, milliseconds, run
from testing.model_server import ModelServer

ONE = "one sample of one call"


def measure(*, quick: bool = False) -> list[Section]:
    main = str(ROOT / "main.py")
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "main.py --help": [sys.executable, main, "--help"],
        "main.py --list": [sys.executable, main, "--list"],
    }
    rounds = 5 if quick else 25
    wall: dict[str, list[float]] = {name: [] for name in commands}
    cpu: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            spent = run(command)
            if number:  # the first round warms byte code and the file cache
                wall[name].append(spent.wall)
                cpu[name].append(spent.cpu)
    wall[ONE], cpu[ONE] = [], []
    with ModelServer(process=True, record=False) as server:
        for number in range(rounds + 1):
            spent = measure_one(server, "Assay", 1).spent
            if number:
                wall[ONE].append(spent.wall)
                cpu[ONE].append(spent.cpu)
    plain = median(cpu["python -c pass"])
    rows = [
        (name, milliseconds(wall[name]), milliseconds(cpu[name]), f"{median(cpu[name]) / plain:.1f}")
        for name in wall
    ]
    targets = [
        Target(f"CPU of {name}, times python -c pass", median(cpu[name]) / plain, 10)
        for name in commands
        if name != "python -c pass"
    ]
    targets.append(Target(f"wall time of {ONE}", median(wall[ONE]), 0.5, " s"))
    columns = ("", "wall ms", "CPU ms", "times python -c pass")
    return [Section("Start-up", f"Medians of {rounds} interleaved runs.", columns, rows, targets)]
