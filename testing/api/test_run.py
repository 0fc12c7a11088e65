"""Tests are run from Python as by the command: real calls to a local server, records that --resume takes."""

import asyncio
import json
import os
import re
import signal
import threading
import time
import traceback
from pathlib import Path

import numpy
import pytest

import assay
import assay.api
import evaluator
from assay.api.in_python import as_argument
from assay.errors import AssayError, BudgetExceeded, ConfigError, StoreError, TestFileError
from assay.home import typed
from assay.records import Completion, Traits, Usage
from testing.api.asking import question


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


def test_a_report_that_cannot_be_written_is_told_before_a_call_is_paid(place):
    Path("taken.csv").write_text("a")
    for folder, why in (
        ("/proc/report", "/proc: No such file"),
        ("taken.csv/report", "taken.csv: it is not"),
    ):
        with pytest.raises(StoreError, match=f"{why} .*another folder \\(report_dir\\)$"):
            assay.run(question(), models="local/m", report=True, report_dir=folder)
    assert place.server.stats()["requests"] == 0


def test_results_say_where_the_trials_are_that_skip_existing_left_out(place):
    assay.run(question(), models="local/m", logdir="out")
    left = assay.run(question(), models="local/m", logdir="out", skip_existing=True)
    (said,) = left.problems
    assert len(left) == 0 and "only this run's trials" in said and said in repr(left)
    assert len(eval(said.split(": ")[1], {"assay": assay})) == 1
    assert assay.run(question(), models="local/m", skip_existing=True).problems[0].endswith("assay.load()")


def test_results_do_not_depend_on_where_the_program_goes(place):
    results = assay.run(question(), models="local/m", logdir="out", report_dir="mine")
    loaded = assay.load("out")
    os.chdir("/")
    assert len(results) == len(loaded) == len(assay.rescore(results)) == 1
    results.report(results.workspace.report)
    assert (place.folder / "mine" / "index.html").is_file()


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


def test_the_first_chart_of_the_page_draws_the_rates_of_the_table(place):
    rows = [{"n": 1, "is": "42"}, {"n": 1, "is": "42"}, {"n": 2, "is": "43"}]
    results = assay.run(
        assay.Rows(rows) >> "<n>?" >> assay.LLMRun() >> assay.SubstringEvaluator("<is>"), "local/m"
    )
    page = (Path(__file__).parents[2] / "docs/library.md").read_text()
    (drawn,) = re.findall(r"^(results\..*)\[::-1\]\.plot\.barh\(", page, re.MULTILINE)
    assert eval(drawn).to_dict() == {"local/m": 0.5} and results.df.passed.mean() > 0.6
    (problem,), note = results.problems, results.tables()[0].note
    assert all(said.startswith("1 test asks and checks the same as another") for said in (problem, note))


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
    assert "judge the saved replies by the current test: " in results.problems[0]
    assert "1 result of suite tests by always is left out" in results.report("report").read_text()


def test_a_trials_time_limit_is_set_by_the_caller(place):
    over = threading.Event()
    slow = assay.model(lambda messages: over.wait(20) and "42", "slow")
    began = time.monotonic()
    (record,) = assay.run(question(), slow, trial_time_limit_s=0.2).records
    assert time.monotonic() - began < 10, "a function that blocks is not waited for"
    over.set()
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
    for asked, said in (("Hi", "so every row asks the same"), ("<question>!", "row 2 has an empty cell")):
        script = place.folder / "script.py"
        script.write_text(
            "import assay\nassay.run({'t': assay.Rows('qa.csv')\n"
            f"    >> '{asked}' >> assay.LLMRun() >> assay.SubstringEvaluator('<answer>')}}, 'local/m')\n"
        )
        exec(compile(script.read_text(), str(script), "exec"), {"__file__": str(script)})
        (line,) = (line for line in capsys.readouterr().err.splitlines() if said in line)
        assert line.startswith("warning: script.py:2: qa.csv: ")


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


def test_the_flags_that_choose_tests(place):
    place.test_file("some", 'TAGS = ["x"]\nTestOne = "1?" >> LLMRun() >> SubstringEvaluator("42")\n')
    place.test_file("more", 'TestTwo = "2?" >> LLMRun() >> SubstringEvaluator("42")\n')
    assert [r.test for r in assay.run(place.tests, "local/m", tag="x").records] == ["some.TestOne"]
    assert [r.test for r in assay.run(place.tests, "local/m", test=["TestT*"]).records] == ["more.TestTwo"]
    assert len(assay.run({"a": question(), "b": question()}, "local/m", test="b")) == 1
    with pytest.raises(ConfigError, match="no test"):
        assay.run(place.tests, "local/m", tag="y")


def test_a_run_can_be_watched(place, capfd):
    assay.run(question(), models="local/m", live=True, logdir="watched")
    assert "live report: http://" in capfd.readouterr().err
    assert (place.folder / "watched" / "report" / "index.html").is_file()


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
    with pytest.raises(ConfigError, match=r"'questions\.csv' is not a test.* Rows\(\"questions\.csv\"\) >>"):
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


@pytest.mark.parametrize("judges", [False, True])
@pytest.mark.parametrize("at_once", [1, 20])
def test_a_reply_of_unknown_cost_ends_a_run_with_a_budget(place, judges, at_once, capsys):
    asked = []

    def unpriced(messages):
        asked.append(messages)
        return "VERDICT: YES"

    steps = assay.LLMRun() >> (assay.Judge("Is it so?") if judges else assay.SubstringEvaluator("YES"))
    tests = {f"t{number}": f"Number {number}" >> steps for number in range(30)}
    paid = assay.model(lambda messages: Completion("It is.", cost=0.01), name="paid")
    model = {"models": paid, "judge": unpriced} if judges else {"models": unpriced}
    results = assay.run(tests, **model, max_cost=1.0, max_connections=at_once)
    assert len(asked) == len(results) == 1, "that was paid and is kept"
    said = "max_cost=1 cannot be kept: the cost of a reply of unpriced is unknown; a function returns a"
    assert isinstance(results.failure, BudgetExceeded) and str(results.failure).startswith(said)
    assert "max_cost=1 ends the run at the first reply whose cost is unknown" in capsys.readouterr().err


def test_a_reply_of_unknown_tokens_ends_a_run_with_a_budget_of_tokens(place, capsys):
    tests = {f"t{number}": f"Number {number}" >> assay.LLMRun() for number in range(4)}
    untold = assay.model(lambda messages: Completion("42", cost=0.01), name="untold")
    results = assay.run(tests, models=untold, max_tokens=10, max_connections=1)
    assert len(results) == 1, "that was paid and is kept"
    said = "max_tokens=10 cannot be kept: the tokens of a reply of untold are unknown; a function returns a"
    assert str(results.failure).startswith(said) and said in repr(results.failure)
    assert "or at the first reply that tells no tokens, and resume=True" in capsys.readouterr().err
    free = assay.model(lambda messages: "42", name="free", traits=Traits(free=True))
    assert assay.run(tests, models=free, max_tokens=10).failure is None
    told = assay.model(lambda messages: Completion("42", Usage(8, 3)), name="told")
    failure = assay.run(tests, models=told, max_tokens=10, max_connections=1).failure
    again = "continue with resume=True, which has a budget of its own"
    assert str(failure) == f"max_tokens=10 reached: 11 used; {again}"
    partly = iter([Usage(2, 1), Usage()])
    some = assay.model(lambda messages: Completion("42", next(partly)), name="some")
    results = assay.run(tests, models=some, max_tokens=1000, max_connections=1)
    assert len(results) == 2, "that it told some before says little of the others"
    assert "cannot be kept: the tokens of a reply of some are unknown" in str(results.failure)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"times": "2"}, "times must be a whole number, not '2'"),
        ({"max_cost": "3"}, "max_cost must be a number, not '3'"),
        ({"sandbox": ["podman"]}, "sandbox must be one text"),
        ({"params": "x"}, "params must be a dict"),
        ({"runid": ["a"]}, "runid must be one text, not ['a']"),
        ({"resume": "no"}, "resume must be True or False, not 'no'"),
        ({"live": "8000"}, "live must be True, False or a port (1 to 65535), not '8000'"),
        ({"only_changed": True}, "only_changed must be one text, not True"),
        ({"test": 5}, "test must be one text or a list of texts, not 5"),
        ({"logdir": 5}, "logdir must be the path of a file or folder, not 5"),
        ({"endpoint": "x.json"}, "cannot read the endpoint file x.json"),
        ({"retries": -1}, "retries must be 0 or more, not -1"),
        ({"max_cost": -1}, "max_cost must be 0 or more, not -1"),
        ({"thinking_budget": 0}, "thinking_budget must be above 0, not 0"),
    ],
)
def test_a_flag_of_a_wrong_kind_is_refused(place, flags, said):
    with pytest.raises(ConfigError, match=re.escape(said)):
        assay.run(question(), models=() if "endpoint" in flags else "local/m", **flags)
    assert place.server.stats()["requests"] == 0


def test_arguments_of_a_wrong_kind_are_named(place):
    for call, said in (
        (lambda: assay.run(question(), None), "a model is its name, a function .* not NoneType"),
        (lambda: assay.run(question(), [5]), "a model is its name, a function .* not int"),
        (lambda: assay.run(question(), {"m": len}), r"not dict; assay\.model\(.*\) names a function"),
        (lambda: assay.load(None), "path must be the path of a file or folder, not None"),
        (lambda: assay.rescore(5), "results must be the path of a file or folder, not 5"),
        (lambda: assay.Image(b"x"), "Image: path must be the name of a file or a function .* not bytes"),
    ):
        with pytest.raises((AssayError, TypeError), match=said):
            call()
    models = (assay.model(lambda messages: "42", name) for name in ("one", "other"))
    assert len(assay.run(question(), models, runid=5)) == 2 and len(assay.load()) == 2


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


FLAGGED = """
from assay.suites.suite import Sample, Suite
from evaluator import *

class Flagged(Suite):
    name, conditions = "flagged", ("some", "size", "all")
    def flags(self, parser):
        parser.add_argument("--some", type=lambda text: tuple(map(int, text.split(","))), default="1")
        parser.add_argument("--size", type=int, choices=(1, 2), default=1)
        parser.add_argument("--all", action="store_true")
    def samples(self, options):
        yield Sample("flagged.one", "One?" >> LLMRun() >> SubstringEvaluator("42"))

SUITE = Flagged
"""


@pytest.fixture
def flagged(place):
    (suite := place.tests / "flagged").mkdir()
    (suite / "suite.py").write_text(FLAGGED)
    return suite


@pytest.mark.parametrize(
    ("part", "flags", "said"),
    [
        ("extras", {}, "suite flagged needs numpy: "),
        ("figure_extras", {"report": True}, "the report of suite flagged needs numpy: "),
        ("figure_extras", {"live": True}, "the report of suite flagged needs numpy: "),
    ],
)
def test_a_suite_that_lacks_an_extra_is_refused_before_the_first_call(
    place, flagged, monkeypatch, part, flags, said
):
    before = assay.run(flagged, "local/m")
    asked = place.server.stats()["requests"]
    (flagged / "suite.py").write_text(f"{FLAGGED}Flagged.{part} = ('weirdml',)\n")
    monkeypatch.setattr("assay.extras.lacking", lambda extra: ["numpy"])
    with pytest.raises(ConfigError, match=said):
        assay.run(flagged, "local/m", no_cache=True, **flags)
    if not flags:
        with pytest.raises(ConfigError, match=said):
            assay.rescore(before)
    assert place.server.stats()["requests"] == asked


@pytest.mark.parametrize(
    ("flags", "read"),
    [
        ({"some": "1,2"}, {"some": [1, 2]}),
        ({"some": ["1", 2]}, {"some": [1, 2]}),
        ({"some": 3, "size": "2", "all": True}, {"some": [3], "size": 2, "all": True}),
        ({"size": numpy.int64(2), "some": numpy.array([1, 2])}, {"size": 2, "some": [1, 2]}),
        ({"some": range(1, 3), "size": None}, {"some": [1, 2]}),
        ({"some": [1, "x"]}, "some: invalid literal"),
        ({"size": 3}, "size: choose from 1, 2"),
        ({"size": [1]}, r"size takes one value, not \[1\]"),
        ({"size": True}, "size must be a text, a number or a list of these, not True"),
        ({"some": [1, {}]}, r"some takes one value, not \[1, {}\]"),
        ({"all": "no"}, "all must be true or false, not 'no'"),
        ({"sizes": 1}, r"argument 'sizes'\. Did you mean size\?"),
    ],
)
def test_a_suites_flags_are_read_as_on_the_command_line(place, flagged, flags, read):
    if isinstance(read, str):
        with pytest.raises((ConfigError, TypeError), match=read):
            assay.run(flagged, "local/m", **flags)
        return
    results = assay.run(flagged, "local/m", **flags)
    wanted = {"some": [1], "size": 1, "all": False, **read}
    assert results.records[0].conditions == wanted
    assert assay.rescore(results, **flags).records[0].conditions == wanted


def test_a_suites_flag_may_be_a_generator(place, flagged):
    (record,) = assay.run(flagged, "local/m", some=(each for each in "12")).records
    assert record.conditions["some"] == [1, 2]


def test_messages_name_arguments_but_for_commands_to_type(place):
    for said, told in (
        ("use --logdir to write elsewhere", "use logdir to write elsewhere"),
        ("or use --no-cache", "or use no_cache=True"),
        ("--max-cost 1e-05 reached: go on with --resume", "max_cost=1e-05 reached: go on with resume=True"),
        ("name them with --model; leave out --suite", "name them with models; leave out --suite"),
        (
            f"--test: go on with {typed()} run --resume --test a; or --runid 3.",
            f"test: go on with {typed()} run --resume --test a; or runid=3.",
        ),
    ):
        assert as_argument(said) == told
    with pytest.raises(ConfigError, match=r"^batch=True keeps .* leave out no_cache=True"):
        assay.run(question(), "local/m", batch=True, no_cache=True)
    with pytest.raises(ConfigError, match=r"^batch=True does not go with engine ray"):
        asyncio.run(assay.run_async(question(), "local/m", batch=True, engine="ray"))
