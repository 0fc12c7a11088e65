"""Layers of config.json: built once, and shown to the sandboxes of the tests that name them."""

import asyncio
from dataclasses import replace

import pytest

from assay.config import Config
from assay.errors import MissingData
from assay.records import Layer, Limits
from assay.sandboxes.backends.docker import Docker
from assay.sandboxes.backends.podman import Podman
from assay.sandboxes.client import closing
from assay.sandboxes.image import builder, layers, machine_settings
from assay.sandboxes.pool import open_pool
from assay.suites.suite import Sample
from evaluator import AgentCommand
from testing.sandboxes.conftest import probed

PROGRAM = r"printf '#!/bin/sh\necho hello\n' > $PREFIX/bin/hello"
HELLO = Layer("assay-test", run=(PROGRAM, "chmod 700 $PREFIX/bin/hello"))
LOOK = "/opt/assay-test/bin/hello; echo $PATH; touch /opt/assay-test/bin/x || ls /opt"


@pytest.fixture(scope="module")
def built():
    probed("podman")
    layers.build([HELLO])
    return Limits(layers=(HELLO,))


async def looked(backend, limits):
    async with closing(await backend.open(limits, "layers")) as sandbox:
        return (await sandbox.run(["sh", "-c", LOOK])).stdout.decode().split()


@pytest.mark.slow(20)
@pytest.mark.parametrize("name", ["podman", "docker", "bubblewrap+image"])
def test_every_sandbox_with_the_image_shows_a_layer_read_only(built, name):
    backend = probed(name)
    hello, path, *others = asyncio.run(looked(backend, built))
    assert (hello, others) == ("hello", ["assay-test"])
    assert "/opt" not in path, "only AgentCommand looks there"
    assert "hello" not in asyncio.run(looked(backend, Limits())), "a test that names no layer has none"


@pytest.mark.slow(10)
@pytest.mark.parametrize("engine", [Podman, Docker])
def test_the_engine_itself_shows_it_too(built, engine):
    probed(engine.name)
    backend = engine(direct=False)

    async def work():
        await backend.probe()
        return await looked(backend, built)

    assert asyncio.run(work())[0] == "hello"


@pytest.mark.slow(5)
def test_it_is_built_anew_only_if_its_definition_changed(built, capsys, monkeypatch):
    layers.build([HELLO])
    assert "up to date" in capsys.readouterr().err
    changed = replace(HELLO, run=(*HELLO.run, "true"))
    with pytest.raises(
        MissingData, match=r"not built, or was defined otherwise then; run (make|assay) image"
    ):
        layers.folder_of(changed)
    monkeypatch.setattr(builder, "content_hash", lambda: "another image")
    with pytest.raises(MissingData, match="not built"):
        layers.folder_of(HELLO)


@pytest.mark.slow(5)
def test_a_layer_that_cannot_be_installed_says_why_and_leaves_nothing(built):
    wrong = Layer("assay-test", run=("echo no such thing >&2; exit 3",))
    with pytest.raises(Exception, match="no such thing"):
        layers.build([wrong])
    with pytest.raises(MissingData):
        layers.folder_of(wrong)
    assert not [each for each in layers.folder_of(HELLO).parent.glob(".*") if each.is_dir()]


def acquiring(name, limits):
    async def work():
        async with open_pool(name, limits=limits, ahead=0) as pool:
            await (await pool.acquire()).close()

    asyncio.run(work())


def test_a_layer_that_config_does_not_define_is_named():
    sample = Sample(id="t.T", test="x" >> AgentCommand("mini -t {task}", layer="mini"))
    limits = sample.limits_in(Config(layers=(HELLO,)))
    assert limits.layers == (Layer("mini"),)
    with pytest.raises(MissingData, match=r'define it in config.json, e.g. "layers": \{"mini": '):
        acquiring("bubblewrap", limits)


def test_only_samples_that_name_a_layer_get_it():
    config = Config(layers=(HELLO,))
    test = "x" >> (AgentCommand("hello", layer=HELLO.name) | AgentCommand("true"))
    assert Sample(id="t.T", test=test).limits_in(config).layers == (HELLO,)
    assert Sample(id="t.T", test="x" >> AgentCommand("true")).limits_in(config) == config.limits


@pytest.mark.slow(5)
def test_the_hosts_files_have_no_layers(built, monkeypatch):
    monkeypatch.setattr(builder, "rootfs", lambda: None)
    with pytest.raises(MissingData, match=r"needs the image, in --sandbox podman.*not bubblewrap\+host"):
        acquiring("bubblewrap", built)


def test_npms_settings_are_taken_from_this_machine(tmp_path):
    (tmp_path / "rc").write_text("registry=https://npm.example/\ncache=/x\n//npm.example/:_authToken=t\n")
    environment = {"NPM_CONFIG_USERCONFIG": str(tmp_path / "rc"), "NPM_CONFIG_REGISTRY": "https://other/"}
    found = machine_settings.npm_configuration(environment).splitlines()
    assert found == [
        "registry=https://npm.example/",
        "//npm.example/:_authToken=t",
        "registry=https://other/",
    ]
