"""A row of assay/language/languages.py says all that the rest of the project wants to know of a language."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from assay.language import programs
from assay.language.languages import LANGUAGES, Language
from assay.language.main_function import FAMILIES
from assay.report.markup import LEXERS, highlight

ROWS = pytest.mark.parametrize(("name", "row"), LANGUAGES.items(), ids=list(LANGUAGES))

WITHOUT_MAIN = ("typescript",)  # built, but run from its first line on


def commands(row: Language) -> set[str]:
    """The programs that a row calls, what the build makes aside."""
    shell = shlex.shlex(f"{row.build};{row.run}", posix=True, punctuation_chars=";&|")
    shell.whitespace_split = True
    called, begins = set(), True
    for word in shell:
        separator = not word.strip(";&|")
        if begins and not separator:
            called.add(word)
        begins = separator
    return {word for word in called if not word.startswith("./")}


@ROWS
def test_it_needs_every_command_that_it_calls(name, row):
    """One that is not there, or misspelt, would be charged to the model as the shell's exit 127."""
    lacking = commands(row) - {need.partition(">=")[0] for need in row.needs}
    assert not lacking, f"add {sorted(lacking)} to `needs` of {name}, or correct `build` and `run`"


@ROWS
def test_it_has_a_program_for_the_doctor(name, row):
    assert "hello" in row.hello.lower(), f"give {name} a `hello`: a program that prints hello"


@ROWS
def test_it_is_highlighted_by_every_name(name, row):
    for word in (name, *row.aliases):
        assert LEXERS[word] == (row.lexer or name)
        assert any(isinstance(node, list) for node in highlight(row.hello, word)), (
            f"Pygments gives {word} no colour; set `lexer` of {name}: python -m pygments -L lexers lists all"
        )


@ROWS
def test_one_that_is_compiled_says_how_its_main_is_found(name, row):
    assert row.family in ("", *FAMILIES), f"`family` of {name} is none of {FAMILIES}"
    assert row.family or not row.build or name in WITHOUT_MAIN, (
        f"a right answer in {name} that has a main of its own would fail: set `family` to one of {FAMILIES}"
    )


def test_a_language_of_a_family_has_the_programs_main_renamed(monkeypatch):
    row = Language("main.c", "./main", "gcc -fsanitize=address -o main main.c", ("gcc",), family="c")
    monkeypatch.setattr(programs, "language_row", {"checked_c": row}.get)
    source = programs.assemble("checked_c", "int main() {}", "int main(void) {}").source
    assert source == "int program_main() {}\n\nint main(void) {}\n"


def test_the_oldest_versions_are_documented():
    oldest = {need.partition(">=")[2] for row in LANGUAGES.values() for need in row.needs} - {""}
    page = (Path(__file__).parents[2] / "docs" / "sandboxes.md").read_text("utf-8")
    table = re.search(r"\| Python \| Java .*\n.*\n\| (.*) \|\n", page)
    assert table is not None and set(table[1].split(" | ")) == oldest


def test_the_commands_of_a_row_are_found():
    row = Language("main.x", "perll main.x | sort", "xc -o main main.x && ./main --check", needs=("xc",))
    assert commands(row) == {"perll", "sort", "xc"}
