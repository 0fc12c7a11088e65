"""Classes and errors of a reply, and what a trial's record says of it."""

from __future__ import annotations

import asyncio
import json
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import ProviderError
from assay.records import Completion, Outcome, Usage
from assay.results.serialize import encode_line, record_from_json
from assay.running.trial import run_trial
from testing.harness.standins import ScriptedModel
from tests.arithmetic.dialogue import MESSAGES, small_talk
from tests.arithmetic.dressings import DRESSINGS
from tests.arithmetic.grade import facts_of, score_of
from tests.arithmetic.pipeline import sample_of
from tests.arithmetic.problems import VARIANTS, Cell, Problem
from tests.arithmetic.references import WRONG, answer_to

WHOLE = Problem("int_add", 3, (200, 207), 407)
TENTHS = Problem("float_mul", 1, (Decimal("1.11"), Decimal("1.11")), Decimal("1.2321"))


@pytest.mark.parametrize(
    ("problem", "reply", "lenient", "strict"),
    [
        (WHOLE, "407", "Correct", "Correct"),
        (WHOLE, "407.00", "Correct", "Correct"),
        (WHOLE, "4.07e2", "Correct", "Deviate"),
        (WHOLE, "**407**", "Correct", "NaN"),
        (WHOLE, "407.58", "Deviate", "Deviate"),
        (WHOLE, "-407", "Deviate", "Deviate"),
        (WHOLE, "406.9999999", "Deviate", "Deviate"),
        (WHOLE, "", "NaN", "NaN"),
        (WHOLE, "four hundred", "NaN", "NaN"),
        (WHOLE, "407e999999999", "Deviate", "Deviate"),
        (WHOLE, "8" * 5000, "Deviate", "Deviate"),
        (TENTHS, "1.2321", "Correct", "Correct"),
        (TENTHS, "1.23205", "Deviate", "Deviate"),  # a tie goes to the even digit: 1.2320
        (TENTHS, "1.23215", "Deviate", "Deviate"),  # 1.2322
        (TENTHS, "1.23214", "Correct", "Correct"),
        (TENTHS, "1.23", "Deviate", "Deviate"),
        (TENTHS, "1.2321000", "Correct", "Correct"),
    ],
)
def test_classes(problem: Problem, reply: str, lenient: str, strict: str) -> None:
    facts = facts_of(problem, Completion(reply))
    assert facts["classification"] == {"lenient": lenient, "strict": strict}
    score = score_of(facts)
    assert score.passed == (lenient == "Correct") and score.value is None, "no more than right or not"
    assert score.metrics["strict"] == (strict == "Correct") and score.metrics["nan"] == (lenient == "NaN")


def test_errors_of_a_number_that_is_off() -> None:
    facts = facts_of(WHOLE, Completion("= 400"))
    assert (facts["error"], facts["relative_error"]) == ("7", pytest.approx(7 / 407))
    assert facts["parsed"] == {"lenient": 400, "strict": 400}
    facts = facts_of(TENTHS, Completion("**1.2**"))
    assert (facts["error"], facts["parsed"]) == ("0.0321", {"lenient": "1.2000", "strict": None})
    facts = facts_of(Problem("int_sub", 1, (3, 3), 0), Completion("2"))
    assert (facts["error"], facts["relative_error"]) == ("2", None)
    facts = facts_of(WHOLE, Completion("1e400"))
    assert (facts["error"], facts["parsed"]["lenient"]) == (None, "Infinity")


@pytest.mark.slow(3)
@given(st.text(), st.sampled_from(VARIANTS), st.integers(1, 100))
@settings(max_examples=300, deadline=None)
def test_any_reply_makes_a_record_that_can_be_stored(text: str, variant: str, depth: int) -> None:
    problem = Cell(variant, depth).problem(1)
    for reply in (text, f"{text}{'7' * 299}", f"-1e{300 - len(text)}"):
        record = asyncio.run(try_once(reply, variant, depth))
        again = record_from_json(json.loads(encode_line(record, lambda data: "")))
        assert again.extra["correct"] == record.extra["correct"]
    assert problem == Cell(variant, depth).problem(1)


async def try_once(
    reply: object, variant: str = "int_add", depth: int = 3, epoch: int = 1, context: str = ""
):
    sample = sample_of(Cell(variant, depth), 10, context)
    model = ScriptedModel(reply)
    record = await run_trial(sample, model, model, model, None, epoch=epoch)
    try_once.asked = model.asked[0]
    return record


def test_a_trial_asks_the_problem_of_its_epoch() -> None:
    cell = Cell("int_add", 3)
    record = asyncio.run(try_once(str(cell.problem(4).correct), epoch=4))
    assert record.outcome is Outcome.PASS
    (message,) = try_once.asked
    assert (message.role, message.content) == ("user", cell.problem(4).question)
    record = asyncio.run(try_once(str(cell.problem(4).correct), epoch=5))
    assert record.outcome is Outcome.FAIL


def test_the_record_holds_every_fact() -> None:
    reply = Completion("It is **12**", Usage(30, 20, 15), cost=0.125, attempts=2, finish_reason="stop")
    extra = asyncio.run(try_once(reply, "float_add", 2, 3)).extra
    problem = Cell("float_add", 2).problem(3)
    off = abs(Decimal(12) - Decimal(problem.correct))
    assert {name: extra[name] for name in extra if name != "relative_error"} == {
        "variant": "float_add", "depth": 2, "operands": [str(each) for each in problem.operands],
        "correct": str(problem.correct), "raw_response": "It is **12**",
        "parsed": {"lenient": "12.0000", "strict": None},
        "classification": {"lenient": "Deviate", "strict": "NaN"}, "error": f"{off:.4f}",
        "tokens": {"prompt_tokens": 30, "completion_tokens": 20, "reasoning_tokens": 15},
        "cost": 0.125, "attempts": 2, "finish_reason": "stop",
    }  # fmt: skip


def test_a_provider_that_failed_is_an_error_and_no_nan() -> None:
    record = asyncio.run(try_once(ProviderError("503 (gave up after 4 attempts)"), "int_mul", 7))
    assert record.outcome is Outcome.ERROR
    assert record.extra == {"variant": "int_mul", "depth": 7}


@pytest.mark.parametrize(("size", "tokens"), [("1k", 1000), ("2k", 2000), ("4k", 4000)])
def test_small_talk_stands_before_the_question(size: str, tokens: int) -> None:
    asyncio.run(try_once("1", context=size))
    *talk, question = try_once.asked
    assert [message.role for message in try_once.asked] == ["user", "assistant"] * (len(talk) // 2) + ["user"]
    assert len(talk) == MESSAGES[size] == {"1k": 16, "2k": 28, "4k": 44}[size]
    assert question.content == Cell("int_add", 3).problem(1).question
    text = "".join(message.content for message in talk)
    assert 0.85 < len(text) / 4 / tokens < 1.15, "about four characters a token"
    assert not any(char.isdigit() for char in text)
    assert small_talk("1k") == small_talk("4k")[:16]


@pytest.mark.parametrize("variant", VARIANTS)
def test_references_answer_the_question_asked(variant: str) -> None:
    """Every dressing of the right answer is Correct, and every way of the saboteur to be wrong is not."""
    for depth in (1, 2, 5, 10, 40):
        for epoch in range(1, 6):
            problem = Cell(variant, depth, 7).problem(epoch)
            right = answer_to(problem.question)
            assert right == problem.correct
            for name, dress in DRESSINGS.items():
                kinds = facts_of(problem, Completion(dress(right)))["classification"]
                assert kinds["lenient"] == "Correct", (name, dress(right))
            for name, spoil in WRONG.items():
                kinds = facts_of(problem, Completion(spoil(right)))["classification"]
                assert kinds["lenient"] != "Correct", (name, spoil(right))
