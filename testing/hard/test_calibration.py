"""Tags and docs/hard.md say what the recorded blind replies show."""

from __future__ import annotations

import pytest

from testing.hard.calibration import PAGE, fits, measured, page, tier_of
from tests.hard.suite import families


@pytest.mark.parametrize("family", families())
def test_the_tag_of_a_family_fits_its_blind_replies(family):
    assert fits(tier_of(family), measured().get(family, [])), (
        f"tagged {tier_of(family)}; blind replies: {measured()[family]}"
    )


def test_the_page_has_the_table():
    text = PAGE.read_text(encoding="utf-8")
    assert text == page(text), "python -m testing.hard.calibration writes it"


@pytest.mark.parametrize(
    ("tier", "passed", "wanted"),
    [
        ("hard", [], True),
        ("hard", [True], False),
        ("medium", [True, True], True),
        ("hard", [True, False], True),
        ("hard", [True, False, False], True),
        ("hard", [True, True, False], False),
        ("medium", [True, True, False], True),
        ("medium", [True, True, True], False),
        ("easy", [True, True, True], True),
    ],
)
def test_a_tier_follows_from_three_replies(tier, passed, wanted):
    assert fits(tier, passed) is wanted
