"""What packages add is found, tried by `assay conformance`, and named where it is broken."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

from assay.cli.arguments import parse
from assay.cli.doctor import languages, needs_of_tests, of_packages
from assay.cli.main import main
from assay.cli.request import selection_of
from assay.errors import ConfigError, NodeError, SandboxUnavailable, StoreError, TestFileError
from assay.extensions import GROUPS, OURS, extension, extensions, of_others
from assay.language.languages import Language, all_languages, find_language
from assay.language.run import LanguageRun
from assay.records import Table
from assay.results.export.registry import exports_of, load_export, write_exports
from assay.results.store import Results
from assay.results.workspace import Workspace
from assay.sandboxes.attacks.runner import AttackResult
from assay.suites.selection import Selection
from assay.suites.suite import Sample
from evaluator import LLMRun, SubstringEvaluator
from testing.model_server import ModelServer

ROOT = Path(__file__).resolve().parents[2]
MODULE = """
from pathlib import Path
from assay.errors import ConfigError, StoreError
from assay.language.languages import Language
from assay.results.export.registry import Export, whole_file
from assay.suites.suite import Suite

def first(source, path):
    with whole_file(path) as part:
        part.write_text("".join(trial.record.test for trial in list(source.trials())[:1]))
    return 1

def plain(source, path):
    path.write_text("")
    return sum(1 for _ in source.trials())

def full(source, path): raise StoreError("the disk is full")
def silent(source, path): return 3
def says_none(source, path): path.write_text("")
def breaks(source, path): raise KeyError("answer")
def exits(source, path): raise SystemExit(0)
def engine(config, request, run_id, message): raise ConfigError("no cloud here")
async def later(source, path): return 0
def alone(source): return 0
class Watch:
    def __init__(self, *, content): pass
    def watch(self, facts, scrub, say): pass
class Blind:
    def watch(self, facts, scrub, say): pass
FISH = Language("main.fish", "no-such-fish main.fish", needs=("no-such-fish",), hello="echo hello")
FIRST, PLAIN, FULL, BREAKS = Export(first), Export(plain), Export(full), Export(breaks)
SILENT, SAYS_NONE, EXITS = Export(silent), Export(says_none), Export(exits)
LATER, ALONE = Export(later), Export(alone)
class Mute(Suite):
    name = "mute"
    def samples(self, options): pass
print("what a package prints")
"""
ENTRIES = """
[assay.exports]
first = assay_stranger:FIRST
plain = assay_stranger:PLAIN
full = assay_stranger:FULL
breaks = assay_stranger:BREAKS
silent = assay_stranger:SILENT
exits = assay_stranger:EXITS
says_none = assay_stranger:SAYS_NONE
wrong = assay_stranger:first
kind = assay_stranger:Export
later = assay_stranger:LATER
alone = assay_stranger:ALONE
gone = assay_stranger:GONE
csv = assay_stranger:FIRST

[assay.languages]
fish = assay_stranger:FISH

[assay.observers]
watch = assay_stranger:Watch
blind = assay_stranger:Blind
lines = assay_stranger:FIRST

[assay.nodes]
shout = assay_stranger:Shout

[assay.engines]
cloud = assay_stranger:engine

[assay.suites]
mute = assay_stranger:Mute

[assay.provider]
here = assay_stranger:engine

[assay.export]
here = assay_stranger:FIRST

[assay.sandbox]
here = assay_stranger:FIRST

[assay.suits]
here = assay_stranger:Mute

[assay.language]
here = assay_stranger:FISH
"""

NONE_OPENED = Table("Sandboxes", ("name", "works", "image", "remarks"), ())


@pytest.fixture(autouse=True)
def stranger(tmp_path, monkeypatch):
    """A package, as pip would install it."""
    (tmp_path / "assay_stranger.py").write_text(MODULE)
    info = tmp_path / "stranger-2.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 2.0\n")
    (info / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(str(tmp_path))
    extensions.cache_clear()
    yield
    extensions.cache_clear()
    sys.modules.pop("assay_stranger", None)


def test_a_group_that_nothing_reads_is_told_by_doctor(tmp_path):
    opened = Table("Sandboxes", ("name", "works", "image", "remarks"), ())
    rows = of_packages(Selection(tmp_path), opened).rows
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


def test_a_language_whose_command_is_missing_does_not_work(tmp_path):
    opened = Table("Sandboxes", ("name", "works", "image", "remarks"), ())
    spoken = languages("podman", {"fish": ("no-such-fish",)}, {"no-such-fish", "chromium"}, {}, "")
    rows = of_packages(Selection(tmp_path), opened, spoken).rows
    assert ("language", "fish", "stranger 2.0", "no", "lacks no-such-fish") in rows


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


def test_the_page_on_suites_has_one_with_a_seed(tmp_path, capsys):
    page = (ROOT / "docs/suites.md").read_text("utf-8")
    (text,) = (each for each in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S) if "Drawn(" in each)
    (tmp_path / "tests/drawn").mkdir(parents=True)
    (tmp_path / "tests/drawn/suite.py").write_text(text)
    assert main(["conformance", "suites:drawn"], tmp_path) == 0
    assert "5 of 5 held" in capsys.readouterr().out


DICE = """
import random
from assay.suites.suite import Sample, Suite
from evaluator import *
class Dice(Suite):
    name = "dice"
    description = "Thrown numbers"
    conditions = ()
    def flags(self, parser):
        parser.add_argument("--sides", type=int, default=10**9)
    def samples(self, options):
        number = 4
        yield Sample(id="dice.One", test=f"What is {number}?" >> LLMRun() >> ContainsIntEvaluator(number))
    def references(self, trial, right):
        return ["4" if right else "5"]
SUITE = Dice
"""


@pytest.mark.parametrize(
    ("instead", "said"),
    [
        ({}, "5 of 5 held"),
        (
            {"number = 4": "number = random.randrange(10**9)"},
            "dice.One asks or checks something else at the second",
        ),
        (
            {"number = 4": "number = options.sides"},
            "--sides 1000000001 makes dice.One ask or check something else, so results by other values",
        ),
        (
            {"conditions = ()": "conditions = ('seed',)"},
            "its conditions name 'seed', but it has no such flag",
        ),
        ({"--sides": "--model"}, "--model is a name that Assay uses itself"),
    ],
)
def test_a_suite_must_be_the_same_each_time_and_one_that_a_run_takes(
    tmp_path, capsys, instead, said, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "500")
    monkeypatch.setattr("assay.cli.conformance.WIDEST", 400)
    text = DICE
    for old, new in instead.items():
        text = text.replace(old, new)
    (tmp_path / "tests/dice").mkdir(parents=True)
    (tmp_path / "tests/dice/suite.py").write_text(text)
    assert main(["conformance", "suites:dice"], tmp_path) == bool(instead)
    out = " ".join(capsys.readouterr().out.split())
    assert said in out


def test_an_export_that_loses_trials_does_not_hold(tmp_path, capsys):
    assert main(["conformance", "exports:csv"], tmp_path) == 0
    assert "3 of 3 held" in capsys.readouterr().out
    assert main(["conformance", "exports:csv", "exports:first"], tmp_path) == 1
    out, err = capsys.readouterr()
    assert "write() returned 1 for 4 trials" in out and "trying" not in err


def test_each_check_is_told_on_a_terminal(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["conformance", "exports:csv"], tmp_path) == 0
    assert "trying trials of every outcome" in capsys.readouterr().err


def test_what_does_not_hold_is_said_without_our_code(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "500")
    assert main(["conformance", "exports:plain", "exports:breaks"], tmp_path) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "write() raises NotADirectoryError" in out and "must raise StoreError, as `with whole_file(" in out
    assert "KeyError: 'answer' (" in out and "assay_stranger.py:" in out
    assert " at: " not in out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("exits", "SystemExit: 0 ("),
        ("silent", "there is nothing at {path} after write()"),
        ("says_none", "write() must return the number of trials written, not None"),
    ],
)
def test_an_export_that_writes_nothing_is_no_success(tmp_path, name, said):
    path, results = tmp_path / "out", Results(tmp_path / "results")
    workspace = Workspace(tmp_path, results, tmp_path / "report", None)
    with pytest.raises(ConfigError, match=re.escape(said.format(path=path))) as error:
        write_exports(exports_of([f"{name}={path}"]), [], lambda _: True, workspace)
    assert f"the export {name!r} of the package stranger 2.0 cannot be used" in str(error.value)
    assert ". The results are saved; when that is mended, export them with " in str(error.value)
    assert str(error.value).endswith(f" export {name}={path}{workspace.logdir}")


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"needs": "bc"}, "needs must be several words, such as ('bc',), not a text"),
        ({}, "needs must name the commands"),
        ({"needs": ("bc",), "report": "("}, "report is not a pattern: missing ), unterminated"),
        ({"needs": ("bc",), "aliases": "calc"}, "aliases must be several words"),
        ({"needs": ("bc",), "run": ["bc", "main.bc"]}, "run must be a text, not ['bc', 'main.bc']"),
        ({"needs": (3,)}, "needs must be several words, not (3,)"),
        ({"needs": 3}, "needs must be several words, not 3"),
    ],
)
def test_a_language_that_cannot_be_one_says_which_field_is_wrong(facts, said):
    (fault,) = Language("main.bc", **{"run": "bc main.bc"} | facts).faults
    assert said in fault


def test_a_language_that_cannot_be_one_spoils_no_other_of_its_module(tmp_path, stranger):
    wrong = 'WRONG = Language("main.bc", "bc main.bc", needs="bc", aliases="calc")\n'
    (tmp_path / "assay_stranger.py").write_text(MODULE + wrong)
    info = tmp_path / "stranger-2.0.dist-info/entry_points.txt"
    info.write_text("[assay.languages]\nfish = assay_stranger:FISH\nbc = assay_stranger:WRONG\n")
    extensions.cache_clear()
    assert "fish" in all_languages() and "bc" not in all_languages()
    with pytest.raises(ConfigError, match=r"used: needs must be several words.*; aliases must be several"):
        find_language("bc")


def test_a_node_without_a_language_says_so():
    class BcRun(LanguageRun):
        pass

    with pytest.raises(NodeError, match=r"BcRun names no language: class BcRun\(LanguageRun\): lang"):
        BcRun()


BCC = """from evaluator import *
from assay.language.run import LanguageRun
class R(LanguageRun):
    language = "bcc"
TestA = "x" >> LLMRun() >> R() >> EqualEvaluator("1")
TestB = "x" >> LLMRun() >> EqualEvaluator("1")
"""


def test_a_test_of_a_language_that_is_not_there_does_not_end_doctor(tmp_path, capsys):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/a.py").write_text(BCC)
    assert needs_of_tests(Selection(tmp_path)) == {"a.TestB": ()}
    assert "TestA: no language is named 'bcc'; there are: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("bcc", "no language is named 'bcc'; there are: python, bash"),
        (
            "number",
            "the language 'number' of the package stranger 2.0 cannot be used: it must be of type Language",
        ),
    ],
)
def test_a_language_that_cannot_be_used_is_told_by_lint_and_before_a_run(tmp_path, capsys, name, said):
    with (tmp_path / "stranger-2.0.dist-info/entry_points.txt").open("a") as file:
        file.write("[assay.languages]\nnumber = assay_stranger:PLAIN\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/a.py").write_text(BCC.replace('"bcc"', f'"{name}"'))
    for command in (["lint", "a"], ["run", "a", "--model", "oracle", "--dry-run"]):
        assert main(command, tmp_path) == 1
        shown = " ".join("".join(capsys.readouterr()).split())
        assert said in shown


@pytest.mark.parametrize(
    ("facts", "tags", "said"),
    [
        ({"tags": ["a", "b"]}, ("a", "b"), ""),
        ({"tags": "ab"}, (), "the sample 'words.Say': its tags must be words, such as ['code'], not 'ab'"),
        ({"requires": [1]}, (), "its requires must be words"),
    ],
)
def test_words_of_a_sample_may_be_a_list_and_no_text(facts, tags, said):
    def made():
        return Sample("words.Say", "x" >> LLMRun() >> SubstringEvaluator("x"), **facts)

    if not said:
        assert made().tags == tags
        return
    with pytest.raises(TestFileError, match=re.escape(said)):
        made()


def test_a_suite_without_samples_says_what_it_returned(tmp_path, capsys):
    folder = tmp_path / "tests" / "words"
    folder.mkdir(parents=True)
    head, _, _ = SUITE.replace("REFERENCES", "[]").partition("        for n")
    (folder / "suite.py").write_text(f"{head}        return None\n\nSUITE = Words\n")
    assert main(["run", "words", "--model", "oracle"], tmp_path) == 1
    said = "suite words: Words.samples() (suite.py:11) must yield Sample, or return a list of them, not None"
    assert said in capsys.readouterr().err


SUITE = """
from evaluator import LLMRun, PythonRun, SubstringEvaluator
from assay.suites.suite import Sample, Suite

class Words(Suite):
    name, description = "words", "Words to be said"

    def references(self, trial, right):
        return REFERENCES

    def samples(self, options):
        for n in range(9):
            yield Sample(id=f"words.Say{n}", test=f"Say yes {n}" >> LLMRun() >> LAST)

SUITE = Words
"""


@pytest.mark.parametrize(
    ("references", "last", "code", "said"),
    [
        ("['yes' if right else 'no']", "SubstringEvaluator('yes')", 0, "6 trials end as they should"),
        ("['yes']", "SubstringEvaluator('yes')", 1, "words.Say0: the saboteur ends in PASS: it passes"),
        ("['no']", "SubstringEvaluator('yes')", 1, "words.Say0: the oracle ends in FAIL: output lacks 'yes'"),
        (
            "None",
            "SubstringEvaluator('yes')",
            1,
            "no references: nothing proves this test (references() of the",
        ),
        ("['1']", "PythonRun()", 0, "skipped: words.Say0, oracle: SandboxUnavailable: none here"),
    ],
)
def test_the_references_of_a_suite_are_tried(tmp_path, capsys, monkeypatch, references, last, code, said):
    async def nowhere(*args, **more):
        raise SandboxUnavailable("none here")

    monkeypatch.setattr("assay.sandboxes.pool.choose", nowhere)
    monkeypatch.setenv("COLUMNS", "200")
    folder = tmp_path / "tests" / "words"
    folder.mkdir(parents=True)
    (folder / "suite.py").write_text(SUITE.replace("REFERENCES", references).replace("LAST", last))
    assert main(["conformance", "suites:words"], tmp_path) == code
    assert said in capsys.readouterr().out
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    ("wrong", "declare"),
    [
        ("def flags(self): pass", "def flags(self, parser)"),
        ("def references(self, trial): pass", "def references(self, trial, right)"),
        ("async def tables(self, records): pass", "def tables(self, records)"),
        ("async def samples(self, options): yield 1", "def samples(self, options)"),
        ("def __init__(self, data): pass", "def __init__(self)"),
    ],
)
def test_a_method_of_a_suite_that_is_declared_otherwise_is_told_by_doctor(tmp_path, wrong, declare):
    (tmp_path / "assay_stranger.py").write_text(MODULE + f"    {wrong}\n".join(["class Mute(Mute):\n", ""]))
    opened = Table("Sandboxes", ("name", "works", "image", "remarks"), ())
    told = {row[1]: row[4] for row in of_packages(Selection(tmp_path), opened).rows}["mute"]
    name = declare.partition("(")[0].removeprefix("def ")
    assert f"Mute.{name}() (assay_stranger.py:" in told and f"; declare it as `{declare}`" in told
    assert ("must not be asynchronous" in told) == wrong.startswith("async")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("score = (0, 1)", "no suite has an attribute score. Did you mean scores?"),
        ("condition = ('seed',)", "no suite has an attribute condition. Did you mean conditions?"),
        ("def refrences(self, trial, right): pass", "attribute refrences. Did you mean references?"),
        ("conditions = ('seed')", "conditions must be several words, such as ('seed',), not a text"),
        ("score = 0.5", ""),
        ("scores, score = (0, 1), (0, 1)", ""),
        ("def table(self, one): pass", ""),
    ],
)
def test_an_attribute_of_a_suite_that_is_misspelt_or_no_tuple_is_told(tmp_path, wrong, said):
    code = MODULE.replace(
        "def samples(self, options): pass", f"def samples(self, options): return []\n    {wrong}"
    )
    (tmp_path / "assay_stranger.py").write_text(code)
    told = {row[1]: row[4] for row in of_packages(Selection(tmp_path), NONE_OPENED).rows}["mute"]
    line = code[: code.index("class Mute")].count("\n") + 1
    where = f"suite mute of the package stranger 2.0: assay_stranger.py:{line}: "
    assert told.startswith(where) and told.endswith(said) if said else told == ""


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        ("def sample(self, options, more): pass", "suite mute must define samples(self, options)"),
        ("def samples(self, options): return [('mute.A', 'x')]", "must yield Sample, not tuple"),
        ("def samples(self, options): yield 'x' >> LLMRun()", "must yield Sample, not ThenNode"),
        ("def samples(self, options): raise ConfigError('name a folder: --tasks DIR')", ""),
    ],
)
def test_doctor_makes_the_first_sample_of_a_suite(tmp_path, samples, said):
    code = MODULE.replace("def samples(self, options): pass", samples)
    (tmp_path / "assay_stranger.py").write_text(f"from evaluator import *{code}")
    told = {row[1]: row for row in of_packages(Selection(tmp_path), NONE_OPENED).rows}["mute"]
    assert told[3] == ("no" if said else "yes") and said in told[4]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def flags(self, parser): parser.add_argument('--margin')", "--margin is a name that Assay uses"),
        ("conditions = ('seed',)", "its conditions name 'seed', but it has no such flag"),
    ],
)
def test_a_flag_that_a_run_refuses_is_told_by_doctor_and_conformance(tmp_path, capsys, code, said):
    made = "class Mute(Mute):\n    def samples(self, options): return []\n"
    (tmp_path / "assay_stranger.py").write_text(f"{MODULE}{made}    {code}\n")
    for command in (["run", "--suite", "mute", "--model", "oracle"], ["conformance", "suites:mute"]):
        assert main(command, tmp_path) == 1
        assert said in " ".join("".join(capsys.readouterr()).split())
    selection = selection_of(parse(["doctor"]), tmp_path)
    told = {row[1]: row[4] for row in of_packages(selection, NONE_OPENED).rows}["mute"]
    assert told.startswith("suite mute: ") and said in told


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


def test_a_table_that_cannot_be_shown_does_not_hold(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    folder = tmp_path / "tests" / "words"
    folder.mkdir(parents=True)
    text = SUITE.replace("REFERENCES", "['yes' if right else 'no']").replace(
        "LAST", "SubstringEvaluator('yes')"
    )
    (folder / "suite.py").write_text(f"{text}\nSUITE.tables = lambda self, records: [('a', len(records))]\n")
    assert main(["conformance", "suites:words"], tmp_path) == 1
    assert "<lambda>() (suite.py:17) must yield Table, not tuple" in " ".join(capsys.readouterr().out.split())


LOUD = """
from assay.suites.suite import Sample, Suite
from evaluator import *

def made():
    print("the test")
    return "Say yes" >> LLMRun() >> PyFunc(lambda reply: print("the check") or reply == "yes")

class Loud(Suite):
    name = "loud"
    def flags(self, parser):
        print("flags")
    def samples(self, options):
        print("samples")
        yield Sample(id="loud.A", test=made)
    def references(self, trial, right):
        print("references")
        return ["yes" if right else "no"]
    def tables(self, records):
        print("tables")
        return []
SUITE = Loud
"""


def test_what_the_code_of_a_suite_or_a_package_prints_is_not_on_stdout(tmp_path, capsys):
    (tmp_path / "tests" / "loud").mkdir(parents=True)
    (tmp_path / "tests" / "loud" / "suite.py").write_text(LOUD)
    for command, printed in (
        (["list", "loud"], ["flags", "samples"]),
        (["explain", "loud.A"], ["references"]),
        (["lint", "--suite", "loud"], ["references", "the check"]),
        (["run", "loud", "--model", "oracle"], ["flags", "samples", "the test", "references", "tables"]),
    ):
        assert main([*command, "--format", "json"], tmp_path) == 0
        out, err = capsys.readouterr()
        assert isinstance(json.loads(out), (dict, list)) and set(printed) <= set(err.splitlines())
    module = MODULE.replace("return 3", "print('silent'); return 3")
    module = module.replace("return sum", "print('plain')\n    return sum")
    (tmp_path / "assay_stranger.py").write_text(module)
    assert main(["show", "--format", "json", "--export", f"plain={tmp_path}/x"], tmp_path) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) and "plain" in err.splitlines()
    for named in ("suites:loud", "exports:silent"):
        main(["conformance", named], tmp_path)
        out, err = capsys.readouterr()
        assert out.startswith(f"{named}\n") and err


def test_json_of_several_extensions_is_one_list(tmp_path, capsys):
    for named in (["exports:plain"], ["exports:plain", "exports:silent"]):
        main(["conformance", *named, "--format", "json"], tmp_path)
        assert [each["title"] for each in json.loads(capsys.readouterr().out)] == named


def test_ids_without_the_name_of_the_suite_do_not_hold(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("assay.cli.conformance.WIDEST", 200)
    folder = tmp_path / "tests" / "words"
    folder.mkdir(parents=True)
    text = SUITE.replace("REFERENCES", "None").replace("LAST", "SubstringEvaluator('yes')")
    (folder / "suite.py").write_text(text.replace('f"words.Say{n}"', 'f"Say{n}"'))
    assert main(["conformance", "suites:words"], tmp_path) == 1
    said = "suite words: the id 'Say0' does not begin with the suite's name; write 'words.Say0'"
    assert said in " ".join(capsys.readouterr().out.split())
    assert main(["run", "words", "--model", "oracle"], tmp_path) == 0
    assert capsys.readouterr().err.count(f"warning: {said}") == 1


def test_a_reply_that_is_not_json_is_shown(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    with ModelServer(reply=lambda asked: "I do not know.") as server:
        llms = {"here": {"base_url": f"{server.url}/v1", "api_key": "none"}}
        (tmp_path / "config.json").write_text(json.dumps({"llms": llms}))
        assert main(["conformance", "providers:here/m"], tmp_path) == 1
    out = capsys.readouterr().out
    assert "the reply is not JSON: 'I do not know.'" in out and "Error" not in out
    assert "JSON_ORDER" in out and max(map(len, out.splitlines())) < 150


def test_a_suite_of_a_package_without_samples_is_named_as_in_a_run(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("assay.cli.conformance.WIDEST", 200)
    assert main(["run", "--suite", "mute", "--model", "oracle"], tmp_path) == 1
    said = (
        "suite mute of the package stranger 2.0: Mute.samples() (assay_stranger.py:36) must yield Sample, or "
        "return a list of them, not None"
    )
    assert said in capsys.readouterr().err
    assert main(["conformance", "suites:mute"], tmp_path) == 1
    shown = capsys.readouterr()
    out = " ".join(shown.out.split())
    assert "Assay's own" not in shown.err
    assert out.count(said.partition(" or ")[0]) == 4 and "extensions.py" not in out


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


def test_an_export_that_breaks_stops_no_other(tmp_path, capsys):
    wanted = exports_of([f"{name}={tmp_path / name}" for name in ("breaks", "full", "plain")])
    workspace = Workspace(tmp_path, Results(tmp_path / "results"), tmp_path / "report", None)
    with pytest.raises(StoreError, match="the disk is full"):
        write_exports(wanted, [], lambda record: True, workspace)
    said = capsys.readouterr().err
    assert "error: " in said and "KeyError" in said and f"export: {tmp_path / 'plain'} (0 trials)" in said


def test_an_export_that_cannot_be_called_is_told_before_a_run(tmp_path):
    said = (
        r"alone\(\) \(.*assay_stranger\.py:\d+\): too many positional arguments; declare it as `def write\("
    )
    with pytest.raises(ConfigError, match=said):
        exports_of([f"alone={tmp_path}/a"])


def test_the_folder_of_an_export_is_made(tmp_path):
    workspace = Workspace(tmp_path, Results(tmp_path / "results"), tmp_path / "report", None)
    write_exports(exports_of([f"plain={tmp_path}/new/deep/out"]), [], lambda record: True, workspace)
    assert (tmp_path / "new/deep/out").exists()


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


def test_what_a_package_prints_is_no_result(capsys):
    extension("assay.exports", "first").load()
    assert capsys.readouterr() == ("", "what a package prints\n")


def test_an_error_of_a_package_names_it_when_it_is_used(tmp_path):
    (full,) = exports_of([f"full={tmp_path}/a"])
    with pytest.raises(StoreError, match=r"^the disk is full"), full.extension.blamed():
        full.export.write(None, full.path)
    (breaks,) = exports_of([f"breaks={tmp_path}/a"])
    with pytest.raises(ConfigError, match=r"stranger 2\.0 .*KeyError: 'answer'"), breaks.extension.blamed():
        breaks.export.write(None, breaks.path)


def test_the_engine_of_a_package_is_found_by_its_name():
    opened = extension("assay.engines", "cloud")
    with pytest.raises(ConfigError, match=r"package stranger 2\.0 cannot be used: no cloud here$"):
        opened.load(make=lambda engine: engine(None, None, "", print))
    with pytest.raises(ConfigError, match="no engine is called 'sky'; installed are: cloud, ray"):
        extension("assay.engines", "sky")
