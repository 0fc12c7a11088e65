"""Backends of installed packages: found by their entry points, beside ours."""

from __future__ import annotations

import asyncio
import gc
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from assay.cli import doctor
from assay.config import Config
from assay.conformance.sandboxes import suite
from assay.errors import ConfigError
from assay.extensions import extensions, of_others
from assay.records import Limits, Sandbox
from assay.sandboxes import doctor as examiner
from assay.sandboxes.backends import registry
from assay.sandboxes.backends.bubblewrap import Bubblewrap
from assay.sandboxes.client import AgentSandbox
from assay.sandboxes.pool import open_pool
from assay.suites.selection import Selection
from testing.sandboxes.conftest import probed

PLUGIN = """
from dataclasses import replace
from pathlib import Path
from assay.sandboxes.backends.bubblewrap import Bubblewrap

class Good(Bubblewrap):
    name = "good"
    def __init__(self): super().__init__(Path("/"))

class Leaky(Good):
    name = "leaky"
    def options(self): return ("--share-net",)

class Misnamed(Good):
    name = "podman"

class Nothing:
    name = "nothing"

class Moody(Good):
    name = "moody"
    async def open(self, limits, run_id): raise KeyError("moon")

class Forgets(Good):
    name = "forgets"
    async def open(self, limits, run_id): await super().open(limits, run_id)

class Wordy(Good):
    name = "wordy"
    def options(self): return "--hostname small"

class Sized(Good):
    name = "sized"
    async def open(self, limits, run_id): return await super().open(replace(limits, memory="1 GB"), run_id)

class Loses(Good):
    name = "loses"
    def lowered(self, limits): replace(limits, memory=512 << 20)

class Raises:
    def __init__(self): raise OSError("no such engine")

class Built(Good):
    name = "built"
    def __init__(self, size): pass

class Open(Good):
    name, isolated = "open", False
"""
NAMES = {
    "good": "Good", "leaky": "Leaky", "misnamed": "Misnamed", "nothing": "Nothing", "raises": "Raises",
    "absent": "Absent", "podman": "Good", "number": "__doc__", "moody": "Moody",
    "forgets": "Forgets", "wordy": "Wordy", "sized": "Sized", "loses": "Loses", "auto": "Good",
    "built": "Built", "open": "Open",
}  # fmt: skip


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package, as pip would install it."""
    (tmp_path / "assay_sandbox_plugin.py").write_text(PLUGIN)
    info = tmp_path / "its_name-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: its-name\nVersion: 1.0\n")
    lines = [f"{name} = assay_sandbox_plugin:{thing}" for name, thing in NAMES.items()]
    (info / "entry_points.txt").write_text("\n".join(["[assay.sandboxes]", *lines, ""]))
    monkeypatch.syspath_prepend(tmp_path)
    extensions.cache_clear()
    yield
    extensions.cache_clear()


def test_it_is_offered_behind_ours_and_opens(package: None) -> None:
    probed("bubblewrap+host")
    assert registry.names()[: len(registry.BACKENDS)] == tuple(registry.BACKENDS)
    assert "good" in registry.names() and "auto" not in registry.names()

    async def main() -> tuple[str, bytes]:
        async with open_pool("good") as pool:
            sandbox = await pool.acquire()
            return sandbox.tier, (await sandbox.run(["echo", "hi"])).stdout

    assert asyncio.run(main()) == ("good+host", b"hi\n")


def test_doctor_looks_into_it(package: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not into those that cannot be used, that confine nothing, or that do not open."""
    probed("bubblewrap+host")
    found = examiner.candidates()
    assert {"good", "moody"} < found.keys() and not {"nothing", "open", "unsafe_local"} & found.keys()
    monkeypatch.setattr(examiner, "candidates", lambda: {name: found[name] for name in ("good", "moody")})
    limits, versions, *_ = examiner.tables(asyncio.run(examiner.examine()))
    assert [row[0] for row in limits.rows] == ["good+host"] and versions.columns == ("what", "good+host")


def test_ours_win_a_clash_and_it_is_said(package: None) -> None:
    assert type(registry.backend("podman")).__module__ == "assay.sandboxes.backends.podman"
    assert registry.names().count("podman") == 1
    (fault,) = [why for each, why in of_others(registry.GROUP, registry.BACKENDS) if each.name == "podman"]
    assert "the sandbox 'podman' of the package its-name 1.0" in fault and "Assay has one" in fault


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nothing", "it is not a backend; it lacks tier, state, probe"),
        ("number", "it is not a backend; it lacks tier, state, probe"),
        ("raises", "cannot be used: OSError: no such engine"),
        ("built", "used: Built.__init__() (assay_sandbox_plugin.py:45) cannot be called: missing a required"),
        ("absent", "cannot be used: AttributeError"),
        ("auto", "'auto' stands for the first sandbox that works"),
        ("misnamed", "it calls itself 'podman'; its name must be 'misnamed'"),
    ],
)
def test_a_broken_one_is_an_error_that_names_the_package(package: None, name: str, words: str) -> None:
    with pytest.raises(ConfigError, match="its-name") as caught:
        registry.backend(name)
    assert words in str(caught.value)


def test_one_that_raises_when_it_opens_is_named(package: None) -> None:
    with pytest.raises(
        ConfigError,
        match=r"'moody' of the package its-name .*open\(\) \(.*\.py:\d+\) raised KeyError: 'moon'",
    ):
        asyncio.run(registry.choose("moody", fresh=True))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("forgets", "Forgets.open() (assay_sandbox_plugin.py:26) must return a Sandbox, not None"),
        ("loses", "Loses.lowered() (assay_sandbox_plugin.py:38) must return Limits, not None"),
        ("wordy", "options() must return several words, such as ('--hostname', 'small'), not '--hostname sm"),
        ("sized", "memory must be a whole number of bytes, such as 512 << 20, not '1 GB'"),
    ],
)
def test_a_variant_that_returns_something_else_is_told_by_a_run_and_by_conformance(
    package: None, name: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ConfigError, match=re.escape(said)) as run:
        asyncio.run(registry.choose(name))
    with pytest.raises(ConfigError) as conformance:
        list(suite.check_backend(name))
    gc.collect()
    assert str(run.value) == str(conformance.value) and "of the package its-name 1.0" in str(run.value)
    assert "Task was destroyed" not in capfd.readouterr().err


def test_doctor_says_what_is_wrong_with_one_that_does_not_open(
    package: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    probed("bubblewrap+host")
    monkeypatch.setattr(doctor, "names", lambda: ("good", "moody"))
    opened = asyncio.run(doctor.sandboxes(Config()))
    rows = {row[1]: row for row in doctor.of_packages(Selection(tmp_path), opened).rows}
    assert rows["good"] == ("sandbox", "good", "its-name 1.0", "yes", "")
    assert rows["moody"][3] == "no" and "KeyError: 'moon'" in str(rows["moody"][4])
    assert rows["absent"][3] == "no" and "AttributeError" in str(rows["absent"][4])


LOWER = Limits(memory=128 << 20, processes=24, disk=4 << 20, output=64 << 10)


def test_the_lower_limits_of_a_variant_are_exceeded(monkeypatch: pytest.MonkeyPatch) -> None:
    probed("bubblewrap+host")
    (check,) = [each for each in suite.checks() if "lower_limits_of_its_own" in each.name]

    class Lower(Bubblewrap):
        async def open(self, limits: Limits, run_id: str) -> Sandbox:
            return await super().open(LOWER, run_id)

    backends = [Lower(Path("/")), Bubblewrap(Path("/"))]
    for backend in backends:
        asyncio.run(backend.probe())
    told = suite.attempt(check.name, "", "", lambda: check.holds(backends[0]))
    assert told.passed and told.outcome == "memory 134,217,728; processes 24; disk 4,194,304; output 65,536"
    assert suite.attempt(check.name, "", "", lambda: check.holds(backends[1])).outcome == "it lowers none"
    for name in ("memory", "processes", "disk", "output"):
        claimed = replace(Limits(), **{name: getattr(LOWER, name)})
        monkeypatch.setattr(AgentSandbox, "limits", claimed)
        told = suite.attempt(check.name, "", "", lambda: check.holds(backends[1]))
        assert not told.passed and "more than its" in told.outcome, (name, told)


@pytest.mark.slow(30)
def test_the_suites_tell_a_backend_that_isolates_from_one_that_does_not(
    package: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    probed("bubblewrap+host")
    network = [
        each for each in suite.checks() if "there_is_no_network" in each.name or "abstract" in each.name
    ]
    monkeypatch.setattr(suite, "checks", lambda: network)
    assert [f"{each.name}: {each.outcome}" for each in suite.check_backend("good") if not each.passed] == []
    leaky = {each.name: each for each in suite.check_backend("leaky")}
    shared = leaky["isolation.the_hosts_loopback_and_abstract_sockets_are_out_of_reach"]
    assert (
        not shared.passed and 'result.stdout is b"reached' in shared.outcome and not leaky["network"].passed
    )
