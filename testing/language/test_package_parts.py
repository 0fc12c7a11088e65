"""An edit of an installed package makes the tests that use it other ones, whatever its version is."""

from __future__ import annotations

import importlib
import sys

import pytest

from assay import package_code
from assay.extensions import extensions
from assay.language.package_parts import packages_hash
from assay.results.test_versions import is_other, with_content
from evaluator import LLMRun, PyFunc, SubstringEvaluator

NODES = """
from dataclasses import dataclass
from assay import Block, Branch, Node, Reason
from .counting import words

@dataclass(frozen=True, repr=False)
class FewWords(Node):
    most: int
    is_judge = True

    async def run(self, value, ctx):
        passed = words(value) <= self.most
        yield Branch(passed, Reason(self, Block("verdict", "FewWords", passed=passed)))
"""
COUNTING = "def words(text):\n    return len(text.split())\n"
LANGUAGE = """
from assay import LanguageRun
from assay.language.languages import Language
TAC = Language("main.tac", "tac main.tac", needs=("tac",), hello="hello")
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of packages with two that extend Assay, one by nodes only, and one that does not."""
    monkeypatch.syspath_prepend(tmp_path)
    for name, files in {
        "pk_nodes": {"__init__": "", "nodes": NODES, "counting": COUNTING, "unused": ""},
        "pk_named": {"__init__": "", "language": LANGUAGE, "counting": COUNTING},
        "pk_plain": {"__init__": "", "counting": COUNTING},
    }.items():
        (tmp_path / name).mkdir()
        for file, text in files.items():
            (tmp_path / name / f"{file}.py").write_text(text)
    about = tmp_path / "pk_named-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: pk-named\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[assay.languages]\ntac = pk_named.language:TAC\n")
    _forget()
    yield tmp_path
    monkeypatch.undo()
    _forget()


def _forget():
    """As another process would begin."""
    for name in [name for name in sys.modules if name.startswith("pk_")]:
        del sys.modules[name]
    for cached in (extensions, package_code.code_of, package_code.is_package):
        cached.cache_clear()
    importlib.invalidate_caches()


def few():
    return "Hi" >> LLMRun() >> importlib.import_module("pk_nodes.nodes").FewWords(3)


def graded(package):
    words = importlib.import_module(f"{package}.counting").words
    return "Hi" >> LLMRun() >> PyFunc(lambda reply: words(reply) == 1)


def in_lines():
    from assay import LanguageRun

    return (
        "Hi" >> LLMRun() >> type("TacRun", (LanguageRun,), {"language": "tac"})() >> SubstringEvaluator("a")
    )


def edited(site, file, test):
    """The hashes of a test before and after an edit of `file`."""
    before = packages_hash(test())
    path = site / file
    path.write_text(path.read_text().replace("main.tac", "main.cat") + "\nMORE = 1\n")
    _forget()
    return before, packages_hash(test())


@pytest.mark.parametrize(
    ("file", "test"),
    [
        ("pk_nodes/nodes.py", few),
        ("pk_nodes/counting.py", few),
        ("pk_nodes/__init__.py", few),
        ("pk_named/counting.py", lambda: graded("pk_named")),
        ("pk_named/language.py", in_lines),
    ],
)
def test_an_edit_of_what_a_test_uses_makes_it_another(site, file, test):
    before, after = edited(site, file, test)
    assert before and after and before != after
    versions = [with_content("test:abc", "0a1b2c3d", "00000000", each) for each in (before, after, "")]
    assert is_other(versions[0], versions[1])
    assert not is_other(versions[0], versions[2]), "results before 2026-12 do not say"


@pytest.mark.parametrize(
    ("file", "test"),
    [
        ("pk_nodes/unused.py", few),
        ("pk_plain/counting.py", lambda: graded("pk_plain")),
        ("pk_nodes/nodes.py", lambda: "Hi" >> LLMRun() >> SubstringEvaluator("a")),
    ],
)
def test_an_edit_of_anything_else_does_not(site, file, test):
    before, after = edited(site, file, test)
    assert before == after
