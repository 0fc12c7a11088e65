"""What is said of two models, and of several tries, from records."""

from __future__ import annotations

from html import escape
from itertools import combinations

import pytest

from assay.records import Outcome, TrialRecord
from assay.report.aggregate import Grid, make_grid
from assay.report.cells import text_of, value_of
from assay.report.grid_page import render_statistics
from assay.report.repeated import steps, tries, tries_table
from assay.report.terminal import result_tables
from assay.report.versus import Pair, comparison_table, corrected, pairs, sentence
from assay.results.paired import compare


def grid_of(**models: str) -> Grid:
    """Each model's verdicts, a letter a test: + passed, - failed, e error; several trials after each other,
    apart by spaces: "++- +--" are two tests of three trials."""
    kinds = {"+": Outcome.PASS, "-": Outcome.FAIL, "e": Outcome.ERROR}
    return make_grid(
        [
            TrialRecord(f"t{test:03}.T", model, epoch, kinds[each])
            for model, verdicts in models.items()
            for test, trials in enumerate(verdicts.split() if " " in verdicts else verdicts)
            for epoch, each in enumerate(trials, 1)
        ]
    )


def test_models_that_prove_tests_are_not_compared_unless_they_are_the_only_ones():
    models = {"oracle": "+++++++", "saboteur": "-------"}
    grid = grid_of(a="++++++-", b="-------", **models)
    (row,) = comparison_table(grid).rows
    assert row[:2] == ("a", "b") and {pair.of for pair in pairs(grid)} == {1}
    (row,) = comparison_table(grid_of(**models)).rows
    assert row[:2] == ("oracle", "saboteur")
    titles = [table.title for table in result_tables(grid_of(a="+++++", **models))]
    assert "Differences" not in titles and len(titles) > 1


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("+++++++++-", "----------", "a is better than b: +90.0 points"),
        (
            "+++-",
            "----",
            "a and b: too few tests to tell; 4 tests cannot show a difference, whatever the models do",
        ),
        (
            "++++++++--",
            "++++++++--",
            "a and b: a tie, the same on every test; 10 tests could show a difference of about ±",
        ),
        (
            "+" * 60,
            "+" * 58 + "--",
            "a and b: a tie, no difference shown; 60 tests could show a difference of about ±16 points",
        ),
        (
            " ".join(["++---"] * 10),
            " ".join(["+----"] * 10),
            "a and b: a tie, because the interval contains 0, although p alone would show a "
            "difference; 10 tests",
        ),
    ],
)
def test_a_verdict_in_words(a: str, b: str, said: str) -> None:
    (pair,) = pairs(grid_of(a=a, b=b))
    assert sentence(pair).startswith(said) and sentence(pair).endswith(f"p = {pair.found.p:.2g}.")


def test_a_table_says_why_a_tie_stands_beside_a_small_p() -> None:
    fifth, two_fifths = (" ".join([trials] * 10) for trials in ("+----", "++---"))
    table = comparison_table(grid_of(a=two_fifths, b=fifth, c=fifth))
    assert "a tie beside a small p (Holm): the interval contains 0" in table.note
    alike = comparison_table(grid_of(a=fifth, b=fifth, c=fifth))
    assert "small p" not in alike.note


def test_a_first_table_of_one_test_says_that_it_is_too_few() -> None:
    table = comparison_table(grid_of(oracle="+", saboteur="-"))
    verdict = table.rows[0][table.columns.index("verdict")]
    assert (text_of(verdict), value_of(verdict)) == ("too few tests", "tie")
    assert "too few tests to tell; 1 test cannot show a difference" in table.note


@pytest.mark.parametrize(("confidence", "least"), [(0.8, 4), (0.9, 5), (0.95, 6), (0.99, 8)])
@pytest.mark.parametrize("single", [True, False])
def test_how_many_tests_it_takes_depends_on_the_confidence(
    confidence: float, least: int, single: bool
) -> None:
    def pair(tests: int) -> Pair:
        found = compare([1.0] * tests, single=single, confidence=confidence)
        return corrected([("a", "b", found)], confidence)[0]

    few = pair(least - 1)
    assert few.verdict == "tie" and few.found.smallest is None and few.said == "too few tests"
    assert (
        f"{least - 1} tests cannot show a difference, whatever the models do: that takes at least {least}"
        in sentence(few)
    )
    assert pair(least).said == "better" and corrected([("a", "b", compare([], single=single))])[0].said == ""
    mixed = compare([1.0, -1.0, *[0.0] * (least - 2)], single=single, confidence=confidence)
    assert "cannot show a difference" not in sentence(corrected([("a", "b", mixed)], confidence)[0])


def test_nothing_in_common_is_no_tie() -> None:
    (pair,) = pairs(grid_of(a="++ee", b="ee++"))
    assert pair.verdict == "" and "they have no finished test in common" in sentence(pair)
    row = comparison_table(grid_of(a="++ee", b="ee++")).rows[0]
    assert row[2:5] == (0, None, None)


def test_one_trial_a_test_is_mcnemar_and_several_or_scores_are_not() -> None:
    assert pairs(grid_of(a="++-", b="+--"))[0].found.single
    assert not pairs(grid_of(a="++ +- --", b="+ - -"))[0].found.single
    scored = make_grid([TrialRecord("t.T", model, 1, Outcome.PASS, score=0.5) for model in "ab"])
    assert not pairs(scored)[0].found.single


def test_among_many_comparisons_one_may_be_chance() -> None:
    one = compare([1.0] * 6 + [0.0] * 10, single=True)
    assert one.p == 2 / 2**6 and one.low > 0
    assert corrected([("a", "b", one)])[0].verdict == "better"
    others = [("a", f"m{n}", compare([1.0, -1.0] * 8, single=True)) for n in range(5)]
    first = corrected([("a", "b", one), *others])[0]
    assert first.verdict == "tie" and first.adjusted == pytest.approx(6 * 2 / 2**6)
    assert "because one such difference among 6 comparisons may be chance" in sentence(first)


@pytest.mark.parametrize(("better", "p"), [(4, "0.12"), (5, "0.062"), (15, "< 0.0001")])
def test_p_is_rounded_alike_in_tables_and_sentences(better: int, p: str) -> None:
    """Also halves: 0.125 and 0.0625."""
    grid = grid_of(a="+" * better, b="-" * better, c="-" * better)
    page, (row, *_), pair = render_statistics(grid), comparison_table(grid).rows, pairs(grid)[0]
    said = p if p.startswith("<") else f"= {p}"
    assert row[8] == p and f": p {said}" in sentence(pair) and page["pairs"][0][6] == said
    assert f">{escape(p, quote=False)}</td>" in page["parts"]["differences"]


def test_few_models_all_pairs_many_models_the_best_with_each() -> None:
    names = [f"m{n}" for n in range(8)]
    verdicts = {name: "+" * (20 - n) + "-" * n for n, name in enumerate(names)}
    few = comparison_table(grid_of(**{name: verdicts[name] for name in names[:6]}))
    assert [row[:2] for row in few.rows] == list(combinations(names[:6], 2))
    many = comparison_table(grid_of(**verdicts))
    assert [row[:2] for row in many.rows] == [("m0", name) for name in names[1:]]
    assert "28 pairs" in many.note and "main.py compare" in many.note  # all that could be picked


def test_tries_leave_out_tests_with_too_few_and_say_of_how_many() -> None:
    found = tries(grid_of(a="++- +-- --- ++ee e"))
    (at_1, at_2, at_3) = found["a"]
    assert (at_1.tests, at_2.tests, at_3.tests) == (4, 4, 3)
    assert at_1.at == at_1.hat == pytest.approx((2 / 3 + 1 / 3 + 0 + 1) / 4)
    assert at_2.at == pytest.approx((1 + 2 / 3 + 0 + 1) / 4)
    assert at_2.hat == pytest.approx((1 / 3 + 0 + 0 + 1) / 4)
    assert (at_3.at, at_3.hat) == (pytest.approx(2 / 3), 0)
    table = tries_table(found)
    assert table.columns == ("model", "pass@1", "pass@2", "pass^2", "pass@3", "pass^3")
    assert table.rows[0][-2:] == ("66.7% of 3", "0% of 3")


def test_single_tries_and_replayed_references_have_no_such_table() -> None:
    assert tries(grid_of(a="+-+", b="---")) == {}
    assert tries(grid_of(oracle="++ ++", saboteur="-- --")) == {}


def test_many_tries_are_shown_at_a_few_steps() -> None:
    assert steps(2) == [1, 2] and steps(5) == [1, 2, 3, 5] and steps(100) == [1, 2, 3, 5, 10, 20, 50, 100]
