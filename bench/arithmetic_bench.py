"""The arithmetic suite: a run of 720 trials against a bare litellm loop, and the number reader alone."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from decimal import Decimal
from pathlib import Path
from statistics import median

from bench.measure import ROOT, Section, Spent, Target, megabytes, run
from testing.model_server import ModelServer
from tests.arithmetic.dressings import DRESSINGS
from tests.arithmetic.problems import Cell, cells
from tests.arithmetic.reader import lenient, strict

LATENCY_S = 0.05
CONNECTIONS = 50
REPLY = "407"  # to every question: what is measured is what surrounds the model


def questions(depths: range, trials: int) -> list[tuple[str, str]]:
    """What a run asks, and the answers."""
    problems = (cell.problem(epoch) for cell in cells(depths) for epoch in range(1, trials + 1))
    return [(problem.question, str(problem.correct)) for problem in problems]


def assay(server: ModelServer, folder: Path, depths: range, trials: int) -> list[str]:
    config = folder / "config.json"
    llms = {"mistral": {"base_url": server.url + "/v1", "api_key": "none"}}
    settings = {"cache": str(folder / "cache"), "llms": llms, "hparams": {"temperature": 0}}
    config.write_text(json.dumps(settings), "utf-8")
    return [
        *(sys.executable, str(ROOT / "main.py"), "--suite", "arithmetic", "--run-tests"),
        *("--model", "mistral/bench", "--config", str(config), "--logdir", str(folder / "results")),
        *("--depths", f"{depths[0]}-{depths[-1]}", "--trials", str(trials)),
        *("--max-connections", str(CONNECTIONS)),
    ]


def loop(server: ModelServer, folder: Path, depths: range, trials: int) -> list[str]:
    file = folder / "questions.json"
    file.write_text(json.dumps(questions(depths, trials)), "utf-8")
    return [sys.executable, "bench/peers/litellm_loop.py", server.url + "/v1", str(file), str(CONNECTIONS)]


CONTENDERS = {"bare litellm loop": loop, "Assay": assay}


def measure_one(server: ModelServer, contender: str, depths: range, trials: int) -> tuple[Spent, int]:
    """One run in a fresh folder, and the most calls in flight. Raises RuntimeError if it did not ask every
    question once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        argv = CONTENDERS[contender](server, folder, depths, trials)
        server.reset()
        spent = run(argv, env={"HOME": name, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPATH": str(ROOT)})
        stats = server.stats()
    if stats["requests"] != 8 * len(depths) * trials:
        raise RuntimeError(f"{contender} made {stats['requests']} requests:\n{spent.stderr[-2000:]}")
    return spent, stats["in_flight_max"]


def run_section(*, quick: bool) -> Section:
    depths, trials, rounds = (range(2, 4), 2, 1) if quick else (range(2, 11), 10, 5)
    found: dict[str, list[tuple[Spent, int]]] = {name: [] for name in CONTENDERS}
    with ModelServer(process=True, record=False, latency=LATENCY_S, replies={"Compute": REPLY}) as server:
        for name in CONTENDERS:  # byte code and file cache warm for both
            measure_one(server, name, range(2, 3), 1)
        for number in range(rounds):
            for name in list(CONTENDERS)[:: 1 if number % 2 else -1]:
                found[name].append(measure_one(server, name, depths, trials))
    count = 8 * len(depths) * trials
    cpu = {name: median(spent.cpu for spent, _ in runs) for name, runs in found.items()}
    wall = {name: median(spent.wall for spent, _ in runs) for name, runs in found.items()}
    rows = [
        (
            name,
            f"{cpu[name]:.2f}",
            f"{cpu[name] / count * 1000:.2f}",
            f"{wall[name]:.2f}",
            f"{max(at_once for _, at_once in runs)}",
            megabytes(median(spent.peak for spent, _ in runs)),
        )
        for name, runs in found.items()
    ]
    ratio = cpu["Assay"] / cpu["bare litellm loop"]
    targets = [Target(f"CPU of {count} trials, times the bare litellm loop", ratio, 1.3)]
    about = (
        f"{count} trials of one call each by litellm (`--suite arithmetic`), a server that answers after "
        f"{LATENCY_S * 1000:.0f} ms, {CONNECTIONS} connections, medians of {rounds} interleaved runs, "
        "process start and the import of litellm included. The bare loop (bench/peers/litellm_loop.py) asks "
        "the same questions and compares the replies; it keeps nothing."
    )
    columns = ("", "CPU s", "CPU ms a trial", "wall s", "most in flight", "peak MB")
    return Section("Arithmetic, 720 trials" if not quick else "Arithmetic", about, columns, rows, targets)


def long_replies(count: int) -> list[str]:
    """Derivations as chatty models write them: LaTeX, lists, products by parts; about 900 characters."""
    found = []
    for epoch in range(1, count + 1):
        problem = Cell("int_mul", 6).problem(epoch)
        left, right = problem.operands
        steps = "\n".join(
            f"{n}. **Multiply {left:,} by {digit}**:\n   \\[\n   {left} \\times {digit}\\,000 = "
            f"{int(left) * int(digit) * 1000:,}\n   \\]\n"
            for n, digit in enumerate(str(right), 1)
        )
        box = f"\\[\n\\boxed{{{problem.correct}}}\n\\]" if epoch % 2 else f"**{problem.correct:,}**"
        found.append(
            f"To compute \\({left} \\times {right}\\), follow these steps:\n\n{steps}\nSo it is {box}."
        )
    return found


def reader_section(*, quick: bool) -> Section:
    count, rounds = (200, 1) if quick else (5000, 5)
    numbers = [Decimal(Cell("float_sub", 8).problem(epoch).correct) for epoch in range(1, count + 1)]
    dressings = list(DRESSINGS.values())
    kinds = {
        "bare numbers": [f"{number}" for number in numbers],
        "every dressing in turn": [
            dressings[at % len(dressings)](number) for at, number in enumerate(numbers)
        ],
        "long derivations in LaTeX": long_replies(count),
        "a million digits": ["9" * 1_000_000] * (count // 100),
    }
    rows, slowest = [], float("inf")
    for name, replies in kinds.items():
        seconds = []
        for _ in range(rounds):
            begin = time.process_time()
            for reply in replies:
                lenient(reply)
                strict(reply)
            seconds.append(time.process_time() - begin)
        rate = len(replies) / median(seconds)
        if name != "a million digits":
            slowest = min(slowest, rate)
        length = sum(map(len, replies)) / len(replies)
        rows.append((name, f"{length:,.0f}", f"{rate:,.0f}"))
    target = Target(
        "replies a second on one core, both readings, the slowest kind", slowest, 10_000, at_most=False
    )
    about = (
        f"{count:,} replies of each kind, both readings of each, CPU time of one core, medians of {rounds}."
    )
    return Section("The number reader", about, ("", "characters", "replies a second"), rows, [target])


def measure(*, quick: bool = False) -> list[Section]:
    return [run_section(quick=quick), reader_section(quick=quick)]
