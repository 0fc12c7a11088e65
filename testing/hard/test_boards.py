"""The families of states that change everywhere at once: two implementations agree, and nothing is quiet."""

from __future__ import annotations

from importlib import import_module
from itertools import pairwise

import pytest

from tests.hard.states import judge_states

FAMILIES = (
    "exact_avalanche",
    "exact_billiards",
    "exact_cube",
    "exact_floods",
    "exact_hunters",
    "exact_queues",
    "exact_slides",
    "exact_tilt",
    "exact_traffic",
)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_second_implementation_agrees(family):
    task = import_module(f"tests.hard.{family}").TASK
    reference = import_module(f"tests.hard.references.{family}")
    for seed in (2, 5):
        for reply in reference.right(seed):
            score, why = judge_states(lambda seed=seed: task.wanted(seed), reply)
            assert score.passed, why


@pytest.mark.parametrize("family", FAMILIES)
def test_most_rows_change_between_two_states_that_are_asked(family):
    task = import_module(f"tests.hard.{family}").TASK
    for seed in (2, 3):
        found = list(task.wanted(seed).values())
        for one, other in pairwise(found):
            changed = sum(a != b for a, b in zip(one, other, strict=True))
            assert changed >= 0.75 * len(one)
