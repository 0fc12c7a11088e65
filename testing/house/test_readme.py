"""Every command of README and of the pages that continue it works, in a copy of the repository, on the files
that they show; what they have a contributor add passes `make check` after `make fix`, and the rules.

A fence's first word is its language. What follows names the file that the block is: the whole of it, its
end, or the line after which it is inserted ("python assay/models/registry.py after=PROVIDERS:").
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from testing.model_server import ModelServer

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^(`{3,})(\w+)(?: ([^\n]*))?\n(.*?)^\1$", re.MULTILINE | re.DOTALL)

PAGES = ("README.md", "docs/running.md", "docs/extending.md", "CONTRIBUTING.md")  # in the order of reading
FROM_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "ARGS")
NOT_RUN = {
    "make test": "this is part of it",
    "make test ARGS=testing/applied/test_rules.py": "so is that",
    "make check": "what .ci/run does before the tests; it is about this repository, not about a copy",
    "make image": "takes minutes; .ci/run builds it before the tests",
    "assay conformance sandboxes:small": "test_wheel.py does, with that package installed",
    "assay conformance languages:awk exports:lines suites:doubles providers:parrot": "so it does that",
    "make bench": "takes minutes; test_bench.py runs it in small",
}


@dataclass(frozen=True)
class Block:
    page: str
    language: str
    place: str
    text: str
    line: int


def blocks() -> Iterator[Block]:
    for page in PAGES:
        text = (ROOT / page).read_text("utf-8")
        for match in FENCE.finditer(text):
            yield Block(page, match[2], match[3] or "", match[4], text.count("\n", 0, match.start()) + 1)


def write(block: Block, clone: Path, server: str) -> None:
    """Do to the copy what the page tells the reader to do."""
    name, _, how = block.place.partition(" ")
    path = clone / name
    text = block.text.replace("http://localhost:8000", server)
    if how.startswith("after="):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        at = next(i for i, line in enumerate(lines) if how.removeprefix("after=") in line)
        while lines[at].rstrip().endswith(("(", "{", "=")) and lines[at + 1].strip() in ("{", "("):
            at += 1  # the row goes inside the brackets that open here
        path.write_text("".join([*lines[: at + 1], text, *lines[at + 1 :]]), "utf-8")
    elif how == "end":
        path.write_text(f"{path.read_text('utf-8')}\n\n{text}", "utf-8")
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The working tree as git sees it, with a history of its own and this environment."""
    copy = tmp_path / "assay"
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    (venv := copy / ".venv" / "bin").mkdir(parents=True)
    for folder, its in ((venv.parent, Path(sys.prefix)), (venv, Path(sys.prefix, "bin"))):
        for each in its.iterdir():
            if each.name not in ("bin", "assay"):
                (folder / each.name).symlink_to(each)
    shutil.copy2(ROOT / "scripts" / "assay", venv)  # as setup does
    me = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    commit = [*me, "commit", "-q", "--allow-empty", "-m"]
    for words in (["init", "-q"], ["add", "-A"], [*commit, "as found"], [*commit, "nothing changed"]):
        subprocess.run(["git", *words], cwd=copy, check=True, stdin=subprocess.DEVNULL)
    return copy


def in_shell(command: str, folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def environment() -> dict[str, str]:
    """Without what a make that runs these tests hands on to the makes below it."""
    return {name: value for name, value in os.environ.items() if name not in FROM_MAKE}


@pytest.mark.slow(100)
@pytest.mark.timeout(900)
def test_every_command_of_the_pages_works(clone: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    ran = 0
    with ModelServer() as server:
        env = {
            **environment(),
            "PATH": f"{clone}/.venv/bin:{os.environ['PATH']}",
            "HOME": str(home),
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_API_KEY": "sk-none-0000",
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": "sk-ant-none-0000",
        }
        for block in blocks():
            if block.place:
                write(block, clone, server.url)
            elif block.language in ("sh", "console", "bash"):
                for command in block.text.splitlines():
                    if command in NOT_RUN:
                        continue
                    done = in_shell(command, clone, env)
                    said = f"{done.stdout[-2000:]}\n{done.stderr[-3000:]}"
                    assert done.returncode == 0, f"{block.page}:{block.line}: {command}\n{said}"
                    ran += 1
    assert ran >= 10
    assert (clone / "evaluation_examples" / "index.html").is_file()
    assert server.desk is not None and server.desk.requests > 0


# What the pages name for a language and for a test, without what takes minutes.
RULES = (
    "make -o setup-test fix",
    "make -o setup-test check",
    "python -m pytest -q -p no:cacheprovider testing/applied/test_rules.py "
    "testing/language/test_languages.py testing/language/test_docs_examples.py "
    "testing/language/test_run_nodes.py "
    "-k 'rules or languages or public_name or has_a_program or perl'",
)


@pytest.mark.slow(27)
@pytest.mark.timeout(600)
def test_what_they_have_a_contributor_add_keeps_the_rules(clone: Path) -> None:
    for block in blocks():
        if block.place and block.language in ("python", "markdown"):
            write(block, clone, "")
    known = ROOT / ".mypy_cache"  # mypy takes a minute without
    if known.is_dir():
        shutil.copytree(known, clone / known.name)
    env = environment() | {"PATH": f"{clone}/.venv/bin:{os.environ['PATH']}"}
    for command in RULES:
        done = in_shell(command, clone, env)
        assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}\n{done.stderr[-2000:]}"


def test_the_package_that_is_shown_is_the_one_that_is_tested() -> None:
    sample = ROOT / "testing" / "packaging" / "sample"
    shown = {block.place: block.text for block in blocks() if block.place.startswith("testing/")}
    for path in (*sample.glob("assay_sample/*.py"), sample / "pyproject.toml"):
        assert shown[str(path.relative_to(ROOT))] == path.read_text("utf-8")


def test_what_is_not_run_stands_in_the_pages() -> None:
    commands = {line for block in blocks() if block.language == "sh" for line in block.text.splitlines()}
    assert set(NOT_RUN) <= commands


def test_links_lead_somewhere() -> None:
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"


def test_the_readme_is_a_page() -> None:
    assert len((ROOT / "README.md").read_text("utf-8")) <= 9000


def test_python_in_the_pages_is_python() -> None:
    for block in blocks():
        if block.language == "python" and "after=" not in block.place:
            compile(block.text, f"{block.page}:{block.line}", "exec")
