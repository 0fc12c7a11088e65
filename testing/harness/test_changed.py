"""--only-changed in a scratch repository with real git."""

import ast
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from assay.cli.main import main
from assay.errors import ConfigError
from assay.extensions import extensions
from assay.git import head_commit, is_dirty
from assay.home import PACKAGE
from assay.running.trial import versions
from assay.suites import imports
from assay.suites.changed import ChangedTests, changes_since
from assay.suites.changed_suites import suite_changed
from assay.suites.data_names import IMPORTERS
from assay.suites.fingerprint import Fingerprints, judging_code
from assay.suites.imports import ImportGraph
from assay.suites.selected import select_tests
from assay.suites.selection import Selection

TESTS = {
    "alone": "from evaluator import *\n",
    "shares": "from evaluator import *\nfrom tests._shared import words\n",
    "lazy": "from evaluator import *\ndef check(x):\n    import tests._lazy\n",
    "reads": "import evaluator\nDATA = Path(__file__).parent / 'data' / 'table.csv'\n",
    "opens": "from evaluator import *\ntext = open('tests/data/poem.txt').read()\n",
    "folder": "from evaluator import *\nFILES = 'pictures'\n",
    "proved": "from evaluator import *\n",
}


class Repository:
    def __init__(self, root):
        self.root = root
        self.environment = {
            **os.environ,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@example.org",
        }
        root.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments):
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=30,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def write(self, name, text="changed\n"):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def commit(self, *names):
        for name in names:
            old = (self.root / name).read_text() if (self.root / name).exists() else ""
            self.write(name, f"{old}# one more line\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "a change")
        return self.git("rev-parse", "HEAD")

    def affected(self, commit):
        changed = ChangedTests([self.root / "tests"], self.root, commit)
        files = sorted((self.root / "tests").glob("[a-z]*.py"))
        return {path.stem for path in files if changed.affects(path)}

    def deleted(self, commit):
        changed = ChangedTests([self.root / "tests"], self.root, commit)
        return changed.deleted()


@pytest.fixture
def repository(tmp_path):
    made = Repository(tmp_path / "scratch repo")
    for name, text in TESTS.items():
        made.write(f"tests/{name}.py", text)
    made.write("tests/_shared.py", "from tests._deep import x\nwords = []\n")
    made.write("tests/_deep.py", "x = 1\n")
    made.write("tests/_lazy.py", "")
    made.write("tests/data/table.csv")
    made.write("tests/data/poem.txt")
    made.write("tests/data/other.txt")
    made.write("tests/data/alone_words.txt")
    made.write("tests/pictures/a.png")
    made.write("tests/references/proved.py", "from tests.references._lib import y\n")
    made.write("tests/references/_lib.py", "y = 1\n")
    made.write(
        "evaluator.py", "from assay.language import dsl\ndef run_test():\n    import assay.running.wiring\n"
    )
    made.write("assay/running/wiring.py", "")
    made.write("assay/__init__.py", "")
    made.write("assay/language/__init__.py", "")
    made.write("assay/language/dsl.py", "import os\n")
    made.write("README.md")
    made.git("add", "-A")
    made.git("commit", "-q", "-m", "first")
    return made


CASES = [
    ("README.md", set()),
    ("tests/alone.py", {"alone"}),
    ("tests/_shared.py", {"shares"}),
    ("tests/_deep.py", {"shares"}),
    ("tests/_lazy.py", {"lazy"}),
    ("tests/data/table.csv", {"reads"}),
    ("tests/data/poem.txt", {"opens"}),
    ("tests/data/other.txt", set()),
    ("tests/data/alone_words.txt", {"alone"}),
    ("tests/data/alone/more.txt", {"alone"}),
    ("tests/pictures/new.png", {"folder"}),
    ("tests/references/proved.py", {"proved"}),
    ("tests/references/_lib.py", {"proved"}),
    ("tests/references/alone.py", {"alone"}),
    ("evaluator.py", set(TESTS)),
    ("assay/language/dsl.py", set(TESTS)),
    ("assay/language/__init__.py", set(TESTS)),
    ("assay/language/sent_into_a_sandbox.py", set(TESTS)),
    ("assay/running/wiring.py", set()),
]


@pytest.mark.parametrize(("name", "affected"), CASES, ids=[name for name, _ in CASES])
def test_what_a_change_affects(repository, name, affected):
    sha = repository.commit(name)
    assert repository.affected(sha) == affected, "committed"
    assert repository.affected("HEAD") == affected
    later = repository.commit("README.md")
    assert repository.affected(sha) == affected, "since then, inclusive"
    assert repository.affected(later) == set()


def test_tests_that_are_not_in_the_commit_make_it_dirty(repository, tmp_path_factory):
    repository.commit("README.md")
    tests = [repository.root / "tests", tmp_path_factory.mktemp("elsewhere")]
    repository.write("tests/notes.txt", "x\n")
    repository.write("scratch.py", "x = 1\n")
    assert not is_dirty(repository.root, tests)
    repository.write("tests/deep/new.py", "x = 1\n")
    assert is_dirty(repository.root, tests) and not is_dirty(repository.root)


@pytest.mark.parametrize(("name", "affected"), CASES[1:6], ids=[name for name, _ in CASES[1:6]])
def test_a_dirty_tree_counts(repository, name, affected):
    last = repository.commit("README.md")
    assert not is_dirty(repository.root)
    repository.write(name, "x = 2\n")
    assert repository.affected(last) == affected and is_dirty(repository.root)
    repository.git("add", name)
    assert repository.affected(last) == affected


def test_an_untracked_test_counts_and_an_ignored_file_does_not(repository):
    repository.write(".gitignore", "tests/data/poem.txt.tmp\n")
    last = repository.commit("README.md")
    repository.write("tests/fresh.py", TESTS["alone"])
    repository.write("tests/data/poem.txt.tmp")
    assert repository.affected(last) == {"fresh"}


def test_deleted_files(repository):
    last = repository.commit("README.md")
    (repository.root / "tests/alone.py").unlink()
    assert repository.deleted(last) == ["alone.py"] and repository.affected(last) == set()
    repository.git("checkout", "-q", "tests/alone.py")
    (repository.root / "tests/data/table.csv").unlink()
    (repository.root / "tests/_shared.py").unlink()
    assert repository.affected(last) == {"reads", "shares"} and repository.deleted(last) == []
    (repository.root / "tests/references/proved.py").unlink()
    assert "proved" in repository.affected(last)


SAY = "from evaluator import *\nTestSay = 'q' >> LLMRun() >> SubstringEvaluator('a')\n"
SUMS = (
    "from assay.suites.suite import Sample, Suite\nfrom evaluator import *\n"
    "SUITE = Suite('sums', 'adds', lambda options: [Sample('sums.0', 'q' >> LLMRun(), suite='sums')])\n"
)


def chosen(root, commit=".", **which):
    selected = select_tests(Selection(root, only_changed=commit, **which), None)
    return {each.id for each in selected()}, selected


def test_all_that_changed_is_chosen_if_nothing_is_named(tmp_path):
    """In folders inside tests/, with what lies there, and suites: they cannot be named before they change."""
    made = Repository(tmp_path / "made")
    made.write(
        "tests/geo/land.py", SAY.replace("'q'", "helper.ASK").replace("Test", "import helper\nTest", 1)
    )
    made.write("tests/geo/helper.py", "ASK = 'q'\n")
    made.write("tests/geo/deep/sea.py", SAY)
    made.write(
        "tests/sums/suite.py", f"{SUMS}from pathlib import Path\nTESTS = Path(__file__).parent.parent\n"
    )
    made.write("tests/unit/test_other.py", "import unittest\n")
    made.commit("README.md")
    assert chosen(made.root)[0] == set()
    made.write("tests/geo/helper.py", "ASK = 'Q'\n")
    made.write("tests/unit/test_other.py")
    found, selected = chosen(made.root)
    assert found == {"land.TestSay"} and "2 of 3 test files changed" in " ".join(selected.messages)
    assert not any("not among these" in each for each in selected.messages)
    (made.root / "tests/geo/deep/sea.py").unlink()
    made.write("tests/sums/table.csv")
    found, selected = chosen(made.root)
    assert found == {"land.TestSay", "sums.0"} and selected.deleted == ["geo/deep/sea.py"]
    assert chosen(made.root, folders=(str(made.root / "tests"),))[0] == set()
    made.write("tests/sums/suite.py", f"{SUMS}x = (\n")
    found, selected = chosen(made.root)
    assert found == {"land.TestSay"} and "'(' was never closed" in selected.errors[0]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tests/_ask.py", "ASK = 'Q'\n"),
        ("shared/words.json", "[1]"),
        ("shared/more.csv", "a,b\n"),
        ("config.json", '{"suites": {"sums": {"steps": 2}}}'),
    ],
)
def test_what_a_suite_takes_from_elsewhere_changes_it(tmp_path, name, text):
    made = Repository(tmp_path / "made")
    made.write(
        "tests/sums/suite.py",
        "import sys\nfrom pathlib import Path\nHERE = Path(__file__).parent\n"
        "sys.path.insert(0, str(HERE.parent))\nfrom _ask import ASK\n"
        "WORDS, MORE = HERE.parents[1] / 'shared/words.json', open('shared/more.csv')\n"
        f"{SUMS}",
    )
    for file in ("tests/_ask.py", "shared/words.json", "shared/more.csv", "shared/other.csv"):
        made.write(file, "ASK = 'q'\n")
    made.write("config.json", '{"suites": {"sums": {"steps": 1}}}')
    made.commit("README.md")
    made.write("shared/other.csv", "a,c\n")
    made.write("config.json", '{"suites": {"sums": {"steps": 1}, "other": {"steps": 1}}, "max_cost": 1}')

    def changed():
        asked = Selection(made.root, only_changed=".")
        return {suite_changed(asked, "sums", named=named) for named in (True, False)}

    assert changed() == {False}
    made.write(name, text)
    assert changed() == {True}


def test_tests_in_the_deepest_folder_and_links_that_lead_back(tmp_path):
    made = Repository(tmp_path / "made")
    made.write("tests/a/b/c/d/e/say.py", SAY)
    (made.root / "tests/a/b/back").symlink_to("../..")
    made.commit("README.md")
    made.write("tests/a/b/c/d/e/say.py", f"{SAY}\n")
    assert chosen(made.root)[0] == {"say.TestSay"}


@pytest.mark.parametrize("entry", ["plugin_p.suites.sums", "plugin_p"])
@pytest.mark.parametrize("editable", [True, False])
def test_a_suite_of_a_package_of_the_repository_runs_if_it_changed(tmp_path, monkeypatch, entry, editable):
    """Of a package elsewhere it does not: what is installed does not tell what changed."""
    made, copy = Repository(tmp_path / "made"), tmp_path / "site"
    place = f"{entry.replace('.', '/')}{'.py' if '.' in entry else '/__init__.py'}"
    for file in ("plugin_p/__init__.py", "plugin_p/suites/__init__.py", "plugin_p/ask.py", "tests/say.py"):
        made.write(file if file.startswith("tests") else f"pk/src/{file}", SAY if "say" in file else "")
    made.write(f"pk/src/{place}", f"from plugin_p.ask import *\n{SUMS}")
    shutil.copytree(made.root / "pk/src", copy)
    about = copy / "plugin_p-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin_p\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[assay.suites]\nsums = {entry}:SUITE\n")
    made.commit("README.md")
    monkeypatch.syspath_prepend(str(copy))
    if editable:
        shutil.rmtree(copy / "plugin_p")
        monkeypatch.syspath_prepend(str(made.root / "pk/src"))

    def suites():
        return Selection(made.root, only_changed=".").suite_names()

    extensions.cache_clear()
    try:
        made.write("README.md")
        assert suites() == ["applied"]
        for name in ("pk/src/plugin_p/ask.py", f"pk/src/{place}"):
            made.write(name, f"{(made.root / name).read_text()}\n")
            assert suites() == ["applied", "sums"]
            made.git("checkout", "--", "pk")
        made.git("rm", "-q", "-r", "--cached", "pk")
        made.write(".gitignore", "pk\n")
        made.commit("README.md")
        assert suites() == ["applied"]
    finally:
        extensions.cache_clear()


@pytest.mark.parametrize(
    ("moved", "found"),
    [
        (["references/say.py references/sai.py"], "tests/references/sai.py"),
        (["geo/land.py geo/sea.py"], "tests/geo/references/land.py"),
        (["geo/land.py geo/sea.py", "geo/references/land.py geo/references/sea.py"], ""),
        (["references/more.py references/most.py"], "tests/references/most.py"),
    ],
)
def test_references_that_a_change_leaves_without_a_test_file(tmp_path, capsys, moved, found):
    made = Repository(tmp_path / "made")
    made.write("tests/say.py", SAY)
    for name in ("references/say", "references/more", "references/alone", "geo/references/land"):
        made.write(f"tests/{name}.py", "RIGHT = {'TestSay': ['a']}\nWRONG = {'TestSay': ['b']}\n")
    made.write("tests/geo/land.py", SAY)
    made.commit("README.md")
    for each in moved:
        made.git("mv", *(f"tests/{name}" for name in each.split()))
    selection = ["run", "--only-changed", ".", "--model", "oracle", "--format", "json"]
    said = f"{found}: there is no test file {Path(found).name} for these references."
    capsys.readouterr()
    assert main([*selection, "--export", f"junit={tmp_path}/junit.xml"], made.root) == (3 if found else 0)
    out, err = capsys.readouterr()
    failed = json.loads(out)["failed"]
    assert [each.partition(" Did you")[0] for each in failed] == [said] * bool(found), err
    assert (said in (tmp_path / "junit.xml").read_text()) == bool(found)


def test_what_a_change_loses_is_in_the_json(tmp_path, capsys):
    made = Repository(tmp_path / "made")
    made.write("tests/say.py", SAY)
    made.commit("README.md")
    made.write("tests/say.py", "from evaluator import *\n")
    selection = ["run", "--only-changed", ".", "--model", "oracle", "--format", "json"]
    assert main(selection, made.root) == 1
    assert json.loads(capsys.readouterr().out)["failed"] == ["tests are missing because of 1 error"]


def test_tests_that_ask_a_judge_run_if_the_settings_name_another(tmp_path):
    made = Repository(tmp_path / "made")
    made.write("tests/say.py", SAY)
    asks = "LLMRun() >> Judge('Right?')"
    made.write("tests/asks.py", f"from evaluator import *\nTestAsk = 'q' >> {asks}\n")
    made.write("tests/broken.py", "x = (\n")
    for name, step in (("sums", asks), ("plain", "LLMRun()")):
        text = SUMS.replace("sums", name).replace("LLMRun()", step)
        made.write(f"tests/{name}/suite.py", text)
    made.write("config.json", '{"judge": "a/b", "max_cost": 1}')
    made.commit("README.md")
    made.write("config.json", '{"judge": "a/b", "max_cost": 2, "vision_judge": "a/b"}')
    assert chosen(made.root)[0] == set()
    made.write("config.json", '{"judge": "a/b", "vision_judge": "a/c"}')
    assert chosen(made.root)[0] == set()
    made.write("config.json", '{"judge": "a/c"}')
    found, selected = chosen(made.root)
    assert found == {"asks.TestAsk", "sums.0"} and selected.errors == []
    assert "1 of them only ask the judge, which changed in the settings" in selected.messages
    assert chosen(made.root, flags={"judge": "a/b"})[0] == set()


def test_a_changed_suite_that_cannot_run_here_is_an_error(tmp_path, monkeypatch):
    made = Repository(tmp_path / "made")
    made.write("tests/sums/suite.py", SUMS)
    made.commit("README.md")
    made.write("tests/sums/table.csv")
    monkeypatch.setattr("assay.suites.suite.Suite.lacks", lambda self: "numpy")
    found, selected = chosen(made.root)
    assert found == set() and selected.errors == ["left out: sums.0, because suite sums needs numpy"]


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ("testSay = 'q' >> LLMRun()", "say.py:2: testSay is not a test"),
        ("TestSay = 'q'", "say.py:2: TestSay is a string"),
        ("TestSay = {x: LLMRun() for x in ()}", "say.py:2: TestSay is empty"),
        ("", "say.py: defines no test"),
        ("TestSay = LLMRun(),", "say.py:2: TestSay is a tuple"),
    ],
)
def test_a_test_that_a_change_loses_is_an_error_or_a_warning(tmp_path, now, said):
    """An error if no other is left in the file; a file of something else is none."""
    made = Repository(tmp_path / "made")
    made.write("tests/say.py", SAY)
    made.commit("README.md")
    made.write("tests/say.py", f"from evaluator import *\n{now}\n")
    made.write("tests/tools.py", "import unittest\n")
    found, selected = chosen(made.root)
    (error,) = selected.errors
    assert found == set() and said in error and "tools.py: defines no test" in selected.warnings[0]
    (made.root / "tests/tools.py").unlink()
    made.write("tests/say.py", f"from evaluator import *\n{now}\n{SAY.replace('TestSay', 'TestOther')}")
    found, selected = chosen(made.root)
    assert found == {"say.TestOther"} and selected.errors == []
    assert [said in each for each in selected.warnings] == [True] * bool(now)


ONE = "'q' >> LLMRun() >> SubstringEvaluator('a')"
MANY = f"{SAY}TestOther = {ONE}\nTestMany = {{'a': {ONE}, 'b': {ONE}}}\nTestLoop = {{'x': {ONE}}}\n"
FEWER = f"{SAY}TestMany = {{'b': {ONE}}}\nTestLoop = {{x: {ONE} for x in 'x'}}\n"
PARTS = (
    "from evaluator import *\ntest_ask = 'q' >> LLMRun()\ntest_case = 'x'\nclass TestHelper: ...\n"
    "testing = LLMRun()\nTestSay = test_ask >> SubstringEvaluator('a')\n"
)
NO_SUM = SUMS.replace("[Sample('sums.0', 'q' >> LLMRun(), suite='sums')]", "[]")
EMPTY = "suite sums changed, and has no test with these flags"


@pytest.mark.parametrize(
    ("file", "before", "now", "deleted", "errors"),
    [
        ("geo/say.py", MANY, FEWER, ["say.TestOther", "say.TestMany[a]"], []),  # TestLoop is still there
        ("say.py", SAY, f"{SAY}\n", [], []),
        ("say.py", PARTS, f"{PARTS}\n", [], []),
        ("sums/suite.py", SUMS, NO_SUM, [], [EMPTY]),
    ],
)
def test_tests_that_are_gone_from_a_changed_file_are_deleted(tmp_path, file, before, now, deleted, errors):
    """As far as the file's own text showed them; a suite that has lost all is an error."""
    made = Repository(tmp_path / "made")
    made.write(f"tests/{file}", before)
    made.commit("README.md")
    made.write(f"tests/{file}", now)
    made.write("tests/new.py", SAY)
    _, selected = chosen(made.root)
    assert (selected.deleted, selected.errors, selected.warnings) == (deleted, errors, [])
    assert {f"deleted since the last commit: {name}" for name in deleted} <= {*selected.messages}


READ = "csv.DictReader((Path(__file__).parent / {}).read_text().splitlines())"


@pytest.mark.parametrize(
    ("before", "now", "gone"),
    [
        ("id,q\na,1\nb,2\nc,3\n", "id,q\nc,3\nd,4\n", "ab"),
        ("id,q\n" + "".join(f"{key},1\n" for key in "abcdefg"), "id,q\ng,1\n", "abcdef"),
        ("name,q\na,1\n", "id,q\nb,1\n", ""),  # whose ids were, by the test of today, not known
        ("id,q\na,1\n", "id,q\na,2\n", ""),
    ],
)
@pytest.mark.parametrize(
    ("source", "name"),
    [("{}", "qa"), ("{}", "answers"), (READ, "qa"), (f"lambda: [*{READ}]", "answers")],
)
def test_rows_that_are_gone_from_a_changed_file_are_deleted(tmp_path, source, name, before, now, gone):
    """Also if a test reads the file itself."""
    made = Repository(tmp_path / "made")
    source = source.format("'data/qa.csv'")
    test = "import csv\nfrom pathlib import Path\n" + SAY.replace("'q'", f"Rows({source}, id='id') >> '<q>?'")
    made.write("tests/say.py", test)
    padding = "".join(f"{number},{number}\n" for number in range(20))  # by which git knows a renamed file
    made.write("tests/data/qa.csv", before + padding)
    made.commit("README.md")
    made.git("mv", "tests/data/qa.csv", f"tests/data/{name}.csv") if name != "qa" else None
    made.write(f"tests/data/{name}.csv", now + padding)
    made.write("tests/say.py", test.replace("qa.csv", f"{name}.csv"))
    _, selected = chosen(made.root)
    names = [f"say.TestSay[{key}]" for key in gone]
    assert selected.deleted == names
    said = [each for each in selected.messages if each.startswith("deleted since the last commit: ")]
    more = f" and {len(names) - 5} more" * (len(names) > 5)
    assert said == ([f"deleted since the last commit: {', '.join(names[:5])}{more}"] if names else [])


def test_a_renamed_test_is_a_new_and_a_deleted_one(repository):
    last = repository.commit("README.md")
    repository.git("mv", "tests/alone.py", "tests/single.py")
    assert repository.affected(last) == {"single"} and repository.deleted(last) == ["alone.py"]


def test_the_first_commit_has_everything(repository):
    first = repository.git("rev-list", "--max-parents=0", "HEAD")
    assert repository.affected(first) == set(TESTS)


def test_branches_and_tags_are_commits(repository):
    repository.git("tag", "v1")
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit("tests/alone.py")
    assert repository.affected("HEAD~0") == {"alone"} and repository.affected("topic") == {"alone"}
    assert repository.affected("v1") == set(TESTS), "v1 is the first commit, inclusive"


@pytest.mark.parametrize(
    "commit", ["nonsense", "deadbeef", "HEAD~99", "--output=x", "", "HEAD:tests", "a\nb"]
)
def test_a_bad_commit_is_a_clear_error(repository, commit):
    with pytest.raises(ConfigError, match="is not a commit of"):
        changes_since(repository.root, commit)


def test_what_many_tests_import_is_counted(repository):
    commit = repository.commit("tests/_shared.py", "tests/alone.py")
    changed = ChangedTests([repository.root / "tests"], repository.root, commit)
    for name in ("alone", "shares", "reads"):
        changed.affects(repository.root / "tests" / f"{name}.py")
    assert changed.through == {(repository.root / "tests" / "_shared.py").resolve(): 1}


def test_no_repository_is_a_clear_error(tmp_path):
    (tmp_path / "tests").mkdir()
    with pytest.raises(ConfigError, match="needs a git repository"):
        ChangedTests([tmp_path / "tests"], tmp_path, "HEAD")
    assert head_commit(tmp_path) == "no-commit" and not is_dirty(tmp_path)


def test_no_git_is_a_clear_error(repository, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ConfigError, match="git"):
        changes_since(repository.root, "HEAD")


def test_odd_file_names(repository):
    name = 'tests/data/alone "x"\n\u00e4.txt'
    assert repository.affected(repository.commit(name)) == {"alone"}


def test_imports_are_followed_through_packages_and_relative_ones(tmp_path):
    files = {
        "tests/t.py": "import pkg.sub.mod\nfrom pkg import other\n",
        "pkg/__init__.py": "",
        "pkg/other.py": "from . import third\nfrom .sub import fourth\nif TYPE_CHECKING:\n    import pkg.t\n",
        "pkg/third.py": "import t_missing\n",
        "pkg/t.py": "",
        "pkg/sub/__init__.py": "",
        "pkg/sub/mod.py": "from ..cycle import a\n",
        "pkg/sub/fourth.py": "def f():\n    import pkg.inside\n",
        "pkg/inside.py": "",
        "pkg/cycle.py": "import pkg.sub.mod\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    graph = ImportGraph([tmp_path], eager_below=[tmp_path / "tests"])
    found = {str(path.relative_to(tmp_path)) for path in graph.closure(tmp_path / "tests/t.py")}
    assert found == set(files) - {"pkg/t.py"}


def test_a_fingerprint_changes_with_what_a_test_imports(repository):
    def prints():
        made = Fingerprints(repository.root, [repository.root / "tests"])
        return {name: made(repository.root / "tests" / f"{name}.py") for name in TESTS}

    before = prints()
    assert before == prints() and len(set(before.values())) == len(TESTS)
    repository.write("tests/_deep.py", "x = 2\n")
    after = prints()
    assert {name for name in TESTS if before[name] != after[name]} == {"shares"}
    copy = repository.root.with_name("copy")
    shutil.copytree(repository.root, copy)
    made = Fingerprints(copy, [copy / "tests"])
    assert made(copy / "tests" / "alone.py") == after["alone"], "the same wherever the repository lies"


def test_a_fingerprint_is_of_what_the_tests_author_controls(tmp_path):
    """Of nothing of Assay's own, wherever it lies; a file of somebody's own that is called llm.py counts."""
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "t.py").write_text("from evaluator import *\nimport llm\n")
    (tmp_path / "llm.py").write_text("x = 1\n")

    def print_of():
        return Fingerprints(tmp_path, [tests])(tests / "t.py")

    before = print_of()
    assert before.startswith("test:") and before == print_of()
    (tmp_path / "llm.py").write_text("x = 2\n")
    with_helper = print_of()
    assert with_helper != before
    (tmp_path / "assay" / "language").mkdir(parents=True)  # now it is a checkout of Assay
    for name in ("assay/__init__.py", "assay/language/__init__.py", "evaluator.py"):
        (tmp_path / name).write_text("from assay.language import *\n")
    checkout = print_of()
    (tmp_path / "assay/language/__init__.py").write_text("y = 1\n")
    (tmp_path / "llm.py").write_text("x = 3\n")
    assert print_of() == checkout
    assert print_of() != with_helper
    code = judging_code()
    assert re.fullmatch("[0-9a-f]{8}", code) and versions()["assay code"] == code


def test_a_fingerprint_is_the_same_from_every_root(tmp_path):
    """The command's root is a checkout, or the working directory; pytest's is its own."""
    made = tmp_path / "far" / "tests"
    (made / "data").mkdir(parents=True)
    (made / "t.py").write_text("from evaluator import *\nfrom _help import x\n")
    (made / "_help.py").write_text("x = 1\n")
    (made / "data" / "t.txt").write_text("a")
    roots = (tmp_path, tmp_path / "far", made, tmp_path / "elsewhere")
    assert len({Fingerprints(root, [made])(made / "t.py") for root in roots}) == 1
    before = Fingerprints(tmp_path, [made])(made / "t.py")
    for name in ("data/t.txt", "_help.py"):
        (made / name).write_text("x = 2\n")
        after = Fingerprints(tmp_path, [made])(made / "t.py")
        assert after != before
        before = after


def test_remembered_imports_give_the_same_fingerprints(repository, tmp_path):
    def prints(cache):
        made = Fingerprints(repository.root, [repository.root / "tests"], cache)
        found = {name: made(repository.root / "tests" / f"{name}.py") for name in TESTS}
        made.remember()
        return found

    cache = tmp_path / "cache" / "imports.json"
    before = prints(None)
    assert before == prints(cache) == prints(cache)
    repository.write("tests/alone.py", "import _deep\n")  # an import that is not remembered
    assert prints(cache) == prints(None) != before
    repository.write("tests/_deep.py", "x = 2\n")  # its list of imports stays, its content does not
    after = prints(cache)
    assert after == prints(None) and after["alone"] != before["alone"]
    repository.write("_deep.py", "")  # what a remembered name means may change
    assert prints(cache) == prints(None) != after
    assert str(repository.root / "tests" / "alone.py") in json.loads(cache.read_text())["files"]
    cache.write_text("{broken")
    assert prints(cache) == prints(None)


def test_the_project_itself_has_a_closure():
    root = Path(__file__).resolve().parents[2]
    graph = ImportGraph([root], eager_below=[root / "tests"])
    names = {path.name for path in graph.closure(root / "tests" / "print_hello.py")}
    assert {"print_hello.py", "evaluator.py", "dsl.py", "records.py"} <= names
    assert "wiring.py" not in names and "trial.py" not in names


def folder(tmp_path, files, links=()):
    made = Repository(tmp_path / "scratch")
    for name, text in files.items():
        made.write(name, text)
    for name, to in links:
        (made.root / name).parent.mkdir(parents=True, exist_ok=True)
        (made.root / name).symlink_to(to)
    made.git("add", "-A")
    made.git("commit", "-q", "-m", "first")
    return made


HERE = "from pathlib import Path\nHERE = Path(__file__).parent\n"
READING = {
    "tests/other.py": "x = 1\n",
    "tests/helped.py": "from tests._helper import words\n",
    "tests/_helper.py": f"{HERE}words = (HERE / 'lists' / 'words.txt').read_text()\n",
    "tests/lists/words.txt": "a\n",
    "tests/lists/unread.txt": "a\n",
    "tests/format.py": f"{HERE}def read(n):\n    return (HERE / 'tables' / f'{{n}}.csv').read_text()\n",
    "tests/tables/1.csv": "1\n",
    "tests/tables/notes.md": "1\n",
    "tests/globs.py": f"{HERE}FILES = sorted(HERE.glob('pictures/*.png'))\n",
    "tests/pictures/1.png": "1\n",
    "tests/added.py": "import glob, os\nFILES = glob.glob(os.path.dirname(__file__) + '/songs/a*.txt')\n",
    "tests/inserted.py": "import os\nD = os.path.dirname(__file__)\nX = open(f'{D}/songs/b.txt').read()\n",
    "tests/songs/a1.txt": "1\n",
    "tests/songs/b.txt": "1\n",
    "tests/suffix.py": "from pathlib import Path\nTEXT = Path(__file__).with_suffix('.json').read_text()\n",
    "tests/suffix.json": "{}\n",
    "tests/dynamic.py": "import importlib\nm = importlib.import_module('tests._late')\n",
    "tests/_late.py": "import lazily\n",
    "lazily.py": "def f():\n    import deeper\n",
    "deeper.py": "x = 1\n",
    "tests/linked.py": f"{HERE}TEXT = (HERE / 'data' / 'corpus' / 'poem.txt').read_text()\n",
    "corpora/poem.txt": "a\n",
    "tests/every.py": f"{HERE}def read(name):\n    return (HERE / 'data' / name).read_text()\n",
    "tests/data/fact.txt": "a\n",
    "tests/names.py": "import importlib as i\ndef load(n):\n    return i.import_module(f'tests.parts.{n}')\n",
    "tests/parts/one.py": "x = 1\n",
    "tests/renamed.py": "from importlib import import_module as load\nm = load('tests.bits.two')\n",
    "tests/bits/two.py": "x = 1\n",
    "tests/percent.py": "import os\nD = os.path.dirname(__file__)\nX = open('%s/birds/%s.txt' % (D, n))\n",
    "tests/braces.py": "import os\nX = open('{}/birds/tit.txt'.format(os.path.split(__file__)[0]))\n",
    "tests/named.py": "H = __file__.rsplit('/', 1)[0]\nX = open('{h}/birds/{n}.md'.format(n=1, h=H))\n",
    "tests/spread.py": f"{HERE}P = ['oak', 'leaf.txt']\nX = HERE.joinpath(*['trees', 'old'], *P)\n",
    "tests/deep.py": f"{HERE}def read(parts):\n    return HERE.joinpath('trees', *parts).read_text()\n",
    "tests/listed.py": "import os\nX = os.path.join(os.path.dirname(__file__), *('trees', 'ash.txt'))\n",
    "tests/trees/old/oak/leaf.txt": "a\n",
    "tests/trees/ash.txt": "a\n",
    "tests/birds/tit.txt": "a\n",
    "tests/birds/1.md": "a\n",
}
CHANGES = [
    ("tests/songs/a1.txt", {"added"}),
    ("tests/songs/b.txt", {"inserted"}),
    ("tests/lists/words.txt", {"helped"}),
    ("tests/lists/unread.txt", set()),
    ("tests/tables/1.csv", {"format"}),
    ("tests/tables/2.csv", {"format"}),
    ("tests/tables/notes.md", set()),
    ("tests/pictures/2.png", {"globs"}),
    ("tests/suffix.json", {"suffix"}),
    ("tests/_late.py", {"dynamic"}),
    ("deeper.py", {"dynamic"}),
    ("corpora/poem.txt", {"linked"}),
    ("tests/data/fact.txt", {"every"}),
    ("tests/parts/one.py", {"names"}),
    ("tests/bits/two.py", {"renamed"}),
    ("tests/birds/tit.txt", {"percent", "braces"}),
    ("tests/birds/1.md", {"named"}),
    ("tests/birds/2.png", set()),
    ("tests/trees/old/oak/leaf.txt", {"spread", "deep"}),
    ("tests/trees/ash.txt", {"deep", "listed"}),
    ("tests/other.py", {"other"}),
]


@pytest.mark.parametrize(("name", "affected"), CHANGES, ids=[name for name, _ in CHANGES])
def test_files_that_are_named_in_other_ways_than_whole(tmp_path, name, affected):
    made = folder(tmp_path, READING, [("tests/data/corpus", "../../corpora")])
    assert made.affected(made.commit(name)) == affected


def test_what_only_a_run_would_tell_counts_the_folder_and_is_said(tmp_path):
    made = folder(tmp_path, READING, [("tests/data/corpus", "../../corpora")])
    changed = ChangedTests([made.root / "tests"], made.root, made.commit("tests/data/fact.txt"))
    every = made.root / "tests" / "every.py"
    assert changed.affects(every) and changed.unclear == {every: "tests/data/*"}


def test_data_in_a_submodule_count_when_it_is_at_another_commit(tmp_path):
    inner = folder(tmp_path / "inner", {"facts.txt": "a\n"})
    made = folder(
        tmp_path, {"tests/sub.py": f"{HERE}x = HERE.parent / 'given' / 'facts.txt'\n", "tests/o.py": ""}
    )
    made.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "given")
    made.git("commit", "-q", "-m", "with facts")
    last = made.commit("README.md")
    assert made.affected(last) == set()
    (made.root / "given" / "facts.txt").write_text("b\n")
    assert made.affected(last) == {"sub"}


def test_a_fingerprint_holds_the_data_that_a_test_names(tmp_path):
    made = folder(tmp_path, READING, [("tests/data/corpus", "../../corpora")])
    names = [
        Path(name).stem
        for name in READING
        if name.count("/") == 1 and name.endswith(".py") and "_" not in name
    ]

    def prints():
        of = Fingerprints(made.root, [made.root / "tests"])
        return {name: of(made.root / "tests" / f"{name}.py") for name in names}

    for changed, affected in CHANGES:
        before = prints()
        made.commit(changed)
        after = prints()
        told = affected - {"every", "names"}  # what may be any file of a folder is no part of a test
        assert {name for name in names if before[name] != after[name]} == told, changed


def test_a_fingerprint_holds_the_folder_that_files_puts_into_the_sandbox(tmp_path):
    (tmp_path / "tests" / "parser").mkdir(parents=True)
    test, file = tmp_path / "tests" / "fix.py", tmp_path / "tests" / "parser" / "a.py"
    test.write_text('TestFix = Files("parser/") >> "Mend it" >> AgentRun([Shell()])\n')
    found = []
    for content in ("1", "2", "1"):
        file.write_text(content)
        found.append(Fingerprints(tmp_path, [tmp_path / "tests"])(test))
    assert found[0] == found[2] != found[1]


def test_what_a_text_only_looks_like_names_no_file(tmp_path):
    """Prompts, regular expressions and Markdown are full of stars and brackets."""
    texts = [
        "**bold**",
        "Can it?",
        "a * b / c",
        r"[\\w*]+",
        "*/",
        "x[0]",
        "range(*key)",
        "# *.md",
        "`*`",
        "*.md",
    ]
    made = folder(
        tmp_path, {"tests/texts.py": f"x = {texts}\n", "tests/o.py": "", "a.md": "", "pkg/b.py": ""}
    )
    for name in ("pkg/b.py", "a.md", "tests/o.py"):
        assert "texts" not in made.affected(made.commit(name)), name


def test_of_assays_own_files_the_statements_alone_tell_what_is_imported():
    for path in sorted((PACKAGE / "language").glob("*.py")):
        source = path.read_bytes()
        if not any(name.encode() in source for name in IMPORTERS):
            tree = ast.parse(source)
            found = set(imports._imports(tree, True, by_calls=False))
            assert found == set(imports._imports(tree, True, by_calls=True)), path


def test_a_dot_is_what_is_not_committed(tmp_path):
    repository = Repository(tmp_path / "place")
    tests = repository.root / "tests"
    for name in ("alone", "proved", "new"):
        repository.write(f"tests/{name}.py", TESTS["alone"])
        if name != "new":
            repository.commit(f"tests/{name}.py")

    def found(commit):
        changed = ChangedTests([tests], repository.root, commit)
        return [name for name in ("alone", "proved", "new") if changed.affects(tests / f"{name}.py")]

    assert found("HEAD") == ["proved", "new"] and found(".") == ["new"]
