"""The searches behind families whose answers are hard to find, checked in another way on small cases."""

from __future__ import annotations

import random
from itertools import combinations, permutations, product

import pytest

from tests.hard.judgement_formulas import Formulas, searched, ways
from tests.hard.judgement_tokens import Games, Played
from tests.hard.numeric_relation import Relations
from tests.hard.optimise_crates import Crates
from tests.hard.optimise_program import Programs
from tests.hard.optimise_queens import Board, attacks
from tests.hard.optimise_shop import Shop
from tests.hard.optimise_words import Squares
from tests.hard.references.numeric_relation import reduced
from tests.hard.reverse_lamp import Lamps, Machine, difference

SEEDS = (1, 7, 23)


@pytest.mark.parametrize("seed", SEEDS)
def test_all_placements_of_queens_are_found(seed):
    board = Board("small", size=6, free=4, least=0, most=100_000, repairs=0)
    free, placed = board.planted(seed)
    found, _ = board.stepped(free, random.Random(seed), enough=1000)
    right = {
        columns
        for columns in product(*free)
        if not any(attacks(a, columns[a], b, columns[b]) for a, b in combinations(range(6), 2))
    }
    assert set(found) == right
    assert placed in right


@pytest.mark.parametrize("seed", SEEDS)
def test_all_combinations_of_a_weight_are_found(seed):
    crates = Crates("small", crates=3, each=5, low=10, high=60, fewest=3, most=1000)
    weights, planted = crates.planted(seed)
    found = sorted(tuple(sorted(crate)) for crate in crates.fitting(weights))
    assert found == sorted(each for each in combinations(weights, 5) if sum(each) == crates.total)
    assert set(planted) <= set(found)
    assert crates.ways(weights) >= 1


@pytest.mark.parametrize("seed", SEEDS)
def test_no_program_is_shorter(seed):
    programs = Programs("small", instructions=4, modulus=13, tasks=2, length=5)
    machine, tasks = programs.planted(seed)
    for task in tasks.values():
        assert programs.run(machine, task.start, task.program) == task.goal
        for length in range(5):
            ends = (
                programs.run(machine, task.start, "".join(word)) for word in product(machine, repeat=length)
            )
            assert task.goal not in ends
    for instruction in machine.values():
        for state in product(range(13), repeat=3):
            assert instruction.before(instruction.after(state, 13), 13) == state


@pytest.mark.parametrize("seed", SEEDS)
def test_assignments_are_counted(seed):
    formulas = Formulas("small", count=3, letters=8, width=4, clauses=60, met=(0, 1, 2), least=0, most=1000)
    for formula, number in formulas.formulas(seed).values():
        met = 0
        for bits in product((False, True), repeat=8):
            value = dict(zip("abcdefgh", bits, strict=True))
            met += all(any(value[each.lower()] == each.islower() for each in clause) for clause in formula)
        assert met == number == ways(formula, 8)
        assert searched(formula) > 0


def test_who_cannot_move_has_lost():
    played = Played(((1, 2), (3,), (), ()), 100, {})
    assert not played.wins(2, 0b101)  # from 2 no arrow leads
    assert played.wins(1, 0b011)
    assert played.wins(0, 0b001)
    games = Games("small", count=2, places=9, arrows=22, first=4, least=5, most=1000).games(1)
    assert all(set(good) <= set(game[0]) for game, good in games.values())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_relation_is_found_by_reduction(seed):
    numbers, factors = Relations("small", count=5, digits=9, most=9).planted(seed)
    found = [each[:-1] for each in reduced(numbers, 10**9) if not each[-1]]
    assert any(sum(a * x for a, x in zip(numbers, each, strict=True)) == 0 for each in found)
    assert sum(a * x for a, x in zip(numbers, factors, strict=True)) == 0


def test_a_shop_waits_for_the_machine_and_for_the_job():
    shop = Shop(routes=((0, 1), (1, 0)), minutes=((3, 4), (2, 5)))
    assert shop.end([[0, 1], [1, 0]]) == 9
    assert shop.end([[0, 1], [0, 1]]) == 14
    assert shop.end([[1, 0], [0, 1]]) is None  # each waits for the other
    assert shop.by_rule(lambda job, passed: -job) == [[0, 1], [1, 0]]
    assert shop.by_rule(lambda job, passed: job) == [[0, 1], [0, 1]]
    ends = [shop.end([a, b]) for a in permutations((0, 1)) for b in permutations((0, 1))]
    assert sorted(filter(None, ends)) == [9, 14, 14]


@pytest.mark.parametrize("seed", SEEDS)
def test_all_squares_of_words_are_found(seed):
    squares = Squares("small", size=3, letters="abc", words=11, least=0)
    words, planted = squares.planted(seed)
    found, _ = squares.searched(words, random.Random(seed), 100_000, enough=1000)
    right = set()
    for rows in permutations(words, 3):
        both = {*rows, *map("".join, zip(*rows, strict=True))}
        if len(both) == 6 and both <= set(words):
            right.add(rows)
    assert set(found) == right
    assert planted in right


@pytest.mark.parametrize("seed", SEEDS)
def test_all_machines_that_fit_are_found(seed):
    lamps = Lamps("small", states=3, words=6, long=(1, 4), least=0, most=100_000)
    machine, shown = lamps.puzzle(seed)
    fits = 0
    for to in product(range(3), repeat=6):
        for lamp in product(range(2), repeat=3):
            other = Machine(to, lamp)
            if all(other.shows(word) == shows for word, shows in shown.items()):
                fits += 1
                assert difference(machine, other) is None
    assert fits
