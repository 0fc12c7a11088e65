"""Suites that installed packages bring, by entry points of the group assay.suites."""

import shutil
import sys

import pytest

from assay.cli.main import main
from assay.errors import ConfigError, TestFileError
from assay.extensions import extensions
from assay.results.store import read_file
from assay.suites import selection
from assay.suites.finding import find_suite
from assay.suites.selected import select_tests
from assay.suites.selection import Selection, other_suites
from testing.harness.commanding import Workspace
from testing.harness.test_unknown_names import write

CODE = """
from assay.suites.suite import Sample, Suite
from evaluator import *

class Sums(Suite):
    name = "sums"
    def samples(self, options):
        yield Sample(id="sums.one", test="1 + 1?" >> LLMRun() >> ContainsIntEvaluator(2))
    def references(self, trial, right):
        return ["2"] if right else ["3"]

MADE = Sums()
BROKEN = 3
"""


def install(place, module, *entries, code=CODE):
    (place / f"{module}.py").write_text(code)
    about = place / f"{module}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("\n".join(["[assay.suites]", *entries]) + "\n")


@pytest.fixture
def place(tmp_path, monkeypatch):
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    extensions.cache_clear()
    yield folder
    extensions.cache_clear()
    for name in [name for name in sys.modules if name.startswith("plugin_")]:
        del sys.modules[name]


@pytest.mark.parametrize("what", ["Sums", "MADE"])
def test_a_class_or_an_instance_is_a_suite(place, tmp_path, what):
    install(place, "plugin_a", f"sums = plugin_a:{what}")
    suite = find_suite("sums", [tmp_path])
    assert other_suites([tmp_path]) == ["sums"]
    assert [(each.id, each.suite) for each in map(suite.own, suite.samples(None))] == [("sums.one", "sums")]
    (place / "other.py").write_text("")  # of somebody else: no part of the suite
    assert len(suite.code) == 16 and find_suite("sums", [tmp_path]).code == suite.code


def test_a_clash_is_an_error(place, tmp_path):
    install(place, "plugin_b", "sums = plugin_b:Sums")
    folder = tmp_path / "sums"
    folder.mkdir()
    (folder / "suite.py").write_text(CODE + "SUITE = Sums\n")
    with pytest.raises(
        ConfigError, match=rf"'sums' of the package plugin_b 1.0 .*: {folder} has that name too; rename one"
    ):
        find_suite("sums", [tmp_path])
    (folder / "suite.py").unlink()
    install(place, "plugin_c", "sums = plugin_c:Sums")
    extensions.cache_clear()
    with pytest.raises(ConfigError, match=r"plugin_. 1\.0 has another of that name"):
        find_suite("sums", [tmp_path])


def test_a_broken_one_is_an_error(place, tmp_path):
    install(place, "plugin_d", "sums = plugin_d:BROKEN", "adds = plugin_d:Sums", "none = plugin_d:Gone")
    for name in ("sums", "adds"):
        with pytest.raises(TestFileError, match=rf"must be a subclass of .*Suite named '{name}'"):
            find_suite(name, [tmp_path])
    with pytest.raises(
        ConfigError, match=r"'none' of the package plugin_d 1\.0 cannot be used: AttributeError"
    ):
        find_suite("none", [tmp_path])


def test_a_resumed_run_says_that_its_package_is_another_version(place, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    install(place, "plugin_e", "sums = plugin_e:Sums")
    assert main(["run", "sums", "--model", "oracle"], tmp_path) == 0
    assert "had" not in capsys.readouterr().err
    about = place / "plugin_e-1.0.dist-info" / "METADATA"
    about.write_text(about.read_text().replace("1.0", "2.0"))
    extensions.cache_clear()
    assert main(["run", "sums", "--model", "oracle", "--times", "2", "--resume"], tmp_path) == 0
    said = capsys.readouterr().err
    assert "warning: oracle: trials done before had plugin_e 1.0 (now 2.0); a new run (without" in said


FLAG = """
    def flags(self, parser):
        parser.add_argument("--seed", type=int, default=1)
MADE ="""


def test_results_of_a_suite_that_is_gone_say_so(place, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    install(place, "plugin_f", "sums = plugin_f:Sums", code=CODE.replace("\nMADE =", FLAG))
    assert main(["run", "sums", "--seed", "2", "--model", "oracle"], tmp_path) == 0
    (file,) = tmp_path.glob("results/*/oracle/run-1.jsonl")
    assert {record.versions["plugin_f"] for record in read_file(file, [])} == {"1.0"}
    capsys.readouterr()
    assert main(["run", "sums", "--sed", "2", "--model", "oracle"], tmp_path) == 1
    assert "error: unrecognized arguments: --sed. Did you mean --seed?" in capsys.readouterr().err
    shutil.rmtree(place / "plugin_f-1.0.dist-info")
    install(
        place,
        "plugin_g",
        "drawn = plugin_g:Drawn",
        code=CODE.replace("\nMADE =", FLAG).replace("Sums", "Drawn").replace("sums", "drawn"),
    )
    extensions.cache_clear()
    capsys.readouterr()
    said = "the suite 'sums', of which results are saved in results/, is not installed; install the package"
    for command in (
        ["run", "sums", "--model", "oracle"],
        ["run", "--suite", "sums", "--model", "oracle"],
        ["run", "sums", "--seed", "2", "--model", "oracle"],
        ["run", "--resume", "--model", "oracle"],
        ["rescore", "results"],
    ):
        assert main(command, tmp_path) == 1, command
        assert said in capsys.readouterr().err
    main(["show"], tmp_path)
    told = f"{said} that it came with (the results name plugin_f 1.0), or name the folder"
    assert f"the tables of suite sums could not be made: {told}" in capsys.readouterr().err


def test_rescore_says_why_an_installed_suite_cannot_be_used(place, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    install(place, "plugin_b", "sums = plugin_b:Sums")
    assert main(["run", "sums", "--model", "oracle"], tmp_path) == 0
    del sys.modules["plugin_b"]
    (place / "plugin_b.py").write_text('raise ValueError("my data file is missing")\n')
    capsys.readouterr()
    assert main(["rescore", "results"], tmp_path) == 1
    said = capsys.readouterr().err
    assert "ValueError: my data file is missing (" in said and "plugin_b.py:1)" in said
    assert "is not installed" not in said and "its test cannot be loaded: sums.one (see" in said


def test_results_of_a_sandbox_that_is_gone_say_so(tmp_path, capsys):
    file = tmp_path / "results/none/m/run-1.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text('{"test":"t.T","sandbox":"tiny+image","versions":{"assay":"1","acme-assay":"3.0"}}\n')
    for name, said in (("tiny", "acme-assay 3.0)\n"), ("tin", "unknown sandbox 'tin'")):
        assert main(["run", "--model", "oracle", "--sandbox", name], tmp_path) == 1
        assert said in capsys.readouterr().err


@pytest.mark.slow(4)
def test_an_installed_suite_runs_by_name(tmp_path, monkeypatch):
    work = Workspace(tmp_path)
    (tmp_path / "site").mkdir()
    install(tmp_path / "site", "plugin_e", "sums = plugin_e:Sums")
    place = f"{Workspace.environment.fget(work)['PYTHONPATH']}:{tmp_path / 'site'}"
    monkeypatch.setattr(Workspace, "environment", {**Workspace.environment.fget(work), "PYTHONPATH": place})
    work.main("--suite", "sums", "--run-tests", "--model", "oracle")
    assert [(line["test"], line["outcome"]) for line in work.lines()] == [("sums.one", "pass")]
    assert "sums" in work.main("--list")[1]


@pytest.fixture
def here(place, tmp_path, monkeypatch):
    """A folder with tests, and sums installed."""
    install(place, "plugin_f", "sums = plugin_f:Sums")
    monkeypatch.chdir(tmp_path)
    for name in ("tests/red", "mine/blue", "mine/green"):
        write(tmp_path / f"{name}.py")
    return tmp_path


def ids(folder, *words, **more):
    return [each.id for each in select_tests(Selection(folder, **more).also(words), None)()]


MINE = ["blue.TestRed", "green.TestRed"]


@pytest.mark.parametrize(
    ("words", "tests"),
    [
        (["mine", "sums"], [*MINE, "sums.one"]),
        (["sums", "mine"], [*MINE, "sums.one"]),
        (["sums", "mine/blue.py"], ["blue.TestRed", "sums.one"]),
        (["mine", "tests/red.py::TestRed"], [*MINE, "red.TestRed"]),
        (["mine", "sums", "blue", "sums.one"], ["blue.TestRed", "sums.one"]),
    ],
)
def test_a_folder_beside_another_choice_is_a_union(here, words, tests):
    assert ids(here, *words) == tests


def test_a_folder_given_by_a_flag_says_only_where_tests_are(here):
    assert ids(here, "sums", folders=("mine",)) == ["sums.one"]


@pytest.mark.parametrize(
    ("words", "suite"),
    [
        (["blue", "mine", "sums"], "sums"),
        (["mine/blue.py::TestRed", "sums"], "sums"),
        (["mine", "sums", "sums.one"], "applied"),
    ],
)
def test_names_that_would_drop_a_suite_are_an_error(here, words, suite):
    with pytest.raises(ConfigError, match=f"^no test of suite {suite} is named .* take two commands$"):
        ids(here, *words)


def test_saved_results_are_chosen_as_the_tests_of_a_union(here):
    for place in ("mine", "mine/blue.py"):
        lies = Selection(here).also([place, "sums"]).lies_in_folders
        assert lies("sums", "elsewhere/suite.py") and lies("applied", "mine/blue.py")
        assert not lies("applied", "tests/red.py")


def test_an_installed_suite_is_none_of_the_folder(here, monkeypatch):
    write(here / "package/benchmarks/black.py")
    write(here / "package/benchmarks/tiers.json", '{"black.TestRed": "hard"}')
    monkeypatch.setattr(selection, "BENCHMARKS", here / "package/benchmarks")
    assert ids(here, tiers=("hard",)) == ["black.TestRed"]


BREAKS = {
    "import": "import no_such_module",
    "samples": CODE.replace("yield", "1 / 0; yield"),
    "flags": CODE.replace("\nMADE =", FLAG.replace("parser.", "1 / 0; parser.")),
}


@pytest.mark.parametrize("code", BREAKS.values(), ids=list(BREAKS))
def test_a_broken_one_that_nobody_named_is_a_warning(here, place, capsys, code):
    write(here / "tests/black.py")
    write(here / "tests/tiers.json", '{"black.TestRed": "hard"}')
    install(place, "plugin_z", "zoo = plugin_z:Sums", code=code.replace('"sums"', '"zoo"'))
    extensions.cache_clear()
    hard = ("--tier", "hard")
    for command in (["run", *hard, "--model", "oracle", "--dry-run"], ["list", *hard], ["lint", *hard]):
        code = main(command, here)
        err = capsys.readouterr().err
        assert "warning: the suite zoo is left out: " in err
        assert code == 0 if command[0] != "lint" else "1 test: 0 errors" in err
    for named in (["zoo"], ["--suite", "all"], [*hard, "--suite", "zoo"]):
        assert main(["list", *named], here) == 1, named
        assert "left out" not in capsys.readouterr().err
