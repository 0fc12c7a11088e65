"""What models really answered is judged as a reader judged it: every recorded reply, by today's tests."""

from __future__ import annotations

import argparse
import asyncio
import os

import pytest

from assay.records import EVAL_LLM, LLM, VISION_EVAL_LLM, Limits
from assay.running.trial import Planned, run_plan, run_trial
from assay.sandboxes.pool import Pool
from testing.applied.corpus import Answers, CorpusModel, corpus
from testing.applied.test_references import WORKERS, ready
from testing.running.slow import parts
from tests.hard.suite import Hard


def hard_samples():
    return {each.id: each for each in Hard().samples(argparse.Namespace(hard_seed=None))}


async def judged(answers, plan, backend):
    """(test, epoch) -> record, of every trial of the corpus."""
    cores = len(os.sched_getaffinity(0))
    pool = Pool(backend, Limits(), 2, WORKERS + 2, cores, f"replies-{os.getpid()}", 1)
    models = [CorpusModel(role, answers) for role in (LLM, EVAL_LLM, VISION_EVAL_LLM)]
    records = {}

    def keep(record):
        records[record.test, record.epoch] = record

    try:
        await run_plan(
            plan,
            lambda trial: run_trial(trial.sample, *models, pool, epoch=trial.epoch),
            workers=WORKERS,
            on_record=keep,
        )
    finally:
        await pool.close()
    return records


@pytest.mark.parametrize("part", parts(4, 30))
def test_recorded_replies_are_judged_as_a_reader_judged_them(samples, part):
    backend, answers = ready("bubblewrap"), Answers()
    by_id = {sample.id: sample for sample in samples} | hard_samples()
    plan = [Planned(by_id[each.test], answers.add(each)) for each in corpus()]
    assert len(plan) >= 165
    plan = plan[part]
    records = asyncio.run(judged(answers, plan, backend))
    wrong = []
    for (test, epoch), record in sorted(records.items()):
        answered = answers.trials[test][epoch - 1]
        if record.outcome != answered.should_be:
            why = f"; right because: {answered.why}" if answered.why else ""
            wrong.append(
                f"{answered.where} {test}: {record.outcome} {record.error}, not {answered.should_be}{why}"
            )
    assert wrong == []
    assert len(records) == len(plan)
