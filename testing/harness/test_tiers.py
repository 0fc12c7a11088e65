"""tiers.json: measured tiers join the tags of tests, by listing and by import, and change no fingerprint."""

import json

import pytest

from assay.errors import TestFileError
from assay.suites.listing import list_tests
from assay.suites.loading import load_tests
from assay.suites.suite import Sample, Suite
from evaluator import LLMRun, SubstringEvaluator

TEST = "from evaluator import *\nTAGS = ['x', 'hard']\nTestA = 'q' >> LLMRun() >> SubstringEvaluator('a')\n"


def tags(folder, cache=None):
    files = list_tests([folder], cache)
    (listed,), (loaded,) = files[0].tests, load_tests(files, root=folder).samples
    assert listed.tags == loaded.tags
    return loaded.tags


def measure(folder, tier):
    (folder / "tiers.json").write_text(json.dumps({"one.TestA": tier, "sums.one": tier}))


def test_the_measured_tier_replaces_the_expected_one_also_in_a_remembered_listing(tmp_path):
    (tmp_path / "one.py").write_text(TEST)
    cache = tmp_path / "listing.json"
    assert tags(tmp_path, cache) == ("x", "hard")
    measure(tmp_path, "easy")
    assert tags(tmp_path, cache) == ("x", "easy")
    (tmp_path / "tiers.json").unlink()
    assert tags(tmp_path, cache) == ("x", "hard")


def test_samples_of_a_suite_and_their_variants_have_it_too(tmp_path):
    class Sums(Suite):
        name = "sums"
        folder = tmp_path / "sums"

    measure(tmp_path, "medium")
    test = "q" >> LLMRun() >> SubstringEvaluator("a")
    for name in ("sums.one", "sums.one@7", "sums.one[key]"):
        assert Sums().own(Sample(id=name, test=test, tags=("hard", "x"))).tags == ("x", "medium")
    assert Sums().own(Sample(id="sums.other", test=test, tags=("hard",))).tags == ("hard",)


@pytest.mark.parametrize("text", ["{", "[]", '{"one.TestA": "harder"}', '{"one.TestA": ["hard"]}'])
def test_a_broken_file_of_tiers_is_named(tmp_path, text):
    (tmp_path / "one.py").write_text(TEST)
    (tmp_path / "tiers.json").write_text(text)
    with pytest.raises(TestFileError, match=r"tiers\.json"):
        list_tests([tmp_path])
