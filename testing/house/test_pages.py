"""Pages say what the files say."""

import re
from pathlib import Path

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
