"""The feedback loop: what the model is told, what counts, and what becomes of a run that breaks."""

import json
import re
import threading

import numpy as np
import pytest

from assay.errors import ProviderError, SandboxError
from assay.records import Outcome
from assay.results.journal import Journal
from assay.suites.finding import load_suite
from testing.harness.commanding import ROOT, Workspace, wait_until
from testing.model_server import ModelServer
from testing.weirdml.submitting import LIMITS, answer, backend, run
from tests.weirdml.learn_tasks import EVERY
from tests.weirdml.machine import device_line
from tests.weirdml.predictions import BadFormat, accuracy, by_label, parse
from tests.weirdml.prompt import Machine, excerpt, feedback, question, system_prompt
from tests.weirdml.source import MAX_BYTES, code_lines, literal_bytes, script_in
from tests.weirdml.submission import Submission, blocks
from tests.weirdml.tasks import RULES


def constant(label, words=""):
    return answer(f'print("{words}")\nopen("results/test_preds.txt", "w").write("{label}\\n" * 1000)')


PREDICT = 'open("results/test_preds.txt", "w").write("1\\n" * 1000)'


@pytest.fixture
def box():
    return backend("bubblewrap+image", "podman")


# ---------------------------------------------------------------- a run


def test_the_best_submission_counts(box):
    replies = [constant(9), constant(1, "second try"), "no code", constant(3), answer("1 / 0")]
    record, _ = run(replies, box)
    made = record.extra["submissions"]
    assert [one["kind"] for one in made] == ["zero_score", "", "no_code", "", "crash"]
    scores = [one["accuracy"] for one in made]
    assert record.score == max(scores) == record.metrics["accuracy"] > 0.15
    assert record.metrics == {"accuracy": max(scores), "first": 0.0, "failed": 3.0}
    assert record.outcome is Outcome.FAIL, "a constant answer is no solution"
    assert [one["tokens"] for one in made] == [5] * 5
    assert record.extra["device"] == "no GPU: everything runs on the CPU"
    assert {"torch", "numpy"} <= set(record.extra["libraries"])
    assert record.usage.output_tokens == 25 and record.cost == 1.25 and record.limits == LIMITS.profile
    assert len(record.extra["data"]) == 16 and made[1]["seconds"] > 0 and made[1]["cpu_seconds"] > 0


def test_what_the_model_is_told(box):
    _, asked = run([constant(9), constant(1, "second try"), answer("print(1 / 0)"), "stop"], box)
    roles = [message.role for message in asked[-1]]
    assert roles == ["system", "user", *["assistant", "user"] * 3]
    system, task, _, first, _, second, _, third = (message.content for message in asked[-1])
    assert "no GPU" in system and "0.5 GiB" in system and "1 CPU core" in system and "20 seconds" in system
    assert "torch 2" in system and "numpy" in system and "4 submissions" in system and "64 KiB" in system
    assert "512 points" in task and "1000 lines with one integer a line" in task
    assert "zero score" in first and "3 submissions left" in first
    assert "Score on the test set: 0." in second and "second try" in second
    assert "(crash)" in third and "ZeroDivisionError" in third and "one submission left" in third


def test_a_provider_that_fails_is_no_failure_of_the_model(box):
    record, _ = run([constant(1), ProviderError("the server is gone")], box)
    assert record.outcome is Outcome.ERROR and record.score is None
    assert "the server is gone" in record.error
    assert "submission 1" in json.dumps(str(record.reason)), "what was done until then is shown"


@pytest.mark.slow(5)
def test_a_run_goes_on_between_submissions(box, tmp_path):
    replies = [constant(1), constant(2), constant(3)]
    whole, _ = run(replies, box)
    broken, _ = run([*replies[:2], ProviderError("down")], box, journal=Journal(tmp_path / "j"))
    assert broken.outcome is Outcome.ERROR
    again, asked = run([replies[2], "y", "z"], box, journal=Journal(tmp_path / "j"))
    assert len(asked) == 1, "only what is missing is asked"
    assert again.score == whole.score
    assert [one["accuracy"] for one in again.extra["submissions"]] == [
        one["accuracy"] for one in whole.extra["submissions"]
    ]
    assert again.calls == 3 and again.cost == whole.cost, "what was spent before counts"
    _, asked = run(replies, box, journal=Journal(tmp_path / "j"), time_limit_s=19.0)
    assert len(asked) == 3, "what was done under other rules is not taken up"


@pytest.mark.slow(5)
def test_kill_9_between_two_submissions(tmp_path):
    """main.py is killed while it waits for the third reply, and goes on with the third."""
    flags = ("--tests", str(ROOT / "tests"), "--suite", "weirdml", "--task", "shapes_easy", "--run-tests",
             "--model", "local/m", "--runs", "1", "--iterations", "4", "--memory", "512m", "--threads", "1",
             "--no-cache", "--sandbox", "bubblewrap")  # fmt: skip
    turns, killed = [], threading.Event()

    def reply(asked):
        turn = sum(role == "assistant" for role, _ in asked.messages)
        turns.append(turn)
        if turn == 2 and turns.count(2) == 1:
            killed.wait(200)
        return constant(turn)

    with ModelServer(reply=reply) as server:
        work = Workspace(tmp_path, server)
        process = work.start(*flags)
        journal = tmp_path / "results"

        def two_are_kept():
            return sum(len(file.read_bytes().splitlines()) for file in journal.rglob("*.journal")) == 2

        wait_until(two_are_kept, timeout=180)
        process.kill()
        killed.set()
        process.communicate(timeout=20)
        assert work.lines() == []
        before = len(turns)
        _, err = work.main(*flags, "--resume", timeout=120)
        assert "resuming unfinished trials: 1" in err and "nothing to resume" not in err
        assert turns[before:] in ([2, 3], [3]), "neither the first nor the second is asked again"
    (line,) = work.lines()
    made = line["extra"]["submissions"]
    assert len(made) == 4 and made[1]["accuracy"] > 0.1
    assert line["calls"] == 4
    assert not list(journal.rglob("*.journal")), "nothing is left of it"


def test_the_cut_of_the_output_is_counted_once(box):
    printing = "for number in range(2000): print(f'{number:08}')\n" + PREDICT
    _, asked = run([answer(printing), "stop"], box)
    told = asked[1][-1].content
    assert told.count("left out") == 1 and "[... 10000 characters left out ...]" in told
    assert "00000000\n00000001" in told and "00001998\n00001999" in told


@pytest.mark.slow(5)
def test_feedback_tells_the_time_the_best_the_classes_and_what_little_effort_has(box):
    replies = [constant(1), constant(9), answer("import time; time.sleep(60)"), "stop"]
    record, asked = run(replies, box, time_limit_s=4.0)
    first, second, third = (asked[turn][-1].content for turn in (1, 2, 3))
    assert "Right by class: circle 0 of 195, square 197 of 197, triangle 0 of 211" in first
    assert re.search(r"The script took \d\.?\d* s of its 4 s; \d\.?\d* s were left\.", first)
    assert "Best so far: 0.1970 (submission 1)." in first and "Best so far: 0.1970 (submission 1)." in second
    assert "by class" not in second, "nothing was right"
    assert "ran longer than 4 s and was killed; what it had written by then does not count" in third
    little = "Guessing has 0.2, a simple program (the nearest mean cloud of a class) 0.22."
    assert little in first and little in asked[0][1].content
    assert "even if it has written predictions" in asked[0][0].content
    assert record.extra["submissions"][0]["classes"][1] == ["square", 197, 197]
    assert record.extra["rules"] == RULES


@pytest.mark.parametrize("task", EVERY.values(), ids=EVERY)
def test_labels_have_the_same_name_and_classes_theirs(task):
    assert "train_labels.npy" in task.files and not any("flags" in name for name in task.files)
    assert bool(task.classes) == (task.shape[1] == 1) and task.alike == (task.shape[1] == 9)
    assert task.floor > max(task.chance, task.baseline)


def test_time_that_a_script_waits_for_a_core_is_not_its_own():
    """The limit is the sandbox's; the record and the feedback must count as it does."""
    one = Submission("", "", 0.5, seconds=30.0, waited_seconds=70.0, limit_s=60.0, lines=1)
    (told,) = one.details()
    assert told == "The script took 30 s of its 60 s; 30 s were left."
    assert "30.0 s" in blocks(one)[-1].body and Submission.of(one.kept()) == one


# ---------------------------------------------------------------- the script in a reply


def test_the_longest_block_is_the_script():
    reply = "```python\nshort = 1\n```\nor\n```\nlonger = 1\nlonger = 2\n```\nand `inline`"
    assert script_in(reply) == "longer = 1\nlonger = 2\n"
    assert script_in("```python\nopen_end = 1") == "open_end = 1\n"
    assert script_in("```python\r\na = 1\r\nb = 2\r\n```\r\n") == "a = 1\nb = 2\n"
    nested = '````python\nprompt = """\n```\nx\n```\n"""\n````'
    assert script_in(nested) == 'prompt = """\n```\nx\n```\n"""\n'
    assert (
        script_in("<think>\n```python\nthinking = 'long long long'\n```\n</think>\n```\nx = 1\n```")
        == "x = 1\n"
    )
    assert script_in("no code") == "" and script_in("```\n\n```") == ""


def test_a_script_that_is_too_long_is_not_run(box):
    record, asked = run([answer("x = 1\n" * (MAX_BYTES // 6 + 1)), "stop"], box)
    assert record.extra["submissions"][0]["kind"] == "no_code"
    told = asked[1][-1].content
    assert "65536 are allowed" in told and "It printed" not in told, "nothing ran"


def test_what_is_pasted_is_counted():
    assert literal_bytes('w = "' + "A" * 5000 + '"\nx = [1.25, 100]\n') == 5002 + 4 + 3
    assert literal_bytes("x = (((\n") == 0 and literal_bytes('"""open') == 0
    assert code_lines("# why\n\nx = 1\n  # and\ny = 2\n") == 2


# ---------------------------------------------------------------- predictions


def test_predictions_are_plain_integers():
    assert parse(b"1\n2\r\n +3 \n", (3, 1)) == [[1], [2], [3]]
    assert parse(b"1 2\t3\n4 5 -6", (2, 3)) == [[1, 2, 3], [4, 5, -6]]
    for data in (
        b"",
        b"1\n2",
        b"1 2\n3",
        b"1\nx\n3",
        b"1\n2.0\n3",
        b"1\n\n2\n3",
        b"1\n\xff\n3",
        "1\n٣\n2".encode(),
    ):
        with pytest.raises(BadFormat):
            parse(data, (3, 1))


def test_equal_patches_may_take_each_other_s_places(tmp_path):
    flat, other = np.zeros((9, 9)), np.arange(7).reshape(7, 1, 1) + np.ones((7, 9, 9))
    patches = np.concatenate([flat[None], other[:3], flat[None], other[3:]])  # 0 and 4 are the same
    np.save(tmp_path / "items.npy", np.stack([patches, patches]).astype(np.float32))
    places = [8, 0, 1, 2, 3, 4, 5, 6, 7]
    np.save(tmp_path / "labels.npy", np.array([places, places]))

    def marks(told):
        return round(18 * accuracy([told, places], tmp_path / "labels.npy", tmp_path / "items.npy")) - 9

    swapped = [3, *places[1:4], 8, *places[5:]]
    assert marks(places) == marks(swapped) == 9
    assert round(18 * accuracy([swapped, places], tmp_path / "labels.npy")) == 9 + 7, "as it was"
    assert marks([8, *places[1:4], 8, *places[5:]]) == 8, "a place told twice is filled once"
    assert marks([8, 1, 0, 2, 3, *places[5:]]) == 7, "others stay where they are"
    assert marks([0] * 9) == 1


def test_right_ones_are_counted_by_label(tmp_path):
    np.save(tmp_path / "labels.npy", np.array([2, 1, 2, 1, 2]))
    assert by_label([[2], [2], [2], [1], [7]], tmp_path / "labels.npy") == {1: (1, 2), 2: (2, 3)}


# ---------------------------------------------------------------- words


def test_long_output_is_told_by_its_ends():
    assert excerpt("x" * 8000) == "x" * 8000
    told = excerpt("a" * 4000 + "b" * 500 + "c" * 4000)
    assert told == "a" * 4000 + "\n[... 500 characters left out ...]\n" + "c" * 4000
    assert told in feedback("v", told, 1), "it is not cut again, with its marker counted"
    assert "more than 500 characters" in excerpt("x" * 8500, incomplete=True)
    system = system_prompt(Machine("no GPU", "3.13", {}, 1 << 30, 1, 60), 5, MAX_BYTES)
    assert "8000 characters the first and the last 4000" in system, "the model knows before it prints"
    assert "````\n```\n````" in feedback("v", "```", 1), "output cannot end its block"


def test_the_prompt_names_the_real_device():
    machine = Machine("GPU: NVIDIA X with 80 GiB", "3.11.2", {"torch": "2.13.0"}, 12 << 30, 4, 600)
    told = system_prompt(machine, 5, MAX_BYTES)
    assert "GPU: NVIDIA X with 80 GiB" in told and "12 GiB" in told and "4 CPU cores" in told
    assert "600 seconds" in told and "torch 2.13.0" in told and "5 submissions" in told
    assert device_line([["A", 1 << 30], ["B", 2 << 30]], False, "0,1").startswith(
        "GPUs: A with 1 GiB, B with 2 GiB"
    )
    with pytest.raises(SandboxError, match="--gpus all was asked for"):
        device_line([], False, "all")
    for task in EVERY.values():
        assert all(name in question(task) for name in task.files)


# ---------------------------------------------------------------- flags


@pytest.mark.slow(5)
def test_flags_decide_samples_and_limits(tmp_path):
    work = Workspace(
        tmp_path, suites={"weirdml": {"iterations": 2, "private_salt": "the-salt-itself", "runs": 3}}
    )
    tests = ("--tests", str(ROOT / "tests"), "--suite", "weirdml")
    out, _ = work.main(*tests, "--dry-run", "--model", "oracle", "--task", "digits_unsup", "--format", "json")
    (row,) = json.loads(out)[0]["rows"]
    assert (row["trials"], row["calls"]) == (3, 6), "three variants, two submissions each"
    out, _ = work.main(*tests, "--list", "--task", "digits_unsup", "--task", "chess_winners")
    assert "weirdml.digits_unsup" in out and "shapes" not in out
    out, _ = work.main(*tests, "--list", "--tag", "learn")
    assert "weirdml.learn_lock" in out and out.count("weirdml.") == 6
    _, err = work.main(*tests, "--list", "--memory", "much", code=1)
    assert "12g or 512m" in err
    _, err = work.main(*tests, "--run-tests", "--model", "oracle", "--gpus", "7", code=1)
    assert "GPU" in err
    (tmp_path / "config.json").write_text('{"suites": {"weirdml": {"iteration": 2}}}')
    _, err = work.main(*tests, "--list", code=1)
    assert "suite weirdml has no such flag. Did you mean iterations?" in err


def test_limits_are_named_by_all_that_they_are():
    suite = load_suite("weirdml", ROOT / "tests")

    class Options:
        task, runs, iterations, time_limit, memory, threads, gpus = None, 15, 5, 600.0, 12 << 30, 4, ""
        data_seed, private_salt, fashion_mnist, pictures, games = 0, "", "", "", ""

    samples = list(suite.samples(Options))
    assert [sample.times for sample in samples] == [15] * 12
    assert {sample.limits.profile for sample in samples} == {"weirdml 600s 12g 4cpu"}
    assert {"iterations", "time_limit", "memory", "threads", "gpus", "private_salt"} <= set(suite.conditions)
