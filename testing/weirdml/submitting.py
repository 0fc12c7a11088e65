"""Submit scripts as a run does: real sandboxes, real data, a scripted model."""

from __future__ import annotations

import asyncio
import atexit
import functools
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from assay.records import Limits
from assay.running.trial import run_trial
from assay.sandboxes.backends.registry import Backend
from assay.sandboxes.pool import Pool
from assay.suites.suite import Sample
from testing.harness.standins import ScriptedModel
from testing.sandboxes.conftest import probed
from tests.weirdml.data.build import Recipe
from tests.weirdml.feedback import FeedbackLoop
from tests.weirdml.submission import SubmissionScorer

LIMITS = Limits("weirdml test", memory=512 << 20, processes=64, disk=128 << 20)
TIERS = ("podman", "bubblewrap+image")


@functools.cache
def data_folder() -> Path:
    """Data of this test session."""
    folder = tempfile.mkdtemp(prefix="weirdml-data.")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def backend(*names: str) -> Backend:
    """The first of these that works here; the test is skipped if none does."""
    for name in names or TIERS:
        try:
            return probed(name)
        except pytest.skip.Exception as why:
            last = why
    raise last


def answer(code: str) -> str:
    return f"```python\n{code}\n```"


def run(
    replies: Sequence[object],
    backend: Backend,
    *,
    task: str = "shapes_easy",
    limits: Limits = LIMITS,
    time_limit_s: float = 20.0,
    salt: str = "",
    journal=None,
    epoch: int = 1,
):
    """(record, the messages of each call) of one run with these replies, one submission for each."""
    model = ScriptedModel(*replies)
    scorer = SubmissionScorer(Recipe(task, salt=salt), data_folder(), time_limit_s, 1)
    sample = Sample("weirdml." + task, FeedbackLoop(scorer, limits, len(replies)), "weirdml", limits=limits)

    async def main():
        pool = Pool(backend, limits, 0, 4, 2, "test", 1)
        try:
            return await run_trial(sample, model, model, model, pool, epoch=epoch, journal=journal)
        finally:
            await pool.close()

    return asyncio.run(main()), model.asked


def submit(code: str, backend: Backend, **options):
    """(facts of the one submission, what the model was told of it)."""
    record, asked = run([answer(code), "I stop."], backend, **options)
    assert record.error == "", record.error
    return record.extra["submissions"][0], asked[1][-1].content
