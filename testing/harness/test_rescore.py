"""Saved runs judged again by main.py --rescore: no model is asked, the sandbox is real, changes are told."""

import json

import pytest

from assay.cli.after_rescoring import next_commands
from assay.cli.arguments import parse
from assay.cli.main import main
from assay.errors import ConfigError
from assay.records import Outcome, TrialRecord
from assay.rescoring.recorded_runs import files_of
from assay.rescoring.where_they_ran import folders_then
from assay.results.conditions import SELF_JUDGED
from assay.results.saved_command import SavedCommand, save_command
from assay.results.saved_runs import newest_trials
from assay.results.store import Results
from assay.results.workspace import Workspace as Place
from assay.suites.selection import Selection
from testing.harness.commanding import HEAD, ROOT, Workspace
from testing.model_server import ModelServer
from testing.report.written import cell_of

TESTS = '''
BMP = """import struct, sys
data = b"BM" + struct.pack("<IHHIIiiHHIIiiII", 58, 0, 0, 54, 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0) + bytes(4)
sys.stdout.buffer.write(data)"""
TestProgram = "a program please" >> LLMRun() >> ExtractCode() >> PythonRun() >> SubstringEvaluator("hello 42")
TestUnclear = "unclear" >> LLMRun() >> ExtractCode() >> PythonRun() >> SubstringEvaluator("extracted")
TestJudge = "what" >> LLMRun() >> LLMRun("judge <A>", llm=EVAL_LLM) >> SubstringEvaluator("yes")
TestConv = "I am Ada" >> LLMConversation() >> "My name?" >> LLMConversation() >> SubstringEvaluator("Ada")
TestSees = BMP >> PythonRun(out_bytes=True) >> LLMVisionRun("Which colour?") >> SubstringEvaluator("black")
TestGone = "going" >> LLMRun() >> SubstringEvaluator("answer")
TestAsks = "first question" >> LLMRun() >> SubstringEvaluator("answer")
'''
CHANGES = (
    ("hello 42", "hello 41"),
    ('TestGone = "going"', 'TestNew = "something else"'),
    ("first question", "second question"),
)


def reply(asked):
    prompt = asked.prompt
    if "Reply with the" in prompt:
        return "```python\nprint('extracted')\n```"
    said = {
        "judge": "yes, it is",
        "program": "```python\nprint('hello 41')\n```",
        "unclear": "```python\nprint(1)\n```\nor\n```python\nprint(2)\n```",
        "I am": "hi",
        "My name?": "You are Ada",
        "colour": "black",
    }
    return next((text for word, text in said.items() if word in prompt), "the answer")


def saved(work, *models):
    """The records of what was judged again, by test."""
    lines = []
    for file in sorted(work.results.glob("rescored/*/*/run-*.jsonl")):
        lines += map(json.loads, file.read_text().splitlines())
    return {(line["model"], line["test"].partition(".")[2]): line for line in lines}


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """A run of a model, its tests edited afterwards, and the server, to be asked no more."""
    with ModelServer(reply=reply) as server:
        work = Workspace(tmp_path_factory.mktemp("rescore"), server, judge="local/judge")
        work.test_file("some", TESTS)
        flags = ("--params", '{"temperature": 0.5}', "--run-tests")
        out, _ = work.main(*flags, "--model", "local/m")
        assert "some.TestProgram      0/1" in out and "some.TestSees         1/1" in out
        server.reset()
        yield work, server
        assert server.stats()["requests"] == 0, "a rescoring asks nobody"


@pytest.mark.slow(3)
def test_unchanged_tests_give_the_same_verdicts(ran):
    work, _ = ran
    out, err = work.main("--rescore", "last")
    assert "6/7" in out and "Verdicts that changed" not in out
    assert "0 of 7 verdicts changed" in err and "sandbox: 4 commands run, 0 remembered" in err
    (file,) = work.results.glob("*/*/run-1.jsonl")
    before = {line["test"]: line for line in map(json.loads, file.read_text().splitlines())}
    for (_, test), after in saved(work).items():
        old = before[f"some.{test}"]
        for name in ("outcome", "parameters", "judges", "usage", "cost", "calls", "fingerprint"):
            assert after.get(name) == old.get(name), (test, name)
        assert after["parameters"] == {"temperature": 0.5} and after["rescored"]["changed"] is False
        assert after.get("cached_calls", 0) == old.get("calls", 0), "nothing was paid"


@pytest.mark.slow(3)
def test_what_changed_is_told_everywhere_and_only_what_hangs_on_it_runs(ran):
    work, _ = ran
    text = TESTS
    for old, new in CHANGES:
        text = text.replace(old, new)
    work.test_file("some", text)
    (run,) = work.results.glob("*/*/run-1.jsonl")
    out, err = work.main("--rescore", str(run), "--reuse-steps", "--generate-report", code=2)
    assert "sandbox: 0 commands run, 4 remembered" in err, "the changed grader alone was done anew"
    assert "2 of 6 verdicts changed" in err and "1 trial could not be judged" in err
    assert "1 saved trial left out because its test no longer exists: some.TestGone (" in err
    assert "it was 'hello 41\\n' → ✓ output contains 'hello 41'" in out
    assert "not answerable: local/m (llm) was not asked this when its replies were saved:" in out
    index = (work.folder / "report" / "index.html").read_text()
    assert "Verdicts that changed" in index and "the grader changed" in index
    (trial,) = cell_of(work.folder / "report", "some-testprogram-")["trials"]
    assert trial["again"]["changed"] and "It was FAIL. The grader changed" in trial["again"]["said"]
    (trial,) = cell_of(work.folder / "report", "some-testjudge-")["trials"]
    assert not trial["again"]["changed"] and trial["again"]["said"] == "The verdict is the same."

    out, err = work.main("--rescore", "local/m", "--format", "json", code=2)
    assert "sandbox: 4 commands run, 0 remembered" in err, "run for real, unless told otherwise"
    (facts,) = json.loads(out)
    assert (facts["model"], facts["suite"], facts["trials"]) == ("local/m", "applied", 6)
    assert facts["outcomes"] == {"pass": 5, "fail": 0, "error": 1, "skipped": 0}
    assert facts["unanswerable"] == 1 and facts["gone"] == {"some.TestGone": 1}
    asks, program = facts["changed"]
    assert (asks["test"], asks["before"], asks["after"]) == ("some.TestAsks", "PASS", "ERROR")
    assert program["why"] == "the grader changed" and program["now"] == "✓ output contains 'hello 41'"

    out, _ = work.main("--rescore", "local/m", "--test", "TestProgram", "--format", "markdown")
    assert "### Verdicts that changed" in out and "| some.TestProgram | local/m | 1 | FAIL | PASS |" in out


def test_words_and_flags_that_mean_nothing(ran):
    work, _ = ran
    results = Results(work.results)
    assert files_of("last", results) == files_of("local/m", results) == files_of(str(work.results), results)
    with pytest.raises(ConfigError, match="is not a file, a folder or a model with a saved run"):
        files_of("nothing", results)
    with pytest.raises(ConfigError, match=r"\. Did you mean local/m\? Name a run's file"):
        files_of("loca/m", results)
    with pytest.raises(ConfigError, match="there is no saved run in"):
        files_of("last", Results(work.folder / "empty"))
    for flags, said in (
        (("--rescore", "last", "--reuse-steps", "--no-cache"), "leave out --no-cache"),
        (("--rescore", "last", "--max-cost", "1"), "--max-cost goes with --run-tests"),
        (("--run-tests", "--reuse-steps"), "--reuse-steps goes with --rescore"),
    ):
        with pytest.raises(ConfigError, match=said):
            parse(flags)
    assert "no saved trial matches these flags" in work.main("--rescore", "last", "--model", "x", code=1)[1]


def test_a_sandbox_that_cannot_be_had_is_told_before_anything_is_written(ran):
    work, _ = ran
    runs = sorted(work.results.glob("rescored/*/*/*"))
    _, err = work.main("--rescore", "last", "--sandbox", "nosuch", code=1)
    assert "unknown sandbox" in err and sorted(work.results.glob("rescored/*/*/*")) == runs


def test_a_test_in_a_broken_file_is_not_taken_for_a_deleted_one(tmp_path):
    with ModelServer(reply=reply) as server:
        work = Workspace(tmp_path, server)
        work.test_file("some", "TestA = 'a' >> LLMRun() >> SubstringEvaluator('answer')\n")
        work.main("--run-tests", "--model", "local/x")
    for broken in ("def (", "TestA = missing"):
        work.test_file("some", broken)
        _, err = work.main("--rescore", "local/x", code=1)
        assert "1 saved trial left out because its test cannot be loaded: some.TestA" in err
        assert "error: t/some.py:" in err and "no longer" not in err


def test_the_folder_of_ones_own_tests_is_named_where_it_is_needed(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mine, results = tmp_path / "mine", tmp_path / "results"
    mine.mkdir()
    (mine / "caps.py").write_text(HEAD + "TestA = 'a' >> LLMRun() >> SubstringEvaluator('b')\n")
    for model, version in (("lab/a", "old"), ("lab/b", "new")):
        with Results(results).open_new("c", model, None) as store:
            for test, its, source in (("caps.TestA", version, "mine/caps.py"), ("same.Test", "f", "")):
                store.append(TrialRecord(test, model, 1, Outcome.PASS, fingerprint=its, source=source))

    def run(*words):
        code = main([*words], tmp_path)
        return code, capsys.readouterr().err

    advice = "rescore lab/a lab/b --test caps.TestA"
    assert f"{advice} --tests mine. --with-changed" in run("compare", "lab/a", "lab/b")[1]
    code, err = run(*advice.split())
    assert code == 1 and "error: nothing is left to judge" in err and not (results / "rescored").exists()
    assert "because its test is in another folder: caps.TestA (to judge it: --tests mine)" in err
    code, err = run("rescore", "lab/a", "--test", "same.Test")
    assert code == 1 and "its test no longer exists: same.Test (renamed ones are found if " in err
    assert "only one test asks the same; those of another folder: --tests DIR" in err
    assert "judging 1 saved trial again" in run(*advice.split(), "--tests", "mine")[1]


def test_tests_are_found_where_the_run_had_them(tmp_path, capsys, monkeypatch):
    def command(words):
        code = main([*words.split(), "--config", str(tmp_path / "config.json")], tmp_path)
        return code, capsys.readouterr().err

    with ModelServer(reply=reply) as server:
        work = Workspace(tmp_path, server)
        monkeypatch.chdir(tmp_path)
        for folder in ("mine", "yours"):
            (tmp_path / folder).mkdir()
            caps = HEAD + "TestA = 'a' >> LLMRun() >> SubstringEvaluator('answer')\n"
            (tmp_path / folder / "caps.py").write_text(caps)
        code, err = command("run mine --model local/x")
        assert code == 0, err
    (run,) = work.results.glob("*/*/run-1.jsonl")
    code, err = command("rescore last")
    assert code == 0 and "judging 1 saved trial again" in err
    monkeypatch.chdir(work.tests)
    code, err = command(f"rescore {run}")
    assert code == 0 and "judging 1 saved trial again" in err, "by the paths of the folder that it ran in"
    command_file = run.with_suffix(".request")
    command_file.write_text(command_file.read_text().replace("mine", "yours"))
    monkeypatch.chdir(tmp_path)
    code, err = command("rescore last")
    assert code == 1 and "(to judge it: --tests mine)" in err, "a command that is not this user's"


def test_folders_with_files_of_the_same_name_do_not_go_together(tmp_path, monkeypatch):
    files = []
    for folder in ("mine", "yours", "others"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{folder[:-1] if folder == 'others' else 'same'}.py").write_text(HEAD)
        files.append(tmp_path / folder / "run-1.jsonl")
        save_command(SavedCommand((folder,), "/", "c", {}, (str(tmp_path / folder),)), files[-1])
    monkeypatch.chdir(tmp_path)
    mine, yours, others = files
    selection = Selection(tmp_path)
    assert folders_then([mine, others, mine], selection) == ("mine", "others")
    assert folders_then([mine, yours], selection) == folders_then([tmp_path / "run-9.jsonl"], selection) == ()
    assert len(folders_then([mine, tmp_path / "run-9.jsonl"], selection)) == 2, "and the usual one"
    (tmp_path / "mine" / "same.py").unlink()
    (tmp_path / "mine").rename(tmp_path / "gone")
    assert folders_then([mine], selection) == ()


@pytest.mark.slow(5)
def test_a_folder_of_several_models_and_a_rescored_run_judged_again(tmp_path):
    with ModelServer(reply=reply) as server:
        work = Workspace(tmp_path, server)
        work.test_file("some", "TestA = 'a' >> LLMRun() >> SubstringEvaluator('answer')\n")
        work.main("--run-tests", "--model", "local/x", "--model", "local/y", "--model", "local/bad-503-x9",
                  "--retries", "0", code=2)  # fmt: skip
        asked = server.stats()["requests"]
        out, err = work.main("--rescore", "results")
        assert "local/x" in out and "local/y" in out and "0 of 3 verdicts changed" in err
        assert "ProviderError" in saved(work)["local/bad-503-x9", "TestA"]["error"] or "NotRecorded" in out
        out, err = work.main("--rescore", *map(str, work.results.glob("rescored/*/local__x/*")))
        assert "1/1" in out and "0 of 1 verdict changed" in err
        assert server.stats()["requests"] == asked


@pytest.mark.slow(6)
def test_the_newest_of_all_runs_is_judged_whatever_names_them(tmp_path):
    with ModelServer(reply=reply) as server:
        work = Workspace(tmp_path, server)
        work.test_file("some", "TestA = 'a' >> LLMRun() >> SubstringEvaluator('answer')\n")
        for _ in range(2):
            work.main("--run-tests", "--model", "local/x")
    first, second = map(str, sorted(work.results.glob("*/*/run-*.jsonl")))
    out, err = work.main("--rescore", first, second, "results", "--report")
    assert "1/1" in out and "0 of 1 verdict changed" in err
    (line,) = [
        json.loads(line)
        for file in work.results.glob("rescored/*/*/*")
        for line in file.read_text().splitlines()
    ]
    assert line["rescored"]["of"] == second
    assert "Rescored: these are saved replies" in (tmp_path / "report" / "index.html").read_text()


# ---------------------------------------------------------------- suites


def test_an_arithmetic_run_keeps_its_conditions(tmp_path):
    with ModelServer(reply=lambda asked: "7") as server:
        work = Workspace(tmp_path, server)
        suite = ("--tests", str(ROOT / "tests"), "--suite", "arithmetic")
        flags = ("--depths", "12", "--trials", "1", "--seed", "5", "--extra-context", "1k")
        work.main(*suite, "--run-tests", "--model", "local/m", *flags)
        asked = server.stats()["requests"]
        out, _ = work.main("--tests", str(ROOT / "tests"), "--rescore", "last", "--format", "json")
        assert server.stats()["requests"] == asked == 8
    (facts,) = json.loads(out)
    assert facts["trials"] == 8 and facts["lenient"] == {"Correct": 0, "Deviate": 8, "NaN": 0, "Error": 0}
    assert facts["changed"] == [] and facts["gone"] == {} and facts["suite"] == "arithmetic"
    conditions = {"seed": 5, "extra_context": "1k", "system_prompt": None}
    assert all(line["conditions"] == conditions for line in saved(work).values())


SCRIPT = """```python
import time
print(time.time_ns())
open("results/test_preds.txt", "w").write("1\\n" * 1000)
```"""


@pytest.mark.slow(4)
def test_submissions_of_weirdml_are_run_again(tmp_path):
    """What the model was told holds times, so that no second question is asked twice alike."""
    with ModelServer(reply=lambda asked: SCRIPT) as server:
        work = Workspace(tmp_path, server)
        suite = ("--tests", str(ROOT / "tests"), "--suite", "weirdml")
        flags = ("--task", "shapes_easy", "--runs", "1", "--iterations", "2", "--memory", "600m")
        work.main(*suite, *flags, "--time-limit", "60", "--run-tests", "--model", "local/m", timeout=300)
        asked = server.stats()["requests"]
        tests = ("--tests", str(ROOT / "tests"))
        _, err = work.main(*tests, "--rescore", "last", timeout=300)
        assert server.stats()["requests"] == asked == 2
        assert "0 of 1 verdict changed" in err
    (again,) = saved(work).values()
    (before,) = work.lines()
    assert again["score"] == before["score"] > 0 and again["conditions"] == before["conditions"]
    made = again["extra"]["submissions"]
    assert [one["tokens"] for one in made] == [one["tokens"] for one in before["extra"]["submissions"]]
    assert again["limits"] == before["limits"] and again["usage"] == before["usage"]


SUITE = """
from assay.suites.suite import Sample, Suite
from evaluator import *


def samples(options):
    for n in range(1, options.sums + 1):
        test = f"{n} + {options.seed}?" >> LLMRun() >> EqualEvaluator(str(n + options.seed))
        yield Sample(f"sums.s{n}", test, "sums")


def add_options(parser):
    parser.add_argument("--sums", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)


SUITE = Suite("sums", "Sums", samples, add_options=add_options, conditions=("seed",))
"""


@pytest.mark.slow(6)
def test_a_suites_flags_are_those_of_the_record_or_of_the_command_line(tmp_path):
    def reply(asked):
        first, second = asked.prompt.rstrip("?").split(" + ")
        return str(int(first) + int(second))

    with ModelServer(reply=reply) as server:
        work = Workspace(tmp_path, server)
        (work.tests / "sums").mkdir()
        (work.tests / "sums" / "suite.py").write_text(SUITE)
        flags = ("--run-tests", "--model", "local/m", "--sums", "3", "--seed", "40")
        work.main("--suite", "sums", *flags)
        server.reset()
        out, err = work.main("--rescore", "last", "--format", "json")
        (facts,) = json.loads(out)
        assert facts["outcomes"]["pass"] == 2 and facts["gone"] == {"sums.s3": 1}
        assert "--suite NAME and the flag" in err
        assert all(line["conditions"] == {"seed": 40} for line in saved(work).values())
        out, _ = work.main("--suite", "sums", "--sums", "3", "--rescore", "last")
        assert "3/3" in out
        out, err = work.main("--suite", "sums", "--seed", "41", "--rescore", "last", code=2)
        assert "2 trials could not be judged" in err and "1 + 41?" in out
        assert server.stats()["requests"] == 0
        out, err = work.main("--load-saved", "--logdir", "results/rescored", "--format", "markdown")
        assert "| sums.s1 | 1/1 |" in out, "what broke under other conditions hides no verdict"
        assert "2 results of suite sums by local/m are left out" in err and "(seed 40)" in err


def test_only_results_under_the_conditions_of_the_newest_answers_count(tmp_path, capsys, monkeypatch):
    """In tables, JSON, the gate, the report, exports and the command to show them alike."""

    def command(words, code=0):
        assert main([*words.split(), "--config", str(tmp_path / "config.json")], tmp_path) == code
        return capsys.readouterr()

    with ModelServer(reply=lambda asked: "41") as server:
        work = Workspace(tmp_path, server)
        monkeypatch.chdir(tmp_path)
        (work.tests / "sums").mkdir()
        (work.tests / "sums" / "suite.py").write_text(SUITE)
        suite = f"--tests {work.tests} --suite sums"
        command(f"run {suite} --model local/m --model local/n --seed 41")
        command(f"run {suite} --model local/m --seed 40 --test sums.s1")
    tests, show = (
        f"--tests {work.tests} --format markdown",
        "show --logdir results/rescored --format markdown",
    )
    said = "2 results of suite sums by local/m are left out: they were made under other conditions"
    for again in (f"rescore local/m local/n {tests} --report --export csv=all.csv --fail-under 50", show):
        out, err = command(again, 0 if again is show else 3)
        assert "| local/m | 1/1 | 100% |" in out and "| local/m | local/n | 0 |" in out, again
        tells = again is not show  # where there are none
        assert (f"{said} than its newest verdict (seed 40)" in err) is tells
        assert "not comparable, because" in err
        assert again is show or ("0 of 3 verdicts changed" in err and "local/m: passed" not in err)
    report = tmp_path / "evaluation_examples" / "rescored" / "index.html"
    assert said in report.read_text()
    report.unlink()
    (tmp_path / "again").symlink_to("results/rescored")
    command("report --logdir again")
    assert (
        "Rescored: these are saved replies" in report.read_text() and len([*report.parents[1].iterdir()]) == 1
    )
    assert (tmp_path / "all.csv").read_text().count(",local/m,") == 1
    facts = json.loads(command(f"rescore local/m --tests {work.tests} --format json")[0])
    assert [each["trials"] for each in facts] == [1]
    first = next(work.results.glob("*/local__m/run-1.jsonl"))
    out, err = command(f"rescore {first} {tests}")
    flags = f"--suite sums --seed 41 --tests {work.tests} --logdir results/rescored"
    assert "| local/m | 0/2 |" in out and f"main.py show {flags}" in err
    assert f"main.py compare local/m local/n {flags}" in err
    assert "| local/m | 0/2 |" in command(f"show {flags} --format markdown")[0]
    assert "| local/m | local/n | 2 |" in command(f"compare local/m local/n {flags} --format markdown")[0]
    assert "| local/m | 1/1 | 100% |" in command(show)[0], "whichever was judged last"
    out, _ = command(f"rescore local/m {tests} --suite sums --seed 41")
    assert "| local/m | 0/2 |" in out, "those under the conditions that are typed"
    _, err = command(f"rescore local/m {tests} --test sums.s1")
    assert "compare" not in err, "local/n ran under other conditions"


def test_a_try_under_the_conditions_that_count_is_judged_rather_than_an_older_verdict(tmp_path):
    def trial(test, outcome, at, seed):
        return TrialRecord(test, "m", 1, outcome, started_at=at, conditions={"seed": seed})

    with Results(tmp_path).open_new("c", "m") as store:
        for each in (("a", Outcome.PASS, "1", 1), ("a", Outcome.ERROR, "2", 2), ("b", Outcome.PASS, "2", 2)):
            store.append(trial(*each))
    found = newest_trials([store.path], [])["m"].values()
    assert {(each.record.test, each.record.conditions["seed"]) for each in found} == {("a", 2), ("b", 2)}


@pytest.mark.slow(3)
def test_it_ends_with_the_commands_that_compare_and_names_whose_replies_were_not_judged(tmp_path):
    with ModelServer(reply=lambda asked: "the answer is 42") as server:
        work = Workspace(tmp_path, server)
        work.test_file("much", "TestMuch = 'How much?' >> LLMRun() >> SubstringEvaluator('42')\n")
        for model in ("local/a", "local/b"):
            work.main("--run-tests", "--model", model)
    work.test_file("much", "TestMuch = 'How much?' >> LLMRun() >> SubstringEvaluator('the answer')\n")
    _, err = work.main("--rescore", "last")
    assert "local/a has results of the same tests that were not judged again; to compare it too: " in err
    assert f"rescore local/b local/a --test much.TestMuch --tests {work.tests} --logdir results" in err
    assert "show --logdir results/rescored" in err and " compare local" not in err
    _, err = work.main("--rescore", "local/b", "local/a")
    assert "compare local/b local/a --logdir results/rescored" in err and "not judged again" not in err
    out, err = work.main("--compare", "local/b", "local/a", "--logdir", "results/rescored")
    assert "too few tests" in out and "changed in between" not in err
    _, err = work.main("--rescore", "last")
    assert "not judged again" not in err, "it was, by the command before"
    assert "compare local/b local/a --logdir results/rescored" in err, "with those judged before"


def test_models_that_judge_themselves_are_in_none_of_these_commands(tmp_path):
    def results(folder, **versions):
        made = Results(tmp_path / folder)
        for model, version in versions.items():
            with made.open_new("c", model) as store:
                about = {SELF_JUDGED: True} if model == "proof" else {}
                store.append(record(model, fingerprint=version, about=about))
        return Place(tmp_path, made, tmp_path / "report", None)

    def record(model, **facts):
        return TrialRecord("a.T", model, 1, Outcome.PASS, **facts)

    place = results("results", m="old", n="old", oracle="old", proof="old")
    judged = results("rescored", m="new", oracle="new", proof="new")
    ours = [record(model, fingerprint="new", rescored={"at": "now"}) for model in ("oracle", "m")]
    shown, others = next_commands(ours, place, judged, [])
    assert "rescored" in shown and others.startswith("n has results of the same tests") and " m n " in others
    assert len(next_commands(ours[:1], place, judged, [])) == 1
