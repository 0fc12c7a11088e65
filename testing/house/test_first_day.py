"""What a new user's first commands say and do: make demo, and how pip and packages come."""

from __future__ import annotations

import importlib.util
import os
import ssl
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from assay.records import Outcome, TrialRecord
from assay.report.reasons import Reasons

ROOT = Path(__file__).resolve().parents[2]


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def skipped(test: str, needs: str, sandbox: str = "bubblewrap+host") -> TrialRecord:
    error = f"sandbox {sandbox} lacks {needs}; --doctor says what to do"
    return TrialRecord(test, "oracle", 1, Outcome.SKIPPED, error=error)


def test_the_demo_ends_in_one_sentence_and_one_command():
    demo = script("demo")
    records = [
        TrialRecord("a", "oracle", 1, Outcome.PASS),
        skipped("b", "rustc"),
        skipped("c", "chromium, chromedriver"),
        skipped("d", "rustc, clojure"),
    ]
    assert demo.advice(records) == (
        "3 of 4 tests were skipped for want of Rust, Clojure and a browser: `make image` has them all "
        "(about 3 GB, once)."
    )
    assert demo.advice(records[:1]) == ""
    assert "1 of 1 tests were skipped for want of torch: `.venv/bin/python main.py --doctor`" in demo.advice(
        [skipped("e", "python:torch", "podman")]
    )


def test_what_a_sandbox_lacks_is_one_line_of_the_tables():
    reasons = Reasons()
    for needs in ("rustc", "rustc", "clojure, rustc"):
        reasons.add(skipped("a", needs))
    assert reasons.lines() == [
        "SKIPPED 3x: sandbox bubblewrap+host lacks rustc (3), clojure (1); --doctor says what to do"
    ]
    alone = Reasons()
    alone.add(skipped("a", "rustc"))
    assert alone.lines() == ["SKIPPED 1x: sandbox bubblewrap+host lacks rustc; --doctor says what to do"]


def run_as_user(tmp_path: Path, **environment: str) -> list[str]:
    """What system_tools.sh says, for a user who may use sudo, and when it uses it."""
    said = tmp_path / "said"
    programs = {"id": "echo 1000", "sudo": f'echo "sudo $*" >>{said}', "apt-get": "exit 1"}
    for name, text in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    with said.open("ab") as errors:
        subprocess.run(
            [ROOT / "scripts" / "system_tools.sh", "venv"], check=False, stderr=errors, timeout=60,
            env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", **environment},
        )  # fmt: skip
    lines = said.read_text().splitlines()
    said.unlink()
    return lines


def test_sudo_is_used_after_it_is_said_and_can_be_forbidden(tmp_path):
    said = run_as_user(tmp_path)
    assert "about to use sudo" in said[0] and "apt-get install python3-venv" in said[0]
    assert said[1] == "sudo -n true"
    assert not any("sudo" in line for line in run_as_user(tmp_path, ASSAY_NO_SUDO="1"))


def test_a_pip_from_the_network_needs_a_hash(tmp_path):
    pip = script("bootstrap_pip")
    wheel = tmp_path / "pip-99-py3-none-any.whl"
    wheel.write_bytes(b"a program")
    folder = tmp_path / "out"
    folder.mkdir()
    context = ssl.create_default_context()
    with pytest.raises(ValueError, match="no sha256"):
        pip.download("http://127.0.0.1:1/pip-99-py3-none-any.whl", folder, context)
    with pytest.raises(ValueError, match="not what the index says"):
        pip.download(f"{wheel.as_uri()}#sha256={'0' * 64}", folder, context)
    assert pip.download(wheel.as_uri(), folder, context).read_bytes() == b"a program"


def test_what_a_stranger_pushes_cancels_nothing_that_a_maintainer_started():
    """Runs of one group cancel each other; a push and a start by hand are of two."""
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "evaluate.yml").read_text("utf-8"))
    assert workflow["concurrency"]["cancel-in-progress"] is True
    assert "${{ github.event_name }}" in workflow["concurrency"]["group"]
