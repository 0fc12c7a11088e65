"""Reading replies that end with states, and their score."""

from __future__ import annotations

import pytest

from tests.hard.states import judge_states

WANTED = {"After turn 2": ("ab.", "..c"), "After turn 4": ("3n 10e", "0s 1w")}
GOOD = "After turn 2:\nab.\n..c\n\nAfter turn 4:\n3n 10e\n0s 1w"


def share(reply):
    score, _ = judge_states(lambda: WANTED, reply)
    assert score.passed == (score.value == 1)
    return score.value


@pytest.mark.parametrize(
    "reply",
    [
        GOOD,
        GOOD.replace("After turn 2:", "After turn 2:\nbba\nbbb\nNo:\nAfter turn 2:"),
        GOOD.replace("After", "## **after").replace(":", ":**"),
        GOOD.replace("4:\n", "4:\n```\n") + "\n```\nThat is all.",
        GOOD.replace("ab.\n..c", "| a | b | . |\n| . | . | c |").replace("\n", "\r\n"),
        GOOD.replace("2:\nab.\n", "2: ab./"),
        "After turn 4:\n3n 10e\n0s 1w\nAfter turn 3:\nc..\nAfter turn 2:\nab.\n..c",
    ],
)
def test_the_last_states_count_however_they_are_marked(reply):
    assert share(reply) == 1


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("", 0),
        (GOOD.replace("..c", "..b"), 0.75),
        (GOOD.replace("3n 10e", "3n10e"), 0.75),
        (GOOD.replace("ab.\n", ""), 0.5),
        (GOOD + "\nAfter turn 2:", 0.5),
        ("After turn 2:" * 100_000 + "\n" * 100_000, 0),
        (GOOD.replace("ab.", "ab." * 100_000), 0.75),
    ],
)
def test_other_rows_are_wrong(reply, value):
    assert share(reply) == value
