"""Keys: where they come from, and that they never come out."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import socket

import pytest

from assay.errors import ConfigError, ProviderError
from assay.models.model_registry import ModelRegistry
from assay.models.secrets import Environment, Scrubber, read_dotenv
from assay.records import Message
from testing.models.asking import KEY, NAMES, QUICK, ask, llms_for

EVERYTHING = [
    *(
        "400",
        "401",
        "403",
        "404",
        "408",
        "429",
        "500",
        "503",
        "reset",
        "reset-body",
        "truncated",
        "half-json",
    ),
    *("html", "empty", "empty-choice", "refusal", "filter", "error200", "stall"),
]


def test_no_key_in_any_output_whatever_the_server_does(server, sdk, capfd, tmp_path):
    """Logs at their most talkative, errors, reprs, stdout, stderr and the cache file."""
    logs = io.StringIO()
    handler = logging.StreamHandler(logs)
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    path = tmp_path / "c.sqlite"
    shown = []

    async def run():
        llms = llms_for(server.url, timeout_s=0.5)
        async with ModelRegistry(llms, {}, cache=path, retry=QUICK) as models:
            model = models.load(NAMES[sdk])
            shown.append(repr(models) + repr(model) + str(vars(models._ledger)))
            for order in EVERYTHING:
                try:
                    shown.append(repr(await model.complete((Message("user", f"[[{order}]]"),))))
                except ProviderError as error:
                    shown.append(repr(error))

    try:
        asyncio.run(run())
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
    out, err = capfd.readouterr()
    assert (
        server.asked[0].headers.get("authorization", server.asked[0].headers.get("x-api-key")).endswith(KEY)
    )
    assert len(shown) == len(EVERYTHING) + 1
    for where, text in {"log": logs.getvalue(), "out": out, "err": err, "shown": "\n".join(shown)}.items():
        assert KEY not in text, where
    for file in tmp_path.iterdir():
        assert KEY.encode() not in file.read_bytes()


def test_the_key_is_where_the_server_puts_it(server):
    """The other tests could not fail if the server's errors did not repeat the key."""
    with pytest.raises(ProviderError, match=r"for key \[key\] \(authorization: Bearer \[key\]\)"):
        ask(server, "openai/m", "[[400]]")


def test_scrubbing_by_value_and_by_shape():
    scrub = Scrubber()
    scrub.learn(["hunter2hunter2", "no", ""])
    scrub.learn_settings(
        {"aws_secret_access_key": "abc/def+ghi", "headers": {"Authorization": "Bearer tok12345"}}
    )
    for text in (
        "hunter2hunter2",
        "abc/def+ghi",
        "tok12345",
        "Bearer zzzzzzzz",
        "x-api-key: zzzzzzzz",
        "{'api_key': 'zzzzzzzz'}",
        "https://host/path?key=zzzzzzzz&alt=json",
        "Incorrect API key provided: sk-zzzzzzzz-zzzz",
        "AIzazzzzzzzzzzzzzz",
        "gsk_zzzzzzzzzz",
    ):
        clean = scrub(f"before {text} after")
        assert "[key]" in clean
        assert clean.startswith("before ")
        assert clean.endswith(" after")
        assert "zzzz" not in clean
    for harmless in ("no problem", "the key was not accepted", "max_tokens=100", "tokens: 5", "sk-"):
        assert scrub(harmless) == harmless
    assert scrub("Wrong key: Bearer zzzzzzzz. The key") == "Wrong key: Bearer [key]. The key"
    assert scrub("\x1b[31mred\x07") == "?[31mred?"
    assert "hunter2" not in repr(scrub)


def test_the_reader_of_dotenv_files(tmp_path):
    path = tmp_path / ".env"
    path.write_text(
        "# a comment\nA=plain\nexport B = 'single # quoted'\nC=\"double\"\nD=value # comment\n"
        "E=\nnot a line\n  F=a=b=c  \nG='open\n"
    )
    assert read_dotenv(path) == {
        "A": "plain",
        "B": "single # quoted",
        "C": "double",
        "D": "value",
        "E": "",
        "F": "a=b=c",
        "G": "'open",
    }
    assert read_dotenv(tmp_path / "none") == {}
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"cannot read .*\.env"):
        read_dotenv(path)


def test_the_environment_goes_before_dotenv_and_is_never_written(tmp_path, monkeypatch):
    (tmp_path / ".env").write_text("ASSAY_A=file\nASSAY_B=file\n")
    monkeypatch.setenv("ASSAY_A", "process")
    environment = Environment(tmp_path / ".env")
    assert (environment.get("ASSAY_A"), environment.get("ASSAY_B"), environment.get("ASSAY_C")) == (
        "process",
        "file",
        "",
    )
    assert "ASSAY_B" not in os.environ


def test_config_goes_before_the_environment(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
    ask(server, "openai/m")
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_server_of_ones_own_takes_its_key_from_the_environment_too(server, monkeypatch):
    llms = {"my-box": {"base_url": f"{server.url}/v1", "api_key": ""}}
    question = (Message("user", "[[401]]"),)

    async def refusal():
        async with ModelRegistry(llms, {}, cache=None, retry=QUICK) as models:
            with pytest.raises(ProviderError) as raised:
                await models.load("my-box/m").complete(question)
        return str(raised.value)

    assert "It requires a key, and none is set: set MY_BOX_API_KEY or llms.my-box.api_key" in asyncio.run(
        refusal()
    )
    monkeypatch.setenv("MY_BOX_API_KEY", KEY)
    assert "The key was rejected" in asyncio.run(refusal())


def test_a_server_without_an_address_is_not_an_unknown_one():
    async def load():
        async with ModelRegistry({"gizmo": {"baseurl": "http://localhost:1/v1"}}, {}, cache=None) as models:
            models.load("gizmo/road-9")

    with pytest.raises(ConfigError, match=r"llms\.gizmo in config.json has no base_url"):
        asyncio.run(load())


@pytest.mark.parametrize("sdk", ["openai", "ollama", "compatible"])
def test_a_password_in_the_address_is_said_to_nobody(sdk):
    """Nothing listens there: the error names the address."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://bob:hunter2%20secret@127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ProviderError) as failure:
            ask(None, NAMES[sdk], llms=llms_for(url))
    assert "hunter2" not in str(failure.value) and "bob:[key]@127.0.0.1" in str(failure.value)
    assert "hunter2" not in Scrubber()(f"see {url}/v1 there"), "by its shape, to one who was not told"
