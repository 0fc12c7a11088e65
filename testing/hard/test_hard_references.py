"""Every family proves itself: each day right references of a seed, a quarter of the wrong ones of another."""

from __future__ import annotations

import argparse
import asyncio
import datetime
import os
from functools import cache

import pytest

from assay.models.model_registry import ModelRegistry
from assay.records import EVAL_LLM, LLM, VISION_EVAL_LLM, Limits, Outcome
from assay.running.trial import Planned, run_plan, run_trial
from assay.sandboxes.pool import Pool
from testing.applied.test_references import WORKERS, key, ready, unlike
from testing.running.slow import parts
from tests.hard.suite import Hard

SEED = 7
DAYS = 4  # in which all wrong references of a seed are tried
OTHER = datetime.date.today().toordinal() // DAYS % 2 == 1
"""Whether today's wrong references are those of the other seed, and the right ones those of the first."""


@cache
def every():
    return list(Hard().samples(argparse.Namespace(hard_seed=SEED)))


def all_of(part, other):
    """A part of the families, each by the published seed or by the other one, if it has seeds."""
    seeded = {each.id.partition("@")[0] for each in every() if "@" in each.id}
    its = [each for each in every() if ("@" in each.id) == other or each.id.partition("@")[0] not in seeded]
    return its[part]


async def perform(samples, backend, right, most=None):
    """A record for every reference, or for the first `most` of each sample, by (test, epoch)."""
    model, suite = "oracle" if right else "saboteur", Hard()
    cores = len(os.sched_getaffinity(0))
    pool = Pool(backend, Limits(), 2, WORKERS + 2, cores, f"test-{os.getpid()}", 1)
    records = {}

    async with ModelRegistry({}, {}, cache=None) as models:
        models.references = suite.references
        players = [models.load(model, role) for role in (LLM, EVAL_LLM, VISION_EVAL_LLM)]
        plan = [
            Planned(suite.own(sample), epoch)
            for sample in samples
            for epoch in range(1, models.variants(model, key(suite.own(sample))) + 1)
            if most is None or epoch <= most
        ]
        try:
            await run_plan(
                plan,
                lambda trial: run_trial(trial.sample, *players, pool, epoch=trial.epoch),
                workers=WORKERS,
                on_record=lambda record: records.update({(record.test, record.epoch): record}),
            )
        finally:
            await pool.close()
    assert len(records) == len(plan)
    return records


@pytest.mark.parametrize("part", parts(10, 9))
def test_every_right_reference_passes(part):
    records = asyncio.run(perform(all_of(part, not OTHER), ready("bubblewrap"), right=True))
    assert unlike(records, Outcome.PASS) == []


@pytest.mark.parametrize("part", parts(20, 17, DAYS))
def test_every_wrong_reference_fails(part):
    records = asyncio.run(perform(all_of(part, OTHER), ready("bubblewrap"), right=False))
    assert unlike(records, Outcome.FAIL) == []


@pytest.mark.slow(60)
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("tier", "later"), [("podman", 0), ("docker", 2)])
def test_containers_judge_the_same(tier, later):
    """A right and a wrong reference of each family, a quarter of the families a day."""
    turn = (datetime.date.today().toordinal() + later) % DAYS
    samples = list(Hard().samples(argparse.Namespace(hard_seed=None)))[turn::DAYS]
    for right, outcome in ((True, Outcome.PASS), (False, Outcome.FAIL)):
        assert unlike(asyncio.run(perform(samples, ready(tier), right, most=1)), outcome) == []
