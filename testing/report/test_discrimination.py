"""Which tests tell models apart: the statistics, and the page."""

import dataclasses
import random

import pytest

from assay.records import Outcome, Table
from assay.report.aggregate import make_grid
from assay.report.discrimination import FILE, judged_tests, standings
from assay.report.html import write_report
from assay.results.discrimination import correlation, discriminations
from testing.report.sample_records import sample_records

SAMPLE = next(iter(sample_records(None, models=1, tests=1, epochs=1)))


def record(test, model, outcome, tags=()):
    return dataclasses.replace(
        SAMPLE, test=test, suite="applied", model=model, epoch=1, outcome=Outcome(outcome), score=None,
        metrics={}, tags=tags, about={}, error="",
    )  # fmt: skip


def written(records, folder):
    write_report(records, folder, images=folder, root=folder)


def verdicts(*tests):
    return [found and found.verdict for found in discriminations(tests)]


def test_verdicts_on_made_up_results():
    good, bad = {"a": [1], "b": [1], "c": [0], "d": [0]}, {"a": [0], "b": [0], "c": [1], "d": [1]}
    every, none = ({model: [value] for model in "abcd"} for value in (1, 0))
    near = {"a": [0.6], "b": [0.6], "c": [0.5], "d": [0.5]}
    noisy = {"a": [1, 0, 1], "b": [0, 1, 1], "c": [1, 0, 0], "d": [1, 1, 0]}
    assert verdicts(good, good, good, bad, every, none, near, noisy, {"a": [1]}) == [
        "tells apart", "tells apart", "tells apart", "against the trend", "all pass", "none passes", "little",
        "noisy", None,
    ]  # fmt: skip


def test_the_rest_of_a_test_leaves_the_test_out():
    """With two tests that contradict each other, each one's rest is the other: -1, not 0."""
    one, other = {"a": [1], "b": [0.5], "c": [0]}, {"a": [0], "b": [0.5], "c": [1]}
    first, second = discriminations([one, other])
    assert first.correlation == pytest.approx(-1) and second.correlation == pytest.approx(-1)
    assert first.difficulty == pytest.approx(0.5) and first.spread == 1


def test_two_models_have_no_correlation():
    (found, _) = discriminations([{"a": [1], "b": [0]}, {"a": [1], "b": [0]}])
    assert found.correlation is None and found.verdict == "tells apart"


def test_a_test_that_does_not_go_with_the_others_is_unclear():
    """With three models a correlation of -0.2 may be chance, so it is not said to go against the trend."""
    odd = {"a": [0.5], "b": [0.3], "c": [1]}
    others = [{"a": [1], "b": [0.5], "c": [0.6]}, {"a": [1], "b": [0.5], "c": [0.55]}]
    (found, *_) = discriminations([odd, *others])
    assert -0.5 < found.correlation < 0 and found.verdict == "unclear"


def test_correlation_is_that_of_the_formula():
    chance = random.Random(1)
    xs = [chance.random() for _ in range(20)]
    assert correlation(xs, [3 - 2 * x for x in xs]) == pytest.approx(-1)
    assert correlation([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)
    assert correlation([1, 1, 1], xs[:3]) is None


def grid(*records):
    return make_grid(list(records))


def test_the_hardest_is_first_and_the_oracle_does_not_count():
    models = {"openai/a": "pass", "openai/b": "fail"}
    some = [record("x.One", model, outcome) for model, outcome in models.items()]
    hard = [record("x.Two", model, "fail") for model in models]
    proofs = [record(test, "oracle", "pass") for test in ("x.One", "x.Two")]
    found = judged_tests(grid(*some, *hard, *proofs))
    assert [each.row.test for each in found] == ["x.Two", "x.One"]
    assert [each.found.verdict for each in found] == ["none passes", "tells apart"]
    assert set(found[0].found.means) == set(models)


def test_a_score_counts_and_errors_do_not():
    records = [
        dataclasses.replace(record("x.One", "openai/a", "fail"), score=0.8),
        dataclasses.replace(record("x.One", "openai/b", "fail"), score=0.2),
        record("x.One", "openai/c", "error"),
    ]
    (found,) = judged_tests(grid(*records))
    assert found.found.means == {"openai/a": 0.8, "openai/b": 0.2}


def test_models_stand_on_each_tier():
    records = [
        record(f"x.{tier}{n}", "openai/a", "pass" if n < passed else "fail", tags=(tier, "code"))
        for tier, passed in (("easy", 4), ("hard", 1))
        for n in range(4)
    ]
    table = standings(grid(*records))
    assert table.columns == ("model", "easy", "hard")
    assert [(cell.value, cell.text) for cell in table.rows[0][1:]] == [
        (1.0, "100% (4/4)"),
        (0.25, "25% (1/4)"),
    ]
    assert standings(grid(record("x.One", "openai/a", "pass"))) is None


def test_models_by_tier_stand_with_the_models(tmp_path):
    records = [
        dataclasses.replace(record("x.One", "openai/a", outcome, tags=("easy",)), test=f"x.{outcome}")
        for outcome in ("pass", "fail")
    ]
    versions = Table("Versions", ("a",), (("b",),))
    write_report(records, tmp_path, images=tmp_path, root=tmp_path, tables=[versions])
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert page.index(">Models by tier<") < page.index('id="results"') < page.index(">Versions<")
    assert page.count(">Models by tier<") == 1 and "or until then what the test" in page


def test_the_report_has_the_page_and_links_to_it(tmp_path):
    records = [record("x.One", f"openai/{name}", outcome) for name, outcome in (("a", "pass"), ("b", "fail"))]
    written(records, tmp_path)
    page = (tmp_path / "pages" / FILE).read_text(encoding="utf-8")
    assert "tells apart" in page and "x.One" in page and 'href="../cells/' in page
    assert ">tier<" not in page, "a column of tests that have none would be empty"
    assert f'href="pages/{FILE}"' in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_one_model_has_no_such_page(tmp_path):
    written([record("x.One", "openai/a", "pass")], tmp_path)
    assert not (tmp_path / "pages" / FILE).exists()
    assert FILE not in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_a_hostile_model_name_is_text(tmp_path):
    names = "<img src=x onerror=alert(1)>", "openai/b"
    written([record("x.<b>", name, "pass") for name in names], tmp_path)
    page = (tmp_path / "pages" / FILE).read_text(encoding="utf-8")
    assert "<img" not in page and "<b>" not in page.replace("<b>Assay", "")
