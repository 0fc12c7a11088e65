"""Every applied test proves itself: its right references pass, its wrong ones fail, for real.

The oracle and the saboteur run through the same models, engine, pool and sandboxes as any model. What the
files of a test must hold is checked by test_rules.py.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from assay.errors import SandboxUnavailable
from assay.models.model_registry import ModelRegistry
from assay.models.references import variants_for
from assay.records import EVAL_LLM, LLM, VISION_EVAL_LLM, Limits, Outcome, TrialKey
from assay.running.trial import Planned, run_plan, run_trial
from assay.sandboxes.backends import registry
from assay.sandboxes.backends.bubblewrap import Bubblewrap
from assay.sandboxes.pool import Pool
from evaluator import Script
from testing import engines
from testing.running.slow import parts

ROOT = Path(__file__).resolve().parents[2]
WORKERS = 6


def key(sample, epoch=1):
    return TrialKey(sample.id, epoch, sample.suite, sample.source)


def references(sample, right):
    return variants_for(key(sample), right, ROOT, None)


async def perform(samples, backend, right, most=None):
    """A record for every reference of every sample, or for the first `most` of each, by (test, epoch)."""
    model = "oracle" if right else "saboteur"
    cores = len(os.sched_getaffinity(0))
    pool = Pool(backend, Limits(), 2, WORKERS + 2, cores, f"test-{os.getpid()}", 1)
    records = {}

    async with ModelRegistry({}, {}, cache=None) as models:
        players = [models.load(model, role) for role in (LLM, EVAL_LLM, VISION_EVAL_LLM)]

        def keep(record):
            records[record.test, record.epoch] = record

        try:
            plan = [
                Planned(sample, epoch)
                for sample in samples
                for epoch in range(1, models.variants(model, key(sample)) + 1)
                if most is None or epoch <= most
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
    """What ended otherwise, in words. A `file:` that a test requires may stand in a sandbox of your own
    only; that the image lacks it is no fault."""
    return [
        f"{test}, reference {epoch}: {record.outcome} {record.error}"
        for (test, epoch), record in sorted(records.items())
        if record.outcome not in expected
        and not (record.outcome is Outcome.SKIPPED and " lacks file:" in record.error)
    ]


@pytest.mark.parametrize("part", parts(8, 13))
def test_every_right_reference_passes_on_the_image(samples, part):
    all_pass_as_asked(samples[part], "bubblewrap")


@pytest.mark.slow(30)
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("tier", "part"), [("podman", slice(0, None, 2)), ("docker", slice(1, None, 2))])
def test_containers_hold_the_same_files(samples, tier, part):
    """One reference of every other test shows it."""
    all_pass_as_asked(samples[part], tier, most=1)


def replies(variant):
    return sum(len(turn.turns("")) if isinstance(turn, Script) else 1 for turn in variant)


def all_pass_as_asked(samples, tier, most=None):
    records = asyncio.run(perform(samples, ready(tier), right=True, most=most))
    assert unlike(records, Outcome.PASS) == []
    by_id = {sample.id: sample for sample in samples}
    unasked = []
    for (test, epoch), record in records.items():
        variant = references(by_id[test], True)[epoch - 1]
        skipped = record.outcome is Outcome.SKIPPED
        if isinstance(variant, (list, tuple)) and not skipped and record.calls != (said := replies(variant)):
            unasked.append(f"{test}, reference {epoch}: {said} replies, {record.calls} calls")
    assert not unasked, "take out the replies that nobody asked for"


@pytest.mark.parametrize("part", parts(8, 28, 4))
def test_every_wrong_reference_fails_on_the_image(samples, part):
    records = asyncio.run(perform(samples[part], ready("bubblewrap"), right=False))
    assert unlike(records, Outcome.FAIL) == []


@pytest.mark.parametrize("part", parts(4, 10))
def test_on_a_bare_host_a_test_passes_or_says_what_is_missing(samples, part):
    backend, samples = ready("bubblewrap+host"), samples[part]
    right = asyncio.run(perform(samples, backend, right=True, most=1))
    assert unlike(right, Outcome.PASS, Outcome.SKIPPED) == []
    wrong = asyncio.run(perform(samples, backend, right=False, most=1))
    assert unlike(wrong, Outcome.FAIL, Outcome.SKIPPED) == []
    for record in (*right.values(), *wrong.values()):
        assert record.outcome is not Outcome.SKIPPED or " lacks " in record.error
    passed = {test for (test, _), record in right.items() if record.outcome is Outcome.PASS}
    assert passed  # the tests that run no code need nothing
