"""What the doctor finds out, against the real sandboxes of this machine."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from assay.errors import SandboxUnavailable
from assay.records import Limits
from assay.sandboxes import doctor, registry
from assay.sandboxes.bubblewrap import Bubblewrap
from assay.sandboxes.doctor import Tier
from testing.sandboxes.conftest import probed


@pytest.fixture(scope="module")
def tiers():
    probed("docker")
    return {each.tier: each for each in asyncio.run(doctor.examine())}


def test_every_isolated_tier_is_examined(tiers):
    assert {"podman", "docker", "bubblewrap+image", "bubblewrap+host"} <= set(tiers)
    assert "unsafe_local" not in tiers


@pytest.mark.parametrize("tier", ["podman", "docker", "bubblewrap+image"])
def test_the_image_has_every_language_and_library(tiers, tier):
    found = tiers[tier]
    assert not found.why
    assert set(found.versions) == {*doctor.VERSIONS, *doctor.LIBRARIES}
    assert "?" not in found.versions.values(), found.versions
    assert found.limits == {"memory": "kernel", "processes": "kernel", "disk": "kernel"}


def test_without_cgroups_the_agent_holds_the_limits(monkeypatch):
    without = Bubblewrap(Path("/"), use_cgroups=False)
    monkeypatch.setattr(doctor, "candidates", lambda: {"bubblewrap": without})
    (found,) = asyncio.run(doctor.examine())
    assert found.limits == {"memory": "agent", "processes": "agent", "disk": "kernel"}


def test_limits_that_do_not_hold_are_told(monkeypatch):
    class Generous(Bubblewrap):
        async def open(self, limits, run_id):
            return await super().open(Limits(), run_id)

    monkeypatch.setattr(doctor, "candidates", lambda: {"bubblewrap": Generous(Path("/"))})
    (found,) = asyncio.run(doctor.examine())
    assert set(found.limits.values()) == {"NOT HELD"}


def test_what_does_not_work_says_why(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor, "candidates", lambda: {"podman": registry.backend("podman")})
    monkeypatch.setenv("PATH", str(tmp_path))
    (found,) = asyncio.run(doctor.examine())
    assert "apt-get install podman" in found.why and not found.versions


def test_one_that_hangs_does_not_hold_up_the_others(monkeypatch):
    class Stuck(Bubblewrap):
        async def probe(self, known={}):
            await asyncio.sleep(60)

    class Absent(Bubblewrap):
        async def probe(self, known={}):
            raise SandboxUnavailable("it is not here")

    monkeypatch.setattr(doctor, "OPEN_LIMIT_S", 0.1)
    monkeypatch.setattr(doctor, "candidates", lambda: {"a": Stuck(), "b": Absent()})
    first, second = asyncio.run(doctor.examine())
    assert "no answer within 0.1 s" in first.why and second.why == "it is not here"


def test_tables_are_plain_data():
    works = Tier("podman", "podman", "", {"python": "3.11.2"}, {"memory": "kernel", "disk": "kernel"})
    broken = Tier("docker", "docker", "not here")
    limits, versions, image = doctor.tables([works, broken])
    assert limits.rows == (("podman", "kernel", "", "kernel"),)
    assert (versions.columns, versions.rows) == (("what", "podman"), (("python", "3.11.2"),))
    assert {row[0] for row in image.rows} == {"podman", "docker", "bubblewrap"}
    assert all(state for _, _, state in image.rows)
