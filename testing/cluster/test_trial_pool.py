"""What a trial that is cancelled leaves on a node. Its node is a stand-in: the moment must be chosen."""

from __future__ import annotations

import asyncio

import pytest

from assay.plugins.ray.trial_pool import TrialPool
from assay.records import Limits


class Slot:
    """A share of a node whose sandboxes take a while to open."""

    node = None

    def __init__(self):
        self.opening, self.opened = asyncio.Event(), asyncio.Event()
        self.open: set[int] = set()

    async def ask(self, method, *arguments):
        if method == "open":
            self.opening.set()
            await self.opened.wait()
            self.open.add(7)
            return 7
        assert method == "close"
        self.open.discard(*arguments)


class Cluster:
    tier = "stand-in"

    def __init__(self, slot):
        self.slot, self.given_back, self.tasks = slot, 0, []

    async def take(self, limits, fits):
        return self.slot

    def give_back(self, slot):
        assert not self.slot.open, "the place is free, and the sandbox still there"
        self.given_back += 1

    def spawn(self, work):
        self.tasks.append(asyncio.ensure_future(work))


def test_a_sandbox_that_opens_for_a_cancelled_trial_is_closed():
    async def main():
        slot = Slot()
        cluster = Cluster(slot)
        trial = asyncio.create_task(TrialPool(cluster, Limits()).acquire())
        await slot.opening.wait()
        trial.cancel()
        with pytest.raises(asyncio.CancelledError):
            await trial
        assert cluster.given_back == 0
        slot.opened.set()
        await asyncio.gather(*cluster.tasks)
        assert cluster.given_back == 1 and not slot.open

    asyncio.run(main())
