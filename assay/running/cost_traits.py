"""What makes a trial cost more than a question and its answer: why other tests may not tell what it costs."""

from __future__ import annotations

from collections.abc import Sequence

from assay.language.models import LLMVisionRun
from assay.language.pictures import Image
from assay.results.past_usage import Used
from assay.running.roles import roles_asked
from assay.suites.sample import Sample

PICTURE, SEVERAL, UNBOUNDED = "a picture", "several calls", "as many calls as it takes"


def what_costs(sample: Sample) -> frozenset[str]:
    """Of a test: pictures, judges, several calls (a conversation), or as many as it takes (an agent)."""
    nodes = list(sample.test.walk())
    found = set(roles_asked(sample))
    if any(isinstance(node, (Image, LLMVisionRun)) for node in nodes):
        found.add(PICTURE)
    if any(node.repeats for node in nodes):
        found.add(UNBOUNDED)
    if sample.test.fewest_calls > 1:
        found.add(SEVERAL)
    return frozenset(found)


def alike(costs: frozenset[str], others: Sequence[Used]) -> Sequence[Used]:
    """The trials of other tests, of which only the numbers are known, that may tell what such a test costs:
    all if it has nothing special; those of several calls, for a test with several; none for pictures."""
    if PICTURE in costs:
        return ()
    return [each for each in others if each.calls > 1] if costs else others
