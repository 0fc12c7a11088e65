"""Backtracking, short-circuit and rewinding, against a plain description of what they mean."""

import asyncio
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import GraderError
from assay.language.dsl import AndNode, Branch, Node, NoOutput, NotNode, OrNode, Reason, ThenNode
from assay.language.outputs import is_verdict
from assay.records import Block, Message
from evaluator import LLMConversation, LLMRun, SubstringEvaluator
from testing.language.pipeline import Emit, Keep, ScriptedModel, collect, context, run

STOP = NoOutput("nothing")
LEAVES = st.one_of(
    st.builds(Emit, st.lists(st.sampled_from([0, 1, "", "x", STOP]), max_size=3).map(tuple)), st.just(Keep())
)
TREES = st.recursive(
    LEAVES,
    lambda tree: st.one_of(
        st.builds(ThenNode, tree, tree),
        st.builds(AndNode, tree, tree),
        st.builds(OrNode, tree, tree),
        st.builds(NotNode, tree),
    ),
    max_leaves=8,
)


def meaning(node, value):
    """The outputs of a tree, eagerly, as the documentation says."""
    if isinstance(node, Emit):
        return list(node.outputs)
    if isinstance(node, Keep):
        return [value]
    if isinstance(node, NotNode):
        inner = meaning(node.node, value)
        return [bool(inner) and not any(inner) and all(map(is_verdict, inner))]
    lefts = meaning(node.left, value)
    if isinstance(node, OrNode) and not lefts:
        return meaning(node.right, value)
    out, tried = [], False
    for left in lefts:
        if isinstance(node, ThenNode):
            out += [left] if isinstance(left, NoOutput) else meaning(node.right, left)
        elif isinstance(node, AndNode):
            out += meaning(node.right, value) if left else [left]
        elif left or tried:
            out.append(left)
        else:
            no_verdict = isinstance(left, NoOutput)
            out += [left if no_verdict and each is False else each for each in meaning(node.right, value)]
            tried = True
    return out


@given(TREES)
def test_a_tree_yields_what_it_means(tree):
    assert run(tree).outputs == meaning(tree, "")


@given(TREES, TREES)
def test_the_operators_are_logic_on_whether_a_test_passes(a, b):
    def passes(tree):
        return any(run(tree).outputs)

    verdicts = run(a).outputs
    assert passes(~a) == (bool(verdicts) and not passes(a) and all(map(is_verdict, verdicts)))
    assert passes(a & b) == (passes(a) and passes(b))
    assert passes(a | b) == (passes(a) or passes(b))


@given(TREES)
def test_every_branch_can_be_explained(tree):
    for block in run(tree).blocks:
        assert isinstance(block, Block)


@given(TREES)
def test_nothing_is_left_on_the_trail(tree):
    async def check():
        ctx = context()
        await collect(tree, "", ctx)
        return ctx.trail

    assert asyncio.run(check()) == []


def test_later_branches_run_only_if_asked_for():
    tree = Emit((1, 2, 3), "left") >> Emit((0, "yes", "never"), "right")
    Emit.runs.clear()
    assert run(tree, at_most=2).outputs == [0, "yes"]
    assert Emit.runs == ["left", "right", "right"]


def test_the_second_reading_can_pass():
    assert run(Emit(("no", "hello world")) >> SubstringEvaluator("hello")).outputs == [False, True]


def test_and_does_not_run_the_right_side_after_a_false_left():
    Emit.runs.clear()
    ran = run(Emit((0,), "a") & Emit((1,), "b"))
    assert (ran.outputs, Emit.runs) == ([0], ["a"])
    assert "not needed: the left side failed" in ran.text


def test_or_does_not_run_the_right_side_after_a_true_left():
    Emit.runs.clear()
    ran = run(Emit((1,), "a") | Emit((1,), "b"))
    assert (ran.outputs, Emit.runs) == ([1], ["a"])
    assert "not needed: the left side passed" in ran.text


def test_or_tries_the_right_side_once_however_many_readings_the_left_has():
    Emit.runs.clear()
    run(Emit((0, 0, 0), "a") | Emit((0,), "b"))
    assert Emit.runs.count("b") == 1


def test_not_fails_if_any_reading_passes():
    assert run(~Emit((0, 0))).output is True
    assert run(~Emit((0, 1))).output is False


def parts(blocks):
    for block in blocks:
        yield block
        yield from parts(block.children)


def test_after_a_step_without_output_no_later_step_runs():
    Emit.runs.clear()
    ran = run(Emit((STOP,)) >> ~Emit((0,), "judge"))
    assert ran.outputs == [STOP] and not ran.outputs[0]
    assert Emit.runs == [""]
    (said,) = (block for block in parts(ran.blocks) if "not run" in block.body)
    assert (said.kind, said.passed) == ("verdict", None), "a remark, no output of the step"


@dataclass(frozen=True)
class Say(Node):
    """Speaks in the conversation, once for each reading."""

    lines: tuple

    async def run(self, value, ctx):
        before = ctx.conversation.messages
        for line in self.lines:
            ctx.conversation.messages = (*before, Message("user", line))
            yield Branch((*value, line), Reason(self, Block("text", body=line)))


@given(
    st.lists(st.lists(st.text("abc", max_size=2), min_size=1, max_size=3), min_size=1, max_size=4), st.data()
)
def test_each_branch_sees_the_conversation_of_its_own_path_only(rounds, data):
    """However the chain is bracketed, and whatever stands beside it."""
    parts = [Say(tuple(lines)) for lines in rounds]
    while len(parts) > 1:
        at = data.draw(st.integers(0, len(parts) - 2))
        parts[at : at + 2] = [parts[at] >> parts[at + 1]]

    async def check():
        ctx = context()
        seen = []
        async for path, _ in parts[0].run((), ctx):
            seen.append((path, tuple(message.content for message in ctx.conversation.messages)))
        return seen

    seen = asyncio.run(check())
    assert len(seen) > 0
    assert all(path == spoken for path, spoken in seen)


def test_backtracking_rewinds_the_conversation_with_a_model():
    model = ScriptedModel("first try", "wrong", "right")
    test = (
        LLMConversation("start")
        >> Emit(("a", "b"))
        >> LLMConversation("about <A>")
        >> SubstringEvaluator("right")
    )
    assert run(test, llm=model).outputs == [False, True]
    assert [message.content for message in model.asked[2]] == ["start", "first try", "about b"]


def test_the_other_side_of_or_is_another_try_not_a_sequel():
    model = ScriptedModel("no", "yes")
    side = LLMConversation("well?") >> SubstringEvaluator("yes")
    assert run(side | side, llm=model).outputs == [True]
    assert [len(asked) for asked in model.asked] == [1, 1]


def test_the_other_side_of_and_goes_on_with_the_conversation():
    model = ScriptedModel("yes", "yes")
    side = LLMConversation("well?") >> SubstringEvaluator("yes")
    assert run(side & side, llm=model).outputs == [True]
    assert [len(asked) for asked in model.asked] == [1, 3]


@settings(max_examples=20)
@given(TREES, st.integers(2, 30))
def test_one_tree_serves_many_trials_at_once(tree, trials):
    async def check():
        return await asyncio.gather(*(collect(tree, "", context()) for _ in range(trials)))

    expected = meaning(tree, "")
    assert all(ran.outputs == expected for ran in asyncio.run(check()))


def test_concurrent_trials_do_not_hear_each_other():
    test = "q" >> LLMRun() >> (LLMConversation("<A>?") >> LLMConversation() >> SubstringEvaluator("yes"))

    async def check():
        models = [ScriptedModel(f"start {n}", f"go on {n}", "yes" if n % 2 else "no") for n in range(100)]
        rans = await asyncio.gather(*(collect(test, "", context(model)) for model in models))
        for n, model in enumerate(models):
            dialogue = [message.content for message in model.asked[2]]
            assert dialogue == [f"start {n}?", f"go on {n}", f"go on {n}"]
        return [ran.output for ran in rans]

    assert asyncio.run(check()) == [False, True] * 50


def test_a_break_leaves_the_steps_that_led_to_it():
    @dataclass(frozen=True)
    class Break(Node):
        async def run(self, value, ctx):
            with ctx.attempting(self, Block("text", body="about to break")):
                raise ValueError(value)
            yield

    async def check():
        ctx = context()
        tree = Emit((0, "x"), "one") >> (Emit((1,), "two") & Keep()) >> Break()
        try:
            await collect(tree, "", ctx)
        except GraderError:
            return [reason.block() for reason in ctx.trail]

    shown = str(asyncio.run(check()))
    assert "one" in shown and "about to break" in shown and "Break" in shown
