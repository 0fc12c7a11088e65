"""--doctor tells what works on this very machine."""

import asyncio
import json
from types import SimpleNamespace

import pytest

from assay.cli import doctor as doctor_module
from assay.cli.doctor import lacking_for_tests, languages, try_languages
from assay.config import Config
from assay.errors import SandboxError
from assay.language.languages import Language
from assay.records import Table
from assay.report.cells import text_of, value_of
from assay.sandboxes.pool import open_pool
from testing.harness.commanding import Workspace


@pytest.fixture
def work(tmp_path):
    made = Workspace(tmp_path, sandbox="bubblewrap", llms={"openai": {"api_key": "sk-12345678"}})
    made.test_file(
        "odd",
        "REQUIRES = ['no-such-tool']\nTestA = 'q' >> LLMRun()\nTestB = 'q' >> LLMRun() >> PythonRun()\n",
    )
    return made


@pytest.mark.slow(8)
def test_what_works_is_told_and_no_key_is_shown(work):
    out, err = work.main("--doctor", "--format", "json", timeout=200)
    assert "sk-12345678" not in out + err
    assert "opening podman\n" in err and "looking into bubblewrap on the host: its versions" in err
    assert "running a tiny program of each language in bubblewrap" in err
    tables = {table["title"].split(" in ")[0]: table["rows"] for table in json.loads(out)}
    sandboxes = {row["sandbox"]: row for row in tables["Sandboxes"]}
    assert sandboxes["bubblewrap"]["works"] == "yes" and sandboxes["unsafe_local"]["works"] == "off"
    assert {row["works"] for row in sandboxes.values()} <= {"yes", "no", "off"}
    assert all(row["remarks"] for row in sandboxes.values() if row["works"] == "no"), "what to install"
    assert not any("{" in row["remarks"] for row in sandboxes.values()), "no specifications"
    assert "opened by: " in sandboxes["podman"]["remarks"] or sandboxes["podman"]["works"] == "no"
    works = {row["language"]: row["works"] for row in tables["Languages"]}
    assert works["python"] == works["bash"] == "yes" and "browser" in works
    assert {"requirement": "no-such-tool", "tests skipped": 2} in tables["Lacking for tests"]
    keys = {row["provider"]: row["key"] for row in tables["Providers"]}
    assert keys["openai"] == "config.json" and keys["anthropic"] == "no key"
    extras = {row["extra"]: row["installed"] for row in tables["Extras"]}
    assert extras["litellm"] == extras["plots"] == "yes"  # what the tests run with has all


def test_without_a_sandbox_it_says_so(work):
    _, err = work.main("--doctor", "--sandbox", "unsafe_local", code=1, timeout=200)
    assert "error: the sandbox unsafe_local" in err
    _, err = work.main("--doctor", "--sandbox", "nonsense", code=1, timeout=200)
    assert "unknown sandbox 'nonsense'" in err


def test_an_attack_needs_a_sandbox_that_works(work):
    _, err = work.main("--doctor", "--attack", "--sandbox", "unsafe_local", code=1)
    assert "error: the sandbox unsafe_local" in err


def test_the_findings_of_a_probe_are_told_in_plain_words():
    class Tried:
        way = ""

    remarks = doctor_module._remarks(Tried(), {"way": "plain", "limits": "enforced", "users": "own"})
    assert remarks == "limits by the kernel"
    assert doctor_module._remarks(Tried(), {"cgroups": "1", "room": "12"}) == "limits by cgroups v1, room: 12"


def test_a_long_remark_stands_below_the_table(monkeypatch, capsys):
    why = "no docker engine answers (Cannot connect to the Docker daemon at unix:///docker.sock); do this"

    async def ready(tried, fresh):
        if tried.name == "docker":
            raise SandboxError(why)
        return {"way": "runc"}

    monkeypatch.setattr(doctor_module, "names", lambda: ["podman", "docker"])
    monkeypatch.setattr(
        doctor_module, "backend", lambda name: SimpleNamespace(name=name, tier=name, way="runc")
    )
    monkeypatch.setattr(doctor_module, "ready", ready)
    table = asyncio.run(doctor_module.sandboxes(Config()))
    _, docker = table.rows
    assert (text_of(docker[3]), value_of(docker[3])) == ("no docker engine answers", why)
    assert f"docker: {why}" in table.note.splitlines() and "opened by: the runtime" in table.note
    assert "opening docker" in capsys.readouterr().err
    monkeypatch.setattr(doctor_module, "BACKENDS", {})  # a package's is told among the extensions, once
    assert why not in asyncio.run(doctor_module.sandboxes(Config())).note
    theirs = Table("Extensions", ("kind", "name", "remarks"), (("sandbox", "docker", why),))
    fitted = doctor_module._fitted(theirs, named=2)
    assert text_of(fitted.rows[0][2]) == "no docker engine answers"
    assert fitted.note == f"sandbox docker: {why}"


@pytest.mark.parametrize(
    ("name", "remark", "shown"),
    [
        (
            "tiny",
            "the sandbox 'tiny' of the package acme-assay 1.0 cannot be used: Tiny.open() (/opt/box.py:12) "
            "must return a Sandbox, not None; update or uninstall that package",
            "Tiny.open() must return a Sandbox, not None",
        ),
        (
            "sums",
            "suite sums of the package acme-assay 1.0: /opt/suite.py:17: KeyError: 'the data are not there'",
            "suite.py:17: KeyError: 'the data are not there'",
        ),
        (
            "acme",
            "acme: Acme.__init__() (acme.py:16, the package acme-assay 1.0) raised RuntimeError: no licence",
            "Acme.__init__() raised RuntimeError: no licence",
        ),
        (
            "acme",
            "connect() of acme_assay.provider must return a provider; Acme lacks ask",
            "connect() of acme_assay.provider must return a provider",
        ),
        ("sums", "words " * 20, "words " * 9 + "..."),
    ],
)
def test_a_long_remark_is_cut_to_what_is_wrong_between_words(name, remark, shown):
    assert doctor_module._cut(remark, name) == shown


def test_tables():
    said = {"c": r"the output is not 'hello\n', but: 'oh' (exit 1)", "browser": ""}
    table = languages("x", {"c": ("gcc",), "rust": ("rustc",)}, {"rustc"}, said, "Do this.")
    assert table.rows == (("c", "no", said["c"]), ("rust", "no", "lacks rustc"), ("browser", "yes", ""))
    assert table.note.endswith("Do this.")
    table = lacking_for_tests(
        "x", {"a": ("gcc",), "b": ("rustc", "gcc"), "c": ()}, {"gcc", "rustc"}, "Do this."
    )
    assert table.rows == (("gcc", 2), ("rustc", 1)) and table.note == "1 of 3 tests can run in x. Do this."


def test_a_language_works_if_its_program_says_hello(monkeypatch):
    """That its command is there is not enough: the row may call another."""
    rows = {
        "right": Language("main.sh", "bash main.sh", needs=("bash",), hello="echo hello"),
        "wrong": Language("main.sh", "bahs main.sh", needs=("bash",), hello="echo hello"),
        "absent": Language("main.sh", "bash main.sh", needs=("no-such-tool",), hello="echo hello"),
    }
    monkeypatch.setattr(doctor_module, "all_languages", lambda: rows)

    async def main():
        async with open_pool("bubblewrap", ahead=0) as pool:
            return await try_languages(pool, {"no-such-tool", "chromium"})

    said = asyncio.run(main())
    assert set(said) == {"right", "wrong"} and said["right"] == "" and "bahs" in said["wrong"]


@pytest.fixture
def runs_code(tmp_path):
    work = Workspace(tmp_path)
    work.test_file("code", "TestA = 'print(1)' >> PythonRun() >> SubstringEvaluator('1')\n")
    (work.tests / "references").mkdir()
    (work.tests / "references" / "code.py").write_text("RIGHT = {'TestA': ['x']}\nWRONG = {}\n")
    return work


def test_run_tests_fails_closed_without_a_sandbox(runs_code, monkeypatch):
    """A sandbox that was named and does not work is no reason to run code elsewhere."""
    monkeypatch.setenv("PATH", str(runs_code.folder))
    _, err = runs_code.main("--run-tests", "--model", "oracle", "--sandbox", "podman", code=1)
    assert "podman is not installed; install it" in err and not runs_code.results.exists()


def test_a_sandbox_that_does_not_open_is_no_matter_to_tests_that_need_none(tmp_path, monkeypatch):
    work = Workspace(tmp_path, sandbox="podman")
    work.test_file("plain", "TestA = 'q' >> LLMRun() >> SubstringEvaluator('x')\n")
    (work.tests / "references").mkdir()
    (work.tests / "references" / "plain.py").write_text("RIGHT = {'TestA': ['x']}\nWRONG = {}\n")
    monkeypatch.setenv("PATH", str(work.folder))
    work.main("--run-tests", "--model", "oracle", "--fail-under", "100")


def test_a_sandbox_that_is_not_allowed_is_a_mistake(runs_code):
    _, err = runs_code.main("--run-tests", "--model", "oracle", "--sandbox", "unsafe_local", code=1)
    assert "unsafe_local runs a model's code with your own rights" in err
    assert not runs_code.results.exists()
