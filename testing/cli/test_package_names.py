"""What packages add is found by its name, and named where it is broken."""

from __future__ import annotations

import contextlib
import tomllib
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from assay.cli.doctor import of_packages
from assay.cli.main import main
from assay.errors import ConfigError, SandboxUnavailable
from assay.extensions import GROUPS, OURS, extension, extensions, of_others
from assay.results.export.registry import load_export
from assay.sandboxes.attacks.runner import AttackResult
from assay.suites.selection import Selection
from testing.cli.stranger import MODULE, NONE_OPENED

pytestmark = pytest.mark.usefixtures("stranger")

ROOT = Path(__file__).resolve().parents[2]


def test_a_group_that_nothing_reads_is_told_by_doctor(tmp_path):
    rows = of_packages(Selection(tmp_path), NONE_OPENED).rows
    assert ("?", "assay.provider", "stranger 2.0", "no") in [row[:4] for row in rows]
    assert any("Did you mean assay.providers?" in row[4] for row in rows)
    told = {row[1]: row[4] for row in rows}
    assert told["assay.nodes"].endswith("; a node needs no entry point: test files import its class")
    assert told["watch"] == "" and "it must be an ObserverPlugin" in told["lines"]
    assert "declare it as `def __init__(self, *, content)`" in told["blind"]


@pytest.mark.parametrize(
    ("named", "wrote", "meant"),
    [
        (["run", "--model", "here/m"], "assay.provider", "assay.providers"),
        (["run", "--model", "oracle", "--export", "here=x"], "assay.export", "assay.exports"),
        (["run", "--model", "oracle", "--sandbox", "here"], "assay.sandbox", "assay.sandboxes"),
        (["run", "--model", "oracle", "--suite", "here"], "assay.suits", "assay.suites"),
        (["conformance", "languages:here"], "assay.language", "assay.languages"),
        (["conformance", "exports:here"], "assay.export", "assay.exports"),
        (["conformance", "sandboxes:here"], "assay.sandbox", "assay.sandboxes"),
    ],
)
def test_what_stands_in_a_misspelt_group_is_told_where_it_is_named(tmp_path, capsys, named, wrote, meant):
    (tmp_path / "tests").mkdir()
    test = 'from evaluator import *\nTestA = "x" >> LLMRun() >> EqualEvaluator("1")\n'
    (tmp_path / "tests/a.py").write_text(test)
    assert main(named, tmp_path) == 1
    said = (
        f". The package stranger 2.0 declares here in the group {wrote}, which does not exist; did you mean"
    )
    assert f"{said} {meant}?" in capsys.readouterr().err


def test_an_unknown_name_is_told_before_the_first_check(tmp_path, capsys):
    assert main(["conformance", "exports:csv", "suites:arithmetc"], tmp_path) == 1
    out, err = capsys.readouterr()
    assert (
        not out and "no suite is called 'arithmetc'. Did you mean arithmetic? There are: arithmetic, " in err
    )
    assert "mute" in err


@pytest.mark.parametrize(
    ("named", "entries"),
    [
        ("languages:python", "[assay.languages]\npython = assay_stranger:FISH\n"),
        ("exports:csv", "[assay.exports]\ncsv = assay_stranger:FIRST\n"),
        ("providers:openai", "[assay.providers]\nopenai = assay_stranger\n"),
        ("observers:otel", "[assay.observers]\notel = assay_stranger:Watch\n"),
    ],
)
def test_a_name_that_assay_has_is_told_to_be_its_own(tmp_path, capsys, monkeypatch, named, entries):
    monkeypatch.setattr(
        "assay.conformance.extensions.attempt", lambda *_: AttackResult("", "", "", True, "", 0)
    )
    (tmp_path / "stranger-2.0.dist-info/entry_points.txt").write_text(entries)
    extensions.cache_clear()
    main(["conformance", named], tmp_path)
    said = f"{named} is Assay's own; that of the package stranger 2.0 is not used"
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("entry", "code", "said"),
    [
        ("", "", "its entry point is ''; write a dotted module, or module:NAME"),
        ("a/b.py", "", "its entry point is 'a/b.py'; write a dotted module"),
        ("assay_stranger:Mute", "def __init__(self): raise KeyError('data')", "KeyError: 'data'"),
    ],
)
def test_no_package_ends_doctor_a_run_or_conformance(tmp_path, capsys, entry, code, said):
    info = tmp_path / "stranger-2.0.dist-info/entry_points.txt"
    info.write_text(f"[assay.suites]\nmute = {entry}\nnext = assay_stranger:gone\n")
    (tmp_path / "assay_stranger.py").write_text(f"{MODULE}class Mute(Mute):\n    {code or 'pass'}\n")
    told = {row[1]: row[4] for row in of_packages(Selection(tmp_path), NONE_OPENED).rows}
    assert said in told["mute"] and "stranger 2.0" in told["mute"] and "next" in told
    assert not code or "assay_stranger.py:" in told["mute"]
    for command in (["run", "--suite", "mute", "--model", "oracle"], ["conformance", "suites:mute"]):
        assert main(command, tmp_path) == 1
        shown = "".join(capsys.readouterr())
        assert said in shown and "Traceback" not in shown


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("exports:nope", "no export is called 'nope'. There are: alone, breaks, csv"),
        ("export:csv", "Did you mean exports? Write KIND:NAME, of the kinds providers, sandboxes, languages"),
        ("sandboxes", "'sandboxes' is not an extension"),
        ("exports:gone", "the export 'gone' of the package stranger 2.0 cannot be used: AttributeError"),
        ("exports:wrong", "it must be of type Export, not function"),
        (
            "exports:kind",
            "not the class Export; write `EXPORT = Export(...)` in assay_stranger and "
            '`kind = "assay_stranger:EXPORT"` as its entry point; ',
        ),
        ("exports:later", "must not be asynchronous; declare it as `def write(source, path)`"),
        ("exports:alone", "assay_stranger.py:"),
        ("languages:cobol", "no language is called 'cobol'"),
    ],
)
def test_what_is_not_there_or_broken_is_named(tmp_path, capsys, what, said):
    assert main(["conformance", what], tmp_path) == 1
    out, err = capsys.readouterr()
    assert said in err and not out and "Traceback" not in err


@pytest.mark.parametrize(
    ("name", "code", "said"), [("watch", 0, "1 of 1 held"), ("lines", 1, "it must be an ObserverPlugin")]
)
def test_an_observer_is_tried(tmp_path, capsys, name, code, said):
    assert main(["conformance", f"observers:{name}"], tmp_path) == code
    assert said in " ".join(capsys.readouterr().out.split())


def test_a_language_that_a_sandbox_lacks_is_not_tried_and_the_sandboxes_that_have_it_are_named(
    tmp_path, capsys, monkeypatch
):
    @contextlib.asynccontextmanager
    async def opened(name, **options):
        if name == "docker":
            raise SandboxUnavailable("it is not installed")
        yield SimpleNamespace(tier=name, missing=missing(() if name in has_it else ("bash",)))

    def missing(lacks):
        async def its(needs):
            return lacks

        return its

    monkeypatch.setattr("assay.conformance.languages.open_pool", opened)
    for has_it, told in (
        (("bubblewrap", "hosthost"), "try --sandbox bubblewrap or --sandbox hosthost"),
        ((), "no sandbox that works here has it; --sandbox names another"),
    ):
        known = "docker", "podman", *has_it
        monkeypatch.setattr("assay.conformance.languages.sandboxes", partial(tuple, known))
        assert main(["conformance", "languages:bash", "--sandbox=podman", "--format=json"], tmp_path) == 0
        out = capsys.readouterr().out
        assert out.count(f'"the sandbox podman lacks bash; {told}"') == out.count('"not tried"') == 4, out


def test_ours_cannot_be_replaced_and_the_others_are_told_so():
    assert extension("assay.exports", "csv").package == "assay"
    faults = {each.name: fault for each, fault in of_others("assay.exports")}
    assert "Assay has one of that name" in faults["csv"] and "AttributeError" in faults["gone"]
    assert faults["first"] == faults["wrong"] == ""
    faults = {each.name: fault for each, fault in of_others("assay.exports", load=load_export)}
    assert "it must be of type Export, not function" in faults["wrong"] and faults["first"] == ""


def test_the_groups_of_ours_are_those_of_pyproject():
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    assert {*OURS} == {group for group in groups if group.startswith("assay.")} <= {*GROUPS}


def test_the_engine_of_a_package_is_found_by_its_name():
    opened = extension("assay.engines", "cloud")
    with pytest.raises(ConfigError, match=r"package stranger 2\.0 cannot be used: no cloud here$"):
        opened.load(make=lambda engine: engine(None, None, "", print))
    with pytest.raises(ConfigError, match="no engine is called 'sky'; installed are: cloud, ray"):
        extension("assay.engines", "sky")
