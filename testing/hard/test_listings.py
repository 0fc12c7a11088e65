"""The explorers behind lists that must be complete and searches for the best, once more by brute force."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest

from tests.hard import concurrent_buffers
from tests.hard.concurrent_stale import Stale, outcomes
from tests.hard.concurrent_stalls import Stalls
from tests.hard.interleaved import drawn, switches
from tests.hard.listed import judge_lists, whole_numbers
from tests.hard.numeric_minimax import Tables
from tests.hard.numeric_nearest import misses, nearest
from tests.hard.numeric_order import Orders

SEEDS = (1, 7, 23)


def orders(counts):
    """All orders of so many lines of P, Q and R."""
    letters = "".join(name * count for name, count in zip("PQR", counts, strict=True))
    return {"".join(each) for each in permutations(letters)}


@pytest.mark.parametrize("seed", SEEDS)
def test_all_ends_and_fewest_switches_are_found(seed):
    program = drawn(random.Random(seed), (2, 2, 2))
    ends = {}
    for letters in orders((2, 2, 2)):
        pair, why = program.run(letters)
        assert pair is not None, why
        ends.setdefault(pair, []).append(switches(letters))
    assert program.outcomes()[program.end] == set(ends)
    found = program.fewest()
    for pair, counts in ends.items():
        ways = [found[program.end, n][pair] for n in range(3) if pair in found[program.end, n]]
        least = min(ways)[0]
        assert least == min(counts)
        assert sum(number for switched, number in ways if switched == least) == counts.count(least)
        best = program.order(found, pair)
        assert program.run(best) == (pair, "")
        assert switches(best) == least
        assert program.run(program.order(found, pair, spare=3))[0] == pair


def test_an_order_that_does_not_end_is_told():
    program = drawn(random.Random(1), (2, 2, 2))
    assert program.run("PPP") == (None, "letter 3: P has ended")
    assert program.run("PPQ") == (None, "not all threads have ended")


@pytest.mark.parametrize("seed", SEEDS)
def test_buffers_give_what_another_search_finds(seed):
    small = Stale(
        "small",
        count=2,
        forms=("WRR", "WR", "WFR", "WWR"),
        loads=4,
        at_once=range(3, 99),
        by_buffers=range(1, 99),
    )
    for threads, names, states in small.programs(seed).values():
        other = []
        for thread in threads:
            its = []
            for kind, name, number in thread:
                said = {"store": (kind, name, str(number)), "fence": (kind,)}
                its.append(("load", names[number], name) if kind == "load" else said[kind])
            other.append(its)
        both = [concurrent_buffers.outcomes(other, buffered) for buffered in (True, False)]
        turned = [{int("".join(map(str, (*each[3:], *each[:3])))) for each in found} for found in both]
        assert outcomes(threads, 4) == turned[0]
        assert outcomes(threads, 4, buffered=False) == turned[1]
        assert {int(each) for each in states} == turned[0] - turned[1]


def walked(threads):
    """The stuck moments, by carrying out instructions on what is held, counted and asleep."""
    found, seen = set(), set()

    def rest(done, held, counts, asleep):
        mark = done, frozenset(held.items()), frozenset(counts.items()), asleep
        if mark in seen:
            return
        seen.add(mark)
        after = []
        for n, thread in enumerate(threads):
            if done[n] == len(thread) or n in asleep:
                continue
            what, which = thread[done[n]]
            on = tuple(at + (m == n) for m, at in enumerate(done))
            if what == "lock" and which not in held:
                after.append((on, held | {which: n}, counts, asleep))
            if what == "unlock":
                after.append((on, {name: who for name, who in held.items() if name != which}, counts, asleep))
            if what == "up" or (what == "down" and counts.get(which, 0)):
                number = counts.get(which, 0) + (1 if what == "up" else -1)
                after.append((on, held, counts | {which: number}, asleep))
            if what == "sleep":
                after.append((done, held, counts, asleep | {n}))
            if what == "wake":
                up = {m for m in asleep if threads[m][done[m]][1] == which}
                after.append((tuple(at + (m in up) for m, at in enumerate(on)), held, counts, asleep - up))
            for m, other in enumerate(threads):
                if what == "send" and m not in asleep and other[done[m] : done[m] + 1] == [("take", which)]:
                    after.append((tuple(at + (k == m) for k, at in enumerate(on)), held, counts, asleep))
        for each in after:
            rest(*each)
        if not after and any(at < len(thread) for at, thread in zip(done, threads, strict=True)):
            numbers = zip(done, threads, strict=True)
            found.add("".join("0" if at == len(thread) else str(at + 1) for at, thread in numbers))

    rest((0,) * len(threads), {}, {}, frozenset())
    return sorted(found)


@pytest.mark.parametrize("seed", SEEDS)
def test_all_stuck_moments_are_found(seed):
    small = Stalls("small", count=3, length=5, weights=(4, 4, 3, 2, 2, 2, 3), fewest=1, most=99, least=50)
    for program, stuck in small.programs(seed).values():
        assert walked(program.threads) == stuck


@pytest.mark.parametrize("seed", SEEDS)
def test_no_order_has_a_larger_sum(seed):
    task = Orders("small", count=1, size=7, bits=4, low=0, high=3)
    chance = random.Random(seed)
    numbers = [chance.choice((1, 1, -1)) * chance.randrange(8, 16) << chance.randint(0, 3) for _ in range(7)]
    best = task.largest(numbers)
    assert sorted(best) == sorted(numbers)
    assert task.result(best) == max(map(task.result, permutations(numbers)))


@pytest.mark.parametrize(
    ("exact", "rounded"), [(17, 16), (19, 20), (-17, -16), (31, 32), (15, 15), (-54, -56), (0, 0)]
)
def test_half_goes_to_the_even_one(exact, rounded):
    assert Orders("small", count=1, size=7, bits=4, low=0, high=3).put(exact) == rounded


@pytest.mark.parametrize("seed", SEEDS)
def test_no_whole_coefficients_are_nearer(seed):
    task = Tables("small", count=1, degree=2, reach=3, noise=6)
    chance = random.Random(seed)
    table = tuple(chance.randint(-12, 12) for _ in task.xs)
    least, best = task.best(table)
    errors = {each: task.error(table, each) for each in product(range(-20, 21), range(-14, 15), range(-6, 7))}
    assert least == min(errors.values())
    assert {tuple(each) for each in best} == {each for each, error in errors.items() if error == least}


@pytest.mark.parametrize("seed", SEEDS)
def test_no_whole_numbers_are_nearer(seed):
    chance = random.Random(seed)
    system = tuple((*(chance.randint(-9, 9) for _ in range(3)), chance.randint(-20, 20)) for _ in range(4))
    best, looked = nearest(system)
    assert looked >= 3
    assert misses(system, best) == min(misses(system, each) for each in product(range(-25, 26), repeat=3))


def test_how_replies_are_read():
    wanted = {"A": ["12", "07"], "B": ["33"]}
    for reply, share in {
        "A: 07 12\nB: 33": 1,
        "- **A:** (0, 7),\n(1, 2)\n\nB: 33": 1,
        "A: 07 12 3\nB: 33": 0.5,
        "A: 12\n\n07\nB: 33": 0.5,
        "A: 12 07 33\nB: none": 0,
        "A: 12\nA: 12 07": 0.5,
        "": 0,
    }.items():
        score, told = judge_lists(lambda: wanted, reply)
        assert (score.value, score.passed) == (share, share == 1), reply
        assert bool(told) == (share < 1)
    assert whole_numbers("x1 = -3, x2 = + 4, 5, \u22126") == [-3, 4, 5, -6]
