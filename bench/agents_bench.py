"""Agents of 30 turns, 20 at once, on one scripted server: Assay, inspect_ai's react, mini-swe-agent.

The server calls the shell tool that it is offered with a command of some milliseconds, then ends the work.
Each contender is a process of its own with its imports. Assay's commands run in bubblewrap, inspect_ai's in
docker, and once more on the host (its sandbox "local", which shuts nothing in), as mini-swe-agent's do. CPU
is that of a contender's processes and all they started, without Docker's daemon.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from bench.measure import ROOT, Section, Spent, Target, megabytes, milliseconds, run
from testing.engines import docker
from testing.inspect_environment import PYTHON, install_inspect
from testing.model_server import ModelServer
from testing.model_wire import Asked, Reply

TURNS, AT_ONCE, ROUNDS = 30, 20, 3
SIZES = (100, 500, 1000)  # trials of MEMORY_TURNS turns each
MEMORY_TURNS = 10
DOCKER, LOCAL = "inspect_ai, docker", "inspect_ai, on the host"
COMPOSE = """services:
  default:
    image: localhost/assay-sandbox
    x-local: true
    init: true
    command: tail -f /dev/null
    network_mode: none
    working_dir: /tmp
"""
COMMAND = "echo line >> notes.txt; wc -l < notes.txt; ls | head -3"
MINI = ROOT / ".cache" / "venv-mini-swe-agent"
MINI_VERSION = "2.4.6"
GROWTH_KB = 20.0  # of memory a trial, between the smallest and the largest run

TEST = """from evaluator import *

def there():
    import os

    return os.path.exists("notes.txt")

TestAgent = {
    f"agent{n:05}": f"Task {n}: write notes." >> AgentRun([Shell()], max_turns=%d) >> PyEvaluator(there)
    for n in range(%d)
}
"""


def says(asked: Asked) -> Reply:
    """What the model says: so many calls of the shell that it is offered as the model's name says, and then
    the end, in the way that the agent knows it."""
    turns = int(asked.model.rsplit("-", 1)[-1])
    messages = asked.body["messages"]
    done = sum(message["role"] == "assistant" for message in messages)
    tools = {tool["function"]["name"]: tool["function"]["parameters"] for tool in asked.body.get("tools", ())}
    if done + 1 < turns:
        name = "shell" if "shell" in tools else "bash"
        (given,) = [each for each in tools[name]["properties"] if each in ("command", "cmd")]
        return _call(name, {given: COMMAND})
    if "submit" in tools:
        return _call("submit", {"answer": "done"})
    if "bash" in tools:
        return _call("bash", {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"})
    return Reply("done")


def _call(name: str, arguments: dict[str, Any]) -> Reply:
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"call_{time.monotonic_ns()}", "type": "function", "function": function}
    message = {"role": "assistant", "content": "I go on.", "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    return Reply("", extra={"choices": [choice]})


@contextmanager
def server() -> Iterator[ModelServer]:
    with ModelServer(reply=says, record=False, latency=0.05) as found:
        yield found


def install_mini() -> str:
    """Make mini-swe-agent's environment unless it is there; its version. litellm needs mcp to call tools."""
    if not (MINI / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(MINI)], check=True)
        pip = [sys.executable, "-m", "pip", "--python", str(MINI / "bin" / "python"), "install", "-q"]
        subprocess.run([*pip, "--no-input", f"mini-swe-agent=={MINI_VERSION}", "mcp"], check=True)
    return MINI_VERSION


def assay(folder: Path, trials: int, turns: int, *flags: str) -> list[str]:
    tests = folder / "tests"
    if not tests.exists():
        tests.mkdir()
        (tests / "agents.py").write_text(TEST % (turns + 5, trials), "utf-8")
        (folder / "config.json").write_text(json.dumps({"cache": str(folder / "cache")}), "utf-8")
    return [
        *(sys.executable, str(ROOT / "main.py"), "run", str(tests / "agents.py")),
        *("--config", str(folder / "config.json"), "--logdir", str(folder / "results")),
        *("--model", f"openai/bench-{turns}", "--max-connections", str(AT_ONCE), "--sandbox", "bubblewrap"),
        *flags,
    ]


def peer(name: str, folder: Path, trials: int, turns: int) -> list[str]:
    if name == DOCKER:
        (folder / "compose.yaml").write_text(COMPOSE, "utf-8")
    mini = name == "mini-swe-agent"
    python, script = (MINI / "bin" / "python", "mini_agents") if mini else (PYTHON, "inspect_agents")
    return [str(python), f"bench/peers/{script}.py", str(trials), str(AT_ONCE), str(turns), str(folder)]


def environment(served: ModelServer, folder: Path) -> dict[str, str]:
    return {
        "OPENAI_BASE_URL": served.url + "/v1",
        "OPENAI_API_BASE": served.url + "/v1",
        "OPENAI_API_KEY": "none",
        "HOME": str(folder),
        "DOCKER_CONFIG": os.environ.get("DOCKER_CONFIG", str(Path.home() / ".docker")),  # has the plugins
        "MSWEA_CONFIGURED": "true",
        "MSWEA_SILENT_STARTUP": "1",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "PYTHONDONTWRITEBYTECODE": "",
    }


def measured(served: ModelServer, name: str, trials: int, turns: int) -> Spent:
    """One run in a folder of its own. Raises RuntimeError if it failed or made not every call."""
    with tempfile.TemporaryDirectory(prefix="assay-agents-") as made:
        folder = Path(made)
        argv = assay(folder, trials, turns) if name == "Assay" else peer(name, folder, trials, turns)
        served.reset()
        spent = run(argv, env=environment(served, folder), time_limit_s=1800)
        asked = served.stats()["requests"]
    if asked != trials * turns:
        raise RuntimeError(f"{name} made {asked} of {trials * turns} calls:\n{spent.stdout[-2000:]}")
    return spent


async def shell_call(rounds: int) -> tuple[list[float], list[float]]:
    """Seconds of a command in a bash on the host and by the tool Shell in a ready sandbox, in turns."""
    from assay.language.agents.programs import Shell
    from assay.language.agents.workbench import Workbench
    from assay.sandboxes.pool import open_pool

    host, inside = [], []
    async with open_pool("bubblewrap", ahead=0) as pool:
        sandbox = await pool.acquire()

        async def opened() -> Any:
            return sandbox

        bench, shell = Workbench(opened), Shell()
        await shell.call(bench, command="true")
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(rounds):
                begun = time.perf_counter()
                subprocess.run(  # noqa: ASYNC221 - nothing else is to happen meanwhile
                    ["bash", "-c", COMMAND], cwd=folder, capture_output=True, check=True
                )
                middle = time.perf_counter()
                await shell.call(bench, command=COMMAND)
                host.append(middle - begun)
                inside.append(time.perf_counter() - middle)
        await bench.close()
        await sandbox.close()
    return host, inside


def killed(served: ModelServer, trials: int, turns: int) -> tuple[int, int]:
    """A run that gets kill -9 in the middle and is resumed: calls that were made twice, and the most that had
    been in flight."""
    with tempfile.TemporaryDirectory(prefix="assay-agents-") as made:
        folder = Path(made)
        served.reset()
        argv, env = assay(folder, trials, turns, "--no-cache"), environment(served, folder)
        silent = subprocess.DEVNULL
        first = subprocess.Popen(
            argv, env={**os.environ, **env}, cwd=ROOT, stdout=silent, stderr=silent, start_new_session=True
        )
        while served.stats()["requests"] < trials * turns // 2 and first.poll() is None:
            time.sleep(0.01)
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        in_flight = served.stats()["in_flight_max"]
        run([*argv, "--resume"], env=env, time_limit_s=1800)
        return served.stats()["requests"] - trials * turns, in_flight


def composes() -> bool:
    """Whether inspect_ai can have containers here."""
    try:
        asked = ["docker", "compose", "version"], ["docker", "image", "inspect", "localhost/assay-sandbox"]
        return all(subprocess.run(each, capture_output=True).returncode == 0 for each in asked)
    except OSError:
        return False


def measure(*, quick: bool = False) -> list[Section]:
    with docker():
        return _measure(quick)


def _measure(quick: bool) -> list[Section]:
    rounds = 1 if quick else ROUNDS
    trials = 4 if quick else AT_ONCE
    load = os.getloadavg()[0]
    names, notes = ["Assay"], []
    if not quick:
        for name, install in (("inspect_ai", install_inspect), ("mini-swe-agent", install_mini)):
            try:
                notes.append(f"{name} {install()}")
                names += [name] if name != "inspect_ai" else [*([DOCKER] if composes() else []), LOCAL]
            except (OSError, subprocess.SubprocessError) as error:
                notes.append(f"{name} did not take part: {error}.")
        if DOCKER not in names:
            notes.append("inspect_ai needs an engine of Docker 24 and docker compose for its containers.")
    rows, targets = [], []
    with server() as served:
        found: dict[str, list[Spent]] = {name: [] for name in names}
        for name in names:
            measured(served, name, 2, 3)  # byte code and files warm
        for number in range(rounds):
            for name in names[number % len(names) :] + names[: number % len(names)]:
                found[name].append(measured(served, name, trials, TURNS))
        cpu = {name: median(one.cpu for one in its) / trials / TURNS for name, its in found.items()}
        for name, its in found.items():
            wall, peak = median(one.wall for one in its), median(one.peak for one in its)
            rows.append((name, f"{cpu[name] * 1000:.1f}", f"{wall:.1f}", megabytes(peak)))
        if DOCKER in cpu:
            targets.append(Target(f"CPU of a turn, times {DOCKER}", cpu["Assay"] / cpu[DOCKER], 0.25))
        repeated, in_flight = killed(served, trials, TURNS)
        peaks = [
            measured(served, "Assay", size, MEMORY_TURNS).peak for size in ((20, 60) if quick else SIZES)
        ]
    sizes = (20, 60) if quick else SIZES
    rows += [
        (f"Assay, {size:,} trials of {MEMORY_TURNS} turns", "", "", megabytes(peak))
        for size, peak in zip(sizes, peaks, strict=True)
    ]
    growth = (peaks[-1] - peaks[0]) / (sizes[-1] - sizes[0]) / 1000
    host, inside = asyncio.run(shell_call(20 if quick else 200))
    more = (median(inside) - median(host)) * 1000
    targets += [
        Target("a call of Shell in a ready sandbox, over the same by bash on the host", more, 5, " ms"),
        Target(f"memory a trial, from {sizes[0]:,} to {sizes[-1]:,}", growth, GROWTH_KB, " kB"),
        Target(f"calls made twice after kill -9 (at most {in_flight} were in flight)", repeated, in_flight),
    ]
    notes += [
        f"A command by bash on the host took {milliseconds(host)} ms, by Shell {milliseconds(inside)} ms.",
        f"The machine's load average when this began: {load:.1f}.",
    ]
    about = (
        f"{trials} agents at once with {TURNS} turns each, a server that answers after 50 ms, medians of "
        f"{rounds} interleaved runs, process start included. Assay's shell is in bubblewrap, inspect_ai's in "
        f"docker or on the host (its sandbox `local`), mini-swe-agent's on the host. CPU is that of each "
        f"one's processes, without Docker's daemon."
    )
    return [Section("Agents", about, ("", "CPU ms a turn", "s", "peak MB"), rows, targets, notes)]
