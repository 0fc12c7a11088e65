"""What a run keeps of its trials: counts. Records go to the disk, samples are made when their turn comes."""

from __future__ import annotations

import os
import subprocess

import pytest

from testing.harness.commanding import HEAD, Workspace
from testing.model_server import ModelServer

FEW, MANY = 500, 5000
SUITE = """
from assay.suites.suite import Sample, Suite

def samples(options):
    for number in range(int(options.size)):
        test = f"Question {number}: what is it?" >> LLMRun() >> SubstringEvaluator("")
        yield Sample(f"made.Test{number:05}", test, "made", description="made when its turn comes")

SUITE = Suite("made", "many samples", samples, add_options=lambda parser: parser.add_argument("--size"))
"""


@pytest.fixture
def work(tmp_path):
    with ModelServer(process=True, record=False) as server:
        work = Workspace(tmp_path, server)
        work.test_file("one", 'TestOne = "Question" >> LLMRun() >> SubstringEvaluator("")\n')
        (work.tests / "made").mkdir()
        (work.tests / "made" / "suite.py").write_text(HEAD + SUITE)
        yield work


def peak(work, *flags):
    """The most memory, in bytes, that a run of its own process had."""
    command = work.command("--run-tests", "--model", "local/m", *flags)
    process = subprocess.Popen(
        command, cwd=work.folder, env=work.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_maxrss * 1024


@pytest.mark.slow(16)
@pytest.mark.parametrize(
    ("flags", "most"),
    [
        (lambda size: ("--times", str(size)), 400),  # what SQLite keeps until its own limit
        (lambda size: ("--suite", "made", "--size", str(size)), 600),  # and a name and a count of each test
    ],
    ids=["trials of one test", "samples of a suite"],
)
def test_memory_does_not_follow_the_number_of_trials(work, flags, most):
    few = peak(work, *flags(FEW))  # first: a run answered from the cache needs no SDK
    grown = peak(work, *flags(MANY)) - few
    lines = sum(file.read_bytes().count(b"\n") for file in work.results.glob("*/*/run-*.jsonl"))
    assert lines == FEW + MANY
    assert grown < most * (MANY - FEW), f"{grown / (MANY - FEW):.0f} bytes a trial"
