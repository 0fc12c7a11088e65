"""Trials of task folders in containers, by agents whose turns are known."""

import asyncio
from dataclasses import replace

from assay.records import Completion
from assay.running.trial import run_trial
from assay.sandboxes.image import builder
from assay.sandboxes.pool import open_pool
from assay.turns import Call, reply_of
from tests.harbor.machine import Machine
from tests.harbor.suite import sample_of

BASE = builder.BASES["podman"]  # made where there is no registry; else the sandbox image is built on another
if builder.answer("podman", "image", "exists", BASE) is None:
    BASE = builder.REGISTRY_BASE
BASES = {"debian:*": BASE, "python:*": BASE, "ubuntu:*": BASE}


class Agent:
    """Runs these commands, one a turn, and is done."""

    name = "agent"

    def __init__(self, *commands):
        self.turns = [*(Call("shell", command=command) for command in commands), "Done."]
        self.told = []

    def for_trial(self, trial):
        return self

    async def complete(self, messages, *, json=False, tools=()):
        self.told.append(messages[-1].content)
        reply = reply_of(self.turns.pop(0), len(messages))
        return replace(reply, cost=0.0) if reply else Completion("")


def judge(folder, *agents, backend="podman"):
    """The records of trials of the task in `folder`, one by each agent, at the same time."""
    sample = sample_of(folder.name, folder, Machine.here(), bases=BASES)

    async def work():
        limits = {"limits": sample.limits} if sample.limits else {}
        async with open_pool(backend, ahead=0, **limits) as pool:
            return await asyncio.gather(*(run_trial(sample, agent, agent, agent, pool) for agent in agents))

    return asyncio.run(work())
