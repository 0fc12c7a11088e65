"""In a process that goes on, results are of the code that judged, whatever was edited since it was loaded."""

import importlib
import os
import shutil
import sys
import time

import pytest

import assay
from assay.cli.main import main
from assay.errors import AssayError
from assay.extensions import extensions
from assay.package_code import is_package

WANTED = "WANTED = '{}'\n"
ASKS = "TestOne = '1?' >> LLMRun() >> SubstringEvaluator(WANTED)\n"
OURS = ("_between", "_wanted_here", "shared_here", "pk_edited")
NODES = """
from assay import ContainsIntEvaluator

class Right(ContainsIntEvaluator):
    pass
"""
SUITE = """
from pathlib import Path
from assay import LLMRun, SubstringEvaluator
from assay.suites.suite import Sample, Suite
from .wanted import WANTED

class Edited(Suite):
    name = "edited"
    def samples(self, options):
        yield Sample(id="edited.one", test="1?" >> LLMRun() >> SubstringEvaluator(WANTED))
"""


def outcomes(results):
    return [(each.test, each.outcome.value) for each in results.records]


def later(path, text):
    """Edit a file, long after it was loaded."""
    path.write_text(text)
    os.utime(path, (time.time() + 9, time.time() + 9))


@pytest.fixture
def here(place, monkeypatch):
    monkeypatch.syspath_prepend(place.folder)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)  # which a file may outrun within a second
    yield place
    for name in [name for name in sys.modules if name.startswith(OURS)]:
        del sys.modules[name]
    extensions.cache_clear()
    is_package.cache_clear()


@pytest.fixture
def helped(here):
    """A test with a helper that has a helper, which reads a file."""
    (here.tests / "_between.py").write_text("from _wanted_here import WANTED\n")
    reads = "from pathlib import Path\nWANTED = Path(__file__).with_name('wanted.txt').read_text()\n"
    (here.tests / "_wanted_here.py").write_text(reads)
    (here.tests / "wanted.txt").write_text("43")
    here.test_file("some", f"from _between import WANTED\n{ASKS}")
    return here


@pytest.fixture
def package(here):
    """A package with a node and a suite."""
    folder = here.folder / "pk_edited"
    for name, text in {"__init__": "", "nodes": NODES, "wanted": WANTED.format(43), "suite": SUITE}.items():
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.py").write_text(text)
    about = here.folder / "pk_edited-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: pk-edited\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[assay.suites]\nedited = pk_edited.suite:Edited\n")
    extensions.cache_clear()
    importlib.invalidate_caches()
    return folder


def test_helpers_that_were_edited_are_loaded_anew_with_their_data(helped):
    first = assay.run("t/some.py", "local/m")
    loaded = sys.modules["_between"]
    again = assay.run("t/some.py", "local/m")
    assert outcomes(first) == outcomes(again) == [("some.TestOne", "fail")]
    assert sys.modules["_between"] is loaded, "what did not change"
    versions = [each.records[0].fingerprint for each in (first, again)]
    for file, text in (
        ("wanted.txt", "42"),
        ("_wanted_here.py", WANTED.format(40)),
        ("_wanted_here.py", WANTED.format(42)),
    ):
        (helped.tests / file).write_text(text)  # perhaps in the same second, of the same size
        results = assay.run("t/some.py", "local/m")
        assert outcomes(results) == [("some.TestOne", "fail" if "40" in text else "pass")]
        versions.append(results.records[0].fingerprint)
    assert len({*versions}) == 4 and versions[0] == versions[1]
    (helped.tests / "_between.py").write_text(WANTED.format(41))
    assert outcomes(assay.rescore(results)) == [("some.TestOne", "fail")]


def test_a_helper_that_the_program_imported_is_loaded_anew_too(helped, monkeypatch):
    monkeypatch.syspath_prepend(helped.tests)
    importlib.import_module("_between")
    later(helped.tests / "_wanted_here.py", WANTED.format(42))
    assert outcomes(assay.run("t/some.py", "local/m")) == [("some.TestOne", "pass")]


def test_a_helper_of_references_that_was_edited_is_loaded_anew(here):
    helper = here.tests / "_wanted_here.py"
    helper.write_text(WANTED.format(43))
    here.test_file("some", "TestOne = '1?' >> LLMRun() >> SubstringEvaluator('42')\n")
    (here.tests / "references").mkdir()
    (here.tests / "references" / "some.py").write_text(
        "from _wanted_here import WANTED\nRIGHT = {'TestOne': [WANTED]}\n"
    )
    first = assay.run("t/some.py", "oracle")
    later(helper, WANTED.format(42))
    again = assay.run("t/some.py", "oracle")
    assert [*outcomes(first), *outcomes(again)] == [("some.TestOne", "fail"), ("some.TestOne", "pass")]
    assert first.records[0].fingerprint == again.records[0].fingerprint, "it is the same test"


def test_another_module_of_the_project_that_was_edited_is_an_error(here, capsys):
    shared = here.folder / "shared_here.py"
    shared.write_text(WANTED.format(43))
    here.test_file("some", f"from shared_here import WANTED\n{ASKS}")
    results = assay.run("t/some.py", "local/m")
    shared.write_text(WANTED.format(42) + "MORE = 1\n")
    said = "t/some.py: shared_here.py was changed after Python had loaded it; restart Python"
    with pytest.raises(AssayError, match=said):
        assay.run("t/some.py", "local/m")
    with pytest.raises(AssayError, match=r"some.TestOne is in a file that cannot be loaded \(see the error"):
        assay.rescore(results)
    assert f"error: {said}" in capsys.readouterr().err
    importlib.reload(sys.modules["shared_here"])
    assert outcomes(assay.run("t/some.py", "local/m")) == [("some.TestOne", "pass")]


@pytest.mark.parametrize("file", ["nodes.py", "wanted.py"])
def test_a_package_that_was_edited_is_an_error_until_it_is_loaded_anew(package, file):
    def tests():
        return {"own": "1?" >> assay.LLMRun() >> importlib.import_module("pk_edited.nodes").Right(42)}

    what = tests if file == "nodes.py" else lambda: "edited"
    first = assay.run(what(), "local/m")
    (package / file).write_text((package / file).read_text().replace("43", "42") + "MORE = 1\n")
    said = rf"^pk_edited/{file} was changed after Python had loaded it; restart Python"
    with pytest.raises(AssayError, match=said):
        assay.run(what(), "local/m")
    with pytest.raises(AssayError):
        assay.rescore(first)
    other = "Other?" >> assay.LLMRun() >> assay.SubstringEvaluator("42")
    assert len(assay.rescore(assay.run(other, "local/m"))) == 1, "which does not use it"
    for name in [name for name in sys.modules if name.startswith("pk_edited")]:
        del sys.modules[name]
    again = assay.run(what(), "local/m")
    assert again.records[0].outcome.value == "pass"
    versions = [
        (each.records[0].fingerprint, each.records[0].versions.get("suite files")) for each in (first, again)
    ]
    assert versions[0] != versions[1]


def test_a_package_that_was_edited_before_the_first_run_is_an_error(package):
    right = importlib.import_module("pk_edited.nodes").Right(42)
    later(package / "nodes.py", NODES + "MORE = 1\n")
    with pytest.raises(AssayError, match=r"^pk_edited/nodes.py was changed after"):
        assay.run("1?" >> assay.LLMRun() >> right, "local/m")


@pytest.mark.parametrize("project", [".", "./mine"])
def test_a_package_that_was_copied_when_it_was_installed_is_told_if_its_code_here_differs(
    package, monkeypatch, capsys, project
):
    here, site = package.parent, package.parent / "env" / "site-packages"
    (own := here / project / "src").mkdir(parents=True)
    (here / project / "pyproject.toml").write_text("[project]\nname = 'pk-edited'\n")
    shutil.copytree(package, own / "pk_edited")
    site.mkdir(parents=True)
    for each in here.glob("pk_edited*"):
        each.rename(site / each.name)
    (site / "pk_edited" / "__init__.py").unlink()  # it needs none
    monkeypatch.syspath_prepend(site)
    extensions.cache_clear()
    said = f"warning: pk_edited is used as it was installed, and its code in {project} differs; "

    def told():
        results = [assay.run("edited", "local/m")]
        results.append(assay.rescore(results[0]))
        results.append(assay.run("1?" >> assay.LLMRun() >> assay.SubstringEvaluator("42"), "local/m"))
        return [
            *map(len, results),
            capsys.readouterr().err.count(f"{said}to use that: pip install -e {project}\n"),
        ]

    assert told() == [1, 1, 1, 0]
    (own / "pk_edited" / "wanted.py").write_text(WANTED.format(42))
    assert told() == [1, 1, 1, 2], "not by the test that does not use it"
    assert main(["conformance", "suites:edited"], here) == 1 and said in capsys.readouterr().err
