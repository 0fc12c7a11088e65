"""How the tests themselves are run: testing/running/ over a small project of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from testing.running.schedule import MEMORY, usable_processes

pytestmark = pytest.mark.slow(4)
ROOT = Path(__file__).resolve().parents[2]
CONFTEST = """
import json, os, time
import pytest
from testing.running import progress, schedule, slow, untouched

def pytest_addoption(pluginmanager):
    slow.LIMIT_S = 0.1
    for plugin in (slow, schedule, progress, untouched):
        pluginmanager.register(plugin)

@pytest.fixture(autouse=True)
def noted(request):
    yield
    with open("../ran", "a") as file:
        print(json.dumps([os.environ.get("PYTEST_XDIST_WORKER"), request.node.nodeid]), file=file)
"""
FILES = {
    "test_quick.py": """
import pathlib, time, pytest
def test_one(): pass
def test_two(): pytest.skip("there is no moon")
def test_long(): time.sleep(0.3)
""",
    "test_slow.py": """
import pytest
@pytest.mark.slow(8)
def test_eight(): assert not "passed"
@pytest.mark.slow(60)
def test_sixty(): pass
@pytest.mark.slow(3)
def test_three(): pass
""",
    "test_a_docker.py": "def test_a(): pass\n",
    "test_z_docker.py": "def test_z(): pass\n",
    "test_stray.py": "import pathlib\ndef test_stray(): pathlib.Path('stray').touch()\n",
}


class Project:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        for name, text in {"conftest.py": CONFTEST, "pytest.ini": "[pytest]\n", **FILES}.items():
            (folder / name).write_text(text)
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)

    def pytest(self, *words: str, **environment: str) -> tuple[int, str]:
        """The exit code and what was printed; `ran` tells what ran where."""
        (self.folder.parent / "ran").unlink(missing_ok=True)
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "CI"))}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "--one-line", *words],
            cwd=self.folder,
            env={**clean, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environment},
            capture_output=True, text=True, timeout=100, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    @property
    def ran(self) -> list[tuple[str | None, str]]:
        lines = (self.folder.parent / "ran").read_text().splitlines()
        return [(worker, name.split("::")[1]) for worker, name in map(json.loads, lines)]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


def test_quick_is_what_is_not_marked_unless_tests_are_named(project):
    code, said = project.pytest("--quick", "-n", "2")
    assert code == 0 and "make test-all" in said, said
    assert {name for _, name in project.ran} == {
        "test_one", "test_two", "test_long", "test_a", "test_z", "test_stray",
    }  # fmt: skip
    for words, names in {
        ("-k", "sixty"): ["test_sixty"],
        ("test_slow.py",): ["test_eight", "test_sixty", "test_three"],
        ("--last-failed", "-n", "2"): ["test_eight"],
    }.items():
        project.pytest("--quick", *words)
        assert sorted(name for _, name in project.ran) == names


def test_one_line_tells_how_far_it_is_and_the_end_what_to_do(project):
    code, said = project.pytest("-n", "2", "test_slow.py", "test_quick.py")
    assert code == 1
    assert "FAILED test_slow.py::test_eight" in said and 'make test ARGS="--last-failed"' in said
    assert "1 for: there is no moon" in said and "[100%]" not in said
    assert "s  test_quick.py::test_long" in said and "s  test_quick.py::test_one" not in said
    assert "1 failed, 4 passed, 1 skipped" in said
    code, said = project.pytest("test_quick.py")
    assert code == 0 and "what to do" not in said and "2 passed, 1 skipped" in said


def test_the_longest_come_first_and_one_engine_serves_one_process(project):
    project.pytest("-n", "2")
    first = {worker: name for worker, name in reversed(project.ran)}
    assert set(first.values()) == {"test_sixty", "test_eight"}, project.ran
    assert len({worker for worker, name in project.ran if name in ("test_a", "test_z")}) == 1


def test_a_path_that_is_not_there_is_told(project):
    code, said = project.pytest("-n", "auto", "test_nothing.py")
    assert code == 4 and "not found: test_nothing.py" in said


def test_a_file_that_a_test_leaves_is_named_and_fails_in_ci(project):
    code, said = project.pytest("test_stray.py")
    assert code == 0 and "\nstray\n" in said
    (project.folder / "stray").unlink()
    code, said = project.pytest("test_stray.py", CI="true")
    assert code == 1 and "\nstray\n" in said
    assert project.pytest("test_quick.py", CI="true")[0] == 0


def test_there_are_as_many_processes_as_cores_and_memory():
    assert usable_processes(2, 100 * MEMORY) == 2
    assert usable_processes(16, 3 * MEMORY) == 3
    assert usable_processes(4, MEMORY // 2) == 1
