"""The machines that exist only in prompts, by hand; and replies that mean no good."""

from __future__ import annotations

import time

import pytest

from tests.hard import exact_marbles, exact_markov, exact_reactions, exact_selfmod, optimise_combinators
from tests.hard.exact_gates import Network, Task, history
from tests.hard.programs import Refused, Stuck, judge_program, last_block, numbers_of
from tests.hard.suite import made, module_of

FAMILIES = [f"exact_{name}" for name in ("gates", "marbles", "markov", "reactions", "selfmod")]


@pytest.mark.parametrize(
    ("reply", "block"),
    [
        ("```\na\n```", "a"),
        ("```x\na\n```\ntext\n```\nb\nc\n```\nbye", "b\nc"),
        ("  ```\na\n  ```", "a"),
        ("```\nnever closed", "never closed"),
    ],
)
def test_the_last_block_is_the_program(reply, block):
    assert last_block(reply) == block


@pytest.mark.parametrize("reply", ["", "a -> b", "```\n" + "a" * 40_000 + "\n```"])
def test_a_reply_without_a_program_is_refused(reply):
    with pytest.raises(Refused):
        last_block(reply)


def test_numbers_are_bounded():
    assert numbers_of("1, -2\n+3", 3) == [1, -2, 3]
    for text in ("1 2 3 4", "1.5", "9" * 5000, "x"):
        with pytest.raises(Refused):
            numbers_of(text, 3)


def test_a_program_is_not_run_after_many_wrong_cases():
    met = []
    score, told = judge_program(
        str, lambda _, given: met.append(given), lambda: [(n, 1) for n in range(100)], "```\n```"
    )
    assert (score.value, len(met)) == (0.0, 25)
    assert told.startswith("0 of 100")


def test_rewriting_takes_the_first_rule_and_its_leftmost_place():
    rules = [("ab", "b", False), ("b", "c", False), ("cc", "d", True), ("", "x", False)]
    assert exact_markov.run(50, rules, "abb") == "d"
    assert exact_markov.run(50, [("a", "", False)], "banana") == "bnn"
    with pytest.raises(Stuck):
        exact_markov.run(50, rules, "a")


def test_one_instruction_changes_a_cell_and_jumps():
    machine = exact_selfmod.Machine("PQJ", True, True, 100, 0, False, False)
    # cell 101 becomes -1 - 5, which is negative: it stops
    assert exact_selfmod.run(machine, 5, [9, 101, -1, 0, 0, 0, 0, 0, 0, -1], (5,)) == (-6,)
    with pytest.raises(Stuck):
        exact_selfmod.run(machine, 5, [600, 0, 0], (5,))


def test_marbles_roll_and_switch():
    board = exact_marbles.parse(
        "start: a\n" + "\n".join(row.center(19, ".") for row in ("A", "/.\\", "x...x"))
    )
    assert exact_marbles.run(board, "PP") == [12, 6]
    with pytest.raises(Refused):
        exact_marbles.parse("start:\n....")


def test_gates_are_a_tick_late():
    network = Network(0, {"n": ("1", "z"), "z": ("n", "0")})  # z flips every second tick
    course = history(Task(True, False, 3, 1), network, [(0, 0)])
    assert course[:7] == [0, 0, 1, 1, 0, 0, 1]


def test_reactions_are_judged_under_every_order():
    task = exact_reactions.Task("X", "Y", "L", "Z", 1, 1, 1, (1, 1), (1, 1), 1)

    def rests(text, x, y):
        return exact_reactions.Vessel(task, exact_reactions.parse(text)).everywhere(x, y)

    assert rests("X + Y -> Z", 3, 2) == 2
    for text, why in (
        ("X -> Z\nX + Y -> 0", "at rest"),  # it depends on the order
        ("X -> A\nX + X -> Z\nA -> A + A", "contents"),  # it grows
        ("X -> A\nA -> B\nB -> A", "never come to rest"),
    ):
        with pytest.raises(Stuck, match=why):
            rests(text, 2, 1)


def test_combinators_are_reduced_from_the_left():
    rules = {"S": ("xyz", optimise_combinators.read("xz(yz)", "xyz")), "K": ("xy", "x")}

    def normal(text):
        term = optimise_combinators.normal(rules, optimise_combinators.read(text, "SKabc"))
        return term and optimise_combinators.shown(term)

    assert normal("SKKa") == "a"
    assert normal("Ka(SSS(SSS)(SSS))") == "a"
    assert normal("a(SKKb)c") == "abc"
    assert normal("S(SKK)(SKK)(S(SKK)(SKK))") is None


@pytest.mark.parametrize("family", [*FAMILIES, "optimise_combinators"])
def test_replies_that_mean_no_good_are_judged_soon(family):
    build = module_of(family).build
    judge = [node.fn for node in made(build, 3).walk() if hasattr(node, "fn")][-1]
    begin = time.monotonic()
    for reply in (
        "```" * 100_000,
        "```\n" * 100_000,
        "```\n" + "(" * 20_000 + "\n```",
        "```\n" + "a -> aa\n" * 19 + "```",
        "```\nstart: a\n" + "A" * 19 + "\n```",
        "```\n" + "1: " + "(" * 150 + "\n```",
        "```\n-> " + "a" * 900 + "\n```",
        "```\nD = 99999999999999999999\nz = z z\n```",
        "```\n0 0 0\n```",
        "```\n9 9 9 ²\n```",
    ):
        score, _ = judge(reply)
        assert not score.passed
    assert time.monotonic() - begin < 60
