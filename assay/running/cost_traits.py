"""What makes a trial cost more than a question and its answer: why other tests may not tell what it costs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay.language.models import LLMVisionRun
from assay.language.pictures import Image
from assay.results.past_usage import AGENT, PICTURE, Used
from assay.running.roles import roles_asked
from assay.suites.sample import Sample

REPEATS = "a loop"  # of which no record tells


@dataclass(frozen=True)
class Costs:
    """What a test has that costs: traits as a `Kind` has them, and about how many calls."""

    traits: frozenset[str]
    fewest: int
    most: float

    def like(self, used: Used) -> bool:
        """Whether a trial of another test tells what such a test costs."""
        return used.kind.traits == self.traits and self.fewest <= used.kind.calls <= self.most


def what_costs(sample: Sample) -> Costs:
    found = set(roles_asked(sample))
    if any(isinstance(node, (Image, LLMVisionRun)) for node in sample.nodes):
        found.add(PICTURE)
    repeats = [node for node in sample.nodes if node.repeats]
    if repeats:
        from assay.language.agents.agent_run import AgentRun  # most tests have no agent

        found.add(AGENT if all(isinstance(node, AgentRun) for node in repeats) else REPEATS)
    fewest = max(1, sample.test.fewest_calls)
    asking = sum(bool(node.asks) for node in sample.nodes)
    return Costs(frozenset(found), fewest, math.inf if repeats else max(asking, 2 * fewest - 1))
