"""A suite of its own from the command line: a package of files, its references, its stored answers."""

import json
import re
import subprocess

import pytest

from assay.cli.main import main
from assay.errors import ConfigError, TestFileError
from assay.suites.finding import has_suite, load_suite
from testing.harness.commanding import Workspace
from testing.model_server import ModelServer

PLUGIN = "from assay.suites.suite import Suite\nclass Sums(Suite):\n    name = 'sums'\n"
PROBLEMS = 'PAIRS = {f"sums.p{i}": (i, i * 7) for i in range(3)}\n'
SUITE = """
import sys
from assay.suites.suite import Sample, Stored, StoredTrial, Suite
from assay.records import Completion, Table
from dataclasses import dataclass
from evaluator import *

from .problems import PAIRS


@dataclass(frozen=True)
class Passed(Node):
    @property
    def fewest_calls(self):
        print("counts calls")
        return 0

    async def run(self, value, ctx):
        yield Branch(value, Reason(self, Block("text", "passed", value)))


def read(text):
    print("reads a flag")
    return int(text)


def add_options(parser):
    parser.add_argument("--most", type=read, default=3)


def command(options):
    print("looks at", options.most)
    if options.most == 8:
        with sys.stdout as out:
            out.buffer.write(b"at bytes")
        raise SystemExit(0)
    return 0 if options.most == 7 else None



def graded(a, b):
    def grade(text):
        return Score(float(text == str(a + b)), text == str(a + b), {}, {"said": text})

    return f"What is {a} + {b}?" >> LLMRun() >> Passed() >> PyFunc(grade)


def samples(options):
    for name, (a, b) in PAIRS.items():
        yield Sample(name, graded(a, b), "sums", extra={"first": a}, times=2)


def references(trial, right):
    a, b = PAIRS[trial.test]
    return [str(a + b)] if right else ["", str(a - b - 1)]


def stored(path, options):
    print("looks at", path)
    if path.suffix != ".json":
        return None
    by_id = {sample.id: sample for sample in samples(options)}
    replies = json.loads(path.read_text())

    def trials():
        print("reads", path)
        for name, reply in replies.items():
            if reply is None:
                yield StoredTrial(by_id[name], 1, error="the server gave up")
            else:
                yield StoredTrial(by_id[name], 1, (Completion(reply),))

    return [Stored(path.stem, trials)]


def tables(records):
    yield Table("Sums", ("right",), ((sum(record.score or 0 for record in records),),))


def summary(records):
    return {"right": sum(bool(record.score) for record in records)}


SUITE = Suite(
    "sums", "Sums", samples, tables, add_options, references=references, stored=stored, summary=summary,
    command=command,
)
"""


@pytest.fixture
def work(tmp_path):
    made = Workspace(tmp_path)
    folder = made.tests / "sums"
    folder.mkdir()
    (folder / "problems.py").write_text(PROBLEMS)
    (folder / "suite.py").write_text(SUITE)
    return made


def test_a_suites_references_need_no_file(work):
    work.main("--suite", "sums", "--run-tests", "--model", "oracle")
    work.main("--suite", "sums", "--run-tests", "--model", "saboteur")
    of = {
        model: [line for line in work.lines() if line["model"] == model] for model in ("oracle", "saboteur")
    }
    assert [line["outcome"] for line in of["oracle"]] == ["pass"] * 3
    assert [line["outcome"] for line in of["saboteur"]] == ["fail"] * 6  # every wrong answer
    first = next(line for line in of["oracle"] if line["test"] == "sums.p2")
    assert first["extra"] == {"first": 2, "said": "16"}, "the sample's own facts, and the score's"


def test_a_sample_says_how_often_it_is_tried(work):
    flags = ("--suite", "sums", "--most", "2", "--dry-run", "--model", "openai/none", "--format", "json")
    out, err = work.main(*flags)
    assert json.loads(out)[0]["rows"][0]["trials"] == 6
    assert "reads a flag" in err and "counts calls" in err, "what a suite prints is no part of the results"


@pytest.mark.parametrize("form", ["table", "json"])
def test_what_a_suites_own_command_prints_is_its_result(work, form):
    out, err = work.main("--suite", "sums", "--most", "7", "--format", form)
    assert "looks at 7" in out and "looks at" not in err
    out, _ = work.main("--suite", "sums", "--most", "8", "--format", form)
    assert "looks at 8" in out and "at bytes" in out


@pytest.mark.parametrize("asked", ["sums", "all", "sums.p1", "--tier=hard"])
def test_a_suites_own_command_is_carried_out_by_whatever_name_it_was_asked_for(work, capsys, asked):
    assert main(["run", asked, "--most", "7", "--tests", str(work.tests)], work.folder) == 0
    out, err = capsys.readouterr()
    assert "looks at 7" in out
    assert ("no test was run: a flag of suite sums asks for something else" in err) == (asked == "sums.p1")


def test_stored_answers_are_judged_without_a_model(work):
    answers = work.folder / "acme.json"
    answers.write_text(json.dumps({"sums.p0": "0", "sums.p1": "9", "sums.p2": None}))
    out, err = work.main("--rescore", str(answers))
    assert "1/2" in out and "the server gave up" in out and "3/3 trials" in err
    out, err = work.main("--rescore", str(answers), "--format", "json")
    assert f"reads {answers}" in err
    assert json.loads(out) == [{"file": str(answers), "model": "acme", "trials": 3, "right": 1}]
    answers.write_text(json.dumps({"sums.p0": "0", "sums.p1": "8", "sums.p2": "16"}))
    out, err = work.main("--rescore", str(answers), "--resume", "--runid", "1", "--generate-report")
    assert "1/1 trials" in err, "only what ended in an error"
    assert "2/3" in out and (work.folder / "report" / "index.html").exists()
    assert not list(work.results.glob("*/*/run-*.jsonl")), "apart from the results of runs"


def test_answers_in_no_known_form(work):
    (work.folder / "notes.txt").write_text("hello")
    _, err = work.main("--rescore", "notes.txt", code=1)
    assert "nor a file of answers that a suite can read (suites tried: sums)" in err
    _, err = work.main("--rescore", "missing", code=1)
    assert "is not a file, a folder or a model" in err
    _, err = work.main("--rescore", "notes.txt", "--times", "3", code=1)
    assert "--times goes with --run-tests" in err


def test_a_mistake_in_a_file_of_the_suite_is_named(work):
    folder = work.tests / "sums"
    (folder / "problems.py").write_text("PAIRS = {}\n1 / 0\n")
    with pytest.raises(TestFileError, match=r"problems\.py:2: ZeroDivisionError"):
        load_suite("sums", work.tests)
    (folder / "problems.py").write_text(PROBLEMS)
    suite = load_suite("sums", work.tests)
    assert load_suite("sums", work.tests).tables is suite.tables, "the same files are imported once"
    (folder / "problems.py").write_text("PAIRS = {'sums.p9': (1, 2)}\n")
    assert [sample.id for sample in load_suite("sums", work.tests).samples(None)] == ["sums.p9"]


def test_a_sample_has_limits_of_its_own(work):
    folder = work.tests / "sums"
    (folder / "suite.py").write_text(
        "from assay.suites.suite import Sample, Suite\n"
        "from assay.records import Limits\n"
        "from evaluator import *\n"
        "def samples(options):\n"
        "    for name, limits in (('plain', None), ('roomy', Limits('roomy', memory=3 << 30))):\n"
        "        test = 'ulimit -a' >> TerminalRun() >> RegexEvaluator('.')\n"
        "        yield Sample(f'sums.{name}', test, 'sums', limits=limits)\n"
        "SUITE = Suite('sums', 'Sums', samples)\n"
    )
    work.main("--suite", "sums", "--run-tests", "--model", "openai/none", code=1)  # no key
    (work.folder / "config.json").write_text('{"llms": {"local": {"base_url": "http://localhost:9/v1"}}}')
    work.main("--suite", "sums", "--run-tests", "--model", "local/m")
    assert {line["test"]: line["limits"] for line in work.lines()} == {
        "sums.plain": "default",
        "sums.roomy": "roomy",
    }


TOLERANT = """
from assay.suites.suite import Sample, Suite
from assay.records import Table
from evaluator import *


def samples(options):
    for name in "ab":
        test = "7" >> PyFunc(lambda text: Score(1.0, options.tolerance > 0.5))
        yield Sample(f"sums.{name}", test, "sums")


def add_options(parser):
    parser.add_argument("--tolerance", type=float, default=0.1)


def tables(records):
    yield Table("Mean", ("mean",), ((sum(record.score for record in records) / 0,),))


SUITE = Suite("sums", "Sums", samples, add_options=add_options, conditions=("tolerance",))
"""


@pytest.mark.slow(3)
def test_flags_that_change_what_a_trial_means(work):
    (work.tests / "sums" / "suite.py").write_text(TOLERANT)
    run = ("--suite", "sums", "--run-tests", "--model", "oracle", "--times", "1")
    (work.tests / "references").mkdir()
    (work.folder / "config.json").write_text('{"llms": {"local": {"base_url": "http://localhost:9/v1"}}}')
    run = ("--suite", "sums", "--run-tests", "--model", "local/m")
    work.main(*run, "--tolerance", "0.9")
    assert {line["conditions"]["tolerance"] for line in work.lines()} == {0.9}
    _, err = work.main(*run, "--tolerance", "0.2", "--resume", code=1)
    assert "run 1 of local/m was made with --tolerance 0.9, but this command has --tolerance 0.2" in err
    _, err = work.main(*run, "--tolerance", "0.9", "--resume")
    assert "0 trials to run, 2 done before" in err
    suite = work.tests / "sums" / "suite.py"
    suite.write_text(TOLERANT.replace(', conditions=("tolerance",)', ""))
    _, err = work.main(*run, "--tolerance", "0.9", "--resume", code=1)
    assert (
        "run 1 of local/m was made when suite sums had the conditions tolerance, and now it has none" in err
    )
    suite.write_text(TOLERANT)
    work.main(*run, "--test", "sums.a", "--tolerance", "0.2")
    out, err = work.main("--load-saved", "--format", "json")
    assert "2 results of suite sums by local/m are left out" in err and "(tolerance 0.2)" in err
    assert [test["test"] for test in json.loads(out)["tests"]] == ["sums.a"]


def test_a_mistake_in_a_suite_costs_no_results(work):
    suite = work.tests / "sums" / "suite.py"
    (work.folder / "config.json").write_text('{"llms": {"local": {"base_url": "http://localhost:9/v1"}}}')
    run = ("--suite", "sums", "--run-tests", "--model", "local/m")
    suite.write_text(TOLERANT.replace("add_options=add_options", "add_options=add_options, tables=tables"))
    out, err = work.main(*run, "--generate-report")
    assert "0/2" in out and (work.folder / "report" / "index.html").exists()
    assert re.search(r"sums/suite\.py:18: ZeroDivisionError", err)
    suite.write_text(TOLERANT.replace('"7" >>', "options.nothing >>"))
    _, err = work.main(*run, code=1)
    assert re.search(r"suite sums: .*suite\.py:9: AttributeError", err)
    for name in ("--times", "--margin"):
        suite.write_text(TOLERANT.replace('"--tolerance"', f'"{name}"'))
        _, err = work.main(*run, code=1)
        assert f"suite sums: {name} is a name that Assay uses itself; rename the suite's flag" in err


def test_a_flag_may_have_the_name_of_what_is_no_flag_of_assay(work):
    names = ("words", "given", "command", "actions", "old", "argv", "resumed", "page")
    flags = "; ".join(f"parser.add_argument('--{name}')" for name in names)
    told = f"' '.join(str(getattr(options, name)) for name in {names})"
    (work.tests / "sums" / "suite.py").write_text(
        "from evaluator import *\nfrom assay.suites.suite import Sample, Suite\n"
        f"class Sums(Suite):\n    name = 'sums'\n    def flags(self, parser):\n        {flags}\n"
        "    def samples(self, options):\n"
        f"        yield Sample('sums.A', 'x' >> LLMRun(), description={told})\n"
        "SUITE = Sums\n"
    )
    given = [word for name in names for word in (f"--{name}", f"my-{name}")]
    out, _ = work.main("--suite", "sums", "--list", *given)
    assert " ".join(f"my-{name}" for name in names) in out
    work.main("--suite", "sums", "--run-tests", "--model", "oracle", "--dry-run", *given)


def test_a_broken_suite_among_all_leaves_the_others_alone(work):
    (work.folder / "config.json").write_text('{"llms": {"local": {"base_url": "http://localhost:9/v1"}}}')
    for name, text in {
        "early": "import no_such_module",
        "late": TOLERANT.replace('"7" >>', "options.nothing >>"),
    }.items():
        (work.tests / name).mkdir()
        (work.tests / name / "suite.py").write_text(text.replace('"sums"', f'"{name}"'))
    out, err = work.main("--suite", "all", "--list", code=1)
    assert "sums.p0" in out and "early/suite.py:1: ModuleNotFoundError" in err and "suite late: " in err
    run = ("--run-tests", "--model", "local/m", "--dry-run")
    out, err = work.main("--suite", "all", *run, code=1)
    assert re.search(r"local/m +6 +6", out), "those of sums"
    assert "early/suite.py:1: ModuleNotFoundError" in err and re.search(
        r"late/suite\.py:9: AttributeError", err
    )
    for name in ("early", "late"):
        out, err = work.main("--suite", "sums", "--suite", name, *run, code=1)
        assert f"{name}/suite.py" in err and not out


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ("[('a', 1)]", r"suite sums: <lambda>\(\) \(suite.py:24\) must yield Table, not tuple"),
        (
            "[Table('T', ('a', 'b'), ((1,),))]",
            r"a row of the table 'T' needs 2 strings, .*; it has 1: \(1,\)",
        ),
        ("Table('T', ('a',), ())", r"must yield Table, or return a list of them, not Table"),
        ("[Table('T', ('a',), ((object(),),))]", r"suite sums: a row of the table 'T' .* is not a value"),
    ],
)
def test_a_table_that_cannot_be_shown_costs_no_report(work, tables, said):
    suite = work.tests / "sums" / "suite.py"
    text = f"{TOLERANT}\nfrom assay.records import Table\nSUITE.tables = lambda records: {tables}\n"
    suite.write_text(text)
    run = ("--suite", "sums", "--run-tests", "--model", "oracle", "--generate-report")
    _, err = work.main(*run)
    assert re.search(said, err) and "Traceback" not in err
    assert (work.folder / "report" / "index.html").exists()
    assert json.loads(work.main("--load-saved", "--format", "json")[0])["tests"]


def test_references_of_a_suite_may_stand_in_a_file_beside_it(work):
    suite = work.tests / "sums" / "suite.py"
    suite.write_text(
        "from evaluator import *\nfrom assay.suites.suite import Sample, Suite\n"
        "class Sums(Suite):\n    name, description = 'sums', 'Sums'\n"
        "    def samples(self, options):\n"
        "        yield Sample(id='sums.one', test='1 + 1?' >> LLMRun() >> SubstringEvaluator('2'))\n"
        "SUITE = Sums\n"
    )
    run = ("--suite", "sums", "--run-tests", "--model", "oracle", "--format", "json")
    out, _ = work.main(*run)
    assert json.loads(out)["models"][0]["skipped"] == 1
    references = work.tests / "sums" / "references" / "suite.py"
    references.parent.mkdir()
    references.write_text("RIGHT = {'one': ['2']}\nWRONG = {'one': ['3']}\n")
    out, _ = work.main(*run)
    assert json.loads(out)["models"][0]["passed"] == 1
    references.write_text("RIGHT = {'one': [nothing]}\n")
    _, err = work.main(*run, code=2)
    assert "references/suite.py:1: NameError" in err
    suite.write_text(
        suite.read_text().replace(
            "SUITE", "    def references(self, trial, right):\n        return trial.tset\nSUITE"
        )
    )
    _, err = work.main(*run, code=2)
    assert re.search(r"suite sums: .*suite\.py:8: AttributeError", err) and "Traceback" not in err


def test_a_test_that_cannot_be_made_is_told_of_before_any_model_is_asked(work):
    suite = work.tests / "sums" / "suite.py"
    suite.write_text(
        "from evaluator import *\nfrom assay.suites.suite import Sample, Suite\n"
        "class Sums(Suite):\n    name, description = 'sums', 'Sums'\n"
        "    def samples(self, options):\n"
        "        yield Sample(id='sums.one', test='1 + 1?' >> LLMRun() >> SubstringEvaluator('2'))\n"
        "        yield Sample(id='sums.odd', test=lambda: 1 / 0)\n"
        "SUITE = Sums\n"
    )
    out, _ = work.main("--suite", "sums", "--list")
    assert "sums.odd" in out
    _, err = work.main("--suite", "sums", "--run-tests", "--model", "oracle", code=1)
    assert "sums/suite.py:7: the sample 'sums.odd': its test could not be made: ZeroDivisionError" in err
    assert not work.lines()


def test_a_suite_that_makes_no_test_is_named(work):
    (work.tests / "sums" / "suite.py").write_text(
        "from assay.suites.suite import Suite\n\n\ndef samples(options):\n    return ()\n\n\n"
        'SUITE = Suite("sums", "Sums", samples)\n'
    )
    _, err = work.main("--suite", "sums", "--run-tests", "--model", "oracle", code=1)
    assert "there is no test in suite sums with these flags" in err


def test_flags_and_tests_of_a_suite_that_was_not_asked_for(work):
    (work.tests / "sums" / "suite.py").write_text(TOLERANT)
    work.test_file("plain", "TestOne = 'a' >> LLMRun() >> SubstringEvaluator('a')\n")
    _, err = work.main("--run-tests", "--tolerance", "0.2", code=1)
    assert "--tolerance belongs to a suite: --suite sums --tolerance" in err
    _, err = work.main("--suite", "sums", "--run-tests", "--tolerence", "0.2", code=1)
    assert "Did you mean --tolerance" in err
    _, err = work.main("--run-tests", "--test", "sums.nope", code=1)
    assert "no test of suite sums is named 'sums.nope'" in err
    _, err = work.main("--run-tests", "--test", "sums", code=1)
    assert "to choose the suite, use --suite sums" in err
    _, err = work.main("--list")
    assert "further suites (--suite NAME): sums" in err


@pytest.mark.slow(3)
def test_models_tried_under_different_conditions_are_not_compared_in_silence(work):
    (work.tests / "sums" / "suite.py").write_text(TOLERANT)
    (work.folder / "config.json").write_text('{"llms": {"local": {"base_url": "http://localhost:9/v1"}}}')
    run = ("--suite", "sums", "--run-tests")
    work.main(*run, "--model", "local/m", "--tolerance", "0.9")
    _, err = work.main(*run, "--model", "local/n", "--tolerance", "0.9", "--generate-report")
    assert "not comparable" not in err
    _, err = work.main(*run, "--model", "local/n", "--tolerance", "0.2", "--generate-report")
    said = "models ran under different conditions: local/m: tolerance 0.9; local/n"
    assert said in err and said in (work.folder / "report" / "index.html").read_text()
    assert said in work.main("--load-saved")[1]


@pytest.mark.parametrize("name", ["s" * 500, "../sums", "a/b", "", "\0", "\u00e4" * 200])
def test_a_name_that_a_record_of_a_stranger_has_may_be_no_files_name(tmp_path, name):
    assert not has_suite(name, tmp_path)
    with pytest.raises(ConfigError, match="unknown suite"):
        load_suite(name, tmp_path)


@pytest.mark.slow(6)
def test_verdicts_by_different_files_of_a_suite_are_said(tmp_path):
    """Nothing is left out of tables for them, unless a sample asks or checks something else or says so."""
    with ModelServer() as server:
        made = Workspace(tmp_path, server)
        folder = made.tests / "sums"
        folder.mkdir()
        (folder / "problems.py").write_text(PROBLEMS)
        (folder / "suite.py").write_text(SUITE)
        run = ("--suite", "sums", "--run-tests", "--times", "1", "--model")
        made.main(*run, "local/m")
        _, err = made.main(*run, "local/n", "--generate-report")
        assert "versions" not in err
        (folder / "suite.py").write_text(SUITE.replace("def graded", "# now mended\ndef graded"))
        made.main(*run, "local/o")
        out, err = made.main("--load-saved")
        assert out.count("0/3") == 3
        said = "suite sums: not all verdicts were made with the same versions: suite files "
        assert re.search(said + r"[0-9a-f]{16} \(local/m, local/n\), [0-9a-f]{16} \(local/o\)", err)
        told = SUITE.replace("times=2", "times=2, fingerprint=__file__ + str(a * b)")
        (folder / "suite.py").write_text(told)
        made.main(*run, "local/p")
        (folder / "suite.py").write_text(told.replace("a * b", "a + b + 1"))
        made.main(*run, "local/q")
        _, err = made.main("--load-saved")
        assert "results of suite sums by local/p are left out: they were made with another version" in err


def test_an_entry_point_that_names_no_suite_is_told_in_one_line(tmp_path):
    info = tmp_path / "site" / "sums-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sums\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[assay.suites]\nsums = sums_module\n")
    (tmp_path / "site" / "sums_module.py").write_text(PLUGIN)
    work = Workspace(tmp_path / "w")
    work.test_file("print", "TestP = 'p' >> LLMRun() >> SubstringEvaluator('p')\n")
    path = f"{tmp_path / 'site'}:{work.environment['PYTHONPATH']}"
    command = work.command("--suite", "sums", "--list")
    done = subprocess.run(
        command, cwd=work.folder, env={**work.environment, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "must be a subclass of assay.suites.suite.Suite named 'sums', not of type module" in done.stderr


def test_a_condition_that_is_no_flag_is_an_error(work):
    (work.tests / "sums" / "suite.py").write_text(
        TOLERANT.replace('conditions=("tolerance",)', 'conditions=("tolerence",)')
    )
    _, err = work.main("--suite", "sums", "--run-tests", "--model", "oracle", code=1)
    assert "suite sums: its conditions name 'tolerence', but it has no such flag" in err


def test_a_percent_sign_in_the_help_of_a_flag_is_told(work):
    suite = work.tests / "sums" / "suite.py"
    suite.write_text(TOLERANT.replace('"--tolerance"', '"--tolerance", help="50% of it"'))
    _, err = work.main("--suite", "sums", "--run-tests", "--help", code=1)
    assert "write %% for a %" in err and "Traceback" not in err


SEEDED = """
from evaluator import *
from assay.suites.suite import Sample, Suite

class Seeded(Suite):
    name = "seeded"
    description = "Numbers that a seed decides"

    def flags(self, parser):
        parser.add_argument("--seed", type=int, default=5)

    def samples(self, options):
        for a in range(2):
            number = a * options.seed  # 0 with any seed
            test = f"What is {number}?" >> LLMRun() >> ContainsIntEvaluator(number)
            yield Sample(id=f"seeded.N{a}", test=test)

    def references(self, trial, right):
        return [lambda asked: asked[-1].content.strip("What is?") if right else "none"]

SUITE = Seeded
"""


def test_what_answered_another_question_is_not_done_before(tmp_path):
    work = Workspace(tmp_path)
    (work.tests / "seeded").mkdir()
    (work.tests / "seeded/suite.py").write_text(SEEDED)
    run = ("--suite", "seeded", "--run-tests", "--model", "oracle")
    work.main(*run, "--seed", "5")
    _, err = work.main(*run, "--seed", "6", "--resume", "--dry-run")
    assert "oracle: 1 trial done already" in err
    _, err = work.main(*run, "--seed", "6", "--resume")
    assert "oracle: 1 trial to run" in err and ", 1 done before" in err
    assert "1 trial done before of tests that ask or check something else now, such as seeded.N1, will" in err
    assert "; if --seed changes its tests, name it in the suite's conditions" in err
    assert "no trial had finished" not in err
    _, err = work.main(*run, "--seed", "6", "--resume")
    assert "0 trials to run" in err and ", 2 done before" in err
    (work.tests / "seeded/suite.py").write_text(SEEDED.replace("default=5", "default=7"))
    _, err = work.main(*run, "--resume")
    assert "something else now, such as seeded.N1, will be run again\n" in err


def test_what_is_doubtful_about_a_sample_is_told_by_run_lint_and_explain(work):
    (work.tests / "loose").mkdir()
    (work.tests / "loose" / "suite.py").write_text(
        "from evaluator import *\nfrom assay.suites.suite import Sample, Suite\n"
        "class Loose(Suite):\n"
        "    name = 'loose'\n"
        "    def samples(self, options):\n"
        "        yield from (Sample(f'loose.s{n}', 'hi' >> LLMRun()) for n in range(5))\n"
        "        yield Sample('loose.odd', 'hi' >> LLMRun() >> EqualEvaluator(42))\n"
        "    def references(self, trial, right):\n"
        "        return ['a'] if right else ['b']\n"
        "SUITE = Loose()\n"
    )
    _, err = work.main("--run-tests", "--suite", "loose", "--model", "oracle", code=3)
    assert "warning: loose.s0 ends in LLMRun, which passes with any reply" in err
    assert "warning: 2 more end without a judge" in err and "loose.s3" not in err
    err_of_run = err
    out, err = work.main("--lint-tests", "--suite", "loose", code=1)
    assert "loose/suite.py:6: warning: loose.s0: ends in LLMRun, which passes with any reply" in out
    assert "(and 4 more like it)\n" in out and "loose.s1" not in out
    assert "6 tests: 0 errors" in err and "no references" not in out
    odd = "loose.odd: EqualEvaluator compares with the number 42, which no text equals"
    assert f"loose/suite.py:7: warning: {odd}" in out
    assert f"warning: {odd}" in err_of_run
    assert odd.partition(": ")[2] in work.main("--explain", "odd", "--suite", "loose")[0]
