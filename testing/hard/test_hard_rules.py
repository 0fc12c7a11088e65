"""What the families of the suite hard must hold; seconds, no sandbox."""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from functools import cache

import pytest

from assay.suites import lint
from testing.running.slow import parts
from tests.hard.cases import Cases, same
from tests.hard.suite import FOLDER, KINDS, SEED, Hard, families, is_seeded, module_of, modules_of

TIERS = {"easy", "medium", "hard"}
FEWEST_WRONG = 3
OTHER_SEED = 7


@cache
def samples():
    options = argparse.Namespace(hard_seed=OTHER_SEED)
    return {each.id: each for each in Hard().samples(options)}


def samples_of(part):
    return [each for each in samples().values() if each.extra["family"] in families()[part]]


def key(sample):
    from assay.records import TrialKey

    return TrialKey(sample.id, 1, "hard", sample.source)


@pytest.mark.slow(5)
def test_every_family_stands_once_and_once_more_by_another_seed():
    for family in families():
        assert f"hard.{family}" in samples()
        assert (f"hard.{family}@{OTHER_SEED}" in samples()) == is_seeded(module_of(family).build), family


@pytest.mark.parametrize("family", families())
def test_a_family_says_its_kind_and_its_tier(family):
    module = module_of(family)
    assert family.partition("_")[0] in KINDS
    assert module.DESCRIPTION.startswith(("Can ", "Does ", "Is ")) and module.DESCRIPTION.endswith("?")
    assert len(TIERS.intersection(module.TAGS)) == 1, "TAGS must hold one of easy, medium, hard"
    assert not set(module.TAGS) & set(KINDS), "the kind is the first part of the file's name, not a tag"


@pytest.mark.parametrize("part", parts(4, 6))
def test_another_seed_asks_something_else(part):
    for other in samples_of(part):
        if "@" in other.id:
            one = samples()[other.id.partition("@")[0]]
            assert repr(one.test) != repr(other.test), other.id
            assert one.fingerprint != other.fingerprint


@pytest.mark.parametrize("part", parts(4, 14))
def test_a_family_has_right_and_wrong_references(part):
    suite, deepest = Hard(), sys.getrecursionlimit()
    for sample in samples_of(part):
        assert len(suite.references(key(sample), True)) >= 1, sample.id
        assert len(suite.references(key(sample), False)) >= FEWEST_WRONG, sample.id
    assert sys.getrecursionlimit() == deepest, "a reference changed the recursion limit of all tests"


@pytest.mark.parametrize("part", parts(4, 11))
def test_lint_has_nothing_to_say_of_a_family(part):
    """In particular, repeating the question, an empty reply and a refusal do not pass."""

    def references(sample, right):
        return Hard().references(key(sample), right)

    async def of(sample):
        return [*lint.of_facts(sample, references), lint.of_ending(sample), lint.of_picture(sample),
                await lint.of_verdict(sample), await lint.of_asking(sample)]  # fmt: skip

    for sample in samples_of(part):
        if "@" in sample.id:  # another seed changes no words
            continue
        assert not [each.text for each in asyncio.run(of(sample)) if each], sample.id


def test_the_published_seed_is_the_default():
    ids = [each.id for each in Hard().samples(argparse.Namespace(hard_seed=None))]
    assert ids == [f"hard.{family}" for family in families()]
    assert all(each.extra["seed"] == SEED for each in Hard().samples(argparse.Namespace(hard_seed=SEED)))


@pytest.mark.parametrize(
    ("printed", "expected", "agree"),
    [
        ("1 \n2\n\n", "1\n2", True),
        ("1\n3", "1\n2", False),
        (" 1", "1", False),
        ("", "", True),
        ("1", "1\n2", False),
    ],
)
def test_blanks_at_the_ends_do_not_matter(printed, expected, agree):
    assert same(printed, expected) is agree


@pytest.mark.parametrize("part", parts(4, 2))
def test_cases_are_made_when_a_trial_needs_them(part):
    for sample in samples_of(part):
        for node in sample.test.walk():
            assert not isinstance(node, Cases) or callable(node.cases)


def test_the_modules_of_a_family_are_those_that_it_imports():
    assert modules_of("exact_machine") == ["exact_machine"]
    assert modules_of("numeric_fit") == ["cases", "doubles", "numeric_fit"]
    assert {"cases", "extend_larder", "repair_next"} <= set(modules_of("repair_next"))


def test_a_family_imports_the_folder_s_modules_by_a_relative_path():
    """What is imported in another way would be missing from its fingerprint."""
    for path in sorted(FOLDER.glob("*.py")):
        assert not re.search(r"(?m)^\s*(?:from|import) tests\b", path.read_text(encoding="utf-8")), path
