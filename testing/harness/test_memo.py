"""Remembered sandbox steps: the same answers as a real sandbox, and none where that is not sure."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import SandboxError
from assay.records import ExecResult, Limits, Outcome
from assay.running.memo import Memo, MemoSandbox, first_link, link_of_trial, open_memo
from assay.running.trial import TrialOptions, run_trial
from assay.running.value_store import decode_result, digest, encode_result
from assay.suites.suite import Sample
from evaluator import LLMRun, PythonRun, SubstringEvaluator
from testing.harness.standins import ScriptedModel, ScriptedPool

FIRST = first_link("scripted", "", Limits())


@pytest.fixture
def memo(tmp_path):
    made = Memo(tmp_path / "cache" / "steps.sqlite")
    yield made
    made.close()


def session(memo, pool, *steps, first=FIRST):
    """Run steps in one sandbox that remembers; returns what they gave."""

    async def go():
        box = MemoSandbox(memo, pool.acquire, "scripted", first)
        given = [await step(box) for step in steps]
        await box.close()
        return given

    return asyncio.run(go())


def run(*argv, **kwargs):
    return lambda box: box.run(argv, **kwargs)


def numbered():
    """A pool whose every command gives another output, so that a remembered one is recognised."""
    counter = iter(range(1000))
    return ScriptedPool(answer=lambda argv, files: b"%d" % next(counter))


def outputs(results):
    return [result.stdout for result in results]


def test_a_known_step_needs_no_sandbox(memo):
    pool = numbered()
    assert outputs(session(memo, pool, run("a"), run("b"))) == [b"0", b"1"]
    assert outputs(session(memo, pool, run("a"), run("b"))) == [b"0", b"1"]
    assert len(pool.opened) == 1 and pool.opened[0].closed == 1


def test_earlier_steps_are_done_again_before_an_unknown_one(memo):
    pool = numbered()
    session(memo, pool, run("a"), run("b"))
    assert outputs(session(memo, pool, run("a"), run("c"), run("b")))[0] == b"0"
    assert pool.opened[1].ran == [("a",), ("c",), ("b",)]


def test_a_memory_that_is_only_filled_answers_nobody(memo):
    """Of tests that are not deterministic: known to that sandbox of that trial alone, and only if asked."""
    pool = numbered()
    mine = link_of_trial(FIRST, "m", "applied", "t.A", 1, 1)

    def outputs_of(*steps, first=mine, known):
        async def go():
            box = MemoSandbox(memo, pool.acquire, "scripted", first, known=known)
            given = [await step(box) for step in steps]
            await box.close()
            return outputs(given)

        return asyncio.run(go())

    assert outputs_of(run("a"), run("b"), known=False) == [b"0", b"1"]
    assert outputs_of(run("a"), run("b"), known=False) == [b"2", b"3"], "run anew, and remembered anew"
    assert (memo.ran, memo.remembered) == (4, 0)
    assert outputs_of(run("a"), run("b"), known=True) == [b"2", b"3"] and len(pool.opened) == 2
    assert (memo.ran, memo.remembered) == (4, 2)
    for other in (
        ("m", "applied", "t.A", 2, 1),
        ("n", "applied", "t.A", 1, 1),
        ("m", "applied", "t.A", 1, 2),
    ):
        assert outputs_of(run("a"), first=link_of_trial(FIRST, *other), known=True) != [b"2"]
    assert outputs_of(run("a"), run("c"), known=True)[0] == b"2"
    assert pool.opened[-1].ran == [("a",), ("c",)], "what stands before an unknown step is done again"


@pytest.mark.parametrize(
    "other",
    [
        run("a", "x"),
        run("a", files={"f": b"1"}),
        run("a", stdin=b"1"),
        run("a", time_limit_s=5),
        run("a", env={"X": "1"}),
    ],
)
def test_whatever_a_step_depends_on_is_in_its_key(memo, other):
    pool = numbered()
    session(memo, pool, run("a"))
    assert outputs(session(memo, pool, other)) == [b"1"]


def test_another_past_is_another_step(memo):
    pool = numbered()
    session(memo, pool, run("a"), run("b"))
    assert outputs(session(memo, pool, run("b"))) == [b"2"]
    assert outputs(session(memo, pool, run("a"), first=first_link("podman", "", Limits()))) == [b"3"]
    assert outputs(session(memo, pool, run("a"), first=first_link("scripted", "sha256:1", Limits()))) == [
        b"4"
    ]
    assert outputs(
        session(memo, pool, run("a"), first=first_link("scripted", "", Limits(memory=8 << 20)))
    ) == [b"5"]


@pytest.mark.parametrize(
    "result",
    [
        ExecResult(b"x", b"", None, timed_out=True),
        ExecResult(b"x", b"", -9),
        ExecResult(b"x", b"", 1, out_of_memory=True),
        SandboxError("the agent died"),
    ],
)
def test_a_step_that_broke_is_never_remembered(memo, result):
    pool = ScriptedPool(answer=lambda argv, files: result if argv == ("bad",) else b"fine")

    async def bad(box):
        try:
            return await box.run(("bad",))
        except SandboxError:
            return None

    for _ in range(2):
        session(memo, pool, run("a"), bad, run("b"))
    assert [box.ran for box in pool.opened] == [[("a",), ("bad",), ("b",)]] * 2


def test_after_an_interactive_program_nothing_is_remembered(memo):
    pool = numbered()
    for _ in range(2):
        session(memo, pool, run("a"), lambda box: box.start(("shell",)), run("b"))
    assert [box.ran for box in pool.opened] == [[("a",), ("start", "shell"), ("b",)]] * 2


def test_files_read_back_are_remembered_and_missing_ones_are_not(memo):
    pool = numbered()

    async def missing(box):
        with pytest.raises(FileNotFoundError):
            await box.read_file("none")

    assert session(memo, pool, run("a"), lambda box: box.read_file("x"))[1] == b"x"
    assert session(memo, pool, run("a"), lambda box: box.read_file("x"))[1] == b"x"
    assert len(pool.opened) == 1
    session(memo, pool, run("a"), missing)
    session(memo, pool, run("a"), missing)
    assert len(pool.opened) == 3


def test_a_replay_that_breaks_leaves_no_half_done_sandbox(memo):
    pool = numbered()
    session(memo, pool, run("a"))
    broken = ScriptedPool(answer=lambda argv, files: SandboxError("gone"))
    with pytest.raises(SandboxError):
        session(memo, broken, run("a"), run("b"))
    assert broken.opened[0].closed == 1


@settings(max_examples=50)
@given(st.binary(), st.binary(), st.integers(0, 255), st.booleans(), st.floats(0, 1e6))
def test_results_come_back_as_they_were(stdout, stderr, returncode, truncated, seconds):
    result = ExecResult(stdout, stderr, returncode, truncated=truncated, seconds=seconds, max_rss=3)
    assert decode_result(encode_result(result)) == result


PARTS = st.lists(st.one_of(st.text(), st.binary(), st.integers(), st.lists(st.text())), max_size=3)


@given(PARTS, PARTS)
def test_different_operations_have_different_hashes(one, other):
    assert (digest(*one) == digest(*other)) == (one == other)


def test_several_processes_may_share_it(tmp_path, memo):
    other = Memo(tmp_path / "cache" / "steps.sqlite")
    memo.put(b"k", b"v")
    assert other.get(b"k") == b"v"
    other.close()


def test_a_damaged_memory_costs_time_only(tmp_path, memo):
    memo._db.execute("DROP TABLE steps")
    pool = numbered()
    assert outputs(session(memo, pool, run("a"))) == [b"0"]


def test_a_memory_that_cannot_be_opened_is_done_without(tmp_path):
    (tmp_path / "sandbox.sqlite").write_text("this is no database, and long enough to be looked at" * 100)
    complaints = []
    assert open_memo(tmp_path, complaints.append) is None
    assert "sandbox.sqlite" in complaints[0]
    assert open_memo(tmp_path / "sandbox.sqlite", complaints.append) is None


@pytest.mark.parametrize("deterministic", [True, False])
def test_only_tests_that_say_so_are_remembered(memo, deterministic):
    pool = ScriptedPool(answer=lambda argv, files: b"hello")
    test = "q" >> LLMRun() >> PythonRun() >> SubstringEvaluator("hello")
    sample = Sample("t", test, deterministic=deterministic)
    for _ in range(2):
        models = [ScriptedModel("print('hello')")] * 3
        record = asyncio.run(run_trial(sample, *models, pool, options=TrialOptions(memo=memo)))
        assert record.outcome is Outcome.PASS and record.sandbox == "scripted"
    assert len(pool.opened) == (1 if deterministic else 2)


def test_of_too_much_the_older_half_is_forgotten(tmp_path, monkeypatch):
    path = tmp_path / "sandbox.sqlite"
    memory = Memo(path)
    for number in range(40):
        memory.put(b"%d" % number, bytes(10_000))
    memory.close()
    kept = Memo(path)
    assert kept.get(b"0") is not None, "there is room"
    kept.close()
    monkeypatch.setattr("assay.running.memo.MAX_BYTES", 300_000)
    for _ in range(2):  # what is left is not too much any more
        small = Memo(path)
        assert [number for number in range(40) if small.get(b"%d" % number)] == list(range(20, 40))
        small.close()
