"""What is finished survives: kill -9, Ctrl-C, the end of the budget; and --resume does the rest, once."""

import json
import random
import signal
from collections import Counter
from pathlib import Path

import pytest

from assay.config import Config
from assay.records import Completion, Usage
from assay.report.wording import money
from assay.results.spending import Spending
from assay.running.engines import workers_for
from testing.harness.commanding import Workspace, stop, wait_until
from testing.model_server import ModelServer

CONNECTIONS = 8
# A call is in flight until its reply is in the cache and in the account, which is a moment after its
# connection has become free for the next one: on a busy disk for all trials at work, each with one call.
IN_FLIGHT = workers_for(Config(max_connections=CONNECTIONS)) + 1
FLAGS = ("--run-tests", "--model", "local/m", "--max-connections", str(CONNECTIONS))


@pytest.fixture
def server():
    with ModelServer(latency=0.02, record=False) as made:
        yield made


def each_once(work, count, torn=0):
    tests = Counter(line["test"] for line in work.lines(torn))
    assert len(tests) == count and set(tests.values()) == {1}


@pytest.mark.parametrize(
    "round_", [0, 1, *(pytest.param(n, marks=pytest.mark.slow(5)) for n in range(2, 10))]
)
def test_kill_9_at_a_random_moment(tmp_path, server, round_):
    work = Workspace(tmp_path, server, max_sandboxes=1)
    work.many_tests(200)
    moment = random.Random(round_).randrange(1, 190)
    process = work.start(*FLAGS)
    wait_until(lambda: server.desk.requests >= moment)
    process.kill()
    process.communicate(timeout=20)
    done_before = len(work.lines(torn=1))
    assert done_before < 200, "it was killed too late to show anything"
    _, err = work.main(*FLAGS, "--resume")
    each_once(work, 200, torn=1)
    assert f"{200 - done_before} trials to run, {done_before} done before" in err or not done_before
    stats = server.stats()
    assert stats["repeated"] <= IN_FLIGHT, "only calls in flight may be asked again"
    assert stats["requests"] <= 200 + IN_FLIGHT


@pytest.mark.slow(3)
def test_killed_again_and_again(tmp_path, server):
    work = Workspace(tmp_path, server, max_sandboxes=1)
    work.many_tests(200)
    kills = 0
    for moment in range(15, 170, 30):
        process = work.start(*FLAGS, *(["--resume"] if kills else []))
        wait_until(lambda moment=moment: server.desk.requests >= moment)
        process.kill()
        process.communicate(timeout=20)
        kills += 1
    work.main(*FLAGS, "--resume")
    each_once(work, 200, torn=kills)
    assert server.stats()["repeated"] <= IN_FLIGHT * kills
    assert {line["outcome"] for line in work.lines(torn=kills)} == {"pass"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_cleanly(tmp_path, server, number):
    work = Workspace(tmp_path, server)
    work.many_tests(200)
    process = work.start(*FLAGS, "--generate-report")
    wait_until(lambda: server.desk.requests >= 60)
    code, out, err = stop(process, number)
    assert code == 128 + number
    assert "stopping: running trials are cancelled" in err and "Traceback" not in err
    assert "use the same command with --resume" in err
    assert "main.py run --resume --logdir results is enough)" in err
    assert "many.Test000" in out, "what is done is shown"
    assert (tmp_path / "report" / "index.html").exists()
    done = len(work.lines())
    assert 20 <= done < 200
    asked = server.desk.requests
    work.main(*FLAGS, "--resume")
    each_once(work, 200)
    assert server.desk.requests - asked <= 200 - done


def test_a_second_signal_leaves_at_once(tmp_path, server):
    """A step of an old-style node runs in a thread, which nothing can stop."""
    work = Workspace(tmp_path, server)
    work.test_file(
        "stuck",
        "class Stuck(Node):\n"
        "    def __init__(self): pass\n"
        "    def __call__(self, x):\n"
        "        while True: time.sleep(0.1)\n"
        "TestStuck = 'q' >> LLMRun() >> Stuck()\n"
        "TestFine = 'q2' >> LLMRun()\n",
    )
    process = work.start(*FLAGS)
    wait_until(lambda: server.desk.requests >= 2 and work.lines())
    code, _, err = stop(process, signal.SIGINT)
    assert code == 130 and "never ended" in err, (
        "one signal is enough, as its cleaning up waits for no thread"
    )
    process = work.start(*FLAGS, "--no-cache")
    wait_until(lambda: server.desk.requests >= 4)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    code, _, _ = stop(process, signal.SIGINT)
    assert code == 130


def test_a_stuck_thread_does_not_keep_a_finished_run(tmp_path, server):
    work = Workspace(tmp_path, server, trial_time_limit_s=1)
    work.test_file(
        "stuck",
        "class Stuck(Node):\n"
        "    def __init__(self): pass\n"
        "    def __call__(self, x):\n"
        "        while True: time.sleep(0.1)\n"
        "TestStuck = 'q' >> Stuck()\n",
    )
    _, err = work.main(*FLAGS, code=2, timeout=30)
    assert "leaving without a thread that never ended: __call__() of " in err and "stuck.py:" in err
    (line,) = work.lines()
    assert line["outcome"] == "error" and "longer than 1 s" in line["error"]


def processes_with(text):
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [path] if text.encode() in path.read_bytes() else []
        except OSError:
            continue
    return found


def test_ctrl_c_leaves_no_sandbox(tmp_path, server):
    work = Workspace(tmp_path, server, sandbox="bubblewrap")
    marker = f"8{random.randrange(10**8):08}"
    work.test_file(
        "slow",
        "def f(x):\n"
        "    import subprocess\n"
        f"    subprocess.run(['sleep', '{marker}'])\n"
        "TestSlow = 'q' >> LLMRun() >> Echo() >> Setup(f) >> Echo()\n",
    )
    process = work.start(*FLAGS)
    wait_until(lambda: processes_with(marker))
    code, _, _ = stop(process)
    assert code == 130
    wait_until(lambda: not processes_with(marker), timeout=5)
    assert work.lines() == []


def test_the_budget_stops_cleanly_and_can_be_raised(tmp_path, server):
    work = Workspace(tmp_path, server)
    config = tmp_path / "config.json"
    config.write_text(
        config.read_text().replace('"api_key"', '"prices": {"m": {"input": 1000, "output": 1000}}, "api_key"')
    )
    work.many_tests(100)
    work.main(*FLAGS, "--test", "Test000")
    (line,) = work.lines()
    budget = line["cost"] * 30
    _, err = work.main(*FLAGS, "--runid", "b", "--max-cost", f"{budget:.6f}", code=2)
    done = len(work.lines()) - 1
    assert 25 <= done <= 31, done
    assert "the run is not complete; use the same command with --resume --runid b" in err
    assert {line["outcome"] for line in work.lines()} == {"pass"}, (
        "a trial cut off by the budget is no result"
    )
    work.main(*FLAGS, "--runid", "b", "--resume")
    assert len(work.lines()) == 101


@pytest.mark.slow(2)
def test_what_a_killed_run_had_paid_is_known_when_it_goes_on(tmp_path):
    """Also of trials whose records the kill took: two calls each, of the model and of its judge."""
    with ModelServer(latency=0.05, record=False) as server:
        prices = {"*": {"input": 1000, "output": 1000}}
        local = {"base_url": server.url + "/v1", "api_key": "k", "prices": prices}
        work = Workspace(tmp_path, llms={"local": local}, judge="local/judge")
        judge = "LLMRun('judge <A>', llm=EVAL_LLM)"
        lines = [f"T{i} = 'q {i}' >> LLMRun() >> {judge} >> RegexEvaluator('.')" for i in range(60)]
        work.test_file("many", "\n".join("Test" + line for line in lines) + "\n")
        process = work.start(*FLAGS)
        wait_until(lambda: server.desk.requests >= 50)
        process.kill()
        process.communicate(timeout=20)
        (file,) = work.results.glob("*/*/run-1.spent")
        paid = Spending(file).total()
        assert server.stats()["requests"] - IN_FLIGHT <= paid.calls <= server.stats()["requests"]
        assert {json.loads(line)[0] for line in file.read_text().splitlines()} == {"local/m", "local/judge"}
        in_records = sum(line["calls"] for line in work.lines(torn=1))
        assert paid.calls > in_records

        budget = paid.cost / 4
        _, err = work.main(*FLAGS, "--resume", "--max-cost", f"{budget:.6f}", code=2)
        assert f"{money(paid.cost)} (" in err and "spent on it before" in err
        total = Spending(file).total()
        assert budget <= total.cost - paid.cost <= budget * 1.2, "the budget is this command's, judges too"
        assert f"{money(total.cost)} (" in err and "spent on this run in total" in err
        assert "of the budget left)" in err
        _, err = work.main(*FLAGS, "--resume")
        assert 120 - IN_FLIGHT <= Spending(file).total().calls <= 120 + IN_FLIGHT
        assert len({line["test"] for line in work.lines(1)}) == 60
        _, err = work.main(*FLAGS)
        assert "spent on" not in err and not list(work.results.glob("*/*/run-2.spent")), "all from the cache"


def test_a_full_disk_stops_the_run(tmp_path, server):
    import resource

    work = Workspace(tmp_path, server)
    work.many_tests(200)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, before[1]))
        work.environment["PYTHONDONTWRITEBYTECODE"] = "1"  # bytecode would be cut off, too
        _, err = work.main(*FLAGS, "--no-cache", code=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert "cannot write results to" in err and "has reached its size limit" in err
    done = len(work.lines())
    assert 10 < done < 200
    work.main(*FLAGS, "--resume")
    each_once(work, 200)


def test_errors_are_tried_again_and_verdicts_are_not(tmp_path):
    with ModelServer(record=False, replies={"question 3": "nothing of the kind"}) as server:
        work = Workspace(tmp_path, server)
        work.many_tests(6)
        work.test_file(
            "broken",
            "class B(Node):\n"
            "    def __init__(self): pass\n"
            "    def __call__(self, x): raise KeyError('bug')\n"
            "TestBroken = 'b' >> LLMRun() >> B()\n",
        )
        work.main(*FLAGS, code=2)
        outcomes = Counter(line["outcome"] for line in work.lines())
        assert outcomes == {"pass": 5, "fail": 1, "error": 1}
        work.main(*FLAGS, "--resume", code=2)
        assert Counter(line["test"] for line in work.lines())["broken.TestBroken"] == 2
        assert len(work.lines()) == 8
        work.test_file("broken", "TestBroken = 'b' >> LLMRun()\n")
        work.main(*FLAGS, "--resume")
        assert len(work.lines()) == 9 and work.lines()[-1]["outcome"] == "pass"


def test_a_second_process_cannot_write_to_the_same_run(tmp_path, server):
    work = Workspace(tmp_path, server)
    work.many_tests(200)
    process = work.start(*FLAGS)
    wait_until(lambda: server.desk.requests >= 20)
    process.send_signal(signal.SIGSTOP)  # or it may end before another has started
    _, err = work.main(*FLAGS, "--resume", code=1)
    assert "another process is writing to" in err
    _, err = work.main(*FLAGS, "--runid", "1", code=1)
    assert "exists already" in err
    process.send_signal(signal.SIGCONT)
    process.communicate(timeout=30)
    each_once(work, 200)


def test_a_line_of_the_account_that_a_full_disk_cut_costs_no_other(tmp_path, monkeypatch):
    """The second of three writes is cut after ten bytes, as on a disk that has just become full."""
    import os

    whole, written = os.write, []

    def short(file, data):
        written.append(data)
        return whole(file, data[:10] if len(written) == 2 else data)

    account = Spending(tmp_path / "run-1.spent")
    monkeypatch.setattr(os, "write", short)
    for _ in range(3):
        account.add("m", Completion("text", Usage(1, 1), cost=1.0))
    monkeypatch.undo()
    assert account.total().cost == 2.0
    account.close()
