"""Every applied test proves itself: its right references pass, its wrong ones fail, for real.

The oracle and the saboteur run through the same models, engine, pool and sandboxes as any model.
"""

from __future__ import annotations

import ast
import asyncio
import os
from pathlib import Path

import pytest

import evaluator
from assay.errors import SandboxUnavailable
from assay.harness.engine import Planned, run_plan, run_trial
from assay.harness.listing import list_tests
from assay.harness.suite import load_tests
from assay.languages import LANGUAGES
from assay.nodes.dsl import Node
from assay.records import EVAL_LLM, LLM, VISION_EVAL_LLM, Limits, Outcome, TrialKey
from assay.sandboxes import registry
from assay.sandboxes.bubblewrap import Bubblewrap
from assay.sandboxes.pool import Pool
from llm import Models
from llms.references import variants_for
from testing import engines

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
FILES = sorted(TESTS.glob("*.py"))
WORKERS = 6
FEWEST_WRONG = 3
FEWEST_FILES = 24


@pytest.fixture(scope="module")
def samples():
    loaded = load_tests(list_tests([TESTS]), root=ROOT)
    assert not loaded.errors and not loaded.warnings
    return loaded.samples


def key(sample, epoch=1):
    return TrialKey(sample.id, epoch, sample.suite, sample.source)


def references(sample, right):
    return variants_for(key(sample), right, ROOT, None)


# ---------------------------------------------------------------- the files


def test_the_suite_uses_every_node(samples):
    used = {type(node) for sample in samples for node in sample.test.walk()}
    offered = {
        value for value in vars(evaluator).values() if isinstance(value, type) and issubclass(value, Node)
    }
    assert sorted(node.__name__ for node in offered - used - {Node}) == []
    assert len(FILES) >= FEWEST_FILES


def test_the_suite_asks_every_role(samples):
    roles = {node.llm for sample in samples for node in sample.test.walk() if hasattr(node, "llm")}
    assert roles == {LLM, EVAL_LLM, VISION_EVAL_LLM}


def test_the_suite_runs_every_language(samples):
    needs = {need for sample in samples for need in sample.needs}
    assert [name for name, row in LANGUAGES.items() if not set(row.needs) <= needs] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_a_whole_test(path):
    """It imports the language and nothing else, says what it is about, and runs on its own."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    top = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert [ast.unparse(node) for node in top] == ["from evaluator import *"]
    assigned = {name.id for node in tree.body if isinstance(node, ast.Assign) for name in node.targets
                if isinstance(name, ast.Name)}  # fmt: skip
    assert {"DESCRIPTION", "TAGS"} <= assigned
    ending = tree.body[-1]
    assert isinstance(ending, ast.If) and ast.unparse(ending.test) == "__name__ == '__main__'"
    run = {call.args[0].id for call in ast.walk(ending)
           if isinstance(call, ast.Call) and ast.unparse(call.func) == "run_test"}  # fmt: skip
    assert run == {name for name in assigned if name.startswith("Test")}


def test_no_references_are_left_of_a_test_that_is_gone(samples):
    tests = {sample.id for sample in samples}
    for path in sorted((TESTS / "references").glob("*.py")):
        names: dict[str, object] = {}
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
        for table in ("RIGHT", "WRONG"):
            assert {f"{path.stem}.{name}" for name in names[table]} == {
                test for test in tests if test.split(".")[0] == path.stem
            }, f"{path.name}: {table}"


def test_every_test_has_right_and_wrong_references(samples):
    for sample in samples:
        assert len(references(sample, True)) >= 1, sample.id
        assert len(references(sample, False)) >= FEWEST_WRONG, sample.id


# ---------------------------------------------------------------- the runs


async def perform(samples, backend, right):
    """A record for every reference of every sample, by (test, epoch)."""
    model = "oracle" if right else "saboteur"
    cores = len(os.sched_getaffinity(0))
    pool = Pool(backend, Limits(), 2, WORKERS + 2, cores, f"test-{os.getpid()}", 1)
    records = {}

    async with Models({}, {}, cache=None) as models:
        players = [models.load(model, role) for role in (LLM, EVAL_LLM, VISION_EVAL_LLM)]

        def keep(record):
            records[record.test, record.epoch] = record

        try:
            plan = [
                Planned(sample, epoch)
                for sample in samples
                for epoch in range(1, models.variants(model, key(sample)) + 1)
            ]
            await run_plan(
                plan,
                lambda trial: run_trial(trial.sample, *players, pool, epoch=trial.epoch),
                workers=WORKERS,
                on_record=keep,
            )
        finally:
            await pool.close()
    assert len(records) == len(plan)
    return records


def ready(name):
    """The backend after its probe; skips where its engine, or the image it needs, cannot be had here."""
    if name == "docker":
        engines.start_docker()
    backend = Bubblewrap(Path("/")) if name == "bubblewrap+host" else registry.backend(name)
    try:
        asyncio.run(backend.probe())
    except SandboxUnavailable as error:
        pytest.skip(f"{name} cannot run here: {error}")
    if name == "bubblewrap" and backend.tier != "bubblewrap+image":
        pytest.skip("there is no image here; make image builds it")
    return backend


def unlike(records, *expected):
    """What ended otherwise, in words."""
    return [
        f"{test}, reference {epoch}: {record.outcome} {record.error}"
        for (test, epoch), record in sorted(records.items())
        if record.outcome not in expected
    ]


@pytest.mark.timeout(900)
@pytest.mark.parametrize("tier", ["bubblewrap", "podman", "docker"])
def test_every_right_reference_passes_on_the_image(samples, tier):
    records = asyncio.run(perform(samples, ready(tier), right=True))
    assert unlike(records, Outcome.PASS) == []
    by_id = {sample.id: sample for sample in samples}
    for (test, epoch), record in records.items():
        variant = references(by_id[test], True)[epoch - 1]
        if isinstance(variant, (list, tuple)):
            assert record.calls == len(variant), f"{test}, reference {epoch}: replies that nobody asked for"


@pytest.mark.timeout(900)
def test_every_wrong_reference_fails_on_the_image(samples):
    records = asyncio.run(perform(samples, ready("bubblewrap"), right=False))
    assert unlike(records, Outcome.FAIL) == []


@pytest.mark.timeout(900)
def test_on_a_bare_host_a_test_passes_or_says_what_is_missing(samples):
    backend = ready("bubblewrap+host")
    right = asyncio.run(perform(samples, backend, right=True))
    assert unlike(right, Outcome.PASS, Outcome.SKIPPED) == []
    wrong = asyncio.run(perform(samples, backend, right=False))
    assert unlike(wrong, Outcome.FAIL, Outcome.SKIPPED) == []
    for record in (*right.values(), *wrong.values()):
        assert record.outcome is not Outcome.SKIPPED or " lacks " in record.error
    passed = {test for (test, _), record in right.items() if record.outcome is Outcome.PASS}
    assert passed  # the tests that run no code need nothing
