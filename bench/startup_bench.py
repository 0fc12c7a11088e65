"""What starting the command line costs, against starting Python, and one sample from start to end."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from statistics import median

from bench.calls_bench import ANTHROPIC, measure_one
from bench.measure import ROOT, Section, Spent, Target, milliseconds, run
from bench.verdict_bench import works_here
from testing.model_server import ModelServer

ASKING = {"one call": "Assay", "one call, Anthropic": ANTHROPIC}
SANDBOXES = ("bubblewrap", "podman")
IN_SANDBOX = {f"the oracle on print_hello, {name}": name for name in SANDBOXES}
MOST_S = 0.5


def kinds(notes: list[str]) -> list[str]:
    """Of one sample, as far as this machine has what they need; else that goes into the notes."""
    working = works_here(SANDBOXES, notes)
    return [*ASKING, *(kind for kind, sandbox in IN_SANDBOX.items() if sandbox in working)]


def one_sample(server: ModelServer, kind: str, folder: Path, root: Path = ROOT) -> Spent:
    """One run by the checkout `root`. What a person's machine knows after the first one, which sandboxes work
    and which tests there are, is kept in `folder`; what programs printed is not."""
    if kind in ASKING:
        return measure_one(server, ASKING[kind], 1, root).spent
    config = folder / "config.json"
    config.write_text(json.dumps({"cache": str(folder / "cache")}), "utf-8")
    for remembered in (folder / "cache").glob("sandbox.sqlite*"):
        remembered.unlink()
    with tempfile.TemporaryDirectory() as logdir:
        command = [sys.executable, str(root / "main.py"), "--run-tests", "--model", "oracle"]
        what = ["--test", "print_hello", "--sandbox", IN_SANDBOX[kind], "--fail-under", "100"]
        where = ["--config", str(config), "--logdir", logdir]
        known = {"XDG_CACHE_HOME": str(folder / "known"), "PYTHONDONTWRITEBYTECODE": ""}
        return run([*command, *what, *where], env=known, cwd=root)


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
    notes: list[str] = []
    samples = kinds(notes)
    with ModelServer(process=True, record=False) as server, tempfile.TemporaryDirectory() as folder:
        for number in range(rounds + 1):
            for kind in samples:
                spent = one_sample(server, kind, Path(folder))
                if number:
                    wall.setdefault(f"one sample: {kind}", []).append(spent.wall)
                    cpu.setdefault(f"one sample: {kind}", []).append(spent.cpu)
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
    for kind in samples:
        targets.append(
            Target(f"wall time of one sample: {kind}", median(wall[f"one sample: {kind}"]), MOST_S, " s")
        )
    columns = ("", "wall ms", "CPU ms", "times python -c pass")
    return [Section("Start-up", f"Medians of {rounds} interleaved runs.", columns, rows, targets, notes)]
