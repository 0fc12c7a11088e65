"""Pages say what the files say, and messages name pages and files that their reader has."""

import ast
import re
from pathlib import Path

import pytest

from assay import home
from assay.config import load_config
from assay.errors import ConfigError
from scripts.test_table import PAGE, page


def test_the_page_of_applied_tests_is_the_newest():
    assert PAGE.read_text(encoding="utf-8") == page(), "make docs writes it anew"


ROOT = Path(__file__).resolve().parents[2]


def test_the_architecture_names_files_that_exist_and_what_they_define():
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    named = re.findall(r"\b(?:assay|testing)/[\w/]+\.\w+", text)
    assert [name for name in named if not (ROOT / name).is_file()] == []
    table = text.partition("## Where to look")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")][2:]
    assert len(rows) > 10
    for _, files, definition in rows:
        name = definition.split("`")[1].rpartition(".")[2]
        defined = re.compile(rf"^ *(?:(?:async )?def|class) {name}\b|^{name}\b.* = ", re.MULTILINE)
        sources = [(ROOT / file).read_text("utf-8") for file in files.split(", ")]
        assert any(map(defined.search, sources)), f"{name} is in none of {files}"


def messages_of(path):
    """The texts of a file's code, without its docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    said = [each.value for each in ast.walk(tree) if isinstance(each, ast.Expr)]
    return [
        (each.lineno, each.value)
        for each in ast.walk(tree)
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and each not in said
    ]


def test_messages_name_pages_by_home_because_an_installation_has_none():
    files = [*(ROOT / "assay").rglob("*.py"), *(ROOT / "tests").glob("*/*.py")]
    told = re.compile(r"\bdocs/[\w-]+\.md|config\.json\.example|(?:make|scripts/)(?: |\w*)(?:setup|image)")
    found = {
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in files
        for line, text in messages_of(path)
        if told.search(text)
    }
    there = "assay/home.py:"  # and where a checkout is told apart, by CHECKOUT
    apart = ("assay/cli/main.py:", "assay/sandboxes/backends/bubblewrap.py:", "assay/report/messages.py:")
    assert sorted(each for each in found if not each.startswith((there, *apart))) == []


def test_what_a_message_names_is_there(tmp_path, monkeypatch):
    (tmp_path / "config.json").write_text("[")
    monkeypatch.chdir(ROOT)
    with pytest.raises(ConfigError, match=r"; see config\.json\.example$"):
        load_config(tmp_path / "config.json")
    assert home.docs_page("writing-tests") == "docs/writing-tests.md"
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=f"; see {re.escape(str(ROOT))}/config.json.example$"):
        load_config(tmp_path / "config.json")
    monkeypatch.setattr(home, "CHECKOUT", None)  # as installed by pip
    monkeypatch.setattr(home, "PACKAGE", tmp_path / "site-packages/assay")
    assert home.config_example() == "site-packages/assay/config.json.example"
    assert home.docs_page("writing-tests") == "docs/writing-tests.md in Assay's repository"


def test_every_page_that_a_message_names_exists():
    named = {
        name
        for folder in ("assay", "tests")
        for path in (ROOT / folder).rglob("*.py")
        for name in re.findall(r"\{docs_page\(['\"]([\w-]+)['\"]\)\}", path.read_text("utf-8"))
    }
    assert len(named) > 5 and [name for name in named if not (ROOT / "docs" / f"{name}.md").is_file()] == []
