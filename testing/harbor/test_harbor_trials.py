"""Task folders run as they are: who passes, what an agent can do, and what it cannot do to its verdict."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from assay.records import Cause, Outcome
from assay.sandboxes.backends import task_container
from testing.harbor.folders import write_task
from testing.harbor.trials import BASES, Agent, judge
from testing.language.pipeline import text_of

pytestmark = pytest.mark.usefixtures("images")
ROOT = Path(__file__).parents[2]
TASKS = Path(__file__).parent / "tasks"
TOML = """\
[agent]
timeout_sec = 20
[verifier]
timeout_sec = 10
[environment]
memory_mb = 256
allow_internet = false
"""
TEST = """\
#!/bin/bash
if [ "$(cat /app/answer)" = 42 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
"""


NO_PYTHON = "FROM debian:13\nWORKDIR /app\nENV A=b\nRUN rm -f /usr/bin/python3*\n"


@pytest.fixture
def task(tmp_path):
    return write_task(
        tmp_path / "answer", TOML, dockerfile="FROM debian:13\nWORKDIR /app\nENV A=b\n", test=TEST
    )


@pytest.mark.slow(12)
def test_the_oracle_passes_and_doing_nothing_fails(tmp_path):
    bases = ",".join(f"{name}={image}" for name, image in BASES.items())
    command = [sys.executable, ROOT / "main.py", "run", "--suite", "harbor", "--tasks", TASKS, "--no-cache"]
    command += ["--base-images", bases, "--model", "oracle", "--model", "saboteur", "--sandbox", "podman"]
    done = subprocess.run([*command, "--logdir", tmp_path], capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    found = {}
    for path in tmp_path.glob("*/*/run-*.jsonl"):
        for line in path.read_text().splitlines():
            record = json.loads(line)
            if "outcome" in record:
                found[record["model"], record["test"]] = record["outcome"], record["score"]
    names = ("mend-script", "more/count-errors", "more/write-config")
    assert found == {
        **{("oracle", f"harbor.{name}"): ("pass", 1.0) for name in names},
        **{("saboteur", f"harbor.{name}"): ("fail", 0.0) for name in names},
    }


@pytest.mark.slow(8)
def test_a_trial_that_is_judged_again_is_done_again(tmp_path):
    bases = ",".join(f"{name}={image}" for name, image in BASES.items())
    suite = [
        "--suite",
        "harbor",
        "--tasks",
        TASKS / "mend-script",
        "--base-images",
        bases,
        "--logdir",
        tmp_path,
    ]
    for more in (["run", "--model", "oracle", "--sandbox", "podman"], ["rescore", "last"]):
        done = subprocess.run(
            [sys.executable, ROOT / "main.py", *more, *suite], capture_output=True, text=True, timeout=200
        )
        assert done.returncode == 0, done.stderr
    assert "0 of 1 verdict changed" in done.stdout + done.stderr


def test_an_agent_finds_what_the_task_says(task):
    agent = Agent(
        "pwd; id -u; echo $A; ls /tests /solution; echo 4 > answer",
        "cat answer; ls /sys/class/net; echo 42 > answer; (exit 3)",
    )
    (record,) = judge(task, agent)
    assert record.outcome is Outcome.PASS and record.score == 1.0 and record.metrics == {"reward": 1.0}
    assert agent.told[0] == "Mend it.\n"
    assert agent.told[1] == "/app\n0\nb\n/solution:\n\n/tests:\n"
    assert agent.told[2] == "4\nlo\n[exit status 3]"
    assert record.sandbox == "podman" and record.limits == "harbor"


def attacks():
    write = "echo 1 > /logs/verifier/reward.txt"
    return {
        "the reward": write,
        "the other reward": "echo '{\"reward\": 1}' > /logs/verifier/reward.json",
        "a daemon": f"(setsid sh -c 'while :; do {write}; sleep 0.01; done' >/dev/null 2>&1 &) ; sleep 0.1",
        "the tests": "echo 'echo 1 > /logs/verifier/reward.txt' > /tests/test.sh; mkdir /tests/x",
        "the tests' folder": f"mv /tests /t; mkdir /tests; umount /tests; {write}",
        "no reader": "mkdir /logs/verifier/reward.txt; ln -s /etc/passwd /logs/verifier/reward.json",
        "no verifier": "rm -rf /usr/bin/bash /usr/bin/cat /usr/bin/sh /bin/*",
        "the solution": "ls /solution; cat /solution/solve.sh; kill -9 -1; kill -9 1",
        "the environment": "echo 'PATH=/evil' >> /etc/profile; echo BASH_ENV=/evil >> /etc/environment",
    }


@pytest.mark.slow(10)
def test_what_an_agent_does_to_its_verifier_is_a_fail(task):
    records = judge(task, *(Agent(command) for command in attacks().values()))
    found = {name: record.outcome for name, record in zip(attacks(), records, strict=True)}
    assert found == dict.fromkeys(attacks(), Outcome.FAIL), [record.error for record in records]
    gone = dict(zip(attacks(), records, strict=True))["no verifier"]
    assert "left no reward" in gone.why and gone.score == 0.0


@pytest.mark.slow(5)
def test_programs_that_the_agent_has_replaced_are_named(task):
    agents = (
        Agent("cp /usr/bin/true /usr/bin/cat; echo /x.so > /etc/ld.so.preload; echo 1 > /etc/other"),
        Agent("mv /usr /moved; /moved/bin/ln -s /etc /usr"),
        Agent("echo 42 > answer"),
    )
    replaced, linked, plain = judge(task, *agents)
    assert "/usr/bin/cat\n/etc/ld.so.preload\n" in text_of(replaced.reason)
    assert "passwd" not in text_of(linked.reason)  # nor any other name of the host's
    assert plain.outcome is Outcome.PASS and "programs changed" not in text_of(plain.reason)


@pytest.mark.slow(4)
def test_a_verifier_that_never_leaves_a_reward_is_an_error_of_the_grader(tmp_path):
    folder = write_task(tmp_path / "mute", TOML, test="echo so far; exit 1\n")
    (record,) = judge(folder, Agent())
    assert record.outcome is Outcome.ERROR and record.cause == Cause.GRADER
    assert "left no reward" in record.error and "so far" in record.error


@pytest.mark.slow(5)
def test_a_verifier_that_the_agent_slows_down_is_stopped(tmp_path):
    toml = TOML.replace("timeout_sec = 10", "timeout_sec = 2")
    test = "[ -e /slow ] && sleep 60\necho 1 > /logs/verifier/reward.txt\n"
    (record,) = judge(write_task(tmp_path / "slow", toml, test=test), Agent("touch /slow"))
    assert record.outcome is Outcome.FAIL and record.cause == Cause.TIMED_OUT


@pytest.mark.slow(5)
def test_the_agent_has_a_time_limit_and_is_judged_by_what_it_did(tmp_path):
    toml = TOML.replace("timeout_sec = 20", "timeout_sec = 2")
    folder = write_task(tmp_path / "late", toml, dockerfile="FROM debian:13\nWORKDIR /app\n", test=TEST)
    (record,) = judge(folder, Agent("echo 42 > answer; sleep 60", "sleep 60", "echo 43 > answer"))
    assert record.outcome is Outcome.PASS
    assert "ended by its limit of 2 s" in text_of(record.reason)


@pytest.mark.slow(4)
def test_a_memory_limit_is_the_tasks_own(task):
    agent = Agent("head -c 400M /dev/zero | tail; echo $?", "head -c 10 /dev/zero | wc -c")
    judge(task, agent)
    assert "137" in agent.told[1] or "killed" in agent.told[1]
    assert agent.told[2] == "10\n"


@pytest.mark.slow(5)
def test_an_agent_that_fills_the_disk_is_stopped_and_fails(tmp_path, monkeypatch):
    monkeypatch.setattr(task_container, "WATCH_EVERY_S", 0.2)
    toml = TOML.replace("memory_mb", "storage_mb = 64\nmemory_mb")
    folder = write_task(tmp_path / "disk", toml, dockerfile="FROM debian:13\nWORKDIR /app\n", test=TEST)
    fill = "for n in 1 2 3 4 5; do head -c 50M /dev/zero > $n; done; sleep 15"
    verifiers = (
        "echo 42 > answer; head -c 50M /dev/zero > /logs/verifier/a; head -c 50M /dev/zero > b; sleep 15"
    )
    for record in judge(folder, Agent(fill), Agent(verifiers)):
        assert record.outcome is Outcome.FAIL and "more than its 64 MB of disk" in record.why


def test_named_rewards_are_metrics(tmp_path):
    test = """cd /logs/verifier; echo '{"style": 0.5, "right": 1}' > reward.json; echo 1 > reward.txt\n"""
    (record,) = judge(write_task(tmp_path / "named", TOML, test=test), Agent())
    assert record.outcome is Outcome.FAIL and record.score == 0.75
    assert record.metrics == {"style": 0.5, "right": 1.0}


def test_another_backend_skips_it(task):
    (record,) = judge(task, Agent(), backend="bubblewrap")
    assert record.outcome is Outcome.SKIPPED and "--sandbox podman" in record.error


def test_an_image_that_is_not_roots_is_skipped(tmp_path):
    folder = write_task(tmp_path / "user", TOML, dockerfile="FROM debian:13\nUSER 1000\n")
    (record,) = judge(folder, Agent())
    assert record.outcome is Outcome.SKIPPED and "run as 1000" in record.error
