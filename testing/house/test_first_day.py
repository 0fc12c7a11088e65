"""What a new user's first commands say and do: make demo, and how pip and packages come."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import ssl
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from assay import home
from assay.errors import MissingRequirement
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
    error = MissingRequirement((needs,), sandbox, "--sandbox bubblewrap")
    return TrialRecord(test, "oracle", 1, Outcome.SKIPPED, error=str(error))


def test_the_demo_ends_in_one_sentence_and_one_command():
    demo = script("demo")
    records = [
        TrialRecord("a", "oracle", 1, Outcome.PASS),
        skipped("b", "rustc"),
        skipped("c", "chromium, chromedriver"),
        skipped("d", "rustc, clojure"),
    ]
    assert demo.advice(records) == (
        "3 of 4 tests were skipped because the sandbox lacks Rust, Clojure and a browser: "
        "`make image` builds an image with all of them (about 3 GB)."
    )
    old = [skipped("b", "java>=25, javac"), skipped("c", "node>=20"), skipped("c", "node")]
    assert "because the sandbox lacks Java 25 and Node.js 20: " in demo.advice(old)
    assert demo.advice(records[:1]) == ""
    alone = demo.advice([skipped("e", "python:torch", "podman")])
    assert "because the sandbox lacks torch: `.venv/bin/python main.py doctor`" in alone


def test_what_a_sandbox_lacks_is_one_line_of_the_tables():
    command, reasons = "the command doctor --sandbox bubblewrap says what to do", Reasons()
    for needs in ("rustc", "rustc", "clojure, rustc"):
        reasons.add(skipped("a", needs))
    assert reasons.lines() == [f"SKIPPED 3x: sandbox bubblewrap+host lacks rustc (3), clojure (1); {command}"]
    alone = Reasons()
    alone.add(skipped("a", "rustc"))
    assert alone.lines() == [f"SKIPPED 1x: sandbox bubblewrap+host lacks rustc; {command}"]


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


def system_tools(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """`code` in a copy of system_tools.sh, which says first what is on its list."""
    (folder / "scripts").mkdir(exist_ok=True)
    copy = shutil.copy(ROOT / "scripts" / "system_tools.sh", folder / "scripts")
    command = ["bash", "-c", f'source "$0"; {code}', copy, "list"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_podman_sees_a_crun_only_where_it_works_with_crun(tmp_path):
    """With cgroups of both versions podman takes crun as soon as it is there, and then starts nothing."""
    listed = system_tools(tmp_path, "true").stdout.split()
    assert ("crun" in listed) == Path("/sys/fs/cgroup/cgroup.controllers").exists()
    assert "runc" in listed


@pytest.mark.slow(6)
def test_crun_is_unpacked_where_assay_finds_it_and_nobody_else(tmp_path, monkeypatch):
    done = system_tools(tmp_path, "apt-get --version >/dev/null && unpack crun")
    if "apt-get: command not found" in done.stderr:
        pytest.skip("no apt-get")
    assert done.returncode == 0, done.stderr
    unpacked = tmp_path / ".cache/tools/usr/bin/crun"
    said = subprocess.run([unpacked, "--version"], capture_output=True, text=True, check=True).stdout
    assert said.startswith("crun version")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(home, "CHECKOUT", tmp_path)
    assert home.tool("crun") == str(unpacked) and home.tool("runc") is None
    monkeypatch.setattr(home, "CHECKOUT", None)  # as installed by pip
    assert home.tool("crun") is None


def test_a_pip_from_the_network_needs_a_hash(tmp_path):
    pip = script("bootstrap_pip")
    wheel = tmp_path / "pip-99-py3-none-any.whl"
    wheel.write_bytes(b"a program")
    folder = tmp_path / "out"
    folder.mkdir()
    context = ssl.create_default_context()
    with pytest.raises(ValueError, match="no sha256"):
        pip.download("http://127.0.0.1:1/pip-99-py3-none-any.whl", folder, context)
    with pytest.raises(ValueError, match="does not match the hash"):
        pip.download(f"{wheel.as_uri()}#sha256={'0' * 64}", folder, context)
    assert pip.download(wheel.as_uri(), folder, context).read_bytes() == b"a program"


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository as somebody has it after `make setup`: its own environment, without extras."""
    folder = tmp_path_factory.mktemp("first") / "assay"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True,
    ).stdout.decode()  # fmt: skip
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    shell(folder, "make setup")
    return folder


def shell(folder: Path, command: str, code: int = 0, **environment: str) -> str:
    """What a command says, in an environment without that of the tests."""
    mine = ("PYTHON", "PYTEST", "VIRTUAL_ENV", "MAKE", "MFLAGS", "ARGS")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(mine)}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env={**kept, "COLUMNS": "300", **environment},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=250, check=False,
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert done.returncode == code and "Traceback (most recent" not in said, f"{command}\n{said[-4000:]}"
    return said


@pytest.mark.slow(8)
@pytest.mark.xdist_group("first-day")
def test_the_demo_needs_no_extra(clone: Path) -> None:
    assert re.search(r"[1-9] pass, 0 fail", shell(clone, "make demo ARGS='--test print_hello'"))
    assert (clone / "evaluation_examples" / "index.html").is_file()


@pytest.mark.slow(8)
@pytest.mark.xdist_group("first-day")
def test_setup_makes_the_command_of_this_checkout(clone: Path) -> None:
    activated = ". .venv/bin/activate; cd /; assay"
    assert "usage: assay" in shell(clone, f"{activated} --help")
    assert "print_hello" in shell(clone, f"{activated} list print_hello")
    command = clone / ".venv/bin/assay"
    (copy,) = (folder / "assay" for folder in clone.glob(".venv/lib/python*/site-packages"))
    copy.mkdir()
    (copy / "__init__.py").touch()
    command.write_text("as pip install writes it")
    assert "warning: .venv/bin/assay is a copy that pip install made" in shell(clone, "make setup")
    shutil.rmtree(copy)
    command.unlink()
    assert "warning" not in shell(clone, "make setup") and command.exists()
    mine = clone.with_name("mine")
    mine.mkdir()
    (mine / "config.json").write_text('{"llms": {"here": {"base_url": "http://127.0.0.1:9/v1"}}}')
    in_mine = f"{activated.replace('cd /', f'cd {mine}')} run print_hello --dry-run --model"
    assert re.search(r"here/small +1 ", shell(clone, f"{in_mine} here/small"))
    moved = clone.with_name("moved")
    clone.rename(moved)
    try:
        said = shell(moved, "cd .venv/bin; ./assay list print_hello; PYTHONSAFEPATH=1 sh -c './assay --help'")
    finally:
        moved.rename(clone)
    assert "print_hello" in said and "usage: assay" in said


RUN = ".venv/bin/python main.py --run-tests --model oracle"
WITHOUT = {
    "litellm": (RUN.replace("oracle", "mistral/mistral-large-latest"), "provider mistral needs litellm"),
    "plots": (
        f"{RUN} --suite arithmetic --depths 2 --times 1 --generate-report",
        "suite arithmetic needs matplotlib",
    ),
    "weirdml": (f"{RUN} --suite weirdml", "suite weirdml needs numpy and matplotlib"),
    "parquet": (f"{RUN} --test print_hello --export parquet=a.parquet", "--export parquet needs pyarrow"),
    "dataframe": (
        ".venv/bin/python -c 'import sys; from assay.results.export.frame import frame; "
        "sys.excepthook = lambda kind, error, trace: print(error, file=sys.stderr); frame([])'",
        "a DataFrame needs pandas",
    ),
    "otel": (f"{RUN} --test print_hello --otel", "--otel needs opentelemetry.sdk and"),
    "mcp": (
        ".venv/bin/python -c 'import sys; from assay.extras import need; "
        'sys.excepthook = lambda kind, error, trace: print(error, file=sys.stderr); need("mcp", "Mcp")\'',
        "Mcp needs mcp",
    ),
    "ray": (f"{RUN} --test print_hello --engine ray --ray-address 127.0.0.1:1", "--engine ray needs ray"),
}
EXTRAS = "from assay.extras import *; print(*(name for name in EXTRAS if not lacking(name)))"


@pytest.mark.slow(30)
@pytest.mark.xdist_group("first-day")
def test_without_an_extra_the_command_that_installs_it_is_said_and_works(clone: Path) -> None:
    """It is said before anything is run, and what it installs is what was lacking."""
    assert shell(clone, f".venv/bin/python -c '{EXTRAS}'").split() == []
    runs = [*clone.glob("results/*/*/*")]
    commands = {}
    for extra, (command, words) in WITHOUT.items():
        said = shell(clone, command, code=1, MISTRAL_API_KEY="none")
        assert words in said
        commands[extra] = re.findall(r": (make setup EXTRAS=\w+)$", said, re.MULTILINE)
    assert [*clone.glob("results/*/*/*")] == runs, "nothing was begun"
    for extra, found in commands.items():
        assert len(found) == 1, extra
        shell(clone, found[0])
    assert set(shell(clone, f".venv/bin/python -c '{EXTRAS}'").split()) == {*WITHOUT}
    assert "0 fail" in shell(clone, WITHOUT["plots"][0])
    assert [*clone.glob("evaluation_examples/**/*.svg")], "a figure was drawn"
    shell(clone, WITHOUT["parquet"][0])
    assert (clone / "a.parquet").read_bytes().startswith(b"PAR1")
    assert "no extra is called nope" in shell(clone, "make setup EXTRAS=nope", code=2)
    lock = clone / "requirements.lock"
    lock.write_text(lock.read_text("utf-8") + "# changed\n")
    shell(clone, "make setup")
    assert "ray" in (clone / ".venv/.extras").read_text(), "they stay"


def test_uv_takes_packages_from_where_pip_would(tmp_path: Path) -> None:
    """pip's settings of every kind; what was set for uv itself stays."""
    (tmp_path / "uv").write_text('#!/bin/sh\nenv; echo "$@"\n')
    (tmp_path / "uv").chmod(0o755)
    (tmp_path / "pip.conf").write_text(
        "[global]\nindex-url = https://me:secret@mirror.example/simple\nextra-index-url = https://a/ \n  https://b/\n"
        "find-links = /one /two\ncert = /ca.pem\n[install]\ntrusted-host = mirror.example\n"
    )
    mine = ("PIP_", "UV_", "SSL_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(mine)}
    settings = {"PIP_CONFIG_FILE": str(tmp_path / "pip.conf"), "PIP_NO_INDEX": "1", "UV_FIND_LINKS": "/mine"}
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "uv_install.py", tmp_path / "uv", "-r", "x.lock"],
        env={**kept, **settings}, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    *variables, command = done.stdout.splitlines()
    assert {
        "UV_DEFAULT_INDEX=https://me:secret@mirror.example/simple",
        "UV_EXTRA_INDEX_URL=https://a/ https://b/",
        "UV_FIND_LINKS=/mine",
        "SSL_CERT_FILE=/ca.pem",
        "UV_INSECURE_HOST=mirror.example",
    } <= set(variables)
    assert "--no-index -r x.lock" in command and "secret" not in command


@pytest.mark.slow(20)
@pytest.mark.xdist_group("first-day")
def test_setup_works_without_uv(clone: Path, tmp_path: Path) -> None:
    """Where none can be had, and where the one on PATH fails, pip installs the same."""
    (tmp_path / "uv").write_text('#!/bin/sh\ntest "$1" = --version\n')
    (tmp_path / "uv").chmod(0o755)
    lock = clone / "scripts" / "installers.lock"
    lock.write_text(re.sub(r"^uv==.*", r"uv==0.0.0 \\", lock.read_text("utf-8"), flags=re.MULTILINE))
    shutil.rmtree(clone / ".venv")
    said = shell(clone, "make setup", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert "uv could not install them" in said and not (clone / ".venv/bin/uv").exists()
    assert " pass, 0 fail" in shell(clone, f"{RUN} --test print_hello --no-cache")


def test_what_a_stranger_pushes_cancels_nothing_that_a_maintainer_started():
    """Runs of one group cancel each other; a push and a start by hand are of two."""
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "evaluate.yml").read_text("utf-8"))
    assert workflow["concurrency"]["cancel-in-progress"] is True
    assert "${{ github.event_name }}" in workflow["concurrency"]["group"]
