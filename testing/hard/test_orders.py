"""The orders of exact_orders, found by trying all of them against the rules as they are written."""

from __future__ import annotations

import re
from itertools import pairwise, permutations

import pytest

from tests.hard.exact_orders import Orders, same


def formula(text, at):
    text = re.sub(r"\|([^|]+)\|", r"abs(\1)", text.rstrip("."))
    text = re.sub(r"^(.*) is (even|odd)$", lambda m: f"({m[1]}) % 2 == {int(m[2] == 'odd')}", text)
    return eval(text.replace(" = ", " == "), {"abs": abs}, at)


def holds(text, order):
    at = {letter: place for place, letter in enumerate(order, 1)}
    ups = [one < two for one, two in pairwise(order)]
    if m := re.match(r"There are exactly (\d) ascents", text):
        return sum(ups) == int(m[1])
    if text.startswith("Nowhere do two ascents"):
        return not any(one and two for one, two in pairwise(ups))
    if m := re.match(r"Exactly (\d) letters stand at their own", text):
        return sum(at[letter] == ord(letter) - ord("A") + 1 for letter in order) == int(m[1])
    if m := re.match(r"Exactly (\d) letters? stands? between (.) and (.)\.", text):
        return abs(at[m[2]] - at[m[3]]) - 1 == int(m[1])
    if m := re.match(r"(.) stands somewhere between (.) and (.)\.", text):
        return sorted(m.groups(), key=at.get)[1] == m[1]
    if m := re.match(r"(.) stands directly beside (.) or (.), or beside both", text):
        return 1 in (abs(at[m[1]] - at[m[2]]), abs(at[m[1]] - at[m[3]]))
    if m := re.match(r"Exactly (one|two) of these (?:is|are) true: (.*)", text):
        return sum(formula(each, at) for each in m[2].split("; ")) == (1 if m[1] == "one" else 2)
    if m := re.match(r"If (.*), then (.*)", text):
        return formula(m[2], at) or not formula(m[1], at)
    return formula(text, at)


@pytest.mark.parametrize("seed", range(1, 9))
def test_the_orders_are_those_that_obey_the_rules(seed):
    task = Orders(size=7, puzzles=2, least=5, most=40)
    for number in (1, 2):
        texts, found = task.puzzle(seed, number)
        obey = [
            "".join(each) for each in permutations(task.letters) if all(holds(text, each) for text in texts)
        ]
        assert [task.order(found, n) for n in range(1, found.bit_count() + 1)] == obey


def test_the_count_and_the_order_must_both_be_right():
    assert same("57, BDACEFGHI", "57, BDACEFGHI")
    assert same("**57** orders, `bdacefghi`", "57, BDACEFGHI")
    assert not same("57", "57, BDACEFGHI")
    assert not same("57, BDACEFGIH", "57, BDACEFGHI")
    assert not same("56 or 57, BDACEFGHI", "57, BDACEFGHI")
