"""The solvers and generators behind families answered by mind: what they claim, checked in another way."""

from __future__ import annotations

import random

import pytest

from tests.hard import (
    exact_cages,
    exact_seating,
    judgement_lines,
    long_chain,
    optimise_cover,
    optimise_tour,
    reverse_states,
)
from tests.hard.references import judgement_lines as lines_again
from tests.hard.references import long_chain as chain_again

SEEDS = (1, 7, 23)


def test_a_seating_clue_keeps_what_is_true_and_drops_what_is_not():
    chance = random.Random(5)

    def seating():
        groups = range(len(exact_seating.GROUPS))
        return tuple(seat for _ in groups for seat in chance.sample(range(8), 8))

    for _ in range(1500):
        true, other = seating(), seating()
        clue = exact_seating.drawn(true, chance)
        narrow = exact_seating.narrowing(clue)
        partly = [1 << seat | chance.randrange(256) & chance.randrange(256) for seat in true]
        assert all(mask >> true[item] & 1 for item, mask in narrow(partly))
        exactly = [1 << seat for seat in other]
        assert all(exactly[item] & mask for item, mask in narrow(exactly)) == clue.holds(other), clue


@pytest.mark.parametrize("seed", SEEDS)
def test_without_a_clue_another_seating_fits_all_others(seed):
    clues, seating = exact_seating.planted(seed)
    assert all(clue.holds(seating) for clue in clues)
    others = [exact_seating.others([*clues[:n], *clues[n + 1 :]], seating, 500)[0] for n in range(len(clues))]
    for n, other in enumerate(others):
        if other is not None:
            assert [clue for clue in clues if not clue.holds(other)] == [clues[n]]
    assert any(others)


@pytest.mark.parametrize("seed", SEEDS)
def test_cages_are_kept_by_their_grid_and_by_every_grid_that_is_found(seed):
    cages, grid = exact_cages.planted(seed)
    digits = tuple(digit for row in grid for digit in row)
    other, _ = exact_cages.another([exact_cages.Cage(cages[0].cells, ()), *cages[1:]], digits, 300)
    for rows in (grid, [other[n : n + 9] for n in range(0, 81, 9)] if other else grid):
        kept = [
            all(rule.holds(tuple(rows[y][x] for y, x in cage.cells)) for rule in cage.rules) for cage in cages
        ]
        assert all(kept[1:]) and kept[0] == (rows == grid)
        assert all(len({row[x] for row in rows}) == 9 == len(set(rows[x])) for x in range(9))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_teams_have_one_way_and_everybody_is_in_it_once(seed):
    teams, chosen = optimise_cover.planted(seed)
    assert sorted(person for n in chosen for person in teams[n]) == list(range(optimise_cover.PEOPLE))
    assert optimise_cover.covers(teams)[0] == 1


def test_a_long_search_finds_no_much_shorter_trip(monkeypatch):
    length, _ = optimise_tour.short(1)
    monkeypatch.setattr(optimise_tour, "MOVES", 3 * optimise_tour.MOVES)
    places = optimise_tour.places_of(1)
    longer = optimise_tour._annealed(places, random.Random(9))
    assert length <= 1.01 * optimise_tour.length_of(places, longer)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_only_machine_that_is_found_answers_like_the_hidden_one(seed):
    machine, samples, asked = reverse_states.puzzle(seed)
    (found,), _ = reverse_states.machines(samples, reverse_states.MOST)
    assert all(reverse_states.answer(found, word) == reverse_states.answer(machine, word) for word in asked)
    assert all(reverse_states.answer(found, word) == digits for word, digits in samples)


@pytest.mark.parametrize("seed", range(1, 21))
def test_lines_follow_forwards_and_backwards_alike(seed):
    assert list(judgement_lines.derivation(seed)[1]) == lines_again._unfounded(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_journal_read_again_gives_the_same_answers(seed):
    answers = {name: str(number) for name, number in long_chain.wanted(seed).items()}
    assert answers == chain_again._answer(seed)
