"""Tests are run from Python as by the command: real calls to a local server, records that --resume takes."""

import asyncio
import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path

import pandas
import pytest

import assay
import assay.api
import evaluator
from assay.cli.arguments import read
from assay.errors import ConfigError, StoreError, TestFileError
from assay.results import unfinished
from testing.harness.commanding import ROOT, Workspace
from testing.model_server import ModelServer


@pytest.fixture
def place(tmp_path, monkeypatch):
    with ModelServer(reply=lambda asked: "the answer is 42") as server:
        work = Workspace(tmp_path / "w", server)
        monkeypatch.chdir(work.folder)
        monkeypatch.setenv("GIT_DIR", str(tmp_path / "no git"))
        work.server = server
        yield work


def question(text="How much?", wanted="42"):
    return text >> assay.LLMRun() >> assay.SubstringEvaluator(wanted)


def test_a_node_is_run_and_named_by_its_variable(place):
    how_much = question()
    results = assay.run(how_much, models="local/m", times=3)
    assert [record.test for record in results.records] == ["notebook.how_much"] * 3
    assert {record.outcome.value for record in results.records} == {"pass"}
    assert len(results) == 3
    assert "local/m" in repr(results)


def test_expressions_and_rows_are_called_tests_and_are_resumed_as_before(place):
    how_much = question()
    results = assay.run([how_much], models="local/m")
    assert set(results.df.suite) == {"tests"}
    page = results.report("report").read_text()
    assert ">tests <small>1 test</small>" in page and "applied" not in page
    (file,) = results.files
    assert '"suite":"applied"' in file.read_text(), "by which earlier results are found"
    again = assay.run([how_much], models="local/m", resume=True)
    assert len(again) == 1 and place.server.stats()["requests"] == 1


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


def test_a_report_that_cannot_be_written_says_what_to_call(place):
    results = assay.run(question(), models="local/m")
    Path("taken.csv").write_text("a")
    with pytest.raises(
        StoreError, match=r"File exists.* safe; results\.report\(FOLDER\) writes it elsewhere$"
    ):
        results.report("taken.csv")
    Path("index.html").write_text("mine")
    with pytest.raises(StoreError, match=r"another folder for the report \(results\.report\(FOLDER\)\)"):
        results.report(".")
    with pytest.raises(StoreError, match=r"another folder for the report \(report_dir\)"):
        assay.run(question(), models="local/m", report=True, report_dir=".")


def test_a_test_of_a_file_is_the_same_test_in_a_notebook(place):
    place.test_file("much", "TestMuch = 'How much?' >> LLMRun() >> SubstringEvaluator('42')\n")
    how_much = question()
    assay.run([place.tests / "much.py", how_much], models="local/m")
    results = assay.load("results")
    assert len(results) == 2 and "1/1" in repr(results.tables()[0]) and list(results.rates().tests) == [1]
    assert "much.TestMuch is notebook.how_much" in results.tables()[0].note
    (problem,) = results.problems
    assert len(results.df) == 2 and problem.startswith(
        "1 test asks and checks the same as another (notebook.how_much as much.TestMuch): rates and"
    )


def test_a_notebooks_own_names_for_what_it_showed_are_passed_over(place):
    kept = question()
    _2 = kept
    assert assay.run(kept, models="local/m").records[0].test == "notebook.kept"


def test_results_in_a_notebook_are_one_table_not_pieces(place, monkeypatch):
    shown = []
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr("rich.jupyter.display", lambda *args: shown.append(args))
    results = assay.run({"a": question(), "b": question("Why?", "no")}, models=["local/m", "local/n"])
    assert "local/m" in repr(results)
    assert "local/n" in repr(results.compare("local/m", "local/n"))
    assert not shown
    assert "<table>" in results._repr_html_()
    assert "href" not in results._repr_html_()
    results.report("report")
    pages = re.findall('href="(.*?)"', results._repr_html_())
    assert len(pages) == 4
    assert all((place.folder / page).is_file() for page in pages)


def test_a_long_table_is_shown_in_part(place):
    results = assay.run(
        (question(f"number {n}") for n in range(120)), models=assay.model(lambda _: "42", "m")
    )
    assert "20 more" in repr(results)
    assert results._repr_html_().count("notebook.test") == 100
    assert len(results.df) == 120


def test_rows_print_as_the_expression_that_they_are():
    rows = assay.Rows("qa.csv", id="name") >> "What is <n>?" >> assay.LLMRun()
    assert repr(rows).startswith("Rows('")
    assert repr(rows).endswith("""qa.csv', id='name') >> 'What is <n>?' >> LLMRun()""")
    assert repr(assay.Rows([{"n": 1}], description="Sums")) == "Rows([{'n': 1}], description='Sums')"


def test_a_dict_and_a_generator_name_their_tests(place):
    results = assay.run({"right": question(), "wrong": question(wanted="43")}, models=["local/m"])
    assert {record.test: record.outcome.value for record in results.records} == {
        "notebook.right": "pass",
        "notebook.wrong": "fail",
    }
    again = assay.run((question(f"number {n}") for n in range(2)), models=["local/m"])
    assert [record.test for record in again.records] == ["notebook.test1", "notebook.test2"]


def test_rows_are_so_many_tests(place):
    sums = assay.Rows([{"n": 1, "is": "42"}, {"n": 2, "is": "43"}]) >> "<n>?"
    sums = sums >> assay.LLMRun() >> assay.SubstringEvaluator("<is>")
    found = {record.test: record.outcome.value for record in assay.run(sums, models="local/m").records}
    assert found == {"notebook.sums[1]": "pass", "notebook.sums[2]": "fail"}


def test_models_and_tests_keep_the_order_in_which_they_were_given(place):
    sums = assay.Rows([{"n": n} for n in "zba"], id="n") >> "<n>?" >> assay.LLMRun()
    results = assay.run(sums >> assay.SubstringEvaluator("42"), models=["local/z", "local/a"])
    keys = [f"notebook.test1[{n}]" for n in "zba"]
    assert list(results.df.test.cat.categories) == keys
    assert list(results.df.groupby("model", observed=True).size().index) == ["local/z", "local/a"]
    rates = results.rates(dict.fromkeys(keys[:1], "level 10") | dict.fromkeys(keys[1:], "level 9"))
    wide = rates.pivot(index="group", columns="model", values="rate")
    assert list(wide.columns) == ["local/z", "local/a"] and list(wide.index) == ["level 9", "level 10"]
    assert list(results.rates().model) == ["local/z", "local/a"]
    (tests,) = (table for table in results.tables() if table.title == "Tests")
    assert [row[0] for row in tests.rows] == keys and tests.columns == ("test", "local/a", "local/z")
    assert list(assay.load("results").rates().model) == ["local/a", "local/z"], "nobody knows it any more"


def test_rows_are_columns_of_the_results(place):
    rows = [
        {"n": 1, "is": "42", "kind": "odd", "less": "-1", "code": "007"},
        {"n": 2, "is": "43", "kind": "=x", "less": "", "code": "8", "long": "l" * 301, "of": [1]},
    ]
    sums = assay.Rows(rows) >> "<n>?" >> assay.LLMRun() >> assay.SubstringEvaluator("<is>")
    results = assay.run([sums, question()], models="local/m", export=["csv=t.csv", "parquet=t.parquet"])
    frame = results.df.sort_values("row_n")
    assert frame.row_n.tolist()[:2] == [1, 2] and frame.row_kind.tolist()[:2] == ["odd", "=x"]
    assert frame[["row_n", "row_kind"]].isna().to_numpy().tolist()[2] == [True, True]
    assert not {"row_long", "row_of"} & {*frame.columns} and all("row" not in each for each in frame.extra)
    with (place.folder / "t.csv").open() as file:
        table = list(csv.DictReader(file))
    assert sorted((row["row_n"], row["row_kind"]) for row in table) == [("", ""), ("1", "odd"), ("2", "'=x")]
    assert sorted(row["row_less"] for row in table) == ["", "", "-1"]
    file = pandas.read_parquet(place.folder / "t.parquet")
    assert sorted(file.row_kind.fillna("")) == ["", "=x", "odd"]
    for its in (frame, file):
        assert (its.row_is.mean(), its.row_less.sum()) == (42.5, -1)
        assert sorted(its.row_code.dropna()) == ["007", "8"]
    assert (assay.load(place.folder / "results").df.row_kind == "odd").sum() == 1


def test_the_frame_has_a_row_for_each_trial(place):
    frame = assay.run({"a": question(), "b": question("Why?", "no")}, models=["local/m", "local/n"]).df
    assert len(frame) == 4
    asked = frame[(frame.test == "notebook.a") & (frame.model == "local/m")].iloc[0]
    assert (asked.outcome, asked.prompt, asked.reply) == ("pass", "How much?", "the answer is 42")
    assert asked.tokens > 0


def test_rates_by_a_column_of_the_rows_are_those_of_the_tables(place):
    rows = [
        {"id": n, "kind": kind, "is": wanted}
        for n, kind, wanted in (
            ("a", "easy", "42"),
            ("b", "easy", "42"),
            ("c", "hard", "43"),
            ("d", "hard", "42"),
        )
    ]
    sums = assay.Rows(rows, id="id") >> "<id>?" >> assay.LLMRun() >> assay.SubstringEvaluator("<is>")
    results = assay.run(sums, models=["local/m", "local/n"], times=3)
    found = results.rates(sums.column("kind")).set_index(["group", "model"])
    assert list(found.index.get_level_values(0)) == ["easy", "easy", "hard", "hard"]
    assert results.rates("kind").set_index(["group", "model"]).equals(found)
    assert assay.load("results").rates("row_kind").set_index(["group", "model"]).loc["easy"].rate.min() == 1
    with pytest.raises(ConfigError, match=r"the columns of the rows are id, kind, is\. Did you mean kind\?"):
        results.rates("kinds")
    easy, hard = found.loc[("easy", "local/m")], found.loc[("hard", "local/m")]
    assert (easy.tests, easy.passed, easy.counted, easy.rate, easy.high) == (2, 6, 6, 1, 1)
    assert (hard.passed, hard.counted, hard.rate) == (3, 6, 0.5) and hard.low < 0.2
    (whole,) = results.rates().query("model == 'local/m'").itertuples()
    total = results._grid.totals["local/m"]
    assert (whole.tests, whole.rate, whole.low, whole.high) == (4, total.rate, *total.interval)
    assert len(results.rates({"notebook.sums[c]": "one"})) == 2
    with pytest.raises(ConfigError, match="no test is in a group"):
        results.rates({"e": "easy"})


def test_two_models_are_compared_and_reported(place):
    models = ["local/m", "local/n", "local/p"]
    results = assay.run({"a": question(), "b": question("Why?")}, models=models)
    found = results.compare("local/m", "local/n")
    assert found.data
    assert "local/n" in repr(found)
    assert "local/p" not in repr(found)
    with pytest.raises(ConfigError, match="local/o"):
        results.compare("local/m", "local/o")
    index = results.report("report")
    assert "notebook" in index.read_text()


def test_a_comparison_has_its_numbers_as_attributes(place):
    tests = {f"t{number}": question(f"number {number}") for number in range(8)}
    right, wrong = (assay.model(lambda messages, word=word: word, word) for word in ("42", "no"))
    results = assay.run(tests, models=[right, wrong])
    found = results.compare("42", "no")
    assert (found.verdict, found.difference) == ("better", 1.0)
    assert found.p == found.p_holm == pytest.approx(2 / 2**8)
    low, high = found.interval
    assert 0 < low < high == 1.0
    assert results.compare("no", "42").verdict == "worse"


def test_a_misspelt_name_tag_or_tier_is_an_error_as_in_the_command(place):
    (place.folder / "few.py").write_text(
        "from evaluator import *\nTestOne = 'a' >> LLMRun() >> SubstringEvaluator('42')\n"
    )
    assert len(assay.run("few.py", "local/m", test="few.TestOne")) == 1
    for flags, said in (
        ({"test": ["few.TestOne", "few.TestTwo"]}, "few.TestTwo"),
        ({"test": "few.TestOn"}, "few.TestOn"),
        ({"tag": "nothing"}, "nothing"),
        ({"tier": "hrad"}, "unknown tier 'hrad'; there are: easy, medium, hard"),
    ):
        with pytest.raises(ConfigError, match=said):
            assay.run("few.py", "local/m", **flags)


def test_a_function_that_was_edited_makes_another_version_of_its_test(place, capsys):
    def named_check(right):
        def check(reply):
            return right in reply

        return check

    model = assay.model(lambda messages: "42", "always")
    for name, right in (("first", "42"), ("second", "43")):
        test = "What is 6 * 7?" >> assay.LLMRun() >> assay.PyFunc(named_check(right))
        assay.run({"product": test}, [model] if name == "first" else [assay.model(lambda m: "42", "other")])
    capsys.readouterr()
    results = assay.load("results")
    assert {record.model for record in results.records} == {"other"}
    assert "1 result of suite tests by always is left out" in capsys.readouterr().err
    assert "rescore judges the saved replies" in results.problems[0]


def test_a_broken_line_of_results_is_told_of(place, capsys):
    assay.run({"a": question(), "b": question("Why?")}, "local/m")
    assert assay.load("results").problems == ()
    (file,) = (place.folder / "results").glob("*/*/run-1.jsonl")
    file.write_bytes(file.read_bytes()[:-40] + b"\n")
    results = assay.load("results")
    assert len(results.records) == 1
    err = capsys.readouterr().err
    assert (
        "run-1.jsonl:2: unreadable line left out: it is cut off in the middle (to run its trial" in err
        and err.count("--resume --runid 1") == 1
    )
    (problem,) = results.problems
    assert problem in err and len(results) == 1
    good = file.read_bytes().splitlines(keepends=True)[0]
    file.write_bytes(good[:-40] + b"\nhello\n" + good)
    cut_off, not_json = assay.load("results").problems
    assert not_json.endswith(
        ":2: unreadable line left out: not JSON: Expecting value (column 1) "
        "(to end this message, delete the line)"
    )
    assert cut_off.endswith(
        ":1: unreadable line left out: it is cut off in the middle (to end this message, delete the line)"
    ), "its trial was run again"


def test_a_trials_time_limit_is_set_by_the_caller(place):
    slow = assay.model(lambda messages: time.sleep(1) or "42", "slow")
    (record,) = assay.run(question(), slow, trial_time_limit_s=0.2).records
    assert record.outcome.value == "error"
    assert "longer than 0.2 s (--trial-time-limit, or trial_time_limit_s)" in record.error
    with pytest.raises(ConfigError, match="trial_time_limit_s must be above 0"):
        assay.run(question(), "local/m", trial_time_limit_s=0)
    for times in (0, -1):
        with pytest.raises(ConfigError, match=f"times must be above 0, not {times}"):
            assay.run(question(), "local/m", times=times)
    with pytest.raises(ConfigError, match="trial_time_limit_s must be"):
        assay.run(question(), "local/m", trial_time_limit_s="5")
    _, err = place.main("--run-tests", "--model", "local/m", "--trial-time-limit", "0", code=1)
    assert "--trial-time-limit: " in err and "a number of seconds above 0" in err


def test_a_new_model_whose_name_is_nearly_a_recorded_one_is_told(place, capsys):
    """The server answers any name."""
    for name in ("local/large", "local/larg", "local/larg", "local/large-2", "local/medium"):
        assay.run(question(), models=name)
        said = f"{name} has no saved results yet, but local/large has." in capsys.readouterr().err
        assert said == (name == "local/larg" and len(place.lines()) == 2), name


def test_a_judge_whose_name_is_nearly_a_recorded_one_is_told(place, capsys):
    judged = "say 42" >> evaluator.LLMRun() >> evaluator.Judge("Is it a number?")
    rows = evaluator.Rows([{"q": 1}]) >> "<q>" >> evaluator.LLMRun() >> evaluator.Judge("Is it?")
    for test, name, told in (
        (judged, "local/judge", False),
        (judged, "local/judg", True),
        (judged, "local/judge", False),
        (rows, "local/judgee", True),
    ):
        assay.run(test, "local/m", judge=name)
        said = f"{name} as a judge has no saved results yet, but local/judge has" in capsys.readouterr().err
        assert said == told, name


def test_what_is_doubtful_about_a_node_is_told_as_of_one_in_a_file(place, capsys):
    asked, wanted = "say 42" >> evaluator.LLMRun(), evaluator.SubstringEvaluator("42")
    trap = asked >> wanted | evaluator.SubstringEvaluator("43")
    number = asked >> evaluator.EqualEvaluator(42)
    assay.run([trap, number], "local/m")
    said = capsys.readouterr().err
    assert "warning: trap: >> binds tighter than |" in said
    assert "warning: number: EqualEvaluator compares with the number 42" in said
    with pytest.raises(TestFileError, match="calls: ToolCallEvaluator judges a reply to tools"):
        assay.run({"calls": asked >> evaluator.ToolCallEvaluator("pay")}, "local/m")


def test_rows_that_ask_the_same_question_are_told_by_their_line(place, capsys):
    (place.folder / "qa.csv").write_text("question,answer\nred?,42\n,42\n")
    for question, said in (("Hi", "so every row asks the same"), ("<question>!", "row 2 has an empty cell")):
        script = place.folder / "script.py"
        script.write_text(
            "import assay\nassay.run({'t': assay.Rows('qa.csv')\n"
            f"    >> '{question}' >> assay.LLMRun() >> assay.SubstringEvaluator('<answer>')}}, 'local/m')\n"
        )
        exec(compile(script.read_text(), str(script), "exec"), {"__file__": str(script)})
        (line,) = (line for line in capsys.readouterr().err.splitlines() if said in line)
        assert line.startswith("warning: script.py:2: qa.csv: ")


def test_two_prompts_are_compared_as_two_runs_of_one_model(place):
    old = assay.run({f"t{n}": question(f"old {n}", wanted="43") for n in range(8)}, "local/m")
    new = assay.run({f"t{n}": question(f"new {n}") for n in range(8)}, "local/m")
    found = assay.compare(new, old, labels=("new", "old"))
    assert (found.verdict, found.difference) == ("better", 1.0)
    assert "new is better than old" in repr(found)
    assert assay.compare("local/m@no-commit/run-2", "local/m@no-commit/run-1").verdict == "better"
    assert assay.compare(old, "local/m@no-commit/run-2").verdict == "worse"
    with pytest.raises(ConfigError, match="no test in common that was not changed"):
        assay.compare(new, old, with_changed=False)
    for one, other in ((new, new), ("local/m", "local/m")):
        with pytest.raises(ConfigError, match="two different"):
            assay.compare(one, other, labels=("a", "a"))
    both = assay.run({"t": question()}, ["local/m", "local/n"])
    with pytest.raises(ConfigError, match="one model's results, not those of local/m, local/n"):
        assay.compare(both, new)
    with pytest.raises(ConfigError, match=r"compared by assay\.compare"):
        both.compare("old", "new")
    with pytest.raises(ConfigError, match="two different models"):
        both.compare("local/m", "local/m")


def test_a_comparison_is_corrected_for_all_pairs_of_the_results_like_their_table(place):
    tests = {f"t{number}": question(f"number {number}") for number in range(6)}
    models = [assay.model(lambda messages, word=word: word, word) for word in ("42", "no", "none")]
    results = assay.run(tests, models=models)
    found = results.compare("no", "42")
    assert found.verdict == "tie" and found.difference == -1.0
    assert found.p_holm == pytest.approx(3 * found.p) == pytest.approx(3 * 2 / 2**6)
    assert "Holm's correction for 3 pairs" in repr(found)
    assert "p (Holm) is for the 3 pairs of the models that were compared together" in repr(found)


def test_printed_results_are_plain_text_unless_stdout_is_a_terminal(place, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    right, wrong = (assay.model(lambda messages, word=word: word, f"my/{word * 12}") for word in ("42", "no"))
    found = assay.run(question(), models=[right, wrong]).compare(right.name, wrong.name)
    assert "\x1b" not in repr(found) and "continued" not in repr(found)
    assert "could show" in next(line for line in repr(found).splitlines() if "against" in line)


def test_what_a_model_is_called_is_no_markup(place):
    given = assay.model(lambda messages: "<b>42</b>", name="<script>x</script>")
    shown = assay.run(question(), models=given)._repr_html_()
    assert "&lt;script&gt;" in shown and "<script>" not in shown


def test_a_function_is_a_model(place):
    async def later(messages):
        return f"42, as {messages[-1].role}"

    results = assay.run(question(), models=[assay.model(later), assay.model(lambda messages: "no", "never")])
    assert {record.model: record.outcome.value for record in results.records} == {
        "later": "pass",
        "never": "fail",
    }


def test_a_function_model_takes_what_the_page_says_and_its_exception_is_no_mistake_in_the_test(place):
    def broken(messages):
        raise ValueError("no pipeline")

    given = assay.model(broken, name="mine", cached=False, parameters={"depth": 3})
    (record,) = assay.run(question(), models=given).records
    assert (record.outcome.value, record.cause, record.parameters) == (
        "error",
        "provider",
        {"depth": 3},
    )
    assert "mine" in record.error and "no pipeline" in record.error


def yes(messages):
    return "It says so.\nVERDICT: YES"


@pytest.mark.parametrize("judge", [yes, assay.model(yes, name="yes")])
def test_a_function_and_an_object_judge(place, judge):
    kind = "kind?" >> assay.LLMRun() >> assay.Judge("Is it kind?")
    drawn = "drawn?" >> assay.LLMRun() >> assay.Judge("Is it drawn?", llm=assay.VISION_EVAL_LLM)
    results = assay.run([kind, drawn], models="local/m", judge="local/m", vision_judge=judge)
    outcomes = {record.test: (record.outcome.value, record.judges) for record in results.records}
    both = {"eval_llm": "local/m", "vision_eval_llm": "yes"}
    assert outcomes["notebook.drawn"] == ("pass", both)
    results = assay.run(kind, models=yes, judge=judge)
    (record,) = results.records
    assert (record.model, record.outcome.value, record.judges["eval_llm"]) == ("yes", "pass", "yes")
    (again,) = assay.rescore(results, judge=judge).records
    assert (again.outcome.value, again.judges["eval_llm"]) == ("pass", "yes")
    assert evaluator.run_test(kind, "local/m", judge=judge)


def test_two_models_of_one_name_are_an_error(place):
    other = assay.model(lambda messages: "no", name="yes")
    with pytest.raises(ConfigError, match="two models are named 'yes'"):
        assay.run(question(), models=yes, judge=other)


def test_a_wait_for_a_connection_is_queue_time(place):
    def function(messages):
        time.sleep(0.1)
        return "42"

    assay.run(question(), models="local/m")  # imports what asks a provider
    place.server.desk.latency = 0.1
    tests = {f"t{number}": question(f"number {number}") for number in range(4)}
    results = assay.run(tests, models=["local/m", "local/n", function], max_connections=1)
    for model in ("local/m", "local/n", "function"):
        records = [record for record in results.records if record.model == model]
        assert max(record.queue_seconds for record in records) > 0.2
        assert all(abs(record.working_seconds - record.model_seconds) < 0.1 for record in records)
        assert results._grid.totals[model].seconds == pytest.approx(sum(r.working_seconds for r in records))
    page = results.report("report").read_text()
    assert '<th class="num" title="wall time, without waiting' in page


def test_equal_calls_at_once_wait_in_one_queue(place):
    assay.run(question(), models="local/m")
    place.server.desk.latency = 0.1
    tests = {name: question("other" if name == "first" else "same") for name in ("first", "one", "two")}
    records = assay.run(tests, models="local/m", max_connections=1).records
    assert sum(record.cached_calls for record in records) == 1
    assert sum(record.queue_seconds > 0.08 for record in records) == 2


def test_files_and_folders_are_run_by_the_oracle(place):
    place.test_file("some", 'TestOne = "1?" >> LLMRun() >> SubstringEvaluator("42")\n')
    place.test_file("more", 'TestTwo = "2?" >> LLMRun() >> SubstringEvaluator("42")\n')
    assert [r.test for r in assay.run(place.tests / "some.py", models="local/m").records] == ["some.TestOne"]
    both = assay.run([str(place.tests)], models="local/m").records
    assert sorted(record.test for record in both) == ["more.TestTwo", "some.TestOne"]


def test_the_oracle_proves_a_test(place):
    place.test_file("some", 'TestOne = "1?" >> LLMRun() >> SubstringEvaluator("42")\n')
    references = place.tests / "references"
    references.mkdir()
    (references / "some.py").write_text('RIGHT = {"TestOne": "42"}\nWRONG = {"TestOne": "7"}\n')
    results = assay.run(place.tests, models=["oracle", "saboteur"])
    found = {record.model: record.outcome.value for record in results.records}
    assert found == {"oracle": "pass", "saboteur": "fail"}


def test_the_command_goes_on_with_its_records(place):
    place.test_file("some", 'TestOne = "1?" >> LLMRun() >> SubstringEvaluator("42")\n')
    assay.run(place.tests, models="local/m", times=1, runid="7", logdir=place.results)
    place.main("--run-tests", "--model", "local/m", "--times", "2", "--resume", "--runid", "7")
    (file,) = place.results.glob("*/local__m/run-7.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert sorted(line["epoch"] for line in lines) == [1, 2]


def test_results_are_loaded_from_where_they_were_saved(place, tmp_path, monkeypatch):
    monkeypatch.setattr("assay.api.home", lambda: place.folder)
    saved = assay.run({"a": question()}, models=["local/m"])
    monkeypatch.chdir(tmp_path)
    assert len(assay.load()) == len(saved) == 1


def test_loaded_results_say_what_a_stopped_run_lacks(place, capsys):
    asks = question()
    saved = assay.run(asks, models=["local/m", "local/other"])
    (file,) = [path for path in saved.files if "other" in path.parent.name]
    unfinished.begin(file, 30, resumed=False)
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
    assert again.workspace.report == report / "rescored", "the report of the runs is not replaced"
    assert assay.rescore(twice, report_dir="mine").workspace.report.name == "mine"
    with pytest.raises(ConfigError):
        assay.load("nowhere")


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


def test_the_flags_that_choose_tests(place):
    place.test_file("some", 'TAGS = ["x"]\nTestOne = "1?" >> LLMRun() >> SubstringEvaluator("42")\n')
    place.test_file("more", 'TestTwo = "2?" >> LLMRun() >> SubstringEvaluator("42")\n')
    assert [r.test for r in assay.run(place.tests, "local/m", tag="x").records] == ["some.TestOne"]
    assert [r.test for r in assay.run(place.tests, "local/m", test=["TestT*"]).records] == ["more.TestTwo"]
    assert len(assay.run({"a": question(), "b": question()}, "local/m", test="b")) == 1
    with pytest.raises(ConfigError, match="no test"):
        assay.run(place.tests, "local/m", tag="y")


def test_the_report_of_all_results_is_a_flag(place):
    assay.run(question(), models="local/m")
    assay.run({"other": question()}, models="local/m", report=True, report_dir="all")
    shown = (place.folder / "all" / "index.html").read_text()
    assert "notebook" in shown


def test_a_run_can_be_watched(place, capfd):
    assay.run(question(), models="local/m", live=True, logdir="watched")
    assert "live report: http://" in capfd.readouterr().err
    assert (place.folder / "watched" / "report" / "index.html").is_file()


def test_results_are_exported(place):
    assay.run(question(), models="local/m", export="csv=all.csv")
    assert "notebook.test1" in (place.folder / "all.csv").read_text()
    with pytest.raises(ConfigError, match="--export made_up"):
        assay.run(question(), models="local/m", export=["made_up=x"])


def test_a_run_does_not_read_its_results(place, monkeypatch):
    monkeypatch.setattr(assay.api.Results, "tables", lambda self: pytest.fail("nobody asked for them"))
    assert assay.run(question(), models="local/m").failure is None


def test_two_tests_of_one_name_are_an_error(place):
    rows = assay.Rows([{"n": 1}, {"n": 1}], id="n") >> "<n>" >> assay.LLMRun()
    with pytest.raises(ConfigError, match="list: rows 1 and 2 have the same id '1' in column 'n'"):
        assay.run(rows, models="local/m")


def test_a_test_that_is_given_twice_is_an_error_that_says_what_to_do(place):
    how_much = question()
    rows = assay.Rows([{"n": 1}]) >> "<n>" >> assay.LLMRun() >> assay.SubstringEvaluator("1")
    for tests, name in (([how_much] * 2, "how_much"), ([rows] * 2, "rows[1]")):
        with pytest.raises(ConfigError) as caught:
            assay.run(tests, models="local/m")
        said = f"two of the tests are named '{name}'. Give a test once (times=2 makes two trials of it)"
        assert str(caught.value).startswith(said)
        assert len(caught.traceback) < 5, "our own code tells a user nothing"


def test_a_name_means_what_it_means_to_the_command(place):
    place.test_file("mine", "TestMine = 'q' >> LLMRun() >> SubstringEvaluator('42')\nTestOther = TestMine\n")
    for name in ("t", "t/mine.py", "t/mine.py::TestMine"):
        results = assay.run(name, models="local/m")
        assert len(results) == (1 if "::" in name else 2)
    (record,) = assay.run("TestVagueSumData", models=assay.model(lambda messages: "", name="mine")).records
    assert record.test == "vague_sum_data.TestVagueSumData"


def test_it_works_inside_a_running_loop(place):
    async def notebook():
        inside = assay.run(question(), models="local/m")
        awaited = await assay.run_async(question(), models="local/m", no_cache=True)
        return len(inside), len(awaited)

    assert asyncio.run(notebook()) == (1, 1)


def test_mistakes_are_the_librarys_exceptions(place):
    with pytest.raises(ConfigError, match="the provider of model"):
        assay.run(question(), models="nobody-knows")
    with pytest.raises(ConfigError, match=r"'questions\.csv' is no test.* Rows\(\"questions\.csv\"\) >>"):
        assay.run("questions.csv", "oracle")
    with pytest.raises(
        ConfigError, match=r"test, suite, file or folder is named 'arithmetics'. Did you mean"
    ):
        assay.run("arithmetics", models="oracle")
    with pytest.raises(ConfigError, match=r"a test itself is an expression, such as"):
        assay.run("What is 2 + 2?", models="oracle")
    with pytest.raises(TypeError):
        assay.run(question(), models="local/m", tmes=3)


def test_an_error_is_raised_without_those_of_our_own_code_before_it(place):
    with pytest.raises(ConfigError) as caught:
        assay.run(question(), models="nobody-knows")
    assert caught.value.__context__ is None


@pytest.mark.parametrize("inside", [False, True])
def test_an_interruption_says_how_to_go_on_and_finished_trials_are_kept(place, inside):
    asked = []

    def slow(messages):
        asked.append(messages)
        if len(asked) == 3:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.3)
        return "42"

    async def notebook():
        return assay.run(tests, models=slow, max_connections=1)

    loop = asyncio.new_event_loop()
    tests = {f"t{number}": question(f"number {number}") for number in range(9)}
    with pytest.raises(KeyboardInterrupt) as caught:
        if inside:  # as in Jupyter, whose loop leaves SIGINT to Python
            loop.run_until_complete(notebook())
        assay.run(tests, models=slow, max_connections=1)
    loop.close()
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "run_beside", (
        "nothing of what it ended"
    )
    assert "another exception" not in "".join(traceback.format_exception(caught.value))
    assert caught.value.__notes__ == ["Finished trials are saved; the same call with resume=True goes on."]
    saved = len(assay.load(place.folder / "results"))
    assert 0 < saved < 9
    assert len(assay.run(tests, models=slow, resume=True)) == 9
    assert len(asked) <= 9 + 1


def test_a_budget_stands_in_the_results_and_in_what_is_shown_of_them(place):
    tests = {f"t{number}": question(f"number {number}") for number in range(40)}
    results = assay.run(tests, models="local/m", max_tokens=20, max_connections=1)
    assert results.failure is not None
    assert len(results) < 40
    lacking = (
        f"the last run of local/m is not finished: {40 - len(results)} of 40 trials are missing; if it was "
    )
    _, err = place.main("--load-saved", "--generate-report")
    assert err.count(lacking) == 1 and "stopped, the same call of assay.run with resume=True goes on" in err
    for flags in (("--model", "local/m"), ("--runid", "1"), ()):
        with pytest.raises(ConfigError, match="from Python, where the same call"):
            read(["run", "--resume", "--logdir", "results", *flags], place.folder)
    assert lacking in (place.folder / "report/index.html").read_text()
    some = {name: tests[name] for name in ("t0", "t39")}
    assay.run(some, models="local/m", resume=True)
    _, err = place.main("--load-saved")
    assert f"{39 - len(results)} of 40 trials are missing" in err
    assert len(assay.run(tests, models="local/m", resume=True).records) == 40
    assert not list(place.folder.rglob("*.unfinished"))


def test_parameters_of_a_model_that_is_nearly_named_as_one_that_runs_are_told_of(place, capsys):
    config = json.loads((place.folder / "config.json").read_text())
    sections = {
        "local/lagre": {"temperature": 0},
        "lareg": {},
        "local/large": {},
        "large": {},
        "local/tiny": {},
    }
    (place.folder / "config.json").write_text(json.dumps({**config, "hparams": {"models": sections}}))
    assay.run(question(), "local/large")
    warnings = [line for line in capsys.readouterr().err.splitlines() if line.startswith("warning: no model")]
    assert [line.split()[5] for line in warnings] == ["local/lagre,", "lareg,"]
    assert all(line.endswith("are not sent. Is local/large meant?") for line in warnings)


def test_a_server_that_is_not_there_is_told_of_and_other_models_keep_their_results(place, capsys):
    config = json.loads((place.folder / "config.json").read_text())
    config["llms"]["gone"] = {"base_url": "http://127.0.0.1:9/v1", "api_key": "sk-none"}
    (place.folder / "config.json").write_text(json.dumps(config))
    results = assay.run({"a": question(), "b": question("Why?")}, models=["gone/m", "local/m"], retries=0)
    assert "the run ends; continue it with resume=True" in str(results.failure)
    said = "error: gone/m: nothing listens at http://127.0.0.1:9/v1"
    how = "the run is not complete; the same call with resume=True goes on"
    assert {record.model for record in results.records} == {"local/m"}
    err = capsys.readouterr().err
    assert said in err and how in err
    assert repr(results).startswith(said) and how in repr(results) and "local/m" in repr(results)
    page = results._repr_html_()
    assert -1 < page.find(said) < page.find("<table") and page.count("<strong>") == 2


def test_every_public_node_has_a_name_here():
    mine = {name for name in evaluator.__all__ if not isinstance(getattr(evaluator, name), type(json))}
    for name in mine - {"run_test", "PYTHON_ENV", "Literal"}:
        assert getattr(assay, name) is getattr(evaluator, name)
        assert name in dir(assay)


def test_type_checkers_are_told_the_same_names():
    stub = (ROOT / "assay" / "__init__.pyi").read_text()
    assert {line.split()[0] for line in stub.splitlines() if line.startswith("    ")} == set(assay.__all__)


def test_importing_it_imports_next_to_nothing():
    code = "import sys; before = set(sys.modules); import assay; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "assay" in done.stdout.split()
    assert not [name for name in done.stdout.split() if name.startswith(("assay.", "evaluator"))]


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"times": "2"}, "times must be a whole number, not '2'"),
        ({"max_cost": "3"}, "max_cost must be a number, not '3'"),
        ({"sandbox": ["podman"]}, "sandbox must be one text"),
        ({"params": "x"}, "params must be a dict"),
    ],
)
def test_a_flag_of_a_wrong_kind_is_refused(place, flags, said):
    with pytest.raises(ConfigError, match=re.escape(said)):
        assay.run(question(), models="local/m", **flags)
    assert place.server.stats()["requests"] == 0


@pytest.mark.parametrize(
    ("flag", "meant"), [("time", "times"), ("repeats", "times"), ("model", "models"), ("judges", "judge")]
)
def test_a_misspelt_flag_gets_a_hint(place, flag, meant):
    with pytest.raises(TypeError, match=rf"argument '{flag}'. Did you mean {meant}\?") as raised:
        assay.run(question(), **{flag: "local/m"})
    files = {Path(frame.filename) for frame in traceback.extract_tb(raised.value.__traceback__)}
    folders = {file.parent for file in files}
    assert folders == {Path(__file__).parent, Path(assay.api.__file__).parent}, "nothing of an event loop"


def test_a_test_that_judges_nothing_or_asks_nothing_is_told(place, capsys):
    assay.run({"a": "How much?" >> assay.LLMRun(), "b": question("<question>")}, models="local/m")
    said = capsys.readouterr().err
    assert "warning: a ends in LLMRun, which passes with any reply" in said
    assert "warning: b asks only <question>, a place for a column of Rows, and has no Rows" in said
    assert "not ask the model" not in said
    assay.run({"a": "Say 42" >> assay.SubstringEvaluator("42"), "b": question()}, models="local/m")
    said = capsys.readouterr().err
    assert "1 of 2 tests does not ask the model, so its verdict says nothing about it: a (forgot" in said
