"""What a run is expected to ask and cost: from heads of saved lines, the cache, and prices."""

import asyncio
import json
import struct
from asyncio import CancelledError
from dataclasses import replace

import pytest

from assay.cli.dry_run import _row, _several
from assay.errors import MissingData
from assay.language.dsl import Branch, Node, Reason
from assay.records import (
    EVAL_LLM,
    LLM,
    PNG_SIGNATURE,
    VISION_EVAL_LLM,
    Block,
    Message,
    Outcome,
    Reply,
    Traits,
    TrialRecord,
    TurnCost,
    Usage,
)
from assay.report.cells import data_of, text_of
from assay.results.past_usage import past_usage
from assay.results.store import Results
from assay.running.estimate import Estimate, Estimator, Range
from assay.running.forecast import against, lines
from assay.running.trial import Planned
from assay.suites.suite import Sample
from evaluator import (
    AgentRun,
    BashRun,
    Echo,
    Image,
    Judge,
    LLMConversation,
    LLMRun,
    LLMVisionRun,
    PyFunc,
    SubstringEvaluator,
)
from testing.harness.commanding import Workspace
from testing.model_server import ModelServer
from testing.model_wire import Reply as Answer

NAMES = {LLM: "m", EVAL_LLM: "judge", VISION_EVAL_LLM: "judge"}


def trial(test, model="m", output=10, cost=1.0, **more):
    given = {"usage": Usage(5, output), "cost": cost, "calls": 1, **more}
    return TrialRecord(f"t.{test}", model, 1, given.pop("outcome", Outcome.PASS), **given)


def planned(*tests, times=1):
    return [
        Planned(Sample(f"t.{test}", f"ask {test}" >> LLMRun() >> SubstringEvaluator("a")), epoch)
        for test in tests
        for epoch in range(1, times + 1)
    ]


class Prices:
    """Where models come from, as far as an estimate asks: a dollar a token for m, nothing known of others;
    `held`: the prompts in the cache."""

    def __init__(self, *held):
        self.held = held

    def traits(self, name):
        return Traits(free=name == "free")

    def variants(self, name, trial):
        return 1

    def price(self, name, usage, calls=1):
        return float(usage.input_tokens + usage.output_tokens) if name == "m" else None

    def batch_price(self, name, usage, calls=1):
        return None

    def price_hint(self, name):
        return "config.json can set it"

    def identity(self, name):
        return name, {}

    def has_answered(self, name, role):
        return name != "new judge"

    def cached(self, name, messages, json, trial, role="llm", tools=()):
        return messages[-1].content in self.held


def estimate(tmp_path, records, trials, *held, model="m", time_limit_s=60.0):
    results = Results(tmp_path / "results")
    for record in records:
        with results.open_new("c", record.model) as store:
            store.append(record)
    cache = tmp_path / "replies.sqlite"
    cache.touch()
    estimator = Estimator(Prices(*held), results, cache, time_limit_s)
    return asyncio.run(estimator.estimate(model, trials, {**NAMES, LLM: model}))


def test_the_same_models_trials_give_the_cost_and_its_range(tmp_path):
    records = [trial("A", cost=1.0), trial("A", cost=3.0, output=30), trial("B", cost=0.5)]
    records += [trial("A", "other", cost=99.0, output=999), trial("A", outcome=Outcome.ERROR, cost=77.0)]
    one = estimate(tmp_path, records, planned("A", "B", times=2))
    assert (one.trials, one.calls, one.cached, one.looked_at) == (4, 4, 0, 4)
    assert one.cost == Range(2 * 2.0 + 2 * 0.5, 2 * 1.0 + 2 * 0.5, 2 * 3.0 + 2 * 0.5)
    assert one.tokens.expected == 2 * 25 + 2 * 15
    assert lines([one]) == [
        "m: 4 calls or more, about 80 tokens and $5.00 ($3.00 to $7.00) by 3 earlier trials"
    ]


def test_other_models_tokens_are_priced_at_this_ones_price(tmp_path):
    records = [trial("A", "x", output=15, cost=None), trial("A", "y", output=35, cost=0.001)]
    one = estimate(tmp_path, records, planned("A"))
    assert one.cost == Range(30.0, 20.0, 40.0) and one.by_others == 1
    assert lines([one])[0].endswith("($20.00 to $40.00) by 2 earlier trials of other models, at this price")


def test_tokens_of_many_calls_are_not_priced_as_those_of_a_long_one(tmp_path, monkeypatch):
    monkeypatch.setattr(Prices, "price", lambda self, name, usage, calls=1: float(calls))
    one = estimate(tmp_path, [trial("A", "x", calls=40), trial("A", "y", calls=0)], planned("A"))
    assert one.cost == Range(20.5, 1.0, 40.0)


def test_what_is_cached_is_not_paid_and_an_untried_test_is_taken_to_be_like_the_others(tmp_path):
    one = estimate(tmp_path, [trial("A", cost=4.0)], planned("A", "B", "C"), "ask B")
    assert (one.cached, one.looked_at) == (1, 3)
    assert one.cost.expected == pytest.approx(8.0), "A as before, C like it, B from the cache"
    nothing = estimate(tmp_path, [], planned("A"), "ask A")
    assert nothing.cost == Range() and "1 of 1 trials in the cache, nothing to pay" in lines([nothing])[0]


def test_what_will_be_skipped_is_left_out(tmp_path):
    class Unavailable(Node):
        async def run(self, value, ctx):
            raise MissingData("names.txt")
            yield

    missing = [Planned(Sample("t.Z", Unavailable()), 1)]
    one = estimate(tmp_path, [trial("A", cost=4.0)], planned("A") + missing)
    assert (one.trials, one.cost.expected) == (1, 4.0)
    assert lines([estimate(tmp_path, [trial("A", cost=4.0)], missing)]) == []


def test_a_price_that_is_not_known_is_said(tmp_path):
    one = estimate(tmp_path, [trial("A", "n", cost=None)], planned("A"), model="n")
    assert one.cost is None and one.tokens.expected == 15
    assert "15 tokens and an unknown price (config.json can set it)" in lines([one])[0]
    never = estimate(tmp_path / "3", [], planned("A"), model="n") if not (tmp_path / "3").mkdir() else None
    assert lines([never]) == ["n: 1 call or more, the cost is unknown (config.json can set it)"]
    none = estimate(tmp_path / "2", [], planned("A")) if (tmp_path / "2").mkdir() is None else None
    assert none.tokens is None and "unknown: these tests have no earlier trials" in lines([none], 1.0)[0]
    assert "it is unknown how far it will go" in lines([none], 1.0)[1]


class OldStyle(Node):
    def __call__(self, value=""):
        raise AssertionError("a step of the old style runs on this machine, and may take long")


def test_a_step_of_the_old_style_is_not_run_to_look_a_call_up(tmp_path):
    test = "a" >> OldStyle() >> LLMRun() >> SubstringEvaluator("a")
    one = estimate(tmp_path, [], [Planned(Sample("t.A", test), 1)], "a")
    assert (one.trials, one.calls, one.looked_at) == (1, 1, 0)


def test_looking_up_ends_in_time_and_stands_for_the_rest(tmp_path):
    held = [f"ask T{n}" for n in range(5000)]
    one = estimate(tmp_path, [], planned(*(f"T{n}" for n in range(5000))), *held, time_limit_s=0.05)
    assert 0 < one.looked_at < 5000 and one.cached == one.looked_at
    assert (
        f"{one.cached:,} of the {one.cached:,} trials that could be looked up are in the cache"
        in lines([one])[0]
    )


@pytest.mark.parametrize("model", ["free"])
def test_what_costs_nothing_by_nature_reads_nothing_and_says_nothing(tmp_path, model):
    estimator = Estimator(Prices(), None, None)  # no results to read
    one = asyncio.run(estimator.estimate(model, planned("A"), {**NAMES, LLM: model}))
    assert one.free and lines([one], 1.0) == []


def test_the_budget_is_for_all_models_together():
    costs = [Estimate(name, 1, 1, tokens=Range(100), cost=Range(2.0)) for name in "ab"]
    assert lines(costs, max_cost=1.0)[-1].startswith("--max-cost 1 would end the run after about 25%")
    assert lines(costs, max_tokens=400)[-1] == "--max-tokens 400 is enough: 50% is expected to be used"
    assert "unknown" in lines([costs[0], replace(costs[1], cost=None)], max_cost=1.0)[-1]
    assert "0%" in against("--max-cost 0", 0.0, 0.0)


def test_a_small_cost_is_not_shown_as_nothing():
    row = _row(Estimate("m", 1, 1, tokens=Range(16), cost=Range(1.8e-5, 9e-6, 3.6e-5)))[5:8]
    assert [*map(text_of, row)] == ["$0.000018", "$0.0000090", "$0.000036"]
    assert [*map(data_of, row)] == [1.8e-5, 9e-6, 3.6e-5]


def test_only_heads_of_lines_are_read_and_odd_lines_do_no_harm(tmp_path):
    results = Results(tmp_path)
    named = 't."cost": 5, \\ "Test'
    with results.open_new("c", "m") as store:
        store.append(replace(trial("A", reason=Block("text", body="y" * 9000)), test=named))
        store.append(trial("A", usage=Usage()))
    (file,) = results.files()
    with file.open("ab") as out:
        out.write(b'{"v": 1, "test": 7, "cost": 1}\nnonsense\n{"v": 1, "test": "t.A", "cost": 1e}\n')
    past = past_usage([file, tmp_path / "gone"], {("applied", named), ("applied", "t.A")})
    assert past.trials == 1
    ((used,),) = past.by_test["applied", named].values()
    assert (used.usage, used.cost) == (Usage(5, 10), 1.0)
    ticks = iter(range(0, 100, 3))
    assert past_usage([file], {("applied", named)}, clock=lambda: next(ticks)).trials == 0, "time is up"


@pytest.mark.slow(5)
def test_a_run_says_what_it_will_cost_and_so_does_a_dry_run(tmp_path):
    def reply(asked):
        count = 10 + int(asked.prompt[-1])
        return Answer("answer", extra={"usage": {"prompt_tokens": 10, "completion_tokens": count}})

    with ModelServer(reply=reply) as server:
        prices = {"m": {"input": 0, "output": 1e4}, "dear": {"input": 0, "output": 1e5}}
        local = {"base_url": server.url + "/v1", "api_key": "k", "prices": prices}
        work = Workspace(tmp_path, llms={"local": local})
        work.many_tests(10)
        run = ("--run-tests", "--model", "local/m")
        _, err = work.main(*run, "--times", "2")
        assert "local/m: 20 calls or more, tokens and cost are unknown" in err
        asked = server.stats()["requests"]
        flags = ("--run-tests", "--model", "local/dear", "--max-cost", "4.35")
        out, err = work.main(*flags, "--dry-run", "--format", "json")
        said = (
            "local/dear: 10 calls or more, about 245 tokens and $14.50 by 20 earlier trials of other models"
        )
        assert said in err and "--max-cost 4.35 would end the run after about 30%" in err
        (row,) = json.loads(out)[0]["rows"]
        assert (row["tokens"], row["cost (USD)"], row["low"], row["high"]) == (245, 14.5, 14.5, 14.5)
        assert row["estimated from"] == "20 earlier trials of other models, at this price"
        assert server.stats()["requests"] == asked
        out, err = work.main(*flags, "--format", "json", code=2)
        assert said in err and "$0 of the budget left" in err
        data = json.loads(out)
        assert data["paid"] == pytest.approx(data["models"][0]["cost"]) and data["paid"] > 4
        done = len([line for line in work.lines() if line["model"] == "local/dear"])
        assert 3 <= done <= 4
        out, err = work.main(*run, "--times", "2", "--runid", "x", "--format", "json")
        data = json.loads(out)
        assert data["paid"] == 0 < data["models"][0]["cost"]
        assert "20 calls or more, 20 of 20 trials in the cache, nothing to pay" in err
        assert "20 pass, 0 fail, all 20 replies from the cache, nothing paid\n" in err
        _, err = work.main("--run-tests", "--model", "oracle")
        assert "calls or more" not in err


def test_a_call_that_cannot_be_looked_up_is_not_taken_for_one_that_costs_nothing(tmp_path):
    usage = {"usage": {"prompt_tokens": 10, "completion_tokens": 10}}
    with ModelServer(reply=lambda asked: Answer("answer 4", extra=usage)) as server:
        local = {"base_url": server.url + "/v1", "api_key": "k", "prices": {"m": {"input": 0, "output": 1e4}}}
        work = Workspace(tmp_path, llms={"local": local})
        line = '{} = "{}" >> {}LLMRun() >> SubstringEvaluator("4")\n'
        plain, sandboxed = line.format("TestA", "2 + 2?", ""), line.format("TestB", "echo 4", "BashRun() >> ")
        (work.tests / "sums.py").write_text("from evaluator import *\n" + plain + sandboxed)
        run = ("--run-tests", "--model", "local/m")
        work.main(*run, "--test", "sums.TestA")
        _, err = work.main(*run, "--max-cost", "0.01", "--dry-run", "--format", "json")
        assert (
            "1 of 2 trials is in the cache; another one depends on a sandbox and cannot be looked up, " in err
        )
        assert (
            "looked up, a rough guess: at most about 20 tokens and $0.10 by 1 earlier trial of other tests"
            in err
        )
        assert "--max-cost 0.01 would end the run after about 10%" in err


def test_a_picture_that_is_sent_as_it_is_can_be_looked_up(tmp_path):
    drawn = {name: tmp_path / f"{name}.png" for name in ("small", "large")}
    for path, side in zip(drawn.values(), (4, 2001), strict=True):  # of which one has to be made smaller
        path.write_bytes(PNG_SIGNATURE + b"\0\0\0\rIHDR" + struct.pack(">II", side, 1) + bytes(20))
    trials = [
        Planned(
            Sample(f"t.{name}", Image(path) >> LLMVisionRun("What?", llm=LLM) >> SubstringEvaluator("a")), 1
        )
        for name, path in drawn.items()
    ]
    one = estimate(tmp_path, [], trials, "What?")
    assert (one.trials, one.looked_at, one.cached) == (2, 1, 1)


class Twins(Node):
    async def run(self, value, ctx):
        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(ctx.llm.complete((Message("user", word),))) for word in ("x", "y")]
        for task in asked:
            yield Branch(task.result().text, Reason(self, Block("text", body="asked")))


class Odd(Node):
    async def run(self, value, ctx):
        raise BaseExceptionGroup("two", [ValueError("one"), ExceptionGroup("more", [KeyError("k")])])
        yield


class Mute(Node):
    async def run(self, value, ctx):
        yield Branch(value, Reason(self, Block("text", body="asked nobody")))


def test_a_step_that_asks_several_at_once_is_looked_up_too(tmp_path):
    twins = Planned(Sample("t.A", "q" >> Twins()), 1)
    one = estimate(tmp_path, [], [twins], "x", "y")
    assert (one.trials, one.looked_at, one.cached) == (1, 1, 1)
    one = estimate(tmp_path, [], [Planned(Sample("t.B", "q" >> Odd()), 1)])
    assert (one.trials, one.looked_at) == (1, 0), "what breaks is for the run to tell"


@pytest.mark.parametrize(
    "asked",
    [
        *("hi", ["hi"], [{"role": "user"}], [Message("user", 4)]),
        *(SystemExit(), CancelledError(), BaseExceptionGroup("own", [BaseException()])),
    ],
)
def test_a_mistake_in_a_node_of_the_authors_ends_no_look_up(tmp_path, asked):
    """The run tells it, as the ERROR of this test alone."""

    class Asks(Node):
        async def run(self, value, ctx):
            if isinstance(asked, BaseException):
                raise asked
            yield Branch((await ctx.llm.complete(asked)).text, Reason(self))

    mistaken = [Planned(Sample("t.Z", "x" >> Asks() >> SubstringEvaluator("a")), 1)]
    one = estimate(tmp_path, [trial("B", cost=4.0)], planned("A") + mistaken, "ask A")
    assert (one.trials, one.looked_at, one.cached, one.hidden) == (2, 1, 1, 1)


def test_tests_that_were_never_tried_cost_what_others_of_the_suite_did(tmp_path):
    """A run that a budget stopped and that goes on has nothing but such tests left."""
    one = estimate(tmp_path, [trial("A"), trial("B", output=20)], planned("C", "D"))
    assert one.tokens.expected == 2 * 20 and one.cost.expected == 2 * 1.0 and one.other_tests
    (line,) = lines([one])
    assert line.endswith("a rough guess: about 40 tokens and $2.00 by 2 earlier trials of other tests")
    (line,) = lines([replace(one, earlier=10)])
    assert "guess" not in line
    one = estimate(tmp_path, [], planned("C"), model="n")
    (line,) = lines([one])
    assert line.endswith("by 2 earlier trials of other tests and other models")


@pytest.mark.parametrize(
    ("judge", "said"), [("judge", "tokens and cost"), ("free", "the cost is $0, tokens")]
)
def test_a_price_of_0_is_known_without_earlier_trials(tmp_path, monkeypatch, judge, said):
    asked = "q" >> LLMRun() >> LLMRun("judge <A>", llm=EVAL_LLM) >> SubstringEvaluator("a")
    monkeypatch.setattr(Prices, "price", lambda self, name, usage, calls=1: 0.0 if name == "m" else None)
    monkeypatch.setitem(NAMES, EVAL_LLM, judge)
    one = estimate(tmp_path, [], [Planned(Sample("t.J", asked), 1)])
    line, budget = lines([one], max_cost=1.0)
    assert f", {said} are unknown: these tests have no earlier trials" in line
    assert ("is enough: 0%" in budget) == (judge == "free")
    assert lines([estimate(tmp_path, [], planned("A"))])[0].startswith(
        "m: 1 call or more, the cost is $0, tok"
    )


def test_tests_that_were_never_tried_read_at_least_their_own_prompt(tmp_path):
    long = "word" * 1000 >> LLMRun() >> SubstringEvaluator("a")
    trials = [Planned(Sample("t.Long", long), epoch) for epoch in (1, 2)]
    one = estimate(tmp_path, [trial("A")], [*trials, *planned("B")])
    assert one.tokens.expected == 2 * (1000 + 10) + 15
    assert one.cost.expected == 2 * (1.0 + Prices().price("m", Usage(995))) + 1.0
    one = estimate(tmp_path, [], trials, model="n")
    assert one.tokens.expected == 2 * (1000 + 10)


def test_a_prompt_that_no_estimate_needs_is_not_made(tmp_path, monkeypatch):
    """It may draw pictures or make data for minutes."""
    monkeypatch.setattr(Prices, "has_answered", lambda self, name, role: False)
    looked: list[str] = []
    test = PyFunc(lambda value: looked.append(value) or "q") >> LLMRun() >> SubstringEvaluator("a")
    trials = [Planned(Sample("t.Long", test), 1)]
    assert estimate(tmp_path, [], trials).tokens is None and not looked
    assert estimate(tmp_path, [trial("A")], trials).tokens and looked


def test_as_many_first_calls_are_shown_with_and_without_a_cache(tmp_path):
    asks = [*planned("A"), Planned(Sample("t.Box", BashRun() >> LLMRun() >> SubstringEvaluator("a")), 1)]
    for model in ("m", "new judge"):
        assert _row(estimate(tmp_path, [], asks, model=model))[3] == "0 of 2"


def test_why_there_are_more_trials_than_tests_is_said():
    one = Estimate("m", epochs={"weirdml": 15, "applied": 1})
    oracle = Estimate("oracle", epochs={"weirdml": 2, "applied": 3}, replays=True)
    said = " Trials of a test: up to 15 of weirdml, as the suite says"
    assert _several([one, one]) == f"{said} (--times sets another number)."
    assert f"{said}; by the oracle or the saboteur one for each reference (" in _several([one, oracle])
    assert _several([Estimate("m", epochs={"applied": 1})]) == ""


def test_plain_tests_do_not_tell_what_pictures_judges_agents_and_conversations_cost(tmp_path):
    ends = SubstringEvaluator("a")
    (tmp_path / "x.png").write_bytes(PNG_SIGNATURE + b"\0\0\0\rIHDR" + struct.pack(">II", 4, 1) + bytes(20))
    special = {
        "Judged": "q" >> LLMRun() >> LLMRun("judge <A>", llm=EVAL_LLM) >> ends,
        "Sees": Image(tmp_path / "x.png") >> LLMVisionRun("What?", llm=LLM) >> ends,
        "Agent": "q" >> AgentRun() >> ends,
        "Talks": "q" >> LLMConversation() >> "more?" >> LLMConversation() >> ends,
    }
    trials = [Planned(Sample(f"t.{name}", test), 1) for name, test in special.items()]
    none = estimate(tmp_path, [trial("A"), trial("B")], trials)
    assert none.tokens is None and none.unlike == 4
    (line, budget) = lines([none], max_cost=1.0)
    assert line.endswith("tokens and cost are unknown: the only earlier trials are of other kinds of tests")
    (line,) = lines([replace(none, judged=1)])
    assert "judge" not in line, "it is unknown already"
    assert "it is unknown how far it will go" in budget
    some = estimate(tmp_path, [], [*trials, *planned("C")])
    assert some.tokens.expected == 15 and some.unlike == 4
    (line, budget) = lines([some], max_cost=1.0)
    assert (
        "at least about 15 tokens and $1.00 by 2 earlier trials of other tests, without 4 tests of kinds"
        in line
    )
    assert "it is unknown how far it will go" in budget
    row = _row(some)[4:8]
    assert [*map(text_of, row)] == ["≥ 15", "≥ $1.00", "≥ $1.00", "≥ $1.00"]
    assert [*map(data_of, row)] == [15, 1.0, 1.0, 1.0]
    tried = estimate(tmp_path, [], [*trials, *planned("A")])
    assert tried.tokens.expected == 15 and tried.unlike == 4
    turn = Block("chat", "m replied", role="assistant", spent=TurnCost(5, 5, None, 1.0, 1.0))
    agents = [trial("Agents", output=995, calls=9, reason=turn), trial("Talked", output=45, calls=2)]
    agents.append(trial("Saw", output=295, reason=Block("image", data=PNG_SIGNATURE)))
    for at, tokens in ((1, 1001 + 295), (2, 1000), (3, 50)):
        one = estimate(tmp_path, agents, trials[at : at + 1])
        assert one.tokens.expected == tokens and not one.unlike, "trials of the same kind tell"
        agents = []


def judged_trial(test, model="m", judge="judge"):
    """Of 15 tokens for $1, and of 400 of a judge for $2."""
    said = (Reply(LLM, "h", "no", Usage(5, 10), 1.0), Reply(EVAL_LLM, "i", "yes", Usage(300, 100), 2.0))
    more = {"usage": Usage(305, 110), "calls": 2, "replies": said, "judges": {EVAL_LLM: judge}}
    return trial(test, model, cost=3.0, **more)


def test_trials_with_a_judge_tell_only_what_tests_with_a_judge_cost(tmp_path):
    ask = "q" >> LLMRun()
    judged = [Planned(Sample(f"t.{name}", ask >> Judge("Is it so?")), 1) for name in ("J", "K")]
    plain = estimate(tmp_path, [judged_trial("J")], planned("C"))
    assert plain.tokens is None and plain.unlike == 1
    one = estimate(tmp_path, [], [judged[0], *planned("C", "D")])
    assert one.tokens.expected == 415 and one.unlike == 2, "no average of both kinds"
    one = estimate(tmp_path, [trial("A")], [*judged, *planned("A", "C", "D")])
    assert one.tokens.expected == 2 * 415 + 3 * 15 and one.cost.expected == 2 * 3.0 + 3 * 1.0
    (line,) = lines([one])
    assert "a rough guess: about 875 tokens and $9.00 by 2 earlier trials, for 3 untried tests of ot" in line
    assert "a rough guess" not in lines([replace(one, untried=2)])[0]


def test_a_judges_tokens_are_priced_as_the_judges_own(tmp_path, monkeypatch):
    judged = [Planned(Sample("t.J", "q" >> LLMRun() >> Judge("Is it so?")), 1)]
    one = estimate(tmp_path, [judged_trial("J", "other")], judged)
    assert one.cost.expected == 15.0 + 2.0, "it is not one of the model, which costs a dollar a token"
    monkeypatch.setitem(NAMES, EVAL_LLM, "dear")
    unpriced = estimate(tmp_path, [], judged)
    assert unpriced.cost is None, "no price of another judge is known"
    line, budget = lines([unpriced], max_cost=1.0)
    assert "an unknown price (dear: config.json can set it)" in line, "the model's own is known"
    assert budget == "--max-cost 1 ends the run at the first reply whose cost is unknown"


def test_a_judges_price_that_is_known_now_holds_for_replies_of_unknown_cost(tmp_path, monkeypatch):
    monkeypatch.setitem(NAMES, EVAL_LLM, "m")
    said = (Reply(LLM, "h", "no", Usage(5, 10), 1.0), Reply(EVAL_LLM, "i", "yes", Usage(300, 100), None))
    earlier = trial("J", cost=None, usage=Usage(305, 110), calls=2, replies=said, judges={EVAL_LLM: "m"})
    judged = [Planned(Sample("t.J", "q" >> LLMRun() >> Judge("Is it so?")), 1)]
    assert estimate(tmp_path, [earlier], judged).cost.expected == 1.0 + 400.0


def test_trials_in_the_cache_still_pay_for_another_judge_than_before(tmp_path, monkeypatch):
    judged = [Planned(Sample("t.J", "ask J" >> LLMRun() >> Judge("Is it so?")), 1)]
    assert estimate(tmp_path, [judged_trial("J", judge="other")], judged, "ask J").tokens.expected == 400
    monkeypatch.setitem(NAMES, EVAL_LLM, "m")
    one = estimate(tmp_path, [], [*judged, *planned("A")], "ask J", "ask A")
    (line,) = lines([one])
    assert line.endswith("2 of 2 trials in the cache, about 400 tokens and $400.00 by 1 earlier trial")
    new = [Planned(Sample("t.A", "ask A" >> LLMRun() >> Judge("Is it so?")), 1)]
    new.append(Planned(Sample("t.B", new[0].sample.test), 1))
    one = estimate(tmp_path, [trial("A")], new, "ask A")
    assert (one.tokens.expected, one.earlier) == (2 * 400, 1), "it had no judge"
    assert estimate(tmp_path, [judged_trial("J", judge="m")], judged, "ask J").tokens == Range()


def test_tests_that_ask_no_model_neither_cost_nor_tell_what_others_cost(tmp_path):
    silent = {name: "text" >> Echo() >> SubstringEvaluator("text") for name in map(str, range(99))}
    silent["Box"] = "echo 4" >> BashRun() >> SubstringEvaluator("4")
    silent["Own"] = "q" >> Mute() >> SubstringEvaluator("q")
    none = [Planned(Sample(f"t.{name}", test), 1) for name, test in silent.items()]
    alone = estimate(tmp_path, [], none)
    assert (alone.trials, alone.calls, alone.tokens, alone.cost) == (101, 0, Range(), Range())
    assert lines([alone], max_cost=1.0) == []
    earlier = [trial("A"), *(trial(name, calls=0, usage=Usage(), cost=0.0) for name in silent)]
    one = estimate(tmp_path, earlier, [*none, *planned("A")])
    assert one.tokens.expected == 15 and not one.unlike
    (line,) = lines([one])
    assert line.endswith("1 call or more, about 15 tokens and $1.00 by 1 earlier trial")
    one = estimate(tmp_path, [], [*none, *planned("A", "B")], "ask B")
    assert "1 of 2 trials in the cache" in lines([one])[0]


def test_a_test_that_once_asked_nobody_does_not_tell_what_it_costs_now(tmp_path):
    mute = [trial("A", calls=0, usage=Usage(), cost=0.0)]
    assert estimate(tmp_path, mute, planned("A")).tokens is None
    may_ask = [Planned(Sample("t.A", "echo 4" >> BashRun() >> Mute() >> SubstringEvaluator("4")), 1)]
    assert estimate(tmp_path, [], may_ask).tokens == Range(), "of a step of one's own it is all that is known"


def test_other_rows_of_a_test_are_no_other_tests(tmp_path):
    saved = [trial("Q[1]"), trial("Q[2]"), trial("Long", output=2000)]
    one = estimate(tmp_path, saved, planned("Q[3]", "Q[10]"))
    assert one.tokens.expected == 2 * 15
    (line,) = lines([one])
    assert line.endswith("about 30 tokens and $2.00 by 2 earlier trials of other rows")
    (line,) = lines([estimate(tmp_path, [], planned("Q[3]", "C"))])
    assert line.endswith("by 3 earlier trials of other tests")


def test_tests_that_are_all_in_the_cache_tell_what_the_others_will_cost(tmp_path):
    """It said that no earlier trial was saved."""
    one = estimate(tmp_path, [trial("A"), trial("B", output=20)], planned("A", "B", "C"), "ask A", "ask B")
    (line,) = lines([one])
    assert line.endswith("about 20 tokens and $1.00 by 2 earlier trials of other tests")


def test_a_judge_that_was_never_asked_is_still_to_be_paid(tmp_path):
    judged = "ask A" >> LLMRun() >> LLMRun("judge <A>", llm=EVAL_LLM) >> SubstringEvaluator("yes")
    trials = [Planned(Sample("t.A", judged), epoch) for epoch in (1, 2)]
    names = {**NAMES, EVAL_LLM: "new judge"}
    cache = tmp_path / "replies.sqlite"
    cache.touch()
    estimator = Estimator(Prices("ask A"), Results(tmp_path / "results"), cache)
    new = asyncio.run(estimator.estimate("m", trials, names))
    said = lines([new], max_cost=1.0)
    assert said[0].endswith(
        "2 of 2 trials in the cache, nothing to pay for the model itself, but 2 trials ask a judge that was "
        "never asked before, so what it will cost is unknown"
    )
    assert "unknown" in said[1]
    known = asyncio.run(estimator.estimate("m", trials, NAMES))
    assert known.judged == 0 and lines([known])[0].endswith("2 of 2 trials in the cache, nothing to pay")
