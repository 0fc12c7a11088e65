"""The whole set of libraries installs together, and what is installed is what the files ask for."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
# What a repository of this kind is expected to offer: providers, sandboxes, browser, tests, in one set.
WANTED = {"docker", "openai", "anthropic", "litellm", "selenium", "pytest", "rich", "jinja2", "httpx"}
# Asked for by a flag that says how to install them.
OPTIONAL = {"pyarrow", "opentelemetry"}
IMPORT_NAMES = {"PIL": "pillow", "markdown_it": "markdown-it-py", "jinja2": "jinja2"}


def requirements(name: str) -> list[Requirement]:
    lines = (ROOT / name).read_text("utf-8").splitlines()
    return [Requirement(line) for line in lines if line.strip() and not line.startswith(("#", "-r"))]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-extra.txt"])
def test_what_is_installed_is_what_the_file_asks_for(name):
    for requirement in requirements(name):
        version = importlib.metadata.version(requirement.name)
        assert requirement.specifier.contains(version, prereleases=True), (
            f"{requirement}: {version} is installed"
        )


def test_the_set_installs_together():
    """Everything above came from one `pip install`; pip finds no two libraries that exclude each other."""
    check = subprocess.run(
        [sys.executable, "-m", "pip", "check", "--disable-pip-version-check"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert check.returncode == 0, check.stdout
    names = {
        normal(each.name)
        for file in ("requirements.txt", "requirements-extra.txt")
        for each in requirements(file)
    }
    assert names >= WANTED


def test_every_library_has_an_upper_bound():
    """A major version that breaks us must not arrive on somebody's first day."""
    for file in ("requirements.txt", "requirements-extra.txt"):
        for requirement in requirements(file):
            assert "<" in str(requirement.specifier), f"{requirement} in {file} has no upper bound"


def test_what_the_package_offers_as_extras_is_what_the_tests_use():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    tried = {str(each) for each in requirements("requirements-extra.txt")}
    offered = {str(Requirement(each)) for lines in extras.values() for each in lines}
    # The pytest plugin works with 9.2; what does not is how pytest-xdist spreads our own tests.
    assert offered - tried == {"pytest<10,>=8.2"} and "pytest<9.2,>=8.2" in tried


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def test_what_running_imports_is_in_requirements_txt():
    ours = {"assay", "llm", "evaluator", "main"}
    allowed = {normal(each.name) for each in requirements("requirements.txt")}
    sources = [*ROOT.glob("assay/**/*.py"), *ROOT.glob("*.py")]
    for path in sources:
        if path.match("assay/sandboxes/*"):
            continue  # parts of these run inside the sandbox, with the image's libraries
        theirs = OPTIONAL
        if path.match("assay/pytest_plugin/*") or path.name == "conftest.py":
            theirs = theirs | {"pytest", "_pytest"}  # pytest imports these files
        for module in imported(path) - ours - theirs - sys.stdlib_module_names:
            name = normal(IMPORT_NAMES.get(module, module))
            assert name in allowed, f"{path.relative_to(ROOT)} imports {module}; add it to requirements.txt"
