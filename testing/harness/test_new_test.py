"""`new` writes whole, true tests; `explain` draws what a test does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest

from assay.cli.explain import label, most_replies
from assay.cli.new import LANGUAGES
from assay.cli.new import command as new_test
from assay.language.dsl import Node
from assay.report.tree import shortened, tree, unreached
from evaluator import (
    EVAL_LLM,
    LLM,
    VISION_EVAL_LLM,
    Call,
    Files,
    Judge,
    LLMConversation,
    LLMRun,
    LLMVisionRun,
    PyEvaluator,
    PyFunc,
    PythonRun,
    Script,
    SubstringEvaluator,
    Turn,
    UntilDone,
)
from testing.applied.test_rules import faults
from testing.harness.commanding import ROOT, Workspace

pytestmark = pytest.mark.timeout(240)


@pytest.mark.slow(13)
def test_a_new_test_is_whole_in_every_language(tmp_path):
    work = Workspace(tmp_path)
    work.tests.rmdir()  # it is made
    _, err = work.main("--new-test", "double_python")
    commands = re.findall(r"^  \S*python\S* (?:\S*/)?main\.py (.*)$", err, re.MULTILINE)
    for language in list(LANGUAGES)[1:]:
        new = SimpleNamespace(new_test=[f"double_{language}"], new_language=language, tests=[str(work.tests)])
        assert new_test(new, tmp_path) == 0
    assert len(commands) == 3 and all("--tests" in each for each in commands)
    for file in work.tests.glob("*.py"):
        assert faults(file.read_text()) == []
    ruff = [sys.executable, "-m", "ruff", "format", "--check", "--line-length", "110", str(work.tests)]
    done = subprocess.run(ruff, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    _, err = work.main("--lint-tests")
    assert f"{len(LANGUAGES)} tests: 0 errors, 0 warnings, 0 hints" in err
    work.main("--run-tests", "--model", "oracle", "--model", "saboteur", timeout=200)
    outcomes = {(line["model"], line["outcome"]) for line in work.lines()}
    assert outcomes == {("oracle", "pass"), ("saboteur", "fail")}
    assert len(work.lines()) == 4 * len(LANGUAGES)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Flip Words", "e.g. flip_words"),
        ("FlipWords.py", "e.g. flip_words"),
        ("2fast", "begins with a letter"),
        ("class", "is not a keyword of Python"),
        ("suite", "is not a keyword of Python"),
        ("_hidden", "e.g. hidden"),
        ("x" * 61, "test file's name has small letters"),
        ("../../etc/passwd", "give it separately: --tests ../../etc"),
        ("pass-wd", "e.g. pass_wd"),
    ],
)
def test_a_bad_name_is_said(tmp_path, name, said):
    work = Workspace(tmp_path)
    _, err = work.main("--new-test", name, code=1)
    assert err.startswith("error: ") and said in err
    assert list(tmp_path.rglob("*.py")) == []


def test_nothing_is_overwritten_and_an_unknown_language_is_said(tmp_path):
    work = Workspace(tmp_path)
    work.test_file("mine", "TestMine = 'q' >> LLMRun()\n")
    before = (work.tests / "mine.py").read_text()
    _, err = work.main("--new-test", "mine", code=1)
    assert "t/mine.py already exists" in err and (work.tests / "mine.py").read_text() == before
    (work.tests / "references").mkdir()
    (work.tests / "references" / "other.py").write_text("RIGHT = {}\n")
    assert "t/references/other.py already exists" in work.main("--new-test", "other", code=1)[1]
    assert not (work.tests / "other.py").exists()
    assert "Did you mean python?" in work.main("--new-test", "new", "pyhton", code=1)[1]


# ---------------------------------------------------------------- --explain


def judge(text):
    return len(text) > 3


class Own(Node):
    asks = (LLM,)
    runs_input = True

    def __init__(self):
        pass

    async def run(self, value, ctx):
        await ctx.llm.complete(())
        await ctx.open_sandbox()
        yield


TEST = (
    "question\n" * 9
    >> LLMRun()
    >> (SubstringEvaluator("a", lower=True) | (LLMRun("Is <A> right?", llm=EVAL_LLM) >> ~PyFunc(judge)))
)


def test_the_tree_says_where_a_picture_is_decoded():
    ready = "its picture is decoded in the sandbox"
    show, judge = tree(LLMVisionRun("What is it?", llm=LLM) >> Judge("fine?", llm=VISION_EVAL_LLM))
    assert show.notes() == ["asks the model under test", ready] and show.to_json()["sandbox"]
    assert judge.notes()[-1] == ready
    (judge,) = tree(Judge("fine?"))
    assert not judge.picture and not judge.to_json()["sandbox"]


def test_the_tree_says_who_does_what():
    text, ask, either = tree(TEST)
    assert text.title == '"question" … 10 lines' and ask.notes() == ["asks the model under test"]
    assert either.title == "either of (|)" and len(either.steps) == 2
    first, second = either.steps
    assert first.arguments == (("substr", '"a"'), ("lower", "True")) and not first.notes()
    assert second.title == "in order" and second.steps[0].notes() == ["asks the judge"]
    assert second.steps[1].title == "not (~)"
    (own,) = second.steps[1].steps
    assert own.notes() == ["on this machine", f"judge(), test_new_test.py:{judge.__code__.co_firstlineno}"]
    (mine,) = tree(Own())
    assert mine.sandbox and mine.asks == "the model under test"
    (run, code) = tree("x" >> PythonRun("assert f()", time_limit_s=5) >> PyEvaluator(judge))[1:]
    assert dict(run.arguments) == {"test_case": '"assert f()"', "time_limit_s": "5"}
    assert run.notes() == ["in the sandbox, with python3>=3.11"] and code.sandbox and not code.host
    (loop,) = tree(UntilDone(PyFunc(judge), LLMConversation()))
    assert [each.title for each in loop.steps] == ["cond:", "body:"]


def test_a_step_that_no_reference_reaches_is_named():
    steps = tree("a" >> LLMRun() >> LLMRun("b <A>") >> LLMRun("c <A>"))
    unreached(steps, 2)
    assert [bool(each.warnings) for each in steps] == [False, False, False, True]
    assert "this is call 3, the longest has 2 replies" in steps[3].warnings[0]
    for enough in (3, None):  # None: a function of the dialogue answers whatever comes
        unreached(steps := tree("a" >> LLMRun() >> LLMRun() >> LLMRun()), enough)
        assert not any(each.warnings for each in steps)


def test_the_longest_reference_has_texts_and_calls():
    look = Call("look")
    assert most_replies(["a", look, Turn(look, look)]) == 1
    assert most_replies(["a", [look, Turn("b", look), "c"]]) == 3
    assert most_replies(["a", Script("ls")]) is most_replies([["a", Script("ls")]]) is None


def test_what_is_shown_is_safe_and_short():
    assert shortened("\x1b[2Jred\u202e") == '"␛[2Jred⟨U+202E⟩"'
    assert len(shortened("x" * 999)) < 80 and len(shortened(list(range(999)))) < 80


def test_files_are_explained_by_their_names(tmp_path):
    (step,) = tree(Files({"add.py": "def add(a, b):\n    return a - b\n", "test_add.py": "import add\n"}))
    assert label(step) == "Files(add.py, test_add.py)"
    (step,) = tree(Files({f"{n}.txt": "" for n in range(9)}))
    assert label(step).endswith("5.txt and 3 more)")
    (tmp_path / "given").mkdir()
    (step,) = tree(Files(tmp_path / "given"))
    assert label(step) == "Files(given/)"


def test_explain_knows_the_references_of_a_suite():
    done = subprocess.run(
        [sys.executable, "main.py", "--suite", "euler", "--explain", "euler001.python", "--problem", "1"],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert "references: 1 right, " in done.stdout and "0 wrong" not in done.stdout, done.stderr


def test_explain_in_three_forms(tmp_path):
    work = Workspace(tmp_path)
    work.test_file(
        "mine",
        'DESCRIPTION = "What about it?"\nTAGS = ["x"]\nREQUIRES = ["gdb"]\n'
        "TestMine = 'say \\x1b[31mhi <b>' >> LLMRun() >> LLMRun('again <A>') >> SubstringEvaluator('\"#')\n",
    )
    (work.tests / "references").mkdir()
    (work.tests / "references" / "mine.py").write_text('RIGHT = {"TestMine": ["a"]}\nWRONG = {}\n')
    out, _ = work.main("--explain", "mine")
    assert "mine.TestMine" in out and "mine.py:5" in out and "\x1b" not in out
    assert "requires: gdb" in out and "references: 1 right, 0 wrong" in out
    assert out.count("asks the model under test") == 2 and "no right reference reaches this step" in out
    (found,) = json.loads(work.main("--explain", "mine", "--format", "json")[0])
    assert found["test"] == "mine.TestMine" and found["steps"][1]["asks"] == "the model under test"
    assert found["steps"][2]["warnings"] and found["tags"] == "x"
    page, _ = work.main("--explain", "mine", "--format", "markdown")
    graph = page.split("```mermaid\n")[1].split("```")[0]
    assert "n0 --> n1" in graph and "n2 --> n3" in graph and "<b>" not in graph
    assert '["SubstringEvaluator(substr=#34;' in graph
    assert "Did you mean mine?" in work.main("--explain", "mime", code=1)[1]
