"""Mistakes in a package's provider are told with the line that its author wrote."""

import asyncio
import gc
import time
import warnings

import pytest

from assay.errors import ConfigError, ProviderError
from assay.models.retry import Retry
from assay.records import Message, TrialKey
from testing.model_server import ModelServer
from testing.models.acme import ACME, ASK, SERVED, asked_of_acme, inside


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
        end = "all calls of this model, and the run ends; fix that and continue with --resume"
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


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_a_header_that_cannot_be_sent_fails_the_call_at_once(package, monkeypatch):
    monkeypatch.setattr(Retry, "delay_s", lambda *_: pytest.fail("it is retried"))
    headers = "path = '/x'\n    def headers(self): return {'Authorization': 'Bearer '}"
    source = SERVED.replace('path = "/x"', headers).replace("WHAT", "await self.post({})")
    its = r"Served\.attempt\(\) \(acme_assay\.py:11, the package acme-assay 1\.2\)"
    with ModelServer() as server:
        package({"acme": "acme_assay"}, source.replace("http://127.0.0.1:1", server.url))
        with pytest.raises(ProviderError, match=f"^acme/rocket: {its} raised LocalProtocolError: Illegal"):
            inside(asked_of_acme)
    gc.collect()  # the library leaves the connection of a request that it could not write; not to other tests


@pytest.mark.parametrize(
    ("came", "attempts"),
    [
        ("{}", 2),  # perhaps the code is wrong, and each further reply would be paid for in vain
        ("call.heard() or {}", 5),  # a stream, which a proxy may have cut off
        ("__import__('json').loads('[')", 5),
    ],
)
def test_a_reply_that_a_provider_cannot_read_is_told_with_its_line(package, monkeypatch, came, attempts):
    monkeypatch.setattr(Retry, "delay_s", lambda *_: 0.0)
    what = CAUGHT.format("Completion(reply['text'])").replace("{'text': '4'}", "3")
    what = what.replace("return", f"reply = {came}; return").replace("{error}", "a text")
    package({"acme": "acme_assay"}, SERVED.replace("WHAT", what))
    its = rf"unreadable reply: it lacks a text \(acme_assay.py:15\) \(gave up after {attempts} attempts in "
    with pytest.raises(ProviderError, match=its):
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
