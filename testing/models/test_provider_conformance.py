"""Providers are tried by `assay conformance`."""

import json

import pytest

from assay.cli.main import main
from testing.model_server import ModelServer
from testing.models.acme import ACME, SERVED, UNCLOSED

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


def test_a_reply_that_is_not_json_is_shown(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    with ModelServer(reply=lambda asked: "I do not know.") as server:
        llms = {"here": {"base_url": f"{server.url}/v1", "api_key": "none"}}
        (tmp_path / "config.json").write_text(json.dumps({"llms": llms}))
        assert main(["conformance", "providers:here/m"], tmp_path) == 1
    out = capsys.readouterr().out
    assert "the reply is not JSON: 'I do not know.'" in out and "Error" not in out
    assert "JSON_ORDER" in out and max(map(len, out.splitlines())) < 150
