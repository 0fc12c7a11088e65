# ruff: noqa: E501 - scripts and sample files read best in one piece
"""Building the image: again, elsewhere, without what it needs, and with this machine's settings kept out of it."""

from __future__ import annotations

import re
import subprocess
import sys
import time

import pytest

from assay.errors import ConfigError
from assay.sandboxes.image import builder, machine_settings
from testing.sandboxes.conftest import probed

DOCKERFILE = builder.DOCKERFILE.read_text()


@pytest.fixture(scope="module")
def podman():
    return probed("podman")


@pytest.mark.slow(2)
def test_building_again_does_nothing_and_says_so(podman):
    probed("docker")
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "assay", "image"],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0 and "is up to date" in done.stderr and "building" not in done.stderr
    assert time.monotonic() - started < 5


def test_the_label_follows_what_goes_in(podman, monkeypatch, tmp_path):
    assert builder.built("podman") == builder.content_hash()
    (tmp_path / "warm").mkdir()
    (tmp_path / "Dockerfile").write_text("FROM a")
    (tmp_path / "warm/x").write_text("1")
    monkeypatch.setattr(builder, "DOCKERFILE", tmp_path / "Dockerfile")
    monkeypatch.setattr(builder, "WARM", tmp_path / "warm")
    hashes = {builder.content_hash()}
    (tmp_path / "Dockerfile").write_text("FROM b")
    hashes.add(builder.content_hash())
    (tmp_path / "warm/x").write_text("2")
    hashes.add(builder.content_hash())
    assert len(hashes) == 3


def test_what_comes_from_outside_is_named_by_its_digest():
    """Debian's packages are signed; the base image and pip's packages are the rest."""
    assert re.fullmatch(r".+@sha256:[0-9a-f]{64}", builder.REGISTRY_BASE)
    assert re.findall(r"pip install (.*)", DOCKERFILE) == [
        "--require-hashes --no-deps --no-build-isolation --no-compile -r /tmp/requirements.txt; \\"
    ]
    assert not re.search(r"curl|wget|npm |git clone|ADD ", DOCKERFILE)


def test_one_dockerfile_serves_with_and_without_a_registry():
    assert f"ARG BASE_IMAGE={builder.REGISTRY_BASE}\nFROM ${{BASE_IMAGE}}" in DOCKERFILE
    for line in DOCKERFILE.splitlines():  # what is not there is not mounted: every secret is optional
        assert "required=true" not in line


def test_without_an_engine_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match="apt-get install podman"):
        builder.build()


def test_without_a_registry_and_mmdebstrap_it_says_what_to_install(monkeypatch, tmp_path):
    fake = tmp_path / "podman"
    fake.write_text("#!/bin/sh\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match="apt-get install mmdebstrap"):
        builder._base("podman", machine_settings.MachineSettings({"apt.conf": ""}), tmp_path, False)


def test_a_step_that_fails_shows_its_last_words(monkeypatch, tmp_path):
    monkeypatch.setattr(builder, "LOG", tmp_path / "log")
    with pytest.raises(ConfigError, match=r"(?s)exit 3.*no space for that"):
        builder.step(["sh", "-c", "echo no space for that; exit 3"])


def test_the_settings_reach_the_build_as_secrets_only():
    settings = machine_settings.machine_settings()
    assert set(settings.secrets) <= {"ca.crt", "apt.conf", "sources.list", "apt-auth.conf", "pip.conf"}
    for name in settings.secrets:
        assert f"id={name}" in DOCKERFILE
    assert "deb http" in settings.sources
