"""The cheapest answers that solvers find are those of a search through all answers, on small puzzles."""

from __future__ import annotations

from itertools import combinations, permutations, product

import pytest

from tests.hard.optimise_between import Lineups
from tests.hard.optimise_changeovers import Changeovers
from tests.hard.optimise_lamps import ROWS, Lamps
from tests.hard.optimise_rooms import Rooms
from tests.hard.optimise_supersequence import Supersequences
from tests.hard.optimise_wrapped import Wrapped


def strings(puzzle):
    return (text for length in range(4, 9) for text in product("abc", repeat=length))


def lamps(puzzle):
    fields = [f"{row}{column}" for row in ROWS[:3] for column in range(1, 6)]
    return (chosen for count in range(1, 8) for chosen in combinations(fields, count))


def lines(puzzle):
    return ([*order[:cut], "/", *order[cut:]] for order in permutations("ABCDE") for cut in range(6))


SMALL = [
    (Rooms("small", 1, places=3, pairs=8, tries=1), lambda puzzle: permutations("ABCDEF")),
    (Lineups("small", 1, people=6, wishes=12, most=9), lambda puzzle: permutations("ABCDEF")),
    (Supersequences("small", 2, words=3, length=4, letters="abc", tries=1), strings),
    (
        Wrapped("small", 2, width=10, places=7, kinds="ABC", more=4, kicks=5, rounds=150),
        lambda puzzle: permutations("1234567"),
    ),
    (Lamps("small", 1, rows=3, columns=5, letters="pqrs", size=4), lamps),
    (Changeovers("small", 1, jobs=5, low=2, high=9, most=9, miss=0), lines),
]


@pytest.mark.parametrize("seed", (1, 7, 23))
@pytest.mark.parametrize(("task", "answers"), SMALL, ids=lambda each: getattr(each, "name", ""))
def test_no_answer_is_cheaper_than_the_best(task, answers, seed):
    for puzzle, best in task.puzzles(seed):
        costs = [task.cost(puzzle, words) for words in answers(puzzle)]
        assert task.cost(puzzle, best) == min(cost for cost in costs if cost is not None)


def test_the_last_line_of_a_label_counts_and_remarks_do_not():
    task = Lineups("small", 2, people=3, wishes=2, most=9)
    reply = "Answer 1: A B C\n**Answer 2:** C, A > B (cost 7, of a total of D)\n- answer 1: c b a C B A"
    assert task.read(reply) == [["C", "B", "A"], ["C", "A", "B"]]
