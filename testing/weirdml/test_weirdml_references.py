"""The references, run for real: what is right passes, what is wrong does not, and all kinds of failure occur.

CI runs the quick ones. `make weirdml-full` runs them all.
"""

import asyncio
from pathlib import Path

import pytest

from assay.records import Limits, TrialKey
from assay.running.trial import run_trial
from assay.sandboxes.pool import Pool
from assay.suites.suite import Sample
from testing.weirdml.submitting import backend
from tests.weirdml import references, suite
from tests.weirdml.data.build import Recipe
from tests.weirdml.feedback import FeedbackLoop
from tests.weirdml.learn_tasks import EVERY, LEARN
from tests.weirdml.references import all_wrong, quick, script
from tests.weirdml.submission import KINDS, SubmissionScorer

LIMITS = Limits("weirdml references", memory=2 << 30, processes=128, cpus=1, disk=256 << 20)
QUICK = ("shapes_easy", "digits_unsup", *LEARN)
TORCH = """\
import numpy as np
import torch

x = torch.from_numpy(np.load("data/train_data.npy")).flatten(1)
y = torch.from_numpy(np.load("data/train_labels.npy"))
grid = torch.zeros(len(x), 256)
test = torch.from_numpy(np.load("data/test_data.npy"))


def counts(points):
    cells = (points * 15.99).long()
    index = cells[..., 1] * 16 + cells[..., 0]
    return torch.zeros(len(points), 256).scatter_add_(1, index, torch.ones(len(points), 512))


torch.manual_seed(0)
net = torch.nn.Linear(256, 5)
optimizer = torch.optim.Adam(net.parameters(), 0.02)
data = counts(torch.from_numpy(np.load("data/train_data.npy"))).sqrt()
for step in range(150):
    loss = torch.nn.functional.cross_entropy(net(data), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("threads", torch.get_num_threads())
np.savetxt("results/test_preds.txt", net(counts(test).sqrt()).argmax(1).numpy(), fmt="%d")
"""


class Dialogue:
    """A model that answers by a reference."""

    name = "reference"

    def __init__(self, reply):
        self.reply = reply

    def for_trial(self, trial):
        return self

    async def complete(self, messages, *, json=False):
        from assay.records import Completion

        return Completion(self.reply(tuple(messages)), cost=0.0)


def play(task, reply, iterations, time_limit_s=60.0):
    """The record of one run of the reference `reply`; data from the project's own cache."""
    model = Dialogue(reply)
    scorer = SubmissionScorer(Recipe(task), suite.CACHE, time_limit_s, 1)
    sample = Sample("weirdml." + task, FeedbackLoop(scorer, LIMITS, iterations), "weirdml", limits=LIMITS)

    box = backend("bubblewrap+image", "podman")

    async def main():
        pool = Pool(box, LIMITS, 0, 2, 2, "test", 1)
        try:
            return await run_trial(sample, model, model, model, pool)
        finally:
            await pool.close()

    record = asyncio.run(main())
    assert record.error == "", record.error
    return record, [one["kind"] for one in record.extra["submissions"]]


@pytest.mark.slow(3)
@pytest.mark.parametrize("task", QUICK)
def test_right_ones_pass(task):
    _, mended, worse = references.references(TrialKey("weirdml." + task, 1, "weirdml"), True)
    record, kinds = play(task, mended, 2)
    assert record.outcome == "pass" and kinds == ["crash", ""], "the feedback loop mends it"
    record, kinds = play(task, worse, 3)
    first, second, third = (one["accuracy"] for one in record.extra["submissions"])
    assert record.score == first > second > third == 0 and record.outcome == "pass"
    assert kinds[2] == "zero_score"
    assert record.score >= EVERY[task].floor + 0.15


@pytest.mark.slow(4)
def test_a_script_with_torch_on_one_thread():
    record, kinds = play("shapes_easy", lambda messages: references.answer(TORCH), 1)
    assert kinds == [""] and record.score > 0.8
    assert "threads 1" in str(record.reason)


@pytest.mark.slow(6)
@pytest.mark.parametrize("task", ["shuffle_easy", *LEARN])
def test_a_naive_one_stays_below(task):
    naive, _, _ = references.references(TrialKey("weirdml." + task, 1, "weirdml"), False)
    record, kinds = play(task, naive, 1)
    assert kinds == [""] and record.outcome == "fail"
    assert EVERY[task].chance - 0.15 < record.score < EVERY[task].floor


@pytest.mark.slow(5)
def test_every_kind_of_failure_occurs():
    _, never, broken = references.references(TrialKey("weirdml.shapes_easy", 1, "weirdml"), False)
    one, first = play("shapes_easy", never, 5, 5.0)
    other, second = play("shapes_easy", broken, 3, 5.0)
    assert first == ["no_code", "no_file", "bad_format", "zero_score", "no_code"]
    assert second == ["crash", "out_of_memory", "timeout"]
    assert set(first + second) == set(KINDS)
    assert one.outcome == other.outcome == "fail" and one.score == other.score == 0


def test_every_task_has_its_scripts():
    for task in EVERY:
        for text in (script(task), quick(task), script(f"naive_{task}"), all_wrong(task)):
            compile(text, task, "exec")
            assert "include solve" not in text and (" solve(" in text) <= ("def solve" in text)
        crash = references.references(TrialKey("weirdml." + task, 2, "weirdml"), True)[1](())
        assert '"dat/' in crash, "it reads a folder that is not there"
    assert Path(references.SCRIPTS).is_dir()
