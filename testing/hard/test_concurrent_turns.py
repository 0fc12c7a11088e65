"""What the lines of a scenario may say, by hand: the judge of concurrent_turns."""

from __future__ import annotations

import pytest

from tests.hard.concurrent_turns import follows


def lines(text):
    return [each.strip() for each in text.split(",")]


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("0 ask-read 0, 0 got 0, 0 ask-read 1, 0 got 1, 1 release 0, 1 release 1, 1 end 0, 1 end 1", True),
        ("0 ask-read 0, 0 ask-read 1, 0 got 1, 0 got 0, 1 release 0, 1 release 1, 1 end 0, 1 end 1", True),
        ("0 ask-write 0, 0 got 0, 0 ask-read 1, 2 release 0, 2 got 1, 2 release 1, 2 end 0, 2 end 1", True),
        # two at once
        ("0 ask-write 0, 0 got 0, 0 ask-read 1, 0 got 1, 2 release 0, 2 release 1, 2 end 0, 2 end 1", False),
        # let in later than at once
        ("0 ask-write 0, 0 got 0, 0 ask-read 1, 2 release 0, 3 got 1, 3 release 1, 3 end 0, 3 end 1", False),
        # cancelled while it waits, and in the moment in which it was let in
        ("0 ask-write 0, 0 got 0, 0 ask-read 1, 1 cancel 1, 1 gone 1, 2 release 0, 2 end 0, 2 end 1", True),
        ("0 ask-write 0, 0 got 0, 0 ask-read 1, 1 release 0, 1 cancel 1, 1 gone 1, 2 end 0, 2 end 1", True),
        ("0 ask-write 0, 0 got 0, 0 ask-read 1, 1 release 0, 1 cancel 1, 1 got 1, 2 release 1, 2 end 0,"
         "2 end 1", False),
        # an upgrade at once, refused without reason, and refused since another waits
        ("0 ask-read 0, 0 got 0, 1 ask-upgrade 0, 1 upgraded 0, 2 release 0, 2 end 0, 2 end 1", True),
        ("0 ask-read 0, 0 got 0, 1 ask-upgrade 0, 1 refused 0, 2 release 0, 2 end 0, 2 end 1", False),
        ("0 ask-read 0, 0 got 0, 0 ask-read 1, 0 got 1, 1 ask-upgrade 0, 1 ask-upgrade 1, 1 refused 1,"
         "2 release 1, 2 upgraded 0, 3 release 0, 3 end 0, 3 end 1", True),
        # stuck, ended too soon, garbage
        ("0 ask-write 0, 0 got 0, 0 ask-read 1, 2 release 0, 2 stuck 0", False),
        ("0 ask-write 0, 0 got 0, 1 end 0, 1 end 1", False),
        ("x ask-write 0, 0 end 0, 0 end 1", False),
        ("nan ask-write 0, 0 end 0, 0 end 1", False),
    ],
)  # fmt: skip
def test_lines_are_judged_by_the_rules(said, right):
    assert follows(lines(said), 3, 2) is right


def test_nobody_passes_a_writer_who_waits():
    said = (
        "0 ask-read 0, 0 got 0, 0 ask-write 1, 0 ask-read 2, {}2 release 0, 2 got 1, 3 release 1, {}"
        "4 release 2,"
        "4 end 0, 4 end 1, 4 end 2"
    )
    assert follows(lines(said.format("", "3 got 2, ")), 3, 3)
    assert not follows(lines(said.format("0 got 2, ", "")), 3, 3)
