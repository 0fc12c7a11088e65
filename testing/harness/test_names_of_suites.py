"""Tests of suites with folders of their own are chosen by the names that `list` shows, and those that
cannot run here are left out of a choice over all suites."""

from types import SimpleNamespace

import pytest

from assay import extras
from assay.cli.arguments import parse
from assay.cli.request import selection_of
from assay.errors import ConfigError
from assay.home import CHECKOUT
from assay.suites.selected import select_tests


def chosen(*words):
    selected = select_tests(selection_of(parse(["run", *words], CHECKOUT), CHECKOUT), None)
    return SimpleNamespace(ids=[each.id for each in selected()], messages=selected.messages, all=selected)


@pytest.mark.slow(5)  # imports the families of hard
@pytest.mark.parametrize(
    "name", ["hard.exact_machine", "arithmetic.int_add_02", "euler001.python", "weirdml.shapes_easy"]
)
def test_a_name_that_list_shows_is_one_that_run_takes(name):
    assert chosen(name).ids == [name]


def test_so_it_is_as_a_pattern_beside_others_and_as_a_file():
    assert chosen("--test", "hard.exact_gat*").ids == ["hard.exact_gates"]
    assert chosen("print_hello", "hard.exact_gates").ids == ["print_hello.TestPrintHello", "hard.exact_gates"]
    assert chosen(str(CHECKOUT / "tests/hard/exact_machine.py")).ids == ["hard.exact_machine"]


def test_a_name_that_fits_none_is_told():
    with pytest.raises(ConfigError, match=r"no test of suite hard is named .*exact_machin.\. Did you mean"):
        chosen("hard.exact_machin")
    with pytest.raises(ConfigError, match="no test, suite, file or folder is named 'prnt_hello'"):
        chosen("prnt_hello", "hard.exact_gates")


def test_a_family_is_chosen_with_all_its_seeds():
    seeds = ["hard.exact_gates", "hard.exact_gates@7"]
    assert chosen("hard", "--test", "exact_gates", "--hard-seed", "7").ids == seeds
    assert chosen("hard.exact_gates", "--hard-seed", "7").ids == seeds
    assert chosen("hard.exact_gates@7", "--hard-seed", "7").ids == seeds[1:]


@pytest.mark.slow(5)
def test_a_suite_that_cannot_run_here_is_left_out_of_a_choice_over_all(monkeypatch):
    monkeypatch.setattr(extras, "_here", lambda module: module not in ("numpy", "matplotlib"))
    some = chosen("--tier", "hard")
    assert len(some.ids) > 50 and not any(each.startswith("weirdml") for each in some.ids)
    (said,) = [each for each in some.messages if each.startswith("left out: ")]
    assert "weirdml.learn_" in said and "suite weirdml needs numpy and matplotlib: " in said
    none = chosen("--tier", "easy", "--tag", "exact")
    assert none.ids and "weirdml" not in none.all.suites and not none.messages
    assert "weirdml" in chosen("weirdml").all.suites, "the command then says what it needs"
