"""The oracle and the saboteur play agents."""

import asyncio

import pytest

from assay.models.model_registry import ModelRegistry
from assay.records import Cause, Outcome
from assay.running.trial import run_trial
from assay.sandboxes.pool import open_pool
from assay.suites.suite import Sample
from evaluator import AgentRun, EditFile, MakeFile, PyEvaluator, Shell

REFERENCES = '''
from evaluator import Call, Script, Turn

RIGHT = {"TestSum": [
    [
        Turn("I look.", Call("shell", command="cat sum.py; date +%N"), Call("shell", command="ls")),
        Call("edit_file", path="sum.py", old_text="a - b", new_text="a + b"),
        "Mended.",
    ],
    Script("""date +%N
sed -i 's/a - b/a + b/' sum.py"""),
    lambda asked: "Done." if asked[-1].role == "tool" else Call("shell", command="sed -i s/-/+/ sum.py"),
]}
WRONG = {"TestSum": [
    "Mended.",
    Script("rm sum.py"),
    [Call("shell", command="true"), Call("find"), Call("shell", "{broken"), "Mended."],
]}
'''


def adds():
    from sum import add

    return add(2, 3) == 5


TEST = (
    "def add(a, b):\n    return a - b\n"
    >> MakeFile("sum.py")
    >> "The function add in sum.py is wrong. Mend it."
    >> AgentRun(tools=[Shell(), EditFile()], max_turns=10)
    >> PyEvaluator(adds, files=["sum.py"])
)
SAMPLE = Sample("sum.TestSum", TEST, source="tests/sum.py")


@pytest.fixture
def root(tmp_path):
    (tmp_path / "tests" / "references").mkdir(parents=True)
    (tmp_path / "tests" / "references" / "sum.py").write_text(REFERENCES)
    return tmp_path


def played(models, epochs):
    """A record for each epoch. `models`: a role's model each time."""

    async def work():
        async with open_pool("bubblewrap", ahead=0) as pool:
            return [await run_trial(SAMPLE, *models(), pool, epoch=epoch) for epoch in epochs]

    return asyncio.run(work())


def by_references(root, name, epochs):
    models = ModelRegistry({}, {}, cache=None, root=root)
    return played(
        lambda: [models.load(name, role) for role in ("llm", "eval_llm", "vision_eval_llm")], epochs
    )


def test_the_oracle_s_turns_script_and_function_mend_it(root):
    records = by_references(root, "oracle", (1, 2, 3))
    assert [(each.outcome, each.error) for each in records] == [(Outcome.PASS, "")] * 3
    assert [each.calls for each in records] == [3, 2, 2]
    assert [each.replies[-1].text for each in records] == ["Mended.", "Done.", "Done."]


def test_the_saboteur_fails(root):
    records = by_references(root, "saboteur", (1, 2, 3))
    assert [each.outcome for each in records] == [Outcome.FAIL] * 3, [each.error for each in records]
    assert Cause.TOOL_CALL not in [each.cause for each in records]
