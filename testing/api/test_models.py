"""Models, judges and servers as a program gives them."""

import json
import time

import pytest

import assay
import assay.api
import evaluator
from assay.errors import ConfigError
from assay.records import Completion
from testing.api.asking import question


def test_a_new_model_whose_name_is_nearly_a_recorded_one_is_told(place, capsys):
    """The server answers any name."""
    for name in ("local/large", "local/larg", "local/larg", "local/large-2", "local/medium"):
        assay.run(question(), models=name)
        said = f"{name} has no saved results yet, but local/large has." in capsys.readouterr().err
        assert said == (name == "local/larg" and len(place.lines()) == 2), name


def test_a_judge_whose_name_is_nearly_a_recorded_one_is_told(place, capsys):
    judged = "say 42" >> evaluator.LLMRun() >> evaluator.Judge("Is it a number?")
    rows = evaluator.Rows([{"q": 1}]) >> "<q>" >> evaluator.LLMRun() >> evaluator.Judge("Is it?")
    for test, name, told in (
        (judged, "local/judge", False),
        (judged, "local/judg", True),
        (judged, "local/judge", False),
        (rows, "local/judgee", True),
    ):
        assay.run(test, "local/m", judge=name)
        said = f"{name} as a judge has no saved results yet, but local/judge has" in capsys.readouterr().err
        assert said == told, name


def test_a_function_is_a_model(place):
    async def later(messages):
        return f"42, as {messages[-1].role}"

    results = assay.run(question(), models=[assay.model(later), assay.model(lambda messages: "no", "never")])
    assert {record.model: record.outcome.value for record in results.records} == {
        "later": "pass",
        "never": "fail",
    }


def test_a_function_model_takes_what_the_page_says_and_its_exception_is_no_mistake_in_the_test(place):
    def broken(messages):
        raise ValueError("no pipeline")

    given = assay.model(broken, name="mine", cached=False, parameters={"depth": 3})
    (record,) = assay.run(question(), models=given).records
    assert (record.outcome.value, record.cause, record.parameters) == (
        "error",
        "provider",
        {"depth": 3},
    )
    assert "mine" in record.error and "no pipeline" in record.error


class Asked:
    """A model that notes what it is asked."""

    name = "asked"

    def __init__(self):
        self.dialogues = []

    def for_trial(self, trial):
        return self

    async def complete(self, messages, *, json=False):
        return Completion(self(messages))

    def __call__(self, messages):
        self.dialogues.append([(each.role, each.content) for each in messages])
        return "42"


class Tuned(Asked):
    name, parameters = "tuned", {}

    def with_parameters(self, parameters):
        made = Tuned()
        made.parameters, made.dialogues = {**self.parameters, **parameters}, self.dialogues
        return made

    def __call__(self, messages):
        self.dialogues.append(dict(self.parameters))
        return "42"


@pytest.mark.parametrize("function", [True, False])
def test_a_function_and_an_object_get_system_prompts_and_what_they_are_not_given_is_said(place, function):
    own = Asked()
    given = assay.model(own, "asked") if function else own
    run, step = [("system", "Be brief.")], [("system", "Be kind.")]
    own_step = "hi" >> assay.LLMRun(system="Be kind.", temperature=0.5) >> assay.SubstringEvaluator("42")
    for test, more, said, lacking in (
        (question(), {}, [], []),
        (question(), {"system_prompt": "Be brief."}, run, []),
        (own_step, {"params": {"top_p": 0.5}}, step, ["asked was asked without temperature, top_p"]),
    ):
        results = assay.run({"t": test}, given, **more)
        assert own.dialogues[-1][:-1] == said
        assert results.records[0].parameters == ({"system_prompt": "Be brief."} if said == run else {})
        assert [each.partition(":")[0] for each in results.problems] == lacking
    for prompt, trials in (("Be brief.", 0), ("Be long.", 1)):
        again = assay.run({"t": question()}, given, system_prompt=prompt, skip_existing=True)
        assert len(again) == trials


def test_an_object_with_parameters_gets_all_settings(place):
    own = Tuned()
    test = "hi" >> assay.LLMRun(system="Be kind.") >> assay.SubstringEvaluator("42")
    results = assay.run(test, own, system_prompt="Be brief.", params={"top_p": 0.5})
    assert own.dialogues == [{"system_prompt": "Be kind.", "top_p": 0.5}] and not results.problems
    assert results.records[0].parameters == {"system_prompt": "Be brief.", "top_p": 0.5}


def yes(messages):
    return "It says so.\nVERDICT: YES"


@pytest.mark.parametrize("judge", [yes, assay.model(yes, name="yes")])
def test_a_function_and_an_object_judge(place, judge):
    kind = "kind?" >> assay.LLMRun() >> assay.Judge("Is it kind?")
    drawn = "drawn?" >> assay.LLMRun() >> assay.Judge("Is it drawn?", llm=assay.VISION_EVAL_LLM)
    results = assay.run([kind, drawn], models="local/m", judge="local/m", vision_judge=judge)
    outcomes = {record.test: (record.outcome.value, record.judges) for record in results.records}
    both = {"eval_llm": "local/m", "vision_eval_llm": "yes"}
    assert outcomes["notebook.drawn"] == ("pass", both)
    results = assay.run(kind, models=yes, judge=judge)
    (record,) = results.records
    assert (record.model, record.outcome.value, record.judges["eval_llm"]) == ("yes", "pass", "yes")
    (again,) = assay.rescore(results, judge=judge).records
    assert (again.outcome.value, again.judges["eval_llm"]) == ("pass", "yes")
    assert evaluator.run_test(kind, "local/m", judge=judge)


def test_two_models_of_one_name_are_an_error(place):
    other = assay.model(lambda messages: "no", name="yes")
    with pytest.raises(ConfigError, match="two models are named 'yes'"):
        assay.run(question(), models=yes, judge=other)
    with pytest.raises(ConfigError, match=r"name is one line of text, not 'yes\\nno'"):
        assay.run(question(), models=assay.model(lambda messages: "no", name="yes\nno"))


def test_a_wait_for_a_connection_is_queue_time(place):
    def function(messages):
        time.sleep(0.1)
        return "42"

    assay.run(question(), models="local/m")  # imports what asks a provider
    place.server.desk.latency = 0.1
    tests = {f"t{number}": question(f"number {number}") for number in range(4)}
    results = assay.run(tests, models=["local/m", "local/n", function], max_connections=1)
    for model in ("local/m", "local/n", "function"):
        records = [record for record in results.records if record.model == model]
        assert max(record.queue_seconds for record in records) > 0.2
        assert all(abs(record.working_seconds - record.model_seconds) < 0.1 for record in records)
        assert results._grid.totals[model].seconds == pytest.approx(sum(r.working_seconds for r in records))
    page = results.report("report").read_text()
    assert '<th class="num" title="wall time, without waiting' in page


def test_equal_calls_at_once_wait_in_one_queue(place):
    assay.run(question(), models="local/m")
    place.server.desk.latency = 0.1
    tests = {name: question("other" if name == "first" else "same") for name in ("first", "one", "two")}
    records = assay.run(tests, models="local/m", max_connections=1).records
    assert sum(record.cached_calls for record in records) == 1
    assert sum(record.queue_seconds > 0.08 for record in records) == 2


def test_parameters_of_a_model_that_is_nearly_named_as_one_that_runs_are_told_of(place, capsys):
    config = json.loads((place.folder / "config.json").read_text())
    sections = {
        "local/lagre": {"temperature": 0},
        "lareg": {},
        "local/large": {},
        "large": {},
        "local/tiny": {},
    }
    (place.folder / "config.json").write_text(json.dumps({**config, "hparams": {"models": sections}}))
    assay.run(question(), "local/large")
    warnings = [line for line in capsys.readouterr().err.splitlines() if line.startswith("warning: no model")]
    assert [line.split()[5] for line in warnings] == ["local/lagre,", "lareg,"]
    assert all(line.endswith("are not sent. Is local/large meant?") for line in warnings)


def test_a_server_that_is_not_there_is_told_of_and_other_models_keep_their_results(place, capsys):
    config = json.loads((place.folder / "config.json").read_text())
    config["llms"]["gone"] = {"base_url": "http://127.0.0.1:9/v1", "api_key": "sk-none"}
    (place.folder / "config.json").write_text(json.dumps(config))
    results = assay.run({"a": question(), "b": question("Why?")}, models=["gone/m", "local/m"], retries=0)
    assert "the run ends; continue it with resume=True" in str(results.failure)
    said = "error: gone/m: nothing listens at http://127.0.0.1:9/v1"
    how = "the run is not complete; the same call with resume=True goes on"
    assert {record.model for record in results.records} == {"local/m"}
    err = capsys.readouterr().err
    assert said in err and how in err
    assert repr(results).startswith(said) and how in repr(results) and "local/m" in repr(results)
    page = results._repr_html_()
    assert -1 < page.find(said) < page.find("<table") and page.count("<strong>") == 2
