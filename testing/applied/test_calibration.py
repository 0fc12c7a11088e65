"""tests/tiers.json and docs/hard.md say what the recorded blind replies show."""

from __future__ import annotations

import pytest

from testing.applied.calibration import PAGE, TABLE, Measured, page, tier_of, tiers_file

WRITES = "python -m testing.applied.calibration writes it"


def test_the_tiers_and_the_page_are_those_of_the_corpus():
    text = PAGE.read_text(encoding="utf-8")
    assert text == page(text), "python -m testing.applied.calibration writes it"
    assert TABLE.read_text(encoding="utf-8") == tiers_file(), (
        "python -m testing.applied.calibration writes it"
    )


@pytest.mark.parametrize(
    ("passed", "tier"),
    [
        ([True], "medium"),
        ([True, True], "medium"),
        ([True, False], "medium"),
        ([False, False], "medium"),
        ([True, False, False], "hard"),
        ([True, True, False], "medium"),
        ([True, True, True], "easy"),
        ([True] * 9 + [False], "medium"),
    ],
)
def test_a_hard_family_s_tier_follows_from_three_replies(passed, tier):
    # operate_git is what its author expects to be hard
    assert tier_of("hard.operate_git", Measured(tuple(passed), "2026-11-25")) == tier


@pytest.mark.parametrize(
    ("passed", "tier"), [([True], "easy"), ([False], "hard"), ([True, False], "hard"), ([True, True], "easy")]
)
def test_an_applied_test_s_tier_follows_from_any_reply(passed, tier):
    assert tier_of("print_hello.TestPrintHello", Measured(tuple(passed), "2026-11-25")) == tier
