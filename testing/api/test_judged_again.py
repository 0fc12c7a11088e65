"""Saved results are loaded, and judged again, from Python."""

import json
import pickle

import pytest

import assay
import assay.api
from assay.cli.main import main
from assay.errors import ConfigError
from assay.results import run_notes
from testing.api.asking import question


def test_a_test_that_was_renamed_is_told_before_it_runs_again(place, capsys):
    asks = {name: question(f"Which {name}?") for name in ("one", "two", "three")}
    assay.run(asks, models="local/m")
    asks["zwei"] = asks.pop("two")
    capsys.readouterr()
    assert len(assay.run({"zwei": asks["zwei"], "one": asks["one"]}, models="local/m", resume=True)) == 4
    err = capsys.readouterr().err
    said = "1 test to run asks and checks the same as one done before under another name (notebook.zwei as "
    assert f"{said}notebook.two)" in err and err.index(said) < err.index("1/1 trials")
    asks["drei"] = question("Which four?")
    assay.run(asks, models="local/m", resume=True)
    assert "another name" not in capsys.readouterr().err


def test_results_are_loaded_from_where_they_were_saved(place, tmp_path, monkeypatch):
    monkeypatch.setattr("assay.api.home", lambda: place.folder)
    saved = assay.run({"a": question()}, models=["local/m"])
    monkeypatch.chdir(tmp_path)
    assert len(assay.load()) == len(saved) == 1


def test_loaded_results_say_what_a_stopped_run_lacks(place, capsys):
    asks = question()
    saved = assay.run(asks, models=["local/m", "local/other"])
    (file,) = [path for path in saved.files if "other" in path.parent.name]
    run_notes.begin(file, 30)
    results, lacking = assay.load("results"), "the last run of local/other is not finished: 29 of 30"
    (problem,) = results.problems
    assert problem.startswith(lacking) and lacking in capsys.readouterr().err
    page = results.report("report").read_text()
    found = results.compare("local/m", "local/other"), assay.compare("local/m", assay.load(file))
    for shown in (repr(results), results._repr_html_(), page, *map(repr, found)):
        assert lacking in shown
    assert [each.data["warnings"] for each in found] == [[problem]] * 2
    assert capsys.readouterr().err.count(lacking) == 1, "of the results that were loaded anew"
    assert not assay.load("results/no-commit/local__m").unfinished


def test_results_that_are_judged_again_lack_what_the_stopped_run_lacks(place):
    asks = {f"t{number}": question(f"number {number}") for number in range(20)}
    saved = assay.run(asks, models="local/m", max_tokens=20, max_connections=1)
    (problem,) = assay.rescore(assay.load("results"), asks).problems
    missing = f"the last run of local/m is not finished: {20 - len(saved)} of 20 trials are missing"
    assert problem.startswith(missing) and problem.endswith(", and rescore again")
    assert assay.load("results/rescored").problems == (problem,)
    assay.run(asks, models="local/m", resume=True)
    assert assay.load("results/rescored").problems == (problem,), "which has not been judged again"
    assert not assay.rescore(assay.load("results"), asks).problems
    assert not assay.load("results/rescored").problems


def test_results_are_loaded_and_judged_again(place):
    place.test_file("some", 'TestOne = "1?" >> LLMRun() >> SubstringEvaluator("43")\n')
    assay.run(place.tests, models="local/m")
    loaded = assay.load("results")
    assert [record.outcome.value for record in loaded.records] == ["fail"]
    place.test_file("some", 'TestOne = "1?" >> LLMRun() >> SubstringEvaluator("42")\n')
    again = assay.rescore(loaded)
    assert [record.outcome.value for record in again.records] == ["pass"]
    for shown in (repr(again), repr(assay.load("results/rescored")), again._repr_html_()):
        places = [shown.find(text) for text in ("1 of 1 verdict changed", "Verdicts that changed", "1/1")]
        assert places == sorted(places) and -1 not in places
    assert "changed" not in repr(loaded)
    assert len(assay.load(loaded.files[0])) == 1
    assay.run(place.tests, models="local/m")
    twice = assay.load("results")
    again = assay.rescore(twice)
    assert (len(twice.files), len(again), len(again.records)) == (2, 1, 1), "the newest of all runs"
    report = twice.workspace.report
    for each in (again, assay.load("results/rescored")):
        assert each.workspace.report == report / "rescored", "the report of the runs is not replaced"
    assert assay.rescore(twice, report_dir="mine").workspace.report.name == "mine"
    with pytest.raises(ConfigError):
        assay.load("nowhere")
    with pytest.raises(ConfigError, match="path must be the path of a file or folder, not ''"):
        assay.load("")


def test_results_of_files_that_were_run_here_are_judged_by_the_files_of_now(place):
    one = 'TestOne = "1?" >> LLMRun() >> SubstringEvaluator("%s")\n'
    place.test_file("some", one % 43)
    place.test_file("rows", f"TestMany = Rows([{{'n': 1}}]) >> {one[10:].replace('1?', '<n>?')}" % 43)
    own, rows = question("Mine?", "43"), assay.Rows([{"n": 1}]) >> question("<n>", "43")
    results = assay.run({"own": own, "rows": rows, "some": place.tests}, models="local/m")
    for name in ("some", "rows"):
        file = place.tests / f"{name}.py"
        file.write_text(file.read_text().replace("43", "42"))
    again = assay.rescore(results)
    assert {each.test: each.outcome.value for each in again.records} == {
        "some.TestOne": "pass", "rows.TestMany[1]": "pass",
        "notebook.own": "fail", "notebook.rows[1]": "fail",
    }  # fmt: skip
    (place.tests / "some.py").unlink()
    assert len(again := assay.rescore(again)) == 3


def test_what_is_said_of_results_is_among_their_problems(place, capsys):
    for name in ("some", "other", "third"):
        place.test_file(name, f'TestOne = "{name}?" >> LLMRun() >> SubstringEvaluator("42")\n')
    saved = assay.run(place.tests, models="local/m")
    (file,) = saved.files
    first, rest = file.read_text().split("\n", 1)
    file.write_text("\n".join([first, rest.replace('"python":"', '"python":"1.')]))
    loaded = assay.load("results")
    (differ,) = loaded.problems
    assert differ.startswith("suite applied: not all verdicts were made with the same versions: python")
    (place.tests / "some.py").unlink()
    place.test_file("other", 'TestOne = "?" >> LLMRun() >> nothing\n')
    capsys.readouterr()
    again = assay.rescore(loaded)
    error, gone, broken = again.problems
    assert error.startswith("error: t/other.py:2:") and "nothing" in error
    assert gone.startswith("local/m: 1 saved trial left out because its test no longer exists: some.TestOne")
    assert broken.startswith(
        "local/m: 1 saved trial left out because its test cannot be loaded: other.TestOne"
    )
    assert gone in repr(again)
    err = capsys.readouterr().err
    assert [err.count(each.split("\n")[0]) for each in again.problems] == [1, 1, 1]


def test_results_of_nodes_are_judged_again(place):
    how_much = question(wanted="43")
    results = assay.run(how_much, models="local/m")
    again = assay.rescore(results)
    assert [record.outcome.value for record in again.records] == ["fail"] and again.models == ("local/m",)
    how_much = question(wanted="42")
    assert [record.outcome.value for record in assay.rescore(results, how_much).records] == ["pass"]
    _, err = place.main("--rescore", "local/m", code=1)
    assert "1 saved trial left out because its test was given from Python" in err
    assert "notebook.how_much (in Python: assay.rescore(results, tests))" in err
    loaded = assay.load("results")
    with pytest.raises(ConfigError, match=r"notebook\.how_much is not in a test file: give the tests"):
        assay.rescore(loaded)
    assert [each.outcome.value for each in assay.rescore(loaded, {"how_much": how_much}).records] == ["pass"]


@pytest.mark.parametrize("wanted", ["42", "43"])
def test_a_test_that_was_renamed_is_judged_again_under_its_new_name(place, capsys, wanted):
    """By what it asks and checks, or if it checks something else now, by what it asks."""
    place.test_file("some", 'TestOld = "1?" >> LLMRun() >> SubstringEvaluator("42")\n')
    assay.run(place.tests, models="local/m")
    new = f'TestNew = "1?" >> LLMRun() >> SubstringEvaluator("{wanted}")\n'
    place.test_file("some", new + 'TestOther = "2?" >> LLMRun() >> SubstringEvaluator("42")\n')
    (record,) = assay.rescore(assay.load("results")).records
    assert (record.test, record.outcome.value) == ("some.TestNew", "pass" if wanted == "42" else "fail")
    assert "1 test found under another name, by what it asks: some.TestOld is now some.TestNew" in (
        capsys.readouterr().err
    )


SUMS = """
from assay.suites.suite import Sample, Suite
from evaluator import *

class Sums(Suite):
    name, conditions = "sums", ("seed",)
    def flags(self, parser): parser.add_argument("--seed", type=int, default=7)
    def samples(self, options):
        for n in 1, 2:
            asks = f"{n} + {options.seed}?" >> LLMRun()
            yield Sample(f"sums.old{n}", asks >> SubstringEvaluator("42"))

SUITE = Sums
"""


def test_a_suites_sample_that_was_renamed_is_judged_again_under_its_new_id(place, capsys):
    place.test_file("some", 'TestSome = "0?" >> LLMRun() >> SubstringEvaluator("42")\n')
    (place.tests / "sums").mkdir()
    suite = place.tests / "sums" / "suite.py"
    suite.write_text(SUMS)
    assay.run([place.tests / "some.py", place.tests / "sums"], models="local/m", seed=40)
    suite.write_text(SUMS.replace("old", "new"))
    again = assay.rescore(assay.load("results"))
    assert {(each.test, each.outcome.value, each.conditions.get("seed")) for each in again.records} == {
        ("sums.new1", "pass", 40), ("sums.new2", "pass", 40), ("some.TestSome", "pass", None),
    }  # fmt: skip
    assert "2 tests found under another name, by what it asks: sums.old1 is now sums.new1" in (
        capsys.readouterr().err
    )


def test_a_suite_that_is_in_another_folder_is_judged_again_without_tests_beside_it(place, capsys):
    (folder := place.folder / "mine" / "sums").mkdir(parents=True)
    (folder / "suite.py").write_text(SUMS)
    assay.run(folder, models="local/m", seed=40)
    again = assay.rescore(assay.load("results"))
    assert {(each.test, each.source) for each in again.records} == {
        ("sums.old1", "mine/sums/suite.py"), ("sums.old2", "mine/sums/suite.py"),
    }  # fmt: skip
    assert "sums.old1" in repr(again) and "suite sums" not in capsys.readouterr().err


NEAR = """
from assay.suites.suite import Sample, Suite
from evaluator import *

class Near(Suite):
    name, conditions = "near", ("tolerance",)
    def flags(self, parser): parser.add_argument("--tolerance", type=int, default=0)
    def samples(self, options):
        for goal in 40, 42:
            check = SubstringEvaluator("42" if abs(goal - 42) <= options.tolerance else str(goal))
            yield Sample(f"near.n{goal}", f"{goal}?" >> LLMRun() >> check)

SUITE = Near
"""


@pytest.fixture
def near(place):
    """Results of a suite with a tolerance of 2, with which both of its tests pass."""
    (place.tests / "near").mkdir()
    (place.tests / "near" / "suite.py").write_text(NEAR)
    return assay.run(place.tests / "near", models="local/m", tolerance=2)


def told(results):
    return {(each.conditions["tolerance"], each.outcome.value) for each in results.records}


@pytest.mark.parametrize(
    ("words", "usual"), [("--suite near --tolerance 0", 0), ("--test near.n* --tolerance=1", 1)]
)
def test_a_suites_flag_that_is_given_wins_also_with_its_usual_value(place, near, words, usual):
    config = json.loads((place.folder / "config.json").read_text())
    (place.folder / "config.json").write_text(
        json.dumps({**config, "suites": {"near": {"tolerance": usual}}})
    )
    flags = ["--tests", "t", "--config", "config.json", "--logdir", "results"]
    assert main(["rescore", "last", *words.split(), *flags], place.folder) == 0
    again = "results/rescored/*/local__m/run-{}.jsonl".format
    assert told(assay.load(next(place.folder.glob(again(1))))) == {(usual, "fail"), (usual, "pass")}
    assert main(["rescore", "last", "--suite", "near", *flags], place.folder) == 0
    assert told(assay.load(next(place.folder.glob(again(2))))) == {(2, "pass")}, "as the records tell"


def test_a_suites_flag_from_python_does_what_it_does_for_the_command(place, near):
    suite = place.tests / "near"
    for which in ({}, {"suite": "near"}, {"tests": suite}, {"tests": suite, "suite": ["near"]}):
        for results in (near, assay.load("results")):
            assert told(assay.rescore(results, tolerance=0, **which)) == {(0, "fail"), (0, "pass")}, which
            assert told(assay.rescore(results, model="local/m", **which)) == {(2, "pass")}, which


def test_trials_under_other_conditions_are_left_out_unless_a_flag_makes_them_alike(place, near):
    assay.run(place.tests / "near", models="local/m", tolerance=1, test="near.n42")
    again = assay.rescore(assay.load("results"))
    assert told(again) == {(1, "pass")} and len(again) == 1
    (said,) = again.problems
    assert said.startswith("2 results of suite near by local/m are left out") and "(tolerance 1)" in said
    again = assay.rescore(assay.load("results"), tolerance=0)
    assert told(again) == {(0, "fail"), (0, "pass")} and not again.problems
    assert told(assay.rescore(assay.load("results"), test="near.n40")) == {(2, "pass")}


def test_results_are_loaded_under_conditions(place, near, capsys):
    suite = place.tests / "near"
    assay.run({"one": question("Which one?")}, models="local/m")
    assay.run(suite, models=["local/m", "local/other"], tolerance=0)
    assert told(assay.load(suite="near")) == {(0, "fail"), (0, "pass")}, "of the newest verdicts"
    capsys.readouterr()
    older = assay.load(suite="near", tolerance="2")
    assert told(older) == {(2, "pass")} and len(older) == len(older.df) == 2 and not older.problems
    assert {*older.df.model} == {"local/m"} and capsys.readouterr().err == ""
    assert len(assay.load(suite="tests")) == 1 and len(assay.load(tolerance=2)) == 3
    again = assay.rescore(older)
    assert told(again) == {(2, "pass")} and len(again) == 2 and not again.problems
    assert told(assay.rescore(older, tolerance=0)) == {(0, "fail"), (0, "pass")}
    assert {each.conditions["tolerance"] for each in older.as_side("older").records} == {2}
    assert pickle.dumps(older)


def test_conditions_without_saved_results_are_told(place, near):
    with pytest.raises(
        ConfigError, match="of suite near are under tolerance 1; there are some under toleran"
    ):
        assay.load(tolerance=1)
    with pytest.raises(
        TypeError, match=r"no condition 'toleranze'\. Did you mean tolerance\? \(.*: tolerance"
    ):
        assay.load(toleranze=2)
    with pytest.raises(ConfigError, match=r"of suite 'nera'\. Did you mean near\? There are results of near"):
        assay.load(suite="nera", tolerance=2)


def test_arguments_of_rescore_that_nothing_takes_are_refused(place, near):
    with pytest.raises(TypeError, match=r"'toleranze'\. Did you mean tolerance\?"):
        assay.rescore(near, toleranze=2)
    with pytest.raises(TypeError, match=r"'bogus'\.$"):
        assay.rescore(near, bogus=1, tolerance=2)
    with pytest.raises(TypeError, match=r"'suit'\. Did you mean suite\?"):
        assay.rescore(near, suit="near")
    with pytest.raises(ConfigError, match=r"unknown suite 'nera'\. Did you mean near\?"):
        assay.rescore(near, suite="nera")
    with pytest.raises(ConfigError, match="no saved trial matches"):
        assay.rescore(near, model="local/other")
    assert not (place.folder / "results" / "rescored").exists()


@pytest.mark.parametrize("by", ["assay.run", "the command"])
def test_a_suite_whose_samples_have_a_source_of_their_own_is_found_where_it_ran(place, capsys, by):
    (folder := place.folder / "mine" / "sums").mkdir(parents=True)
    (folder / "suite.py").write_text(SUMS.replace('("42"))', '("42"), source="rows.csv")'))
    (place.folder / "rows.csv").touch()
    if by == "assay.run":
        ran = assay.run(folder, models="local/m")
    else:
        flags = ["run", "mine/sums", "--model", "local/m", "--config", "config.json", "--logdir", "results"]
        assert main(flags, place.folder) == 0
        ran = assay.load("results")
    assert {each.source for each in assay.rescore(ran).records} == {"rows.csv"}
    assert "suite sums" not in capsys.readouterr().err


def test_a_renamed_test_is_known_whoever_ran_it_under_its_new_name(place):
    place.test_file("some", 'TestOld = "1?" >> LLMRun() >> SubstringEvaluator("42")\n')
    assay.run(place.tests, models="local/m")
    place.test_file("some", 'TestNew = "1?" >> LLMRun() >> SubstringEvaluator("43")\n')
    assay.run(place.tests, models="local/other")
    again = assay.rescore(assay.load("results"))
    assert {(each.model, each.test) for each in again.records} == {
        ("local/m", "some.TestNew"),
        ("local/other", "some.TestNew"),
    }
    assert again.compare("local/m", "local/other").data["difference"]["tests"] == 1


def test_only_the_tests_that_are_named_are_rescored(place, capsys):
    for name in ("one", "two"):
        place.test_file(name, f'Test = "{name}?" >> LLMRun() >> SubstringEvaluator("42")\n')
    results = assay.run(place.tests, models="local/m")
    assay.run(place.tests / "two.py", models="local/n", logdir=results.workspace.results.root)
    capsys.readouterr()
    again = assay.rescore(assay.load(results.workspace.results.root), place.tests / "one.py")
    assert [(record.test, record.model) for record in again.records] == [("one.Test", "local/m")]
    assert "judging 1 saved trial again" in (said := capsys.readouterr().err) and "judging 0" not in said


def test_a_test_from_python_may_have_another_name(place):
    results = assay.run({"old": question()}, models="local/m")
    (record,) = assay.rescore(results, {"other": question("Why?"), "new": question()}).records
    assert record.test == "notebook.new" and record.outcome.value == "pass"
    with pytest.raises(ConfigError, match=r"notebook\.old is not in a test file"):  # which of the two?
        assay.rescore(results, {"one": question(), "two": question()})


def test_a_name_that_is_used_again_is_another_test(place, capsys):
    how_much = question(wanted="43")
    first = assay.run(how_much, models="local/m")
    how_much = question(wanted="42")
    second = assay.run(how_much, models="local/m", resume=True)
    assert [record.outcome.value for record in second.records] == ["pass"]
    assert first.files == second.files
    said = capsys.readouterr().err
    assert "1 trial done before was made by an earlier version of its test and is run again" in said
    assert "no trial had finished" not in said
    (problem,) = assay.load("results").problems
    assert problem.startswith(
        "1 earlier result of suite tests by local/m does not count: its test was changed"
    )
    again = assay.run(how_much, models="local/m", resume=True)
    assert len(again.files[0].read_text().splitlines()) == 2
