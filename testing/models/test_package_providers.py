"""Providers of packages: which there are, and what they are given."""

import asyncio
import sys
from pathlib import Path

import pytest

from assay.config import Config
from assay.errors import ConfigError, Refused
from assay.extensions import of_others
from assay.models import registry
from assay.package_code import code_of
from assay.records import Message, Tool, TrialKey
from assay.running.wiring import check_provider, keys_found
from testing.models.acme import ACME, ASK, SERVED, asked_of_acme, inside


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
        sys.modules.pop("acme_assay", None)
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
