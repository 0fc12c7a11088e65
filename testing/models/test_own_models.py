"""A caller's own models: functions, objects with traits, and providers of other packages."""

import asyncio
import gc
import re
import sys
import time
import warnings
from pathlib import Path

import pytest

from assay import blocking
from assay.cli.main import main
from assay.config import Config
from assay.errors import BudgetExceeded, ConfigError, NobodyThere, ProviderError, Refused
from assay.extensions import extensions, of_others
from assay.models import provider_client, registry
from assay.models.function_model import model
from assay.models.model_registry import ModelRegistry
from assay.models.retry import Retry
from assay.package_code import code_of
from assay.records import Completion, Message, Outcome, Tool, ToolCall, Traits, TrialKey, Usage
from assay.results.conditions import mixed_surroundings, self_judged
from assay.running.engines import workers_for
from assay.running.plan import make_plan
from assay.running.roles import load_roles
from assay.running.trial import run_trial
from assay.running.wiring import check_provider, keys_found
from assay.suites.suite import Sample
from evaluator import Call, LLMRun, SubstringEvaluator, Turn
from testing.harness.standins import ScriptedPool

ASK = (Message("user", "2+2?"),)


def inside(body, *, cache=None, **settings):
    """The result of `body(models)` in a run."""

    async def run():
        async with ModelRegistry({}, {}, cache=cache, **settings) as models:
            return await body(models)

    return asyncio.run(run())


def played(own, *, config=None, **settings):
    """The record of one trial of a caller's model, loaded as a run loads it."""
    sample = Sample("t.TestT", "2+2?" >> LLMRun() >> SubstringEvaluator("4"), source="tests/t.py")

    async def body(models):
        roles = load_roles(models, models.add(own), config or Config(), {}, {})
        return await run_trial(sample, roles.llm, roles.eval_llm, roles.vision_eval_llm, ScriptedPool())

    return inside(body, **settings)


def test_what_to_do_about_the_price_of_a_function_is_said():
    async def hints(models):
        return [models.price_hint(name) for name in (models.add(model(four, name="mine")), "openai/x")]

    own, served = inside(hints)
    assert "Traits(free=True)" in own and "config.json" not in own
    assert served == "set llms.openai.prices in config.json"


async def four(messages):
    return Completion("4", Usage(3, 1), cost=0.5)


@pytest.mark.parametrize("function", [lambda messages: "it is 4", four], ids=["sync", "async"])
def test_a_function_plays_in_a_trial_and_its_replies_are_recorded(function):
    record = played(model(function, name="mine"))
    assert (record.outcome, record.model, record.calls) == (Outcome.PASS, "mine", 1)
    assert [reply.role for reply in record.replies] == ["llm"]


def test_what_a_function_raises_is_an_error_that_names_it():
    def breaks(messages):
        raise KeyError("weights")

    record = played(model(breaks))
    assert record.outcome is Outcome.ERROR
    assert "breaks: KeyError: 'weights'" in record.error and "test_own_models.py:" in record.error
    assert "a string, a Call, a Turn or a Completion, not int" in played(model(lambda _: 4, name="m")).error
    assert "not bool; a judge replies 'VERDICT: YES'" in played(model(lambda _: True, name="m")).error


def test_a_lambda_needs_a_name():
    with pytest.raises(ConfigError, match="name="):
        model(lambda messages: "4")


@pytest.mark.parametrize(("cached", "calls"), [(False, 2), (True, 1)])
def test_a_function_is_cached_only_if_asked(tmp_path, cached, calls):
    asked = []

    def count(messages):
        asked.append(messages)
        return "4"

    for _ in range(2):
        assert played(model(count, cached=cached), cache=tmp_path / "c.sqlite").outcome is Outcome.PASS
    assert len(asked) == calls


def test_a_function_is_told_to_reply_in_json():
    def last(messages):
        return messages[0].content

    reply = asyncio.run(model(last).complete(ASK, json=True))
    assert "JSON" in reply.text


def test_a_budget_counts_a_callers_model():
    async def body(models):
        its = models.load(models.add(model(four)))
        for _ in range(3):
            await its.complete(ASK)

    with pytest.raises(BudgetExceeded):
        inside(body, max_cost=0.9)


def test_a_name_stands_for_one_model():
    async def body(models):
        models.add(model(four))
        models.add(model(lambda messages: "5", name="four"))

    with pytest.raises(ConfigError, match="another model is already named 'four'"):
        inside(body)
    with pytest.raises(ConfigError, match="another model is already named 'oracle'"):
        inside(lambda models: asyncio.to_thread(models.add, model(four, name="oracle")))


class Prover:
    """A stranger's model that proves tests: it has three replies to each."""

    name = "prover"
    traits = Traits(free=True, replays=True, self_judged=True)

    def variants(self, trial):
        return 3

    def for_trial(self, trial):
        return self

    async def complete(self, messages, *, json=False):
        return Completion("4", cost=0.0)


def test_a_strangers_model_with_traits_is_treated_like_ours():
    sample = Sample("t.TestT", "2+2?" >> LLMRun())

    async def body(models):
        models.add(Prover())
        roles = load_roles(models, "prover", Config(judge="openai/gpt-4o"), {}, {})
        return roles, make_plan(lambda: [sample], "prover", models, None).size()

    roles, trials = inside(body)
    assert roles.eval_llm.name == roles.vision_eval_llm.name == "prover", "it judges itself"
    assert trials == 3, "one for each of its replies"
    config = Config(max_connections=100)
    assert workers_for(config, Prover.traits) == workers_for(config) - 100, "it waits for nobody"
    record = played(Prover())
    assert self_judged(record) and mixed_surroundings([record]) == []
    assert not self_judged(played(model(four)))


ACME = """
from assay.models.registry import Row
from assay.records import Completion, Traits, Usage

ROW = Row("", key_env=("ACME_KEY",), needs_key=True, traits=Traits(free=True))

class Acme:
    def __init__(self, settings): self.settings = settings
    def open(self): pass
    def wire(self, model, parameters): return parameters
    async def ask(self, call): return Completion(f"{call.model} at {self.settings.provider}", READ(call))
    async def close(self): pass

def connect(settings): return Acme(settings)

def READ(c): return Usage(3, len([each.content for each in c.messages] and [c.wire]))
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Makes an installed package of entry points: name -> module."""
    extensions.cache_clear()
    registry._their_row.cache_clear()
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(entries, source=ACME, name="acme-assay"):
        info = tmp_path / f"{name.replace('-', '_')}-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
        lines = "".join(f"{each} = {module}\n" for each, module in entries.items())
        (info / "entry_points.txt").write_text(f"[assay.providers]\n{lines}")
        (tmp_path / "acme_assay.py").write_text(source)

    yield make
    sys.modules.pop("acme_assay", None)
    extensions.cache_clear()


def test_a_package_can_bring_a_provider(package, monkeypatch):
    package({"acme": "acme_assay", "openai": "acme_assay"})
    monkeypatch.setenv("ACME_KEY", "sk-acme-123456")

    async def body(models):
        bound = models.load("acme/rocket").for_trial(TrialKey("t.T"))
        return await bound.complete(ASK), models.traits("acme/rocket")

    reply, traits = inside(body)
    assert reply.text == "rocket at acme" and traits.free and reply.cost == 0.0
    found = keys_found(Config(), Path())
    assert found["acme"] == "ACME_KEY (of acme-assay 1.2)"
    monkeypatch.delenv("ACME_KEY")
    assert keys_found(Config(), Path())["acme"] == "no key (of acme-assay 1.2)"
    assert found["openai of acme-assay 1.2"] == "not used: Assay has its own"
    with pytest.raises(ConfigError, match=r"acme, anthropic"):
        inside(lambda models: asyncio.to_thread(models.load, "nobody/m"))


def test_an_edit_of_a_package_s_provider_asks_again(package, tmp_path, monkeypatch):
    monkeypatch.setenv("ACME_KEY", "sk-acme-123456")

    def cached(source):
        (tmp_path / "acme_assay.py").write_text(source)
        code_of.cache_clear()
        return inside(lambda models: models.load("acme/rocket").complete(ASK), cache=tmp_path / "c").cached

    package({"acme": "acme_assay"})
    assert [cached(each) for each in (ACME, ACME, ACME + "# new\n", ACME)] == [False, True, False, True]


def test_a_provider_of_a_package_without_keys_lacks_none(package):
    package({"acme": "acme_assay"}, ACME.replace("needs_key=True", "needs_key=False"))
    assert keys_found(Config(), Path())["acme"] == "needs none (of acme-assay 1.2)"


@pytest.mark.parametrize(
    ("source", "why"), [("import nowhere", "ModuleNotFoundError"), ("x = 1", "must define connect")]
)
def test_a_broken_provider_is_an_error_that_names_its_package(package, source, why):
    package({"acme": "acme_assay"}, source)
    with pytest.raises(ConfigError, match=rf"acme-assay 1\.2 cannot be used: .*{why}"):
        inside(lambda models: asyncio.to_thread(models.load, "acme/rocket"))
    assert "cannot be used" in keys_found(Config(), Path())["acme"]


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (
            "def connect(settings): return 3",
            r"^acme: connect\(\) \(acme_assay.py:1, the package acme.*\) must return a provider, not 3$",
        ),
        ("def connect(settings): print", r"acme_assay.py:1, .*\) must return a provider, not None$"),
        (
            "def connect(settings): yield",
            r"acme_assay.py:1, .*\) must return a provider, not a generator; return",
        ),
        (
            "class A: ask = None\ndef connect(settings): return A()",
            r"acme_assay.py:2, .*\) must return a provider; A lacks open, wire, close$",
        ),
        (
            "from assay.models.http_provider import HTTPProvider as connect",
            r"acme has no address: set llms\.acme\.base_url",
        ),
        (
            ACME.replace("return Acme(settings)", "return Acme"),
            r"^acme: connect\(\) \(acme_assay.py:14, .*\) must return Acme\(settings\), not the class Acme$",
        ),
        (
            ACME.replace("connect(settings)", "connect()"),
            r"^acme: connect\(\) \(acme_assay.py:14, the package acme-assay 1.2\) raised TypeError: .*; "
            r"declare it as `def connect\(settings\)`$",
        ),
        (
            ACME.replace("self.settings = settings", "self.key = settings.token"),
            r"^acme: Acme.__init__\(\) \(acme_assay.py:8, the package acme-assay 1.2\) raised Attribute",
        ),
        (
            ACME.replace("def connect", "async def connect"),
            r"acme: connect\(\) \(acme_assay.py:14, .*\) must not be asynchronous; declare it as `def conn",
        ),
        (
            ACME.replace("def open", "async def open"),
            r"acme: Acme.open\(\) \(acme_assay.py:9, .*\) must not be asynchronous; declare it as `def op",
        ),
        (
            ACME.replace('ROW = Row("", ', "ROW = dict("),
            r"ROW in acme_assay.py must be a Row of assay.models.registry, such as .*, not {'key_env'",
        ),
        (
            ACME.replace("return parameters", "pass").replace("needs_key=True", "needs_key=False"),
            r"acme: Acme.wire\(\) \(acme_assay.py:10, .*\) must return a dict of the .*, not None$",
        ),
        (
            ACME.replace("return parameters", "yield {}").replace("needs_key=True", "needs_key=False"),
            r"acme: Acme.wire\(\) \(acme_assay.py:10, .*, not a generator; return it, do not yield it$",
        ),
    ],
)
def test_a_provider_that_cannot_be_asked_is_an_error_before_the_first_call(package, source, why, monkeypatch):
    package({"acme": "acme_assay"}, source)
    monkeypatch.setenv("ACME_KEY", "k")
    with pytest.raises(ConfigError, match=why):
        inside(lambda models: asyncio.to_thread(models.load, "acme/rocket"))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("42", "whose text is a str, not 42"),
        ("None", "whose text is a str, not None"),
        ("'x', 7", "whose usage is a Usage, not 7"),
        ("'x', Usage('12', 3)", "whose usage has whole numbers from 0 on: its input_tokens is '12'"),
        ("'x', Usage(12, None)", "whose usage has whole numbers from 0 on: its output_tokens is None"),
        ("'x', Usage(-5, 1)", "whose usage has whole numbers from 0 on: its input_tokens is -5"),
        ("'x', cost='0.01'", "whose cost is US dollars from 0 on, or None, not '0.01'"),
        ("'x', cost=-1.0", "whose cost is US dollars from 0 on, or None, not -1.0"),
        ("'x', cost=float('nan')", "whose cost is US dollars from 0 on, or None, not nan"),
        ("'x', finish_reason=3", "whose finish_reason is a str, not 3"),
    ],
)
def test_a_completion_of_wrong_parts_is_an_error_of_the_provider(package, monkeypatch, given, why):
    head, _, tail = ACME.partition("Completion(f")
    source = f"{head}Completion({given}){tail[tail.index(chr(10)) :]}"
    package({"acme": "acme_assay"}, source)
    monkeypatch.setenv("ACME_KEY", "k")

    async def asked(models):
        return await models.load("acme/rocket").for_trial(TrialKey("t.T")).complete(ASK)

    wrote = r"Acme\.ask\(\) \(acme_assay\.py:11, the package acme-assay 1\.2\)"
    with pytest.raises(ProviderError, match=f"^acme/rocket: {wrote} must return a Completion {why}"):
        inside(asked)


SERVED = """
from assay.models.failures import Unreadable; from assay.records import Completion
from assay.models.http_provider import HTTPProvider
from assay.models.registry import Row
ROW = Row("", base_url="http://127.0.0.1:1", needs_key=False)

class Served(HTTPProvider):
    path = "/x"
    def wire(self, model, parameters): return parameters
    async def attempt(self, call): WHAT

connect = Served
"""
READ = """
        reply = self.post({{}})
        try:
            return Completion(reply[{}])
        except (KeyError, TypeError) as error:
            raise Unreadable(f"it lacks {{error}}") from None
"""
CAUGHT = """
        reply = {{'text': '4'}}
        try:
            return {}
        except Exception as error:
            raise Unreadable(f"it lacks {{error}}") from None
"""


async def asked_of_acme(models):
    return await models.load("acme/rocket").for_trial(TrialKey("t.T")).complete(ASK)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("pass", "must return a Completion, not None"),
        ("return self.post({})", "must return a Completion, not a coroutine; is an `await` missing?"),
        ("raise KeyError('text')", "raised KeyError: 'text'"),
        ("call.mesages", "raised AttributeError: 'Call' object has no attribute 'mesages'"),
        (READ.format("'text'"), "raised TypeError: 'coroutine' object is not subscriptable; is an `await`"),
        (
            CAUGHT.format("Completion(txt=reply['text'])"),
            "raised TypeError: Completion.__init__() got an unexpected keyword argument 'txt'",
        ),
        (CAUGHT.format("Completion()"), "raised TypeError: Completion.__init__() missing 1 required"),
        (CAUGHT.format("Completion(rely['text'])"), "raised NameError: name 'rely' is not defined"),
    ],
)
def test_an_attempt_that_goes_wrong_is_told_as_what_its_author_wrote(package, what, said):
    package({"acme": "acme_assay"}, SERVED.replace("WHAT", what))
    began = time.monotonic()
    with warnings.catch_warnings(action="ignore"):  # Python's own, of a coroutine that is not awaited
        with pytest.raises(ProviderError) as caught:
            inside(asked_of_acme)
        caught.value.__traceback__ = None
        gc.collect()
    line = 10 + what[: what.find("return ") if "try:" in what else 0].count("\n")
    its = f"acme/rocket: Served.attempt() (acme_assay.py:{line}, the package acme-assay 1.2) "
    assert str(caught.value).startswith(its + said)
    assert time.monotonic() - began < 1, "it is not tried again"


@pytest.mark.parametrize(
    ("what", "kinds"),
    [
        ("return Completion('4', Usage(prompt_tokens=1))", ["ProviderError"] * 3 + ["Rejected"] * 2),
        ("pass", ["ProviderError"] * 3 + ["Rejected"] * 2),
        ("raise RuntimeError('status 429')", ["ProviderError"] * 5),
        ("return Completion('4') if '0' in call.messages[0].content else 4", ["4"] + ["ProviderError"] * 4),
    ],
)
def test_a_mistake_that_each_call_meets_soon_ends_the_run(package, what, kinds):
    source = SERVED.replace("import Completion", "import Completion, Usage").replace("WHAT", what)
    package({"acme": "acme_assay"}, source)

    async def asked(models):
        bound, told = models.load("acme/rocket"), []
        for n in range(5):
            try:
                told.append(("4", (await bound.complete((Message("user", str(n)),))).text))
            except ProviderError as error:
                told.append((type(error).__name__, str(error)))
        return told

    found = inside(asked)
    assert [kind for kind, _ in found] == kinds
    if "Rejected" in kinds:
        end = "all calls of this model, and the run ends; mend that and continue with --resume"
        assert found[-1][1].startswith(found[0][1]) and found[-1][1].endswith(end)


@pytest.mark.parametrize(
    ("declared", "source", "says"),
    [
        ("async def attempt(self, call)", SERVED, "async def attempt(self)"),
        ("async def ask(self, call)", ACME, "def ask(self, call)"),
        ("def wire(self, model, parameters)", ACME, "def wire(self, model)"),
        ("def open(self)", ACME, "def open()"),
        ("async def close(self)", ACME, "def close(self)"),
    ],
)
def test_a_method_that_is_declared_otherwise_is_told(package, monkeypatch, declared, source, says):
    monkeypatch.setenv("ACME_KEY", "k")
    source = source.replace(declared, says).replace("WHAT", "pass")
    package({"acme": "acme_assay"}, source)
    line = next(number for number, each in enumerate(source.splitlines(), 1) if says in each)
    with pytest.raises((ConfigError, ProviderError)) as caught:
        inside(asked_of_acme)
    said = str(caught.value)
    plain = declared.startswith("async ") and not says.startswith("async ")
    wrong = "must be asynchronous" if plain else "cannot be called: "
    assert f"acme_assay.py:{line}, the package acme-assay 1.2) {wrong}" in said
    assert said.endswith(f"; declare it as `{declared}`")


def test_a_reply_that_a_provider_cannot_read_is_told_with_its_line(package, monkeypatch):
    monkeypatch.setattr(Retry, "delay_s", lambda *_: 0.0)
    what = READ.format("'text'").replace("self.post({})", "{}")
    package({"acme": "acme_assay"}, SERVED.replace("WHAT", what))
    with pytest.raises(ProviderError, match=r"unreadable reply: it lacks 'text' \(acme_assay.py:15\)"):
        inside(asked_of_acme)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("raise Refused('status 401')", "acme/rocket: status 401"),
        ("raise Refused('acme/rocket: status 401')", "acme/rocket: status 401"),
        (
            "raise StatusError.of(404, b'{}', {})",
            "Nothing was found at http://127.0.0.1:1/x; check the provider's path, llms.acme.base_url",
        ),
    ],
)
def test_a_refusal_of_a_package_names_the_model_and_the_path(package, what, said):
    imported = SERVED.replace("import Unreadable;", "import StatusError; from assay.errors import Refused;")
    package({"acme": "acme_assay"}, imported.replace("WHAT", what))
    with pytest.raises(ProviderError) as caught:
        inside(asked_of_acme)
    assert said in str(caught.value) and str(caught.value).count("acme/rocket") == 1


@pytest.mark.parametrize(
    ("said", "means"),
    [("max_tokens", "length"), ("MAX_TOKENS", "length"), ("SAFETY", "content_filter"), ("x", "x")],
)
def test_an_ending_by_another_name_is_understood(package, said, means):
    source = SERVED.replace("WHAT", f"return Completion('4', finish_reason={said!r})")
    package({"acme": "acme_assay"}, source)
    assert inside(asked_of_acme).finish_reason == means


def test_two_packages_of_one_provider_are_an_error(package):
    package({"acme": "acme_assay"})
    package({"acme": "acme_assay:other"}, name="zen")
    with pytest.raises(
        ConfigError, match=r"the package .* has another of that name \(acme_assay.*, not acme_assay"
    ):
        inside(lambda models: asyncio.to_thread(models.load, "acme/rocket"))


def test_a_name_that_cannot_be_used_is_not_offered(package):
    package({"acme": "acme_assay", "ro cket": "acme_assay"})
    with pytest.raises(ConfigError, match="acme") as caught:
        inside(lambda models: asyncio.to_thread(models.load, "nobody/m"))
    assert "ro cket" not in str(caught.value)


def test_one_that_is_installed_twice_with_one_value_is_one(package, monkeypatch):
    monkeypatch.setenv("ACME_KEY", "k")
    package({"acme": "acme_assay"})
    package({"acme": "acme_assay"}, name="zen")
    assert inside(asked_of_acme).text == "rocket at acme"
    assert len(list(of_others(registry.GROUP))) == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("oracle", "'oracle' means a model or a provider of Assay's, as do "),
        ("replay", "'replay' means a model or a provider of Assay's, as do "),
        ("google", "'google' means a model or a provider of Assay's, as do "),
        ("my acme", "its name has ' '; a name has only letters, digits and . _ - + #"),
        ("my/acme", "its name has '/'; "),
    ],
)
def test_a_name_that_no_provider_can_have_is_told_when_it_is_loaded(package, name, said):
    package({name: "acme_assay"})
    with pytest.raises(ConfigError, match=f"the provider {name!r} of the package acme-assay 1.2") as caught:
        check_provider(name, Config(), Path())
    assert said in str(caught.value)
    assert keys_found(Config(), Path())[name] == str(caught.value)
    if name == "google":
        with pytest.raises(ConfigError, match="'google' means a model or a provider of Assay's"):
            inside(lambda models: asyncio.to_thread(models.load, "google/m"))


def test_a_provider_is_tried_as_a_run_does_by_doctor(package, monkeypatch):
    package(
        {"acme": "acme_assay"}, ACME.replace("def wire(self, model, parameters)", "def wire(self, model)")
    )
    assert keys_found(Config(), Path())["acme"] == "no key (of acme-assay 1.2)"
    monkeypatch.setenv("ACME_KEY", "k")
    assert "declare it as `def wire(self, model, parameters)`" in keys_found(Config(), Path())["acme"]


def test_a_plain_method_that_returns_what_can_be_awaited_is_none_the_worse(package, monkeypatch):
    monkeypatch.setenv("ACME_KEY", "k")
    plain = "    def ask(self, call): return self.later(call)\n    async def later(self, call)"
    package({"acme": "acme_assay"}, ACME.replace("    async def ask(self, call)", plain))
    assert keys_found(Config(), Path())["acme"] == "ACME_KEY (of acme-assay 1.2)"
    assert inside(asked_of_acme).text == "rocket at acme"


def test_a_provider_that_blocks_is_told_once(package, monkeypatch):
    monkeypatch.setenv("ACME_KEY", "k")
    monkeypatch.setattr(blocking, "STEP_S", 0.01)
    monkeypatch.setattr(blocking, "SAID_S", 0.03)
    package(
        {"acme": "acme_assay"},
        "import time\n" + ACME.replace("call): return", "call): time.sleep(0.02); return"),
    )
    said = []

    async def asked(models):
        models.message = said.append
        await asyncio.gather(*(asked_of_acme(models) for _ in range(4)))

    inside(asked)
    (told,) = said
    assert re.match(
        r"the provider acme blocked the event loop for 0\.\d s in Acme\.ask\(\) \(acme_assay\.py:12, the "
        r"package acme-assay 1\.2\), so calls go one by one; use an async client or asyncio\.to_thread",
        told,
    )


RAISES = "import asyncio, sys\n" + ACME.replace("call): return", "call): ERROR; return").replace(
    "open(self): pass", "open(self): print('opened')"
)


@pytest.mark.parametrize("error", ["SystemExit(3)", "asyncio.CancelledError()", "KeyError('x')"])
def test_whatever_a_provider_raises_is_its_own_error(package, monkeypatch, error):
    monkeypatch.setenv("ACME_KEY", "k")
    package({"acme": "acme_assay"}, RAISES.replace("ERROR", f"raise {error}"))
    its = r"Acme.ask\(\) \(acme_assay.py:12, the package acme-assay 1.2\) raised "
    with pytest.raises(ProviderError, match=its + error.split("(")[0].removeprefix("asyncio.")):
        inside(asked_of_acme)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("TimeoutError('x')", r"Acme.ask\(\) \(acme_assay.py:12, .*\) raised TimeoutError: x \(gave up"),
        ("ConnectionResetError('gone')", r"^acme/rocket: ConnectionResetError: gone \(gave up after 2"),
        ("__import__('httpx').ReadError('gone')", r"^acme/rocket: ReadError: gone \(gave up after 2 att"),
        ("__import__('httpx').ReadTimeout('late')", r"^acme/rocket: ReadTimeout: late \(gave up after 2 att"),
        (
            "__import__('httpx').ConnectError('no')",
            "^acme/rocket: ConnectError: no at its provider's address; is",
        ),
        ("__import__('aiohttp').ServerDisconnectedError('gone')", "ServerDisconnectedError: gone .gave up"),
    ],
)
def test_lost_connections_of_other_libraries_are_retried(package, monkeypatch, capsys, error, said):
    monkeypatch.setenv("ACME_KEY", "k")
    monkeypatch.setattr(Retry, "delay_s", lambda *_: 0.0)
    package({"acme": "acme_assay"}, RAISES.replace("ERROR", f"print('asked'); raise {error}"))
    with pytest.raises((NobodyThere, ProviderError), match=said):
        inside(asked_of_acme, retry=Retry(attempts=2))
    assert capsys.readouterr().out.split() == ["opened", "asked", "asked"]


def test_a_provider_is_opened_once_for_all_calls(package, monkeypatch, capsys):
    monkeypatch.setenv("ACME_KEY", "k")
    package({"acme": "acme_assay"}, RAISES.replace("ERROR", "pass"))

    async def asked(models):
        await asyncio.gather(*(asked_of_acme(models) for _ in range(3)))

    inside(asked)
    assert capsys.readouterr().out == "opened\n"


def test_a_provider_whose_close_does_not_end_is_told_and_left(package, monkeypatch):
    monkeypatch.setenv("ACME_KEY", "k")
    monkeypatch.setattr(provider_client, "CLOSE_TIME_LIMIT_S", 0.05)
    source = ACME.replace(
        "close(self): pass", "close(self):\n        import asyncio; await asyncio.sleep(1000)"
    )
    package({"acme": "acme_assay"}, source)
    said = []

    async def asked(models):
        models.message = said.append
        return await asked_of_acme(models)

    assert inside(asked).text == "rocket at acme"
    assert [each.partition(" (")[0] for each in said] == ["Acme.close()"]
    assert said[0].endswith(
        "(acme_assay.py:12, the package acme-assay 1.2) did not end within 0.05 s, and the "
        "run goes on without"
    )


UNCLOSED = ACME.replace("open(self): pass", "open(self): self.client = 1").replace(
    "close(self): pass", "close(self): self.client.aclose()"
)


def test_a_provider_that_was_not_opened_is_not_closed_and_its_error_hides_no_other(package, monkeypatch):
    monkeypatch.setenv("ACME_KEY", "k")
    package({"acme": "acme_assay"}, UNCLOSED)
    said = []

    async def loaded(models):
        models.message = said.append
        models.load("acme/rocket")

    async def breaks(models):
        await loaded(models)
        await asked_of_acme(models)
        raise ConfigError("another")

    inside(loaded)
    assert said == []
    with pytest.raises(ConfigError, match=r"^another$"):
        inside(breaks)
    assert re.match(r"warning: acme: Acme\.close\(\) \(acme_assay\.py:12, .*'int' object has no", *said)


def test_a_provider_is_opened_before_it_lists_its_models(package, monkeypatch):
    monkeypatch.setenv("ACME_KEY", "k")
    listing = "    async def available(self): return [self.client]\n    async def ask"
    package({"acme": "acme_assay"}, UNCLOSED.replace("    async def ask", listing))

    async def listed(models):
        return await models.available("acme")

    assert inside(listed) == [1]


PICTURE, BY_TOOL = (
    Message("user", "What is it?", images=(b"GIF89a",)),
    Message("tool", "done", images=(b"GIF89a",), call_id="1"),
)


@pytest.mark.parametrize(
    ("takes", "message", "tools", "said"),
    [
        (
            "",
            PICTURE,
            (),
            r"takes no pictures. If the provider is yours, send message.images in Acme.ask\(\) ",
        ),
        ("", ASK[0], (Tool("shell", "Runs."),), r"takes no tools. .*, and write `takes_tools = True` in its"),
        ("takes_pictures", PICTURE, (), ""),
        ("takes_tools", ASK[0], (Tool("shell", "Runs."),), ""),
        ("", BY_TOOL, (), ""),
    ],
)
def test_a_provider_gets_pictures_and_tools_only_if_it_says_that_it_sends_them(
    package, monkeypatch, takes, message, tools, said
):
    monkeypatch.setenv("ACME_KEY", "k")
    source = ACME.replace("class Acme:", f"class Acme:\n    {takes or 'takes'} = True")
    package({"acme": "acme_assay"}, source.replace('f"{call.model}', 'f"{call.messages[0].content}'))

    async def asked(models):
        return await models.load("acme/m").for_trial(TrialKey("t.T")).complete([message], tools=tools)

    if said:
        with pytest.raises(Refused, match=f"^acme/m {said}"):
            inside(asked)
    else:
        left_out = "[a picture was left out" in inside(asked).text
        assert left_out == (message is BY_TOOL)


BLOCKS = "import time\n" + ACME.replace("call): return", "call): time.sleep(0.06); return")


@pytest.mark.parametrize(
    ("source", "key", "code", "held", "said"),
    [
        (BLOCKS, "k", 1, "6 of 7", "calls go one by one; use an async client or asyncio.to_thread"),
        (
            BLOCKS,
            "k",
            1,
            "6 of 7",
            "Acme.ask() (acme_assay.py:12, the package acme-assay 1.2) blocked the event l",
        ),
        (
            BLOCKS.replace("sleep(0.06)", "sleep(0)").replace(
                "open(self): pass", "open(self): time.sleep(0.06)"
            ),
            "k",
            0,
            "7 of 7",
            "",
        ),
        (
            BLOCKS.replace("time.sleep", "await asyncio.sleep").replace("time", "asyncio"),
            "k",
            0,
            "7 of 7",
            "",
        ),
        (ACME, "", 1, "0 of 1", "no key for acme: set ACME_KEY or llms.acme.api_key"),
        (SERVED.replace("WHAT", "raise KeyError('text')"), "k", 1, "1 of 2", "raised KeyError: 'text'"),
    ],
    ids=["blocks", "is named", "opens slowly", "awaits", "no key", "breaks"],
)
def test_conformance_finds_one_that_blocks_and_tells_a_failure_once(
    package, monkeypatch, tmp_path, capsys, source, key, code, held, said
):
    monkeypatch.setenv("ACME_KEY", key)
    monkeypatch.setattr("assay.cli.conformance.WIDEST", 500)
    monkeypatch.setenv("COLUMNS", "500")
    package({"acme": "acme_assay"}, source.replace('f"{call.model} at {self.settings.provider}"', "'{}'"))
    assert main(["conformance", "providers:acme/rocket"], tmp_path) == code
    out = capsys.readouterr().out
    assert f"{held} held" in out and (not said or out.count(said) == 1)


TAKES = ACME.replace("class Acme:", "class Acme:\n    takes_pictures = takes_tools = True").replace(
    'f"{call.model} at {self.settings.provider}"', "'{}'"
)
READS = TAKES.replace("call): return", "call): call.messages[0].images, call.tools; return")
REFUSES = READS.replace(
    "call): ",
    "call):\n        from assay.errors import Refused"
    "\n        if call.tools: raise Refused('no tools')\n        ",
)


@pytest.mark.parametrize(
    ("source", "held", "said"),
    [
        (TAKES, "7 of 9", ["takes_pictures is True, but Acme.ask()", "never reads message.images; send it"]),
        (TAKES, "7 of 9", ["takes_tools is True, but Acme.ask()", "never reads call.tools; send it"]),
        (
            READS,
            "9 of 9",
            ["the reply is '{}'; does acme send message.images?", "does acme send call.tools?"],
        ),
        (REFUSES, "9 of 9", ["could not be seen: acme/rocket: no tools"]),
        (READS.replace("'{}'", "'Red'"), "8 of 9", ["it sends pictures                      held    holds "]),
        (
            READS.replace("in c.messages]", "in c.messages[-1:]]"),
            "8 of 9",
            ["Acme.ask() (acme_assay.py:12", "never reads the content of message 1, 2, 3 of 4"],
        ),
        (READS.replace("[c.wire]", "[1]"), "8 of 9", ["wire() takes temperature, but Acme.ask() (acme"]),
        (READS.replace("[c.wire]", "[1]").replace("return parameters", "return {}"), "9 of 9", []),
        (
            UNCLOSED.replace('f"{', "'{}' or f\"{"),
            "6 of 7",
            ["it closes", "'int' object has no attribute 'aclose'"],
        ),
    ],
    ids=[
        "pictures",
        "tools",
        "unseen",
        "refused",
        "seen",
        "last message",
        "no wire",
        "none taken",
        "open",
    ],
)
def test_conformance_finds_what_a_provider_does_not_send_or_close(
    package, monkeypatch, tmp_path, capsys, source, held, said
):
    monkeypatch.setenv("ACME_KEY", "k")
    monkeypatch.setattr("assay.cli.conformance.WIDEST", 500)
    package({"acme": "acme_assay"}, source)
    main(["conformance", "providers:acme/rocket"], tmp_path)
    out = capsys.readouterr().out
    assert f"{held} held" in out and all(each in out for each in said)


def test_one_that_awaits_is_not_taken_for_one_that_blocks(package, monkeypatch):
    monkeypatch.setenv("ACME_KEY", "k")
    monkeypatch.setattr(blocking, "STEP_S", 0.1)
    monkeypatch.setattr(blocking, "SAID_S", 0.1)
    source = "import asyncio\n" + ACME.replace("call): return", "call): await asyncio.sleep(0.2); return")
    package({"acme": "acme_assay"}, source)
    said = []

    async def asked(models):
        models.message = said.append
        return (await asked_of_acme(models)).text

    assert inside(asked) == "rocket at acme" and said == []


def test_an_error_of_a_provider_is_not_hidden():
    def refuses(messages):
        raise ProviderError("no more today")

    assert "no more today" in played(model(refuses)).error


TOOLS = (Tool("shell", "Runs a command."),)


def asked_with(function, tools=TOOLS):
    return asyncio.run(model(function, name="own").complete(ASK, tools=tools))


def second(messages, given):
    return Call("shell", command=given[0].name if given else "none")


async def by_name(messages, *, tools=()):
    return Turn("I look.", *(Call(tool.name, command="ls") for tool in tools), Call("shell", "{broken"))


def test_a_function_is_given_the_tools_and_calls_them():
    reply = asked_with(second)
    assert reply.calls == (ToolCall("call_1_1", "shell", '{"command": "shell"}'),)
    assert (reply.text, reply.finish_reason) == ("", "tool_calls")
    assert asked_with(second, ()).calls[0].arguments == '{"command": "none"}'
    reply = asked_with(by_name)
    assert reply.text == "I look." and [call.arguments for call in reply.calls] == [
        '{"command": "ls"}',
        "{broken",
    ]
    assert len({call.id for call in reply.calls}) == 2


def test_a_completion_s_calls_keep_their_ids():
    made = Completion("", calls=(ToolCall("own", "shell"), ToolCall("", "shell")))
    assert [call.id for call in asked_with(lambda messages, tools: made).calls] == ["own", "call_1_2"]


def test_a_function_that_takes_no_tools_says_so_when_a_test_gives_some():
    def plain(messages, style="short"):
        return style

    with pytest.raises(Refused, match=r"own: the test gives tools.*def reply\(messages, tools\)"):
        asked_with(plain)
    assert asked_with(plain, ()).text == "short"
