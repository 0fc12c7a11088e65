"""Which nodes are used: those that have what a trial asks for, the same Assay, and the same sandboxes."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from assay.plugins.ray.facts import PARTS, facts_here, why_refused
from assay.plugins.ray.node import Node, most_common_tier
from assay.records import Limits
from assay.sandboxes.limits import gpus
from testing.cluster.ray_nodes import Nodes
from testing.cluster.test_ray_engine import PROGRAM, WAIT, flags, names_of, workspace
from testing.harness.commanding import ROOT, Workspace, wait_until
from testing.model_server import ModelServer

pytestmark = [pytest.mark.slow(8), pytest.mark.xdist_group("ray")]  # one cluster serves both files
SUITE = """\
from assay.suites.suite import Sample, Suite
from assay.records import Limits
from evaluator import ExtractCode, LLMRun, PythonRun, SubstringEvaluator

def samples(options):
    test = "question" >> LLMRun() >> ExtractCode() >> PythonRun() >> SubstringEvaluator("answer")
    limits = Limits("large", cpus=2.0, gpus=options.gpus)
    yield Sample("large.One", test, "large", "t/large/suite.py", limits=limits)

SUITE = Suite("large", "Needs two cores", samples, lambda records: (),
              lambda parser: parser.add_argument("--gpus", default=""))
"""
AVAILABLE = """\
import json, os, sys
import ray
ray.init(address=sys.argv[1], log_to_driver=False, logging_level=50)
jobs = str(ray._private.state.jobs())
print(json.dumps([ray.cluster_resources(), ray.available_resources(), jobs]))
"""


def large(folder, server):
    work = Workspace(folder, server, sandbox="bubblewrap")
    (work.tests / "large").mkdir()
    (work.tests / "large" / "suite.py").write_text(SUITE)
    return work


def reserved(nodes):
    """Resource -> how much of it is taken. Also sees that no command line is in Ray's books."""
    command = [sys.executable, "-c", AVAILABLE, nodes.address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT, check=True)
    every, free, jobs = json.loads(done.stdout.splitlines()[-1])
    assert "'Entrypoint': 'assay'" in jobs and "main.py" not in jobs, jobs
    return {name: every[name] - free.get(name, 0) for name in ("CPU", "GPU") if name in every}


def read_until(stream, text):
    seen = ""
    while text not in seen:
        line = stream.readline()
        assert line, seen
        seen += line
    return seen


def test_a_trial_waits_for_a_node_that_is_large_enough(tmp_path, nodes):
    """And gets the first that joins: Ray's books have its cores as taken while it runs."""
    with ModelServer(record=False, replies={"question": PROGRAM.format("8")}) as server:
        work = large(tmp_path, server)
        process = work.start(*flags(nodes, "--suite", "large"))
        read_until(process.stderr, "no node has the 2 CPUs that a sandbox of these tests asks for")
        node = nodes.add(2, "--num-gpus=1")
        read_until(process.stderr, "has joined: bubblewrap")
        wait_until(lambda: any("sleep 8" in line for line in node.tree.values()), WAIT)
        assert reserved(nodes) == {"CPU": 2.0, "GPU": 0.0}
        _, err = process.communicate(timeout=WAIT)
        assert process.returncode == 0, err
    (line,) = work.lines()
    assert line["outcome"] == "pass" and line["limits"] == "large" and line["extra"]["node"]
    if not gpus.present():
        never_imagined(work, nodes)
    nodes.remove(node)


def never_imagined(work, nodes):
    """A node that claims to have a GPU, and has none, is not used for trials that ask for one."""
    with ModelServer(record=False) as server:
        work = large(work.folder / "gpu", server)
        _, err = work.main(*flags(nodes, "--suite", "large", "--gpus", "3"), code=2, timeout=WAIT)
        assert "is not used: " in err and "no NVIDIA GPU" in err
        (line,) = work.lines()
        assert line["outcome"] == "error" and "no node of the cluster can be used" in line["error"]
        _, err = work.main(*flags(nodes, "--suite", "large", "--gpus", "all"), code=1, timeout=WAIT)
        assert "GPUs 'all' cannot be asked of a cluster: list as many numbers" in err
        assert server.stats()["requests"] == 0, "nothing was asked"


@pytest.fixture
def server():
    with ModelServer(record=False, replies={"question": PROGRAM.format("0.1")}) as made:
        yield made


def test_nodes_that_differ_are_not_used(tmp_path, nodes, server):
    copy = tmp_path / "other"
    for part in ROOT.glob("assay/**/*.py"):
        path = copy / part.relative_to(ROOT / "assay")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(part.read_bytes())
    (copy / "records.py").write_text((copy / "records.py").read_text() + "\n# another commit\n")
    bind = ("bwrap", "--dev-bind", "/", "/", "--bind", str(copy), str(ROOT / "assay"))
    other = nodes.add(prefix=bind)
    bare = nodes.add(env={"ASSAY_BWRAP": "/nowhere/bwrap"})
    work = workspace(tmp_path / "w", server, 12)
    _, err = work.main(*flags(nodes), timeout=WAIT)
    assert "is not used: it has another version of Assay" in err and "bring it to the same commit" in err
    assert "is not used: bwrap is not installed; install it" in err
    assert len(names_of(work.lines())) == 2, "the others do all of it"
    assert {line["outcome"] for line in work.lines()} == {"pass"}
    nodes.remove(other)
    nodes.remove(bare)


def test_what_makes_a_node_another():
    here = facts_here()
    assert why_refused(here, here) == "" and len(here.code) == 12
    assert why_refused(replace(here, tier="podman", identity="x"), here) == ""
    assert "Python 3.9.1" in why_refused(replace(here, python="3.9.1"), here)
    assert "another version of Assay (0.0.1" in why_refused(replace(here, assay="0.0.1"), here)
    assert "to the same commit" in why_refused(replace(here, code="0" * 12), here)
    assert all((ROOT / "assay" / part).exists() for part in PARTS)


def test_how_many_shares_a_node_has():
    node = Node("id", "n", cpus=8, gpus=2)
    assert node.shares(Limits(), None) == 8 and node.shares(Limits(cpus=0.5), None) == 8
    assert node.shares(Limits(cpus=3.0), None) == 2 and node.shares(Limits(), 5) == 5
    assert node.shares(Limits(gpus="0"), None) == 2 and node.shares(Limits(gpus="0,1"), None) == 1
    assert node.shares(Limits(cpus=9.0), None) == 0 and node.shares(Limits(gpus="0,1,2"), None) == 0


@pytest.mark.parametrize(
    "address, words",
    [
        ("127.0.0.1:1", "Is Ray running there? start it with `ray start --head` on this machine"),
        ("localhost", "write HOST:PORT"),
        ("ray://127.0.0.1:10001", "this machine must belong to the cluster"),
    ],
)
def test_an_address_without_a_cluster(tmp_path, server, address, words):
    work = workspace(tmp_path, server, 1)
    flags = ("--run-tests", "--model", "local/m", "--engine", "ray", "--ray-address", address)
    _, err = work.main(*flags, code=1)
    assert words in err and len(err.splitlines()) <= 2
    assert not list(work.results.glob("*/*/*")), "no run was begun"


def test_without_ray_it_says_what_to_install(tmp_path):
    code = "import sys; sys.modules['ray'] = None; from assay.cli.main import main; sys.exit(main())"
    flags = ["--run-tests", "--model", "oracle", "--test", "print_hello", "--engine", "ray"]
    done = subprocess.run(
        [sys.executable, "-c", code, *flags, "--tests", str(ROOT / "tests"), "--logdir", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, timeout=WAIT,
    )  # fmt: skip
    assert done.returncode == 1 and "needs ray: make setup EXTRAS=ray" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


def test_the_end_of_the_head_is_the_end_of_the_run(tmp_path, server):
    with Nodes(cpus=0) as own:
        node = own.add()
        work = workspace(tmp_path, server, 150)
        process = work.start(*flags(own))
        wait_until(lambda: len(work.lines(torn=1)) > 3, WAIT)
        own.nodes[0].kill_9()
        _, err = process.communicate(timeout=WAIT)
        assert process.returncode == 1
        assert "error: the head of the Ray cluster does not answer" in err and "Traceback" not in err
        assert "use the same command with --resume" in err
        wait_until(lambda: not any("bwrap" in line for line in node.tree.values()), WAIT)
        assert {line["outcome"] for line in work.lines()} == {"pass"}, "no trial is blamed for it"
        assert 3 < len(work.lines()) < 150
        node.kill_9()  # it would look for its head for a minute


def test_the_kind_of_sandbox_is_that_of_most_cores():
    small, large, other = Node("a", "a", 2, 0), Node("b", "b", 8, 0), Node("c", "c", 8, 0)
    assert most_common_tier([(small, "podman"), (large, "bubblewrap+image")]) == "bubblewrap+image"
    assert most_common_tier([(large, "bubblewrap+host"), (other, "bubblewrap+image")]) == "bubblewrap+image"
    assert most_common_tier([(large, "bubblewrap+image"), (other, "podman")]) == "podman"
