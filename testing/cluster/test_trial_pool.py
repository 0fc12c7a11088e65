"""What a trial that is cancelled leaves on a node, and its wait for a turn there. The node is a stand-in: the
moment must be chosen."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from assay.plugins.ray.trial_pool import TrialPool
from assay.records import ExecResult, Limits
from assay.trial_clock import TrialClock


class Slot:
    """A share of a node whose sandboxes take a while to open."""

    node = SimpleNamespace(name="n")

    def __init__(self):
        self.opening, self.opened = asyncio.Event(), asyncio.Event()
        self.turn, self.ran = asyncio.Semaphore(1), asyncio.Event()
        self.open: set[int] = set()

    async def ask(self, method, *arguments):
        if method == "do":
            await self.ran.wait()
            return ExecResult(b"", b"", 0)
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


def test_the_wait_for_the_turn_on_a_node_is_in_no_time_limit():
    async def main():
        slot = Slot()
        slot.opened.set()
        pool = TrialPool(Cluster(slot), Limits())
        first, second = await pool.acquire(), await pool.acquire()
        busy = asyncio.create_task(first.run(["true"]))
        await asyncio.sleep(0)
        async with TrialClock(0.05):
            waits = asyncio.create_task(second.run(["true"]))
            await asyncio.sleep(0.1)
            slot.ran.set()
            assert (await waits).queued_seconds > 0.05
        await busy

    asyncio.run(main())
