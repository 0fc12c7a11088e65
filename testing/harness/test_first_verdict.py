"""Trials wait until a judge has answered for the first time, so that a misspelt one costs one answer."""

import asyncio
from types import SimpleNamespace

import pytest

from assay.errors import BudgetExceeded
from assay.records import EVAL_LLM, Traits
from assay.running import first_verdict
from assay.running.first_verdict import FirstVerdict
from assay.running.roles import Roles
from assay.running.trial import Planned
from assay.suites.sample import Sample
from evaluator import LLMRun, SubstringEvaluator
from testing.harness.commanding import Workspace
from testing.model_server import ModelServer
from testing.model_wire import Reply

ROWS = """
TestRow = (
    Rows([{"id": n} for n in range(30)]) >> "say yes to <id>" >> LLMRun() >> Judge("Is it polite?")
)
TestPlain = "say plain" >> LLMRun() >> SubstringEvaluator("plain")
"""


def model(name="lab/m", untried=False, **traits):
    return SimpleNamespace(name=name, untried=untried, traits=Traits(**traits))


def planned(judge):
    asks = {"llm": EVAL_LLM} if judge else {}
    return Planned(Sample("t.T", "q" >> LLMRun() >> LLMRun(**asks) >> SubstringEvaluator("x")), 1)


async def trial(turns, log, name, judge, llm=None, seconds=0.0, answers=True, error=None):
    async with turns.turn(planned(judge).sample, Roles(llm or model(), judge, judge)):
        log.append(name)
        await asyncio.sleep(seconds)
        if error:
            raise error
        if judge and answers:
            turns.heard(judge.name)
        await asyncio.sleep(seconds)
        log.append(f"{name} ends")


def begun(*trials):
    """The log of trials that run side by side, and what each returned or raised."""

    async def all_of_them():
        turns, log = FirstVerdict(), []
        found = await asyncio.gather(
            *(trial(turns, log, *args, **more) for args, more in trials), return_exceptions=True
        )
        return log, found

    return asyncio.run(all_of_them())


NEW = model("lab/judge", untried=True)


def test_one_goes_first_until_the_judge_has_answered():
    log, _ = begun(*((("abc"[n], NEW), {"seconds": 0.01}) for n in range(3)), (("plain", None), {}))
    assert log[:3] == ["a", "plain", "plain ends"] and {*log[3:5]} == {"b", "c"}, "not only once a has ended"


def test_if_the_first_asks_no_judge_the_next_goes_first():
    log, _ = begun((("a", NEW), {"answers": False}), (("b", NEW), {"seconds": 0.01}), (("c", NEW), {}))
    assert log == ["a", "a ends", "b", "c", "c ends", "b ends"]


def test_what_ends_the_run_begins_no_other_trial_of_that_model():
    end = BudgetExceeded("no more")
    other = {"llm": model("lab/other"), "answers": False}
    log, found = begun(
        (("a", NEW), {"error": end}), (("b", NEW), {}), (("c", NEW), {}), (("other", NEW), other)
    )
    assert log == ["a", "other", "other ends"] and found == [end, end, end, None]


@pytest.mark.parametrize(("judge", "llm"), [(model("known"), model()), (NEW, model(free=True))])
def test_nobody_waits_for_a_judge_that_answered_before_or_where_answers_are_free(judge, llm):
    log, _ = begun(*((("ab"[n], judge), {"llm": llm, "seconds": 0.01, "answers": False}) for n in range(2)))
    assert log[:2] == ["a", "b"]


def test_nobody_waits_for_long(monkeypatch):
    monkeypatch.setattr(first_verdict, "PATIENCE_S", 0.02)
    log, _ = begun(*((("abc"[n], NEW), {"seconds": 0.1, "answers": False}) for n in range(3)))
    assert log[:3] == ["a", "b", "c"]


def test_trials_that_would_wait_are_set_aside(monkeypatch):
    monkeypatch.setattr(first_verdict, "SET_ASIDE", 2)
    judged, plain = [planned(NEW) for _ in range(4)], planned(None)

    async def begin():
        turns, roles = FirstVerdict(), Roles(model(), NEW, NEW)
        order = turns.order([*judged, plain], roles)
        async with turns.turn(next(order).sample, roles):
            begun = [next(order), next(order)]
            turns.heard(NEW.name)
        return [*begun, *order]

    found = asyncio.run(begin())
    assert [id(each) for each in found] == [id(each) for each in (judged[3], plain, judged[1], judged[2])]


@pytest.mark.slow(3)
def test_a_misspelt_judge_costs_one_answer_and_another_goes_on(tmp_path):
    def reply(asked):
        if asked.model == "jugde":
            return Reply("no such model", status=404)
        return "VERDICT: YES" if asked.model == "wise" else "plainly yes"

    with ModelServer(record=True, reply=reply) as server:
        work = Workspace(tmp_path, server)
        work.test_file("rows", ROWS)
        asked = lambda: [each.model for each in server.desk.log]  # noqa: E731
        _, err = work.main("--run-tests", "--model", "local/m", "--judge", "local/jugde", code=2)
        assert sorted(asked()) == ["jugde", "m", "m"], "one for the judge, one for TestPlain"
        assert "error: the judge local/jugde: HTTP 404" in err and "same command" not in err
        assert "run --resume --logdir results --judge NAME goes on with another judge" in err
        work.main("--run-tests", "--model", "local/m", "--judge", "local/wise", "--resume")
        assert asked().count("m") == 31 and "wise" in asked()
        assert {line["outcome"] for line in work.lines()} == {"pass"} and len(work.lines()) == 31
