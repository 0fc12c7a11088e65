"""What the files of an applied test must hold; seconds, no sandbox. docs/writing-tests.md tells authors."""

from __future__ import annotations

import ast
import re
from inspect import getsource
from pathlib import Path

import pytest

import evaluator
from assay.language.dsl import Node
from assay.language.functions import PyFunc
from assay.language.languages import LANGUAGES
from assay.models.references import variants_for
from assay.records import EVAL_LLM, LLM, VISION_EVAL_LLM, TrialKey
from assay.suites.listing import list_tests
from assay.suites.loading import load_tests

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
FILES = sorted(TESTS.glob("*.py"))
FEWEST_WRONG = 3
FEWEST_FILES = 24


@pytest.fixture(scope="module")
def samples():
    loaded = load_tests(list_tests([TESTS]), root=ROOT)
    assert not loaded.errors and not loaded.warnings
    return loaded.samples


def references(sample, right):
    return variants_for(TrialKey(sample.id, 1, sample.suite, sample.source), right, ROOT, None)


def test_the_suite_uses_every_node(samples):
    used = {type(node) for sample in samples for node in sample.test.walk()}
    offered = {
        value for value in vars(evaluator).values() if isinstance(value, type) and issubclass(value, Node)
    }
    # what a picture shows is asked by Judge; LLMVisionRun is for files from before it, and for models under
    # test that see: with Image it is tried in testing/language/test_step_settings.py
    seeing = {evaluator.LLMVisionRun, evaluator.Image}
    unused = sorted(node.__name__ for node in offered - used - seeing - {Node, evaluator.LanguageRun})
    assert not unused, f"write a test in tests/ that uses {', '.join(unused)}"
    assert len(FILES) >= FEWEST_FILES


def test_no_function_on_the_host_decodes_a_picture(samples):
    """A model's page or program may have made its bytes: PyEvaluator opens them, in a sandbox."""
    functions = {node.fn for sample in samples for node in sample.test.walk() if isinstance(node, PyFunc)}
    assert len(functions) > 20
    decoding = re.compile(r"\b(?:PIL|cv2|imageio|matplotlib)\b")
    assert [function.__qualname__ for function in functions if decoding.search(getsource(function))] == []


def test_the_suite_asks_every_role(samples):
    roles = {node.llm for sample in samples for node in sample.test.walk() if hasattr(node, "llm")}
    assert roles == {LLM, EVAL_LLM, VISION_EVAL_LLM}


def test_the_suite_runs_every_language(samples):
    needs = {need for sample in samples for need in sample.needs}
    unused = [name for name, row in LANGUAGES.items() if not set(row.needs) <= needs]
    assert not unused, f"write a test in tests/ that runs a program in {', '.join(unused)}"


# ---------------------------------------------------------------- a file


def faults(source: str) -> list[str]:
    """What a test file lacks of what every one here has, in words that say what to write."""
    tree = ast.parse(source)
    found = []
    imports = [ast.unparse(node) for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    if imports != ["from evaluator import *"]:
        found.append(
            f"import the language and nothing else at the top: from evaluator import * (not {imports}); "
            "a module that a function needs inside the sandbox is imported in that function"
        )
    assigned = {
        name.id: node.value for node in tree.body if isinstance(node, ast.Assign) for name in node.targets
        if isinstance(name, ast.Name)
    }  # fmt: skip
    if "DESCRIPTION" not in assigned:
        found.append('say what the test is about: DESCRIPTION = "Can the model ...?"')
    if "TAGS" not in assigned:
        found.append('add tags to select it by --tag: TAGS = ["code", "python"]')
    tests = [name for name in assigned if name.startswith("Test")]
    ending = tree.body[-1] if tree.body else None
    if not (isinstance(ending, ast.If) and ast.unparse(ending.test) == "__name__ == '__main__'"):
        ending = None
    run = {
        ast.unparse(call.args[0]) for call in ast.walk(ending or ast.Module([], []))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "run_test" and call.args
    }  # fmt: skip
    if not tests:
        found.append('define a test: TestSomething = "question" >> LLMRun() >> ...')
    elif run != set(tests):
        wanted = "".join(f"    print(run_test({name}))\n" for name in tests)
        found.append(f'end the file so that it runs on its own:\nif __name__ == "__main__":\n{wanted}')
    return found


def test_each_file_is_a_whole_test():
    found = [f"tests/{path.name}: {fault}" for path in FILES for fault in faults(path.read_text("utf-8"))]
    assert not found, "\n".join(["", *found])


WHOLE = """\
from evaluator import *
DESCRIPTION = "x"
TAGS = ["y"]
TestA = "q" >> LLMRun()
if __name__ == "__main__":
    print(run_test(TestA))
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("*\n", "*\nimport os\n", "import the language and nothing else"),
        ('DESCRIPTION = "x"\n', "", "DESCRIPTION = "),
        ("TAGS = ", "LABELS = ", "TAGS = "),
        ("print(run_test(TestA))", "pass", "    print(run_test(TestA))"),
        ('if __name__ == "__main__":\n    print(run_test(TestA))\n', "", 'if __name__ == "__main__":'),
        ("TestA", "Other", "define a test"),
    ],
)
def test_what_a_file_lacks_is_said(old, new, words):
    assert faults(WHOLE) == []
    found = faults(WHOLE.replace(old, new))
    assert len(found) == 1 and words in found[0]


# ---------------------------------------------------------------- its references


def test_no_references_are_left_of_a_test_that_is_gone(samples):
    tests = {sample.id for sample in samples}
    found = []
    for path in sorted((TESTS / "references").glob("*.py")):
        names: dict[str, object] = {}
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
        defined = {test.split(".")[1] for test in tests if test.split(".")[0] == path.stem}
        for table in ("RIGHT", "WRONG"):
            listed = set(names.get(table, ()))
            if listed - defined:
                found.append(f"{path.name}: {table}: there is no test {', '.join(sorted(listed - defined))}")
            if defined - listed:
                found.append(f"{path.name}: {table}: lacks {', '.join(sorted(defined - listed))}")
    assert not found, "\n".join(["", *found])


def test_every_test_has_right_and_wrong_references(samples):
    found = []
    for sample in samples:
        right, wrong = len(references(sample, True)), len(references(sample, False))
        if right < 1:
            found.append(f"{sample.id}: give RIGHT an answer that passes")
        if wrong < FEWEST_WRONG:
            found.append(f"{sample.id}: WRONG has {wrong} answers; {FEWEST_WRONG} show how it may be missed")
    assert not found, "\n".join(["", *found])
