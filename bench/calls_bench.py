"""One-call samples against a local model server: Assay, loops over the openai SDK and aiohttp, inspect_ai.

Each contender is a process started anew, so that what it imports is on its account; the server is
another process. CPU seconds are what the kernel charged to the process and its children.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.measure import ROOT, Section, Spent, Target, megabytes, run
from testing.inspect_environment import PYTHON, install_inspect
from testing.model_server import ModelServer

LATENCY_S = 0.05
CONNECTIONS = 50
MADE = "Assay, samples of a suite"
ANTHROPIC, OLLAMA = "Assay, Anthropic's messages", "Assay, Ollama"
RAW = "aiohttp"

# One file with N tests, as inspect_ai has one task with N samples.
HEAD = """from evaluator import *

DESCRIPTION = "One call each"
TAGS = ["bench"]

"""
TEST = 'TestCall{n:05} = "Question {n}: what is {n} plus {n}?" >> LLMRun() >> SubstringEvaluator("")\n'

# The same samples made one by one, as a benchmark of many makes them.
SUITE = """from evaluator import *
try:
    from assay.suites.suite import Sample, Suite
except ModuleNotFoundError:  # of an earlier commit
    from assay.harness.suite import Sample, Suite


def samples(options):
    for n in range({samples}):
        test = f"Question {{n}}: what is {{n}} plus {{n}}?" >> LLMRun() >> SubstringEvaluator("")
        yield Sample(f"calls.TestCall{{n:05}}", test, "made")


SUITE = Suite("made", "One call each", samples)
"""


@dataclass(frozen=True)
class Measured:
    spent: Spent
    requests: int
    in_flight: int


def assay(
    samples: int, folder: Path, *, made: bool = False, root: Path = ROOT, model: str = "openai/bench"
) -> list[str]:
    """The command line by which the checkout `root` runs `samples` tests; writes them into `folder` unless
    they are there, `made`: as a suite that makes them when their turn comes."""
    tests = folder / "tests"
    if not tests.exists():
        (tests / "made").mkdir(parents=True)
        (tests / "calls.py").write_text(HEAD + "".join(TEST.format(n=n) for n in range(samples)), "utf-8")
        (tests / "made" / "suite.py").write_text(SUITE.format(samples=samples), "utf-8")
    config = folder / "config.json"
    config.write_text(json.dumps({"cache": str(folder / "cache")}), "utf-8")
    return [
        *(sys.executable, str(root / "main.py"), "--run-tests", "--model", model),
        *(("--suite", "made") if made else ()),
        *("--config", str(config)),
        *("--tests", str(tests), "--logdir", str(folder / "results"), "--max-connections", str(CONNECTIONS)),
    ]


def environment(server: ModelServer, folder: Path) -> dict[str, str]:
    """No contender reads a person's settings or keys, or writes into the repository. Byte code is kept, as
    it is for whoever runs a program twice."""
    return {
        "OPENAI_BASE_URL": server.url + "/v1",
        "OPENAI_API_KEY": "none",
        "ANTHROPIC_BASE_URL": server.url,
        "ANTHROPIC_API_KEY": "none",
        "OLLAMA_HOST": server.url,
        "HOME": str(folder),
        "PYTHONDONTWRITEBYTECODE": "",
    }


def bare_loop(samples: int, url: str, peer: str = "openai_loop") -> list[str]:
    return [sys.executable, f"bench/peers/{peer}.py", url, str(samples), str(CONNECTIONS)]


def inspect_ai(samples: int, folder: Path) -> list[str]:
    return [str(PYTHON), "bench/peers/inspect_loop.py", str(samples), str(CONNECTIONS), str(folder / "logs")]


def measure_one(server: ModelServer, contender: str, samples: int, root: Path = ROOT) -> Measured:
    """One run in a fresh folder, Assay's by the checkout `root`. Raises RuntimeError if it failed or did not
    ask for every sample."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands: dict[str, Callable[[], list[str]]] = {
            "Assay": lambda: assay(samples, folder, root=root),
            MADE: lambda: assay(samples, folder, made=True, root=root),
            ANTHROPIC: lambda: assay(samples, folder, root=root, model="anthropic/claude-opus-4-5"),
            OLLAMA: lambda: assay(samples, folder, root=root, model="ollama/llama3.1:8b"),
            "bare loop": lambda: bare_loop(samples, server.url + "/v1"),
            RAW: lambda: bare_loop(samples, server.url + "/v1", "aiohttp_loop"),
            "inspect_ai": lambda: inspect_ai(samples, folder),
        }
        server.reset()
        spent = run(commands[contender](), env=environment(server, folder))
        stats = server.stats()
    if stats["requests"] < samples:
        raise RuntimeError(
            f"{contender} made {stats['requests']} of {samples} requests:\n{spent.stderr[-2000:]}"
        )
    return Measured(spent, stats["requests"], stats["in_flight_max"])


def measure(*, quick: bool = False) -> list[Section]:
    version = install_inspect()
    contenders = ["bare loop", "inspect_ai", "Assay"]
    rounds, sizes = (1, (200,)) if quick else (3, (200, 1000))
    found: dict[tuple[str, int], list[Measured]] = defaultdict(list)
    with ModelServer(process=True, record=False, latency=LATENCY_S) as server:
        for contender in (*contenders, RAW, ANTHROPIC, OLLAMA):  # byte code and file cache warm for everybody
            measure_one(server, contender, 5)
        for number in range(rounds):
            for samples in sizes:
                for contender in contenders[number % 3 :] + contenders[: number % 3]:
                    found[contender, samples].append(measure_one(server, contender, samples))
            for contender in (ANTHROPIC, OLLAMA):
                found[contender, sizes[-1]].append(measure_one(server, contender, sizes[-1]))
        largest = 10_000 if not quick else 400
        found["Assay", largest].append(measure_one(server, "Assay", largest))
        for samples in (sizes[-1], largest):
            found[RAW, samples].append(measure_one(server, RAW, samples))
            found[MADE, samples].append(measure_one(server, MADE, samples))

    def cpu(contender: str, samples: int) -> float:
        return median(one.spent.cpu for one in found[contender, samples])

    rows, targets = [], []
    for samples in (*sizes, largest):
        for contender in (*contenders, ANTHROPIC, OLLAMA, RAW, MADE):
            runs = found[contender, samples]
            if not runs:
                continue
            rows.append(
                (
                    contender,
                    f"{samples:,}",
                    f"{cpu(contender, samples):.2f}",
                    f"{cpu(contender, samples) / samples * 1000:.2f}",
                    f"{median(one.spent.wall for one in runs):.2f}",
                    f"{max(one.in_flight for one in runs)}",
                    megabytes(median(one.spent.peak for one in runs)),
                )
            )
    for samples in sizes:
        ours = cpu("Assay", samples)
        targets += [
            Target(f"CPU of {samples:,} samples, times the bare loop", ours / cpu("bare loop", samples), 1.3),
            Target(f"CPU of {samples:,} samples, times inspect_ai", ours / cpu("inspect_ai", samples), 0.25),
        ]
    if 1000 in sizes:
        for contender in ("Assay", ANTHROPIC, OLLAMA):
            targets.append(Target(f"CPU of 1,000 samples, {contender}", cpu(contender, 1000), 2, " s"))
    more = (cpu(MADE, largest) - cpu(RAW, largest)) / largest * 1000
    targets.append(Target(f"CPU of a sample of {largest:,}, more than aiohttp", more, 1, " ms"))
    in_flight = max(one.in_flight for samples in sizes for one in found["Assay", samples])
    targets.append(Target("connections in flight", in_flight, CONNECTIONS, at_most=False))

    grown = found[MADE, largest][0].spent.peak - found[MADE, sizes[-1]][0].spent.peak
    claim = f"memory a sample of a suite, from {sizes[-1]:,} to {largest:,}"
    targets.append(Target(claim, grown / (largest - sizes[-1]) / 1000, 1, " kB"))
    about = (
        f"{' and '.join(f'{n:,}' for n in sizes)} samples of one call each, a server that answers after "
        f"{LATENCY_S * 1000:.0f} ms, {CONNECTIONS} connections, medians of {rounds} interleaved runs. "
        f"The bare loop is bench/peers/openai_loop.py, aiohttp bench/peers/aiohttp_loop.py; inspect_ai is "
        f"{version} from PyPI in "
        f"an environment of its own (bench/peers/inspect_loop.py). Process start included. A file of N tests "
        f"is in memory as a whole; a suite makes its samples one by one."
    )
    columns = ("", "samples", "CPU s", "CPU ms a sample", "wall s", "most in flight", "peak MB")
    return [Section("Calls", about, columns, rows, targets)]
