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

from assay.extras import EXTRAS

ROOT = Path(__file__).resolve().parents[2]
# What a repository of this kind is expected to offer: providers, sandboxes, browser, tests, in one set.
WANTED = {"openai", "anthropic", "litellm", "selenium", "pytest", "rich", "jinja2", "httpx"}
OPTIONAL = {module.partition(".")[0] for extra in EXTRAS.values() for module in extra.modules} - {"pytest"}
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
    assert extras.pop("all") == [f"assay[{','.join(extras)}]"] and set(extras) == set(EXTRAS)
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
        if path.match("assay/sandboxes/*/*") or path.match("assay/language/check_*.py"):
            continue  # parts of these run inside the sandbox, with the image's libraries
        theirs = OPTIONAL
        if path.match("assay/plugins/pytest/*") or path.name == "conftest.py":
            theirs = theirs | {"pytest", "_pytest"}  # pytest imports these files
        for module in imported(path) - ours - theirs - sys.stdlib_module_names:
            name = normal(IMPORT_NAMES.get(module, module))
            assert name in allowed, f"{path.relative_to(ROOT)} imports {module}; add it to requirements.txt"


def locked(name: str) -> list[Requirement]:
    """What a lock file pins."""
    lines = (ROOT / name).read_text("utf-8").splitlines()
    return [Requirement(line.removesuffix("\\")) for line in lines if line[:1].isalnum()]


@pytest.mark.parametrize("name", ["requirements", "requirements-extra"])
def test_the_lock_pins_a_version_within_each_range_and_has_its_hashes(name):
    """For each Python that it is for; what is not in it would be refused (--require-hashes)."""
    pins = locked(f"{name}.lock")
    wanted = requirements(f"{name}.txt") + (requirements("requirements.txt") if "extra" in name else [])
    for python in ("3.11", "3.12", "3.13"):
        environment = {"python_version": python, "python_full_version": f"{python}.1"}
        here = [each for each in pins if each.marker is None or each.marker.evaluate(environment)]
        versions = {normal(each.name): [str(s.version) for s in each.specifier] for each in here}
        assert len(versions) == len(here), "one version of each"
        for each in wanted:
            (version,) = versions[normal(each.name)]
            assert each.specifier.contains(version), f"{each}: {version} is locked; run scripts/lock.sh"
    text = (ROOT / f"{name}.lock").read_text("utf-8")
    hashes = re.findall(r"^    --hash=sha256:[0-9a-f]{64}( \\)?$", text, re.MULTILINE)
    assert len(hashes) >= len(pins) and all("==" in str(each) for each in pins)
    rest = re.sub(
        r"^(#.*|    --hash=sha256:[0-9a-f]{64}( \\)?|[\w.-]+==\S+( ; [^\n]*)? \\)$", "", text, flags=re.M
    )
    assert not rest.strip(), "pins and hashes, and nothing of the index that they came from"


@pytest.mark.parametrize("extra", [*EXTRAS, "all"])
def test_an_extra_is_locked_with_all_that_it_needs(extra: str) -> None:
    command = [sys.executable, ROOT / "scripts" / "locked.py"]
    found = [
        [
            Requirement(line.removesuffix("\\"))
            for line in subprocess.run(
                [*command, *words], capture_output=True, text=True, check=True, timeout=60
            ).stdout.splitlines()
            if line[:1].isalnum()
        ]
        for words in ([extra], ["--ranges", extra])
    ]
    pins, ranges = ({normal(each.name): each for each in side} for side in found)
    assert len(pins) == len(found[0]), "each once"
    waiting = [normal(name) for name in ranges]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        assert name in pins, f"{name} is not in the lock of {extra}; run scripts/lock.sh"
        for line in importlib.metadata.requires(name) or ():
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                waiting.append(normal(needed.name))


def test_both_locks_hold_the_same_versions():
    every = {str(each) for each in locked("requirements-extra.lock")}
    assert {str(each).partition(";")[0] for each in locked("requirements.lock")} <= {
        each.partition(";")[0] for each in every
    }
