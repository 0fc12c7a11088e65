"""--engine ray on two nodes of this machine: the same verdicts, nothing lost, nothing asked twice."""

from __future__ import annotations

import contextlib
import json
import signal
from collections import Counter
from pathlib import Path

import pytest

from testing.cluster.ray_nodes import below, processes
from testing.harness.commanding import ROOT, Workspace, stop, wait_until
from testing.model_server import ModelServer

pytestmark = [pytest.mark.slow(12), pytest.mark.xdist_group("ray")]  # one cluster serves both files
REAL = (
    *("print_hello", "print_hello_poly", "fix_json", "fix_append_vs_extend", "fix_with_patch", "c_rref"),
    *("bash_renamer", "basic_code_understanding", "date_news_headlines", "dedent_code_fn"),
    *("basic_git_setup", "debug_session_pdb", "csv_cleanup"),
)
PROGRAM = "```python\nimport subprocess\nsubprocess.run(['sleep', '{}'])\nprint('the answer')\n```"
WAIT = 90


@pytest.fixture
def server():
    with ModelServer(record=False, replies={"question": PROGRAM.format("0.3")}) as made:
        yield made


def workspace(folder, server, count, **config):
    work = Workspace(folder, server, sandbox="bubblewrap", **config)
    lines = [
        f"Test{i:03} = 'question {i}' >> LLMRun() >> ExtractCode() >> PythonRun() "
        f">> SubstringEvaluator('answer')"
        for i in range(count)
    ]
    work.test_file("many", "\n".join(lines) + "\n")
    return work


def flags(nodes, *more):
    return "--run-tests", "--model", "local/m", "--engine", "ray", "--ray-address", nodes.address, *more


def names_of(lines):
    return Counter(node for line in lines if (node := line.get("extra", {}).get("node")))


def servers_of(node):
    """Processes of Assay's on a node, and what they have started."""
    servers = [pid for pid, line in node.tree.items() if line.startswith("ray::SandboxServer")]
    return {pid: line for server in servers for pid, line in below(server).items()}


def sandboxes_of(nodes):
    found = [line for node in nodes.nodes for line in servers_of(node).values()]
    return [line for line in found if not line.startswith("ray::")]


def test_the_same_verdicts_as_the_local_engine(tmp_path, nodes):
    chosen = [flag for name in REAL for flag in ("--test", name)]
    found = {}
    for engine in (("--engine", "ray", "--ray-address", nodes.address), ("--engine", "local")):
        work = Workspace(tmp_path / engine[1], sandbox="bubblewrap")
        work.main(
            *("--run-tests", "--model", "oracle", "--model", "saboteur", "--tests", str(ROOT / "tests")),
            *(*chosen, *engine, "--no-cache", "--times", "1"),
            timeout=280,
        )
        lines = work.lines()
        names = names_of(lines)
        assert len(names) == (2 if engine[1] == "ray" else 0), names
        found[engine[1]] = {
            (line["test"], line["model"]): (line["outcome"], line.get("sandbox")) for line in lines
        }
    assert found["ray"] == found["local"]
    assert len({test for test, _ in found["ray"]}) >= 12
    assert {outcome for outcome, _ in found["ray"].values()} == {"pass", "fail"}


def test_a_node_killed_in_mid_run_loses_nothing(tmp_path, nodes, server):
    """The cache is off: replies are kept for the trial."""
    work = workspace(tmp_path, server, 40)
    doomed = nodes.add()
    process = work.start(*flags(nodes, "--no-cache", "--format", "json"))
    wait_until(lambda: len(names_of(work.lines())) == 3, WAIT)
    wait_until(lambda: len(servers_of(doomed)) > 3, WAIT)
    there = [pid for pid, line in servers_of(doomed).items()]
    doomed.kill_9()
    nodes.nodes.remove(doomed)
    wait_until(lambda: not set(there) & processes().keys(), WAIT)
    out, err = process.communicate(timeout=WAIT)
    assert process.returncode == 0, err
    assert "has failed; trials that had a sandbox there restart" in err and "Traceback" not in err
    json.loads(out)  # nothing of Ray's is among it
    lines = work.lines()
    assert Counter(line["test"] for line in lines) == {f"many.Test{i:03}": 1 for i in range(40)}
    assert {line["outcome"] for line in lines} == {"pass"}
    assert {line["calls"] for line in lines} == {1}, "a reply that was kept counts once"
    assert server.stats()["requests"] == 40 and server.stats()["repeated"] == 0


def test_limits_and_budget_hold_for_all_nodes_together(tmp_path, nodes):
    prices = {"m": {"input": 1000, "output": 1000}}
    with ModelServer(record=False, latency=0.05, replies={"question": PROGRAM.format("0")}) as server:
        llms = {"local": {"base_url": server.url + "/v1", "api_key": "sk-local-secret", "prices": prices}}
        work = workspace(tmp_path, None, 24, llms=llms)
        work.main(*flags(nodes, "--max-connections", "2", "--test", "Test000"))
        (line,) = work.lines()
        limit = f"{line['cost'] * 10:.6f}"
        _, err = work.main(
            *flags(nodes, "--max-connections", "2", "--runid", "b", "--max-cost", limit), code=2, timeout=WAIT
        )
        assert "the run is not complete; use the same command with --resume --runid b" in err
        done = len(work.lines()) - 1
        assert 8 <= done <= 13, done  # ten paid, two in flight, and the one that was in the cache
        work.main(*flags(nodes, "--max-connections", "2", "--runid", "b", "--resume"), timeout=WAIT)
        assert len(work.lines()) == 25
        assert server.stats()["requests"] == 24 and server.stats()["in_flight_max"] <= 2


def test_ctrl_c_leaves_no_process_and_no_key_on_the_nodes(tmp_path, nodes):
    """A key is neither in the environment of a process there, nor in anything that Ray keeps."""
    key = b"sk-local-secret"
    with ModelServer(record=False, replies={"question": PROGRAM.format("1000")}) as server:
        work = workspace(tmp_path, server, 10)
        process = work.start(*flags(nodes))
        wait_until(lambda: sum("sleep 1000" in line for line in sandboxes_of(nodes)) >= 2, WAIT)
        for pid in {pid for node in nodes.nodes for pid in node.tree}:
            with contextlib.suppress(OSError):  # gone, or not ours to read
                assert key not in Path(f"/proc/{pid}/environ").read_bytes()
        code, _, err = stop(process, signal.SIGINT, timeout=WAIT)
        assert code == 130, err
        assert "stopping: running trials are cancelled" in err and "Traceback" not in err
        assert "exception" not in err.lower()
        wait_until(lambda: not sandboxes_of(nodes), WAIT)
        wait_until(lambda: not any(servers_of(node) for node in nodes.nodes), WAIT)
        assert work.lines() == []
    logs = [path for path in nodes.folder.rglob("*") if path.is_file()]
    assert len(logs) > 10
    assert not [path for path in logs if key in path.read_bytes()]
