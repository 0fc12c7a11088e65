"""The leaderboard's formulas, against figures of the published table."""

import json
from dataclasses import replace

import pytest

from assay.errors import ConfigError
from tests.euler.facts import participants, problems
from tests.euler.leaderboard import Row, as_json, billions, bits_of, ranked, read_rows
from tests.euler.series import Series, series_score

# model, parameters (10^9), bits, then PE-Bench-100 in Python, Java, Rust, Clojure; as published
PUBLISHED = [
    ("DeepSeek-V3", 671.0, 16.0, 15.58, 16.95, 12.16, 5.92, "1342.00", "1"),
    ("GPT-4o", None, 16.0, 15.05, 13.87, 14.57, 8.24, "", ""),
    ("GPT-o1-Mini", None, 16.0, 11.3, None, None, None, "", ""),
    ("athene-v2:latest", 72.7, 4.0, 12.36, 11.14, 6.55, 1.62, "36.35", "25"),
    ("athene-v2:72b-q8_0", 72.7, 8.0, 12.7, 10.15, 5.55, 3.32, "", "13"),
    ("qwen2.5:72b-instruct-q4_K_M", 72.7, 4.0, 13.35, 9.1, 5.97, 2.46, "36.35", "24"),  # a tie in memory
    ("Sky-T1-32B-Preview", 32.8, 4.0, 9.85, 11.67, 7.25, 2.89, "16.40", "54"),
    ("deepseek-coder:33b-instruct-q4_K_M", 33.0, 4.0, 7.79, 10.72, 0.0, 3.03, "", "40"),  # 0 counts
    ("qwen2.5-coder:14b-instruct-q8_0", 14.8, 8.0, 9.7, 7.35, 4.55, 0.95, "14.80", "45"),
    ("phi4:14b", 14.7, 4.0, 9.26, 6.91, 3.14, 0.84, "7.35", "82"),
    ("yi-coder:9b-chat-q4_K_M", 8.8, 4.0, 5.87, 6.04, 5.76, 0.34, "4.40", "113"),
    ("qwen2.5:7b-instruct-q4_K_M", 7.6, 4.0, 6.81, 2.67, 1.86, 0.49, "3.80", "93"),
    ("qwen2.5-coder:3b-instruct-q4_K_M", 3.1, 4.0, 4.39, 2.51, 1.53, 0.03, "1.55", "165"),
]  # fmt: skip


def row(values):
    model, parameters, bits, *scores = values[:7]
    return Row(
        model, parameters, bits, scores=dict(zip(("python", "java", "rust", "clojure"), scores, strict=True))
    )


def test_the_published_rows_come_out_as_published():
    found = ranked(map(row, reversed(PUBLISHED)))
    assert [(r.row.model, r.printed_best, r.printed_eco) for r in found] == [
        (values[0], values[7], values[8]) for values in PUBLISHED
    ]


def test_a_language_without_a_score_drops_out_of_both_sums():
    assert Row("m", scores={"python": 3.0, "rust": 6.0}).mean == 4.0
    assert Row("m", scores={"python": 3.0, "java": 0.0, "rust": 6.0, "clojure": None}).mean == 12 / 5
    assert Row("m").mean is None


def test_the_newer_formula_counts_a_missing_language_as_nothing():
    one = Row("m", 10.0, 4.0, scores={"python": 5.0, "java": 4.0, "rust": 3.33})
    assert one.newer_score == round((20 + 12 + 6.66) / 10, 2) == 3.87
    assert one.newer_memory == 7.5 and one.newer_eco == pytest.approx(51.6)
    assert replace(one, bits=8.0).newer_memory == 11.0 and replace(one, bits=16.0).newer_memory == 20.0
    assert replace(one, parameters=None).newer_eco is None


def test_unknown_memory_is_always_blank_and_hides_nothing():
    found = ranked(
        [
            Row("a", scores={"python": 9}),
            Row("b", 8, 4, scores={"python": 5}),
            Row("c", 9, 4, scores={"python": 4}),
        ]
    )
    assert [each.printed_best for each in found] == ["", "4.00", ""]
    assert [each.printed_eco for each in found] == ["", "125", "89"]
    assert ranked([Row("no score", 1, 4), Row("a", scores={"python": 0.0})])[0].row.model == "a"


def test_sizes_as_servers_write_them():
    assert [billions(text) for text in ("8.0B", "72.7b", "494.03M", "1.0T", "8x22B", "big", "")] == [
        8.0, 72.7, 0.49403, 1000.0, 176.0, None, None,
    ]  # fmt: skip
    names = ("Q4_0", "q8_0", "IQ2_XXS", "F16", "F32", "MXFP4", "8bit", "", "fast")
    assert [bits_of(name) for name in names] == [4, 8, 2, 16, 32, 4, 8, None, None]


def test_rows_are_read_and_told_what_is_wrong(tmp_path, capsys):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{"model": "m", "params": 2, "bits": 4, "python": 1.5, "note": "kept out"}]))
    (only,) = ranked(read_rows(path))
    assert "row 1: note is left out" in capsys.readouterr().err
    path.write_text(json.dumps([{"model": "m", "parameters": 2, "bits": 4, "python": 1.5, "params": 2}]))
    (only,) = ranked(read_rows(path))
    assert (
        "parameters is left out; it is not a column of the leaderboard. Did you mean params?"
        in capsys.readouterr().err
    )
    assert as_json([only])[0] | {"W": 1.5, "eco": "150", "best": "1.00", "java": None} == as_json([only])[0]
    for text, said in (
        ("[", "not JSON"),
        ("{}", "a list of objects"),
        ('[{"params": 1}]', "row 1: needs a model"),
        ('[{"model": "m", "python": "3"}]', "python must be a number"),
        ('[{"model": "m", "bits": true}]', "bits must be a number"),
        ('[{"model": "m", "java": -1}]', "java must be a number"),
    ):
        path.write_text(text)
        with pytest.raises(ConfigError, match=said):
            read_rows(path)
    with pytest.raises(ConfigError, match="No such file"):
        read_rows(tmp_path / "none.json")


def test_the_maxima_of_the_series():
    known = problems()
    assert participants() == 1325386 and known[1].solved_by == 1017252
    assert series_score((known[n].points for n in range(1, 101)), 100) == 32.07
    assert series_score((known[n].points for n in range(1, 201)), 200) == 172.03
    assert known[1].points == 1325386 / 1017252 and round(known[1].percentage_solved, 1) == 76.8
    assert known[59].answer == "129448" and known[33].answer == "100"


def test_the_mean_participant_scores_one_on_any_problem():
    for problem in list(problems().values())[:50]:
        assert problem.solved_by / participants() * problem.points == pytest.approx(1)


def test_a_series_is_over_the_problems_that_have_a_verdict():
    known = problems()
    one = Series("m", "python", 100, {1: 1.0, 2: 0.0, 3: 0.5})
    assert one.score(known) == round((known[1].points + known[3].points / 2) / 3, 2)
    assert not one.complete and Series("m", "python", 100).score(known) is None
