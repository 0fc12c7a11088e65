"""A package's provider is opened, asked, retried and closed; one that blocks is told."""

import asyncio
import re
from pathlib import Path

import pytest

from assay import blocking
from assay.config import Config
from assay.errors import ConfigError, NobodyThere, ProviderError
from assay.models import provider_client
from assay.models.retry import Retry
from assay.running.wiring import keys_found
from testing.models.acme import ACME, UNCLOSED, asked_of_acme, inside


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
