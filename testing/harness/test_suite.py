"""Finding tests: by their source for lists, by import for runs, and what is said about broken files."""

import argparse
import ast
import json
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from assay.cli.main import main
from assay.errors import ConfigError, NodeError, TestFileError
from assay.language.pictures import Image
from assay.suites.blame import blame
from assay.suites.finding import load_suite
from assay.suites.listing import list_tests, read_test_file
from assay.suites.loading import load_tests
from assay.suites.sample import unique_ids
from assay.suites.selected import Selected
from assay.suites.suite import Sample, Suite
from assay.suites.tree_warnings import lost_replies, misfits, precedence_trap
from evaluator import (
    EVAL_LLM,
    LLM,
    AgentRun,
    ContainsIntEvaluator,
    EqualEvaluator,
    ExtractCode,
    ExtractJSON,
    Judge,
    LLMConversation,
    LLMRun,
    LLMVisionRun,
    MakeFile,
    PyFunc,
    PythonRun,
    SubstringEvaluator,
    TerminalRun,
    ToolCallEvaluator,
)

ROOT = Path(__file__).resolve().parents[2]
HEAD = "from evaluator import *\n"
PAY = {"name": "pay", "description": "Pay.", "parameters": {"type": "object", "properties": {}}}
PICTURE = Image(lambda: b"")
A, B = SubstringEvaluator("a"), SubstringEvaluator("b")


def write(folder, name, text):
    path = folder / f"{name}.py"
    path.write_text(HEAD + text)
    return path


def load(folder, **kwargs):
    return load_tests(list_tests([folder]), root=folder, **kwargs)


def test_a_listing_tells_what_an_import_tells():
    files = list_tests([ROOT / "tests"])
    listed = {test.id: test for file in files for test in file.tests}
    loaded = load_tests(files, root=ROOT)
    assert loaded.errors == []
    assert {sample.id for sample in loaded.samples} == set(listed)
    for sample in loaded.samples:
        test = listed[sample.id]
        assert (sample.description, sample.tags, sample.requires) == (
            test.description,
            test.tags,
            test.requires,
        )


def test_facts_of_a_file_reach_its_tests(tmp_path):
    write(
        tmp_path,
        "one",
        "DESCRIPTION = 'Can it\\n  say a?'\nTAGS = ['x', 'y']\nREQUIRES = ('gcc',)\nDETERMINISTIC = True\n"
        "TestA = 'q' >> LLMRun() >> PythonRun() >> SubstringEvaluator('a')\n",
    )
    (sample,) = load(tmp_path).samples
    assert sample.id == "one.TestA" and sample.source == "one.py"
    assert (sample.description, sample.tags, sample.deterministic) == ("Can it say a?", ("x", "y"), True)
    assert sample.needs[0] == "gcc" and set(PythonRun().needs) <= set(sample.needs)


def test_broken_files_cost_only_their_own_tests(tmp_path):
    write(tmp_path, "good", "TestA = 'q' >> LLMRun()\n")
    write(tmp_path, "syntax", "def (:\n")
    write(tmp_path, "raises", "x = 1\nTestA = 1 / 0\n")
    write(tmp_path, "leaves", "import sys\nsys.exit(3)\nTestA = 'q' >> LLMRun()\n")
    (tmp_path / "latin.py").write_bytes(b"TestA = '\xff'\n")
    (tmp_path / "nul.py").write_bytes(b"TestA = 1\0\n")
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    (tmp_path / "folder.py").mkdir()
    os.mkfifo(tmp_path / "pipe.py")  # nobody ever writes into it
    loaded = load(tmp_path)
    assert [sample.id for sample in loaded.samples] == ["good.TestA"]
    errors = "\n".join(loaded.errors)
    assert len(loaded.errors) == 8
    assert f"{tmp_path}/pipe.py: cannot be read: not a file" in errors
    assert f"{tmp_path}/syntax.py:2: " in errors
    assert f"{tmp_path}/raises.py:3: ZeroDivisionError" in errors
    assert f"{tmp_path}/leaves.py:3: SystemExit: 3" in errors
    assert f"{tmp_path}/gone.py: cannot be read" in errors


def test_two_tests_of_one_name_are_an_error(tmp_path):
    write(tmp_path, "twice", "TestA = 'q' >> LLMRun()\nx = 1\nTestA = 'r' >> LLMRun()\n")
    (error,) = load(tmp_path).errors
    assert f"{tmp_path}/twice.py:4: TestA is assigned twice (first on line 2)" in error


@pytest.mark.parametrize(
    "text",
    [
        "TestA = 'q' >> LLMRun()\nTestA = TestA >> SubstringEvaluator('a')\n",
        "if True:\n    TestA = 'q' >> LLMRun()\nelse:\n    TestA = 'r' >> LLMRun()\n",
        "try:\n    TestA = 'q' >> LLMRun()\nexcept ValueError:\n    TestA = 'r' >> LLMRun()\n",
    ],
)
def test_building_one_test_in_steps_is_fine(tmp_path, text):
    write(tmp_path, "steps", text)
    assert load(tmp_path).errors == [] and len(load(tmp_path).samples) == 1


def test_two_files_of_one_stem_are_an_error(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    write(tmp_path / "a", "one", "TestA = 'q' >> LLMRun()\n")
    write(tmp_path / "b", "ONE", "TestA = 'q' >> LLMRun()\n")
    with pytest.raises(TestFileError, match="two test files have the same name"):
        list_tests([tmp_path / "a", tmp_path / "b"])


def test_private_files_and_suites_are_no_tests(tmp_path):
    for name in ("_shared", "suite", "conftest"):
        write(tmp_path, name, "1 / 0\n")
    assert list_tests([tmp_path]) == []


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(TestFileError, match="cannot list tests"):
        list_tests([tmp_path / "none"])


@pytest.mark.parametrize("line", ["TAGS = 'code'", "TAGS = [1]", "REQUIRES = 3", "DESCRIPTION = []"])
def test_facts_of_a_wrong_type_are_named(tmp_path, line):
    path = write(tmp_path, "wrong", line + "\nTestA = 'q' >> LLMRun()\n")
    assert line.split()[0] in read_test_file(path).error
    write(tmp_path, "wrong", line.replace("= ", "= (lambda x: x)(") + ")\nTestA = 'q' >> LLMRun()\n")
    assert line.split()[0] in load(tmp_path).errors[0]


def test_computed_tests_are_found_by_import(tmp_path):
    write(tmp_path, "made", "for i in range(3):\n    globals()[f'Test{i}'] = f'{i}' >> LLMRun()\n")
    (file,) = list_tests([tmp_path])
    assert file.computed and file.tests == ()
    assert [sample.id for sample in load(tmp_path).samples] == ["made.Test0", "made.Test1", "made.Test2"]


def test_what_a_file_prints_stays_off_stdout(tmp_path, capsys):
    write(tmp_path, "loud", "print('loud')\nTestA = 'q' >> LLMRun()\n")
    load(tmp_path)
    assert capsys.readouterr().out == ""


def test_a_commands_stdout_holds_its_document_alone(tmp_path, capfd, monkeypatch):
    """Whatever a test file writes at import and for its rows, to the descriptor too, as programs do."""
    rows = "def rows():\n    print('rows')\n    os.write(1, b'descriptor')\n    yield {'q': 'a'}\n"
    test = "TestA = Rows(rows) >> '<q>' >> LLMRun() >> SubstringEvaluator('a')\n"
    write(tmp_path, "loud", f"import os\nprint('loud')\n{rows}{test}")
    for name in ("stdout", "stderr"):  # as in a process of its own
        monkeypatch.setattr(sys, name, getattr(sys, f"__{name}__"))
    main(["explain", "loud", "--tests", str(tmp_path), "--format", "json"], tmp_path)
    print("after it", flush=True)
    out, err = capfd.readouterr()
    document, after = out.rsplit("]", 1)
    assert json.loads(f"{document}]")[0]["suite"] == "applied" and after == "\nafter it\n"
    assert "loud" in err and "rows" in err and "descriptor" in err


def test_files_do_not_see_each_other(tmp_path):
    write(tmp_path, "json", "VALUE = 1\nTestA = 'q' >> LLMRun()\n")  # hides no module of Python
    write(tmp_path, "two", "import json\njson.dumps(1)\nTestA = 'q' >> LLMRun()\n")
    assert load(tmp_path).errors == []


def test_functions_keep_their_source(tmp_path):
    """Setup and PyEvaluator send an author's function into the sandbox by its source."""
    import inspect

    write(tmp_path, "fn", "def check(x):\n    return x == 'a'\nTestA = 'q' >> LLMRun() >> PyFunc(check)\n")
    (sample,) = load(tmp_path).samples
    function = next(vars(node)["fn"] for node in sample.test.walk() if "fn" in vars(node))
    assert "return x == 'a'" in inspect.getsource(function)


@pytest.mark.parametrize(
    ("loop", "line"),
    [
        ("for c in 'ab':\n    TestA = c >> LLMRun()\n", 3),
        ("if True:\n    for c in 'ab':\n        x = 1\n        TestA = c >> LLMRun()\n", 5),
        ("kept = []\nfor c in 'ab':\n    TestA = c >> LLMRun()\n    kept.append(TestA)\n", 0),
        ("for c in 'ab':\n    if c == 'b':\n        TestA = c >> LLMRun()\n        break\n", 0),
        ("def f():\n    for c in 'ab':\n        TestB = c >> LLMRun()\nTestA = 'q' >> LLMRun()\n", 0),
        ("TestA = {c: c >> LLMRun() for c in 'ab'}\n", 0),
    ],
)
def test_a_test_that_a_loop_assigns_anew_is_told(tmp_path, loop, line):
    path = write(tmp_path, "looped", loop)
    said = f"{path}:{line}: TestA is assigned in a loop, so only the last one is left; write TestA = {{KEY: "
    loaded = load(tmp_path)
    assert [text.startswith(said) for text in loaded.warnings] == [True] * bool(line), loaded.warnings
    assert loaded.samples and not loaded.errors


@pytest.mark.parametrize(
    ("test", "trapped"),
    [
        ("q" >> LLMRun() >> A | B, True),
        ("q" >> LLMRun() >> A & B, True),
        ("q" >> LLMRun() >> A | B | ContainsIntEvaluator(3), True),
        ("q" >> LLMRun() >> A & ~B, True),
        ("q" >> LLMRun() >> (A | B), False),
        (("q" >> LLMRun() >> A) | ("r" >> LLMRun() >> B), False),
        (("q" >> LLMRun() >> A) & ("r" >> B), False),
        ("q" >> LLMRun() >> A, False),
        (A | B, False),
    ],
)
def test_the_precedence_trap(test, trapped):
    assert bool(precedence_trap(test)) == trapped


def test_the_precedence_trap_names_file_and_test(tmp_path):
    write(tmp_path, "trap", "TestA = 'q' >> LLMRun() >> SubstringEvaluator('a') | SubstringEvaluator('b')\n")
    loaded = load(tmp_path)
    assert f"{tmp_path}/trap.py:2: TestA: >> binds tighter than |" in loaded.warnings[0]
    assert len(loaded.samples) == 1


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("q" >> LLMRun() >> EqualEvaluator(42), "write EqualEvaluator('42') or ContainsIntEvaluator(42)"),
        (
            "q" >> LLMRun() >> EqualEvaluator(True),
            "compares with True, which no text equals, and LLMRun yields",
        ),
        ("q" >> LLMRun() >> ExtractJSON() >> EqualEvaluator([1]), "write JSONSubsetEvaluator([1])"),
        ("q" >> LLMRun() >> PythonRun() >> (A & ~EqualEvaluator(4)), "PythonRun yields a text"),
        ("q" >> LLMRun() >> A >> B, "judges the verdict of the check before it (SubstringEvaluator)"),
        ("q" >> LLMRun() >> (A | B) >> Judge("Good?"), "Judge judges the verdict"),
        ("q" >> LLMRun() >> A >> EqualEvaluator("True"), "EqualEvaluator judges the verdict"),
        ("q" >> LLMRun() >> A >> EqualEvaluator(True), ""),
        ("q" >> LLMRun() >> PyFunc(int) >> EqualEvaluator(42), ""),
        ("q" >> LLMRun() >> EqualEvaluator("42"), ""),
        ("q" >> LLMRun() >> (A & B), ""),
        ("q" >> LLMRun(tools=[PAY]) >> ToolCallEvaluator("pay"), ""),
        ("q" >> LLMRun() >> PyFunc(str) >> ToolCallEvaluator("pay"), ""),
        ("q" >> LLMRun() >> SubstringEvaluator(""), "finds the empty text in every output"),
        ("q" >> LLMRun("In a word.") >> A, "so what comes before it (the text 'q') is not sent to the model"),
        ("q" >> LLMConversation("In a word.") >> A, "the prompt of LLMConversation has no <A>"),
        ("q" >> LLMRun() >> LLMRun("Is it so?", EVAL_LLM) >> A, "what comes before it (LLMRun) is not sent"),
        ("q" >> LLMRun() >> PythonRun() >> LLMRun("And now?") >> A, ""),
        ("q" >> LLMConversation() >> LLMConversation("And now?") >> A, ""),
        ("q" >> LLMRun("In a word: <A>") >> A, ""),
        ("q" >> LLMRun("<prompt>") >> A, ""),
        ("" >> LLMRun("2 + 2?") >> A, ""),
        (PICTURE >> LLMRun("Colour?") >> A, "sends no picture, so the model does not see it; write LLM"),
        (PICTURE >> LLMVisionRun("Colour?", llm=LLM) >> A, ""),
        (PICTURE >> EqualEvaluator(4), ""),
        ("q" >> PICTURE >> LLMVisionRun("?", llm=LLM) >> A, "so the text 'q' before it is not sent to"),
        ("q" >> PythonRun(out_bytes=True) >> LLMVisionRun("?", llm=LLM) >> A, ""),
    ],
)  # fmt: skip
def test_a_check_that_cannot_hold_behind_the_step_before_it(test, said):
    found = list(misfits(test))
    assert (said in found[0] and len(found) == 1) if said else not found


@pytest.mark.parametrize(
    ("test", "lost"),
    [
        ("q" >> LLMRun() >> "print(1)" >> PythonRun() >> A, True),
        ("q" >> LLMRun() >> ExtractCode() >> "print(1)" >> PythonRun() >> (A & ~B), True),
        ("q" >> LLMConversation() >> "x" >> LLMRun(llm=EVAL_LLM) >> Judge("Good?"), True),
        ("q" >> LLMRun() >> PICTURE >> LLMVisionRun("Colour?") >> A, True),
        (MakeFile("a.txt") >> "q" >> LLMRun() >> "cat a.txt" >> TerminalRun() >> A, True),
        (("q" >> LLMRun() >> A) & ~("q" >> LLMRun() >> "a" >> A), True),
        ("q" >> LLMRun() >> PythonRun() >> A, False),
        ("print(1)" >> PythonRun() >> A, False),
        ("q" >> LLMRun() >> "a", False),  # it ends loosely, which is told
        ("q" >> LLMRun() >> PythonRun() >> "cat a.txt" >> TerminalRun() >> A, False),
        ("q" >> AgentRun() >> "cat a.txt" >> TerminalRun() >> A, False),
        ("q" >> LLMRun() >> MakeFile("a.py") >> "python3 a.py" >> TerminalRun() >> A, False),
        ("q" >> LLMConversation() >> "And now?" >> LLMConversation() >> A, False),
        ("q" >> LLMRun() >> "p" >> LLMRun() >> A, False),
        ("q" >> LLMRun() >> "no code" >> ExtractCode() >> A, False),  # it asks again
        ("q" >> LLMRun() >> PyFunc(str) >> "x" >> PyFunc(str) >> A, False),  # which may note what they get
        ("q" >> LLMRun() >> "x" >> PyFunc(str) >> A, False),
        (("q" >> LLMRun() >> PythonRun() >> A) & ("q" >> LLMRun() >> "ls" >> TerminalRun() >> B), False),
    ],
)
def test_a_text_in_the_place_of_the_reply_is_told_where_nothing_uses_the_reply(test, lost):
    assert len(list(lost_replies(test))) == lost


@pytest.mark.parametrize("before", ["pic.png", "q" >> LLMRun(), "q" >> PythonRun()])
def test_a_text_is_no_picture_to_show(before):
    with pytest.raises(NodeError, match=r"yields a text: write Image\("):
        list(misfits(before >> LLMVisionRun("Colour?") >> A))


def test_a_check_of_calls_behind_a_step_without_tools_is_an_error_before_anything_is_paid(tmp_path):
    write(tmp_path, "calls", "TestA = 'q' >> LLMRun() >> ToolCallEvaluator('pay')\n"
          "TestB = 'q' >> LLMRun() >> EqualEvaluator(4)\n"
          "TestC = Rows([{'a': 1}]) >> '<a>' >> LLMRun() >> ToolCallEvaluator('pay')\n")  # fmt: skip
    loaded = load(tmp_path)
    assert [each.id for each in loaded.samples] == ["calls.TestB"] and not loaded.rows
    assert f"{tmp_path}/calls.py:2: TestA: ToolCallEvaluator judges a reply to tools" in loaded.errors[0]
    assert f"{tmp_path}/calls.py:4: TestC: " in loaded.errors[1] and len(loaded.errors) == 2
    assert f"{tmp_path}/calls.py:3: TestB: EqualEvaluator compares with the number 4" in loaded.warnings[0]


@pytest.mark.parametrize(
    ("test", "nothing"),
    [
        ('"q" and LLMRun() >> SubstringEvaluator("a")', True),
        ("LLMConversation() >> SubstringEvaluator('a')", True),
        ("Rows([{'n': 1}]) >> LLMRun() >> ContainsIntEvaluator('<n>')", True),
        ('"q" >> LLMRun() >> SubstringEvaluator("a")', False),
        ('LLMRun("What is 2 + 2?") >> SubstringEvaluator("4")', False),
        ('PyFunc(str) >> LLMRun() >> SubstringEvaluator("4")', False),
    ],
)
def test_a_test_without_a_question_is_told(tmp_path, test, nothing):
    write(tmp_path, "asking", f"TestA = {test}\n")
    said = f"{tmp_path}/asking.py:2: TestA: begins with LLM"
    assert [text.startswith(said) for text in load(tmp_path).warnings] == [True] * nothing


def test_a_listing_is_remembered_until_the_file_changes(tmp_path):
    tests, cache = tmp_path / "t", tmp_path / "cache" / "listing.json"
    tests.mkdir()
    path = write(tests, "one", "TAGS = ['x']\nTestA = 'q' >> LLMRun()\n")
    first = list_tests([tests], cache)
    saved = json.loads(cache.read_text())
    saved["files"][str(path)][1]["facts"][0] = "from the cache"
    cache.write_text(json.dumps(saved))
    (again,) = list_tests([tests], cache)
    assert again.tests[0].description == "from the cache" and again.tests[0].tags == ("x",)
    path.write_text(path.read_text() + "TestB = 'q' >> LLMRun()\n")
    (fresh,) = list_tests([tests], cache)
    assert [test.variable for test in fresh.tests] == ["TestA", "TestB"] and first[0].tests != fresh.tests
    cache.write_text("{broken")
    assert list_tests([tests], cache) == [fresh]


def test_a_suite_of_its_own(tmp_path):
    folder = tmp_path / "sums"
    folder.mkdir()
    (folder / "suite.py").write_text(
        "from assay.suites.suite import Sample, Suite\nfrom evaluator import *\n"
        "class Sums(Suite):\n"
        "    name = 'sums'\n"
        "    scores = (0, 10)\n"
        "    def samples(self, options):\n"
        "        for i in range(2):\n"
        "            yield Sample(id=f'sums.{i}', test='q' >> LLMRun())\n"
        "    def tables(self, records):\n"
        "        return ()\n"
        "SUITE = Sums\n"
    )
    suite = load_suite("sums", tmp_path)
    assert [sample.id for sample in suite.samples(None)] == ["sums.0", "sums.1"]
    assert {(sample.suite, sample.scores) for sample in map(suite.own, suite.samples(None))} == {
        ("sums", (0, 10))
    }
    assert suite.defines("tables") and not suite.defines("aggregate") and suite.folder == folder.resolve()
    with pytest.raises(TypeError, match="must yield Sample, not str"):
        suite.own("sums.0")
    with pytest.raises(ConfigError, match="unknown suite 'sum'; choose one of applied, sums, all"):
        load_suite("sum", tmp_path)
    (folder / "suite.py").write_text("SUITE = 3\n")
    with pytest.raises(TestFileError, match="must define SUITE"):
        load_suite("sums", tmp_path)


def test_a_suite_of_before_it_was_a_class_works(tmp_path):
    folder = tmp_path / "sums"
    folder.mkdir()
    (folder / "suite.py").write_text(
        "from assay.suites.suite import Sample, Suite\nfrom evaluator import *\n"
        "def samples(options):\n"
        "    yield Sample('sums.0', 'q' >> LLMRun(), 'sums', 'suite.py', 'one', ('tag',), times=2)\n"
        "def add_options(parser):\n"
        "    parser.add_argument('--size')\n"
        "SUITE = Suite('sums', 'adds', samples, lambda records: ['t'], add_options, conditions=('size',))\n"
    )
    suite = load_suite("sums", tmp_path)
    (sample,) = suite.samples(None)
    assert (sample.description, sample.tags, sample.times) == ("one", ("tag",), 2)
    parser = argparse.ArgumentParser()
    suite.flags(parser)
    assert parser.parse_args(["--size", "3"]).size == "3" and suite.conditions == ("size",)
    assert suite.tables([]) == ["t"] and suite.defines("tables") and not suite.defines("aggregate")
    with pytest.raises(TypeError, match="a Suite has no part 'tabels'"):
        Suite("sums", "adds", tabels=list)
    with pytest.raises(ValueError, match="longer"):
        Sample(*range(17))


@pytest.mark.parametrize(
    ("source", "draws"),
    [
        ("from assay.report.plot import plotted\ndef figures(records): yield plotted('T', 'c', print)", True),
        (
            "def figures(records):\n    from assay.report.plot import plotted\n    yield plotted('T', '', 0)",
            True,
        ),
        ("from testing.drawn import several\ndef figures(records): yield from several(records)", True),
        ("from assay.suites.suite import Figure\ndef figures(records): yield Figure('T', '', bytes)", False),
        ("from assay.report.plot import plotted\nfigures = None", False),
    ],
)
def test_a_suite_whose_figures_need_a_missing_extra_is_told_before_the_run(monkeypatch, source, draws):
    module, names = ModuleType("testing.drawn"), {}
    exec(
        "from assay.report.plot import plotted\ndef several(records): yield plotted('', '', 0)", vars(module)
    )
    monkeypatch.setitem(sys.modules, "testing.drawn", module)
    monkeypatch.setattr("assay.extras.lacking", lambda extra: ["matplotlib"])
    exec(source, names)
    suite = Suite("sums", **({"figures": names["figures"]} if names["figures"] else {}))
    suite.check_extras(draws=False)
    if draws:
        with pytest.raises(ConfigError, match=r"^the report of suite sums needs matplotlib: "):
            suite.check_extras(draws=True)
    else:
        suite.check_extras(draws=True)


def test_a_suite_without_samples_says_so():
    with pytest.raises(NotImplementedError, match="suite sums must define samples"):
        Suite("sums").samples(None)


def test_two_samples_of_one_id_are_an_error(tmp_path):
    (sample,) = load_tests(
        [read_test_file(write(tmp_path, "a", "TestA = 'q' >> LLMRun()\n"))], root=ROOT
    ).samples
    with pytest.raises(ConfigError, match="two tests have the id"):
        list(unique_ids([sample, sample]))


def test_every_test_file_of_the_project_can_be_listed_without_import():
    for file in list_tests([ROOT / "tests"]):
        assert not file.error
        assert not file.computed, f"{file.path}: TAGS and the like must be literals, so that --list is quick"
        assert ast.get_docstring(ast.parse(file.path.read_text())) is None or file.tests


def test_what_a_suite_raises_is_told_with_what_may_be_missing():
    with pytest.raises(TestFileError, match=r"^suite mine: RuntimeError$"), blame("mine", None):
        raise RuntimeError
    with pytest.raises(TestFileError, match=r"is an `await` missing\?$"), blame("mine", None):
        raise AttributeError("'coroutine' object has no attribute 'id'")


def test_samples_of_a_suite_that_do_not_ask_the_model_are_told():
    asks = {"one": LLMRun(), "two": PyFunc(str)}
    samples = [Sample(f"sums.{name}", "2 + 2?" >> step >> A, "sums") for name, step in asks.items()]
    chosen = Selected(suites={"sums": Suite("sums")}, others=[lambda: samples])
    chosen.make_all()
    said = "1 of 2 tests does not ask the model, so its verdict says nothing about it: sums.two (forgot "
    assert chosen.messages == [f"{said}>> LLMRun()?)"]
