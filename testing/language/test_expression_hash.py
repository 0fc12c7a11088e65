"""Whether two expressions are the same test, wherever they are written."""

import importlib
import re
from dataclasses import dataclass
from datetime import date
from functools import partial

import pytest

from assay import LLMRun, PyFunc, Rows, SubstringEvaluator, make_python_test
from assay.language.dsl import Branch, Node, Reason
from assay.language.expression_hash import expression_hash, version_hash
from assay.suites.importing import import_package

ANSWER = 42


def has(wanted):
    return lambda text: str(wanted) in text


def asked(check):
    return "How much?" >> LLMRun() >> PyFunc(check)


def written_in(source):
    """The test of a file of its own."""
    names = {"asked": asked, "re": re, "__name__": "elsewhere"}
    exec(source, names)
    return names["made"]


def test_what_is_written_twice_is_the_same():
    one, other = (question >> LLMRun() >> SubstringEvaluator("42") for question in ("How much?", "How much?"))
    assert expression_hash(one) == expression_hash(other) != ""
    (row,) = Rows([{"q": "How much?", "a": "42"}]) >> "<q>" >> LLMRun() >> SubstringEvaluator("<a>")
    assert expression_hash(row.test) == expression_hash(one)


@pytest.mark.parametrize(
    "other",
    [
        "How many?" >> LLMRun() >> SubstringEvaluator("42"),
        "How much?" >> LLMRun() >> SubstringEvaluator("43"),
        "How much?" >> LLMRun() >> SubstringEvaluator("42", lower=True),
        "How much?" >> LLMRun() >> ~SubstringEvaluator("42"),
        "How much?" >> (LLMRun() >> SubstringEvaluator("42")),
    ],
    ids=repr,
)
def test_another_question_or_check_is_another_test(other):
    assert expression_hash("How much?" >> LLMRun() >> SubstringEvaluator("42")) != expression_hash(other)


def test_functions_are_told_by_what_they_do_and_not_by_their_names():
    assert expression_hash(asked(has(42))) == expression_hash(asked(has(42)))
    assert expression_hash(asked(has(42))) != expression_hash(asked(has(43)))
    assert expression_hash(asked(partial(re.match, "a"))) != expression_hash(asked(partial(re.match, "b")))
    source = "ANSWER = {}\ndef right(text): return re.fullmatch(str(ANSWER), text)\nmade = asked(right)"
    one, other, same = (expression_hash(written_in(source.format(n))) for n in (41, 42, 42))
    assert one != other == same


def test_a_test_of_a_program_has_one_too():
    cases = [make_python_test([("f(1)", wanted)])[0] for wanted in ("2", "2", "3")]
    one, same, other = (expression_hash("f?" >> LLMRun() >> PyFunc(partial(has, each))) for each in cases)
    assert one == same != other


def test_what_cannot_be_told_has_none():
    @dataclass(frozen=True, repr=False)
    class Own(Node):
        text: str

        async def run(self, value, ctx):
            yield Branch(self.text, Reason(self))

    def itself(text):
        return itself

    assert expression_hash("q" >> Own("a")) == ""
    assert expression_hash(asked(partial(has, object()))) == ""
    assert expression_hash(asked(itself)) != ""


def test_a_version_is_never_missing_and_stays_while_tests_run():
    """It tells what has no expression too."""
    own = """
from assay.language.dsl import Branch, Node, Reason
class Own(Node):
    def __init__(self, word):
        self.word, self.calls = word, 0
    async def run(self, value, ctx):
        self.calls += 1
        yield Branch(value == self.word{}, Reason(self))
seen, most = {{}}, {}
def known(text):
    seen[text] = True
    return len(text) < most
made = asked(known) >> Own({!r})
"""
    made = written_in(own.format("", 3, "a"))
    first = version_hash(made)
    made.right.calls, made.left.right.fn.__globals__["seen"]["b"] = 5, True
    assert expression_hash(made) == "" and version_hash(made) == first
    others = [own.format(*each) for each in (("", 3, "b"), (".lower()", 3, "a"), ("", 4, "a"))]
    assert len({first, *(version_hash(written_in(each)) for each in others)}) == 4
    assert first == version_hash(written_in(own.format("", 3, "a") + "# later"))
    days = [version_hash(asked(partial(has, date(2026, 1, day)))) for day in (1, 2, 2)]
    assert days[0] != days[1] == days[2]
    many = [f"word{n}" for n in range(30_000)]
    assert len(version_hash(asked(lambda text: text in many))) == 8


TABLE = """
import os
from testing.language.test_expression_hash import asked
from . import words
from .words import WORDS
right, seen, first = {"q": "1"}, [], None
checks: dict = {"q": lambda text: text == "a", **{n: n for n in range(300)}}
if right:
    right |= {"s": ["2"]}
right["s"].append("3")
def known(text, memo={"m": 4}, *, more=[]):
    global first, last
    first, last = first or text, text
    seen.append(memo.setdefault(text, text))
    more.append(os.environ)
    return right["q"] in last or WORDS[0] in text or checks["q"](text) or text in words.MORE
made = asked(known)
"""
MORE = "WORDS = ['w']\nMORE = {'m': []}\nMORE['m'].append('n')\n"
EDITS = [
    ("# none", ""), ('"q": "1"', '"q": "0"'), ('"a"', '"b"'), ('["2"]', "[]"), ('append("3")', "append(3)"),
    ('"m": 4', '"m": 5'), ("more=[]", "more=[0]"), ("None", "0"), ("300", "301"),
    ("['w']", "['v']"), ("append('n')", "append('o')"),
]  # fmt: skip


@pytest.mark.parametrize("made_by", [version_hash, expression_hash])
def test_a_file_counts_as_it_was_loaded_and_not_as_tests_change_it(tmp_path, monkeypatch, made_by):
    """Lists, dictionaries, what functions assign anew, defaults, those of another file of the suite."""
    monkeypatch.syspath_prepend(tmp_path)
    hashes = []
    for at, (then, now) in enumerate([EDITS[0], *EDITS]):
        (folder := tmp_path / f"suite{at}_{made_by.__name__}").mkdir()
        (folder / "words.py").write_text(MORE.replace(then, now))
        (folder / "table.py").write_text(TABLE.replace(then, now))
        table = importlib.import_module(f"{folder.name}.table")
        hashes.append(made_by(table.made))
        table.known("1")
        table.right["s"].append("b")
        table.words.MORE["o"] = "p"
        monkeypatch.setenv("ASSAY_OTHER", str(at))
        assert made_by(table.made) == hashes[-1] != "", "while tests run"
    assert hashes[0] == hashes[1] and len({*hashes}) == len(EDITS)


@pytest.mark.parametrize("words", [list, set, dict.fromkeys, lambda them: "".join(them) * 200])
def test_a_trial_does_not_wait_for_a_list_of_words(words):
    """It would be looked at after each."""
    many = words(f"word{n}" for n in range(30_000))
    assert expression_hash(asked(lambda text: text in many)) == ""


KINDS = """
import functools, json
from collections import deque
from datetime import datetime
from pathlib import Path
from testing.language.test_expression_hash import asked
class Own:
    count, words = 0, ["in class"]
    def __init__(self, word): self.word = word
    def has(self, text):
        Own.count += 1
        return self.word in text or self.more(text)
    def more(self, text): return text in self.words
own, last, now = Own("instance"), deque(["a deque"]), datetime.now()
many = [(n, "a many") for n in range(3000)]
rows = json.loads(Path(__file__).with_name("rows.json").read_text())
@functools.cache
def kept(text): return text in "cached"
def right(text):
    last.append(text)
    return own.has(text) or kept(text) or text in many or text in last or text in rows or now is None
right.words = ["attribute"]
class Held:
    __class__ = property(lambda self: 1 / 0)
held = Held()
made = asked(right)
"""


def test_a_version_has_what_the_files_text_says_of_any_kind_of_value(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    versions = []
    edits = ["in class", "instance", "a deque", "a many", "cached", "attribute", "self.words", "a row"]
    for at, edit in enumerate(["none", "none", *edits]):
        now = edit.replace("self", "Own") if edit == "self.words" else f"other {edit}"
        (folder := tmp_path / f"kinds{at}").mkdir()
        (folder / "rows.json").write_text('["a row"]'.replace(edit, now))
        (folder / "table.py").write_text(KINDS.replace(edit, now))
        table = importlib.import_module(f"{folder.name}.table")
        versions.append(version_hash(table.made))
        table.right("1")
        assert version_hash(table.made) == versions[-1], "while tests run"
    assert versions[0] == versions[1] and len({*versions}) == 1 + len(edits)


ELIFS = "".join(f"    elif text == '{n}': return {n}\n" for n in range(400))
WAYS = [
    "try:\n    from ...beyond import WORDS\nexcept ImportError:\n    WORDS = ['zz']",
    "WORDS = []\ndef add(*words): WORDS.extend(words)\nadd('zz')",
    "WORDS = {}\ndef at(word): return lambda its: WORDS.setdefault(word, its)\n@at('zz')\ndef one(): pass",
    "from .words import *",
    f"WORDS = ['zz']\ndef other(text):\n    if not text: return 0\n{ELIFS}",
    "from .words import WORDS\ndef other():\n    from .other import WORDS",
]


@pytest.mark.parametrize("way", WAYS)
def test_a_value_counts_in_whatever_way_a_file_gets_it(tmp_path, way):
    """And what a function imports while tests run does not."""
    right = "\ndef right(text):\n    from . import later\n    return text in WORDS, later\n"
    suite = f"from testing.language.test_expression_hash import asked\n{way}{right}made = asked(right)\n"
    values = dict.fromkeys(["words", "other"], "WORDS = ['zz']\n")
    found = []
    for at, (word, comment) in enumerate([("zz", ""), ("zz", "# a comment\n"), ("yy", "")]):
        (folder := tmp_path / f"{at}" / "own").mkdir(parents=True)
        for name, text in {"suite": suite, "later": "", **values}.items():
            changed = text.replace("zz", "zz" if name == "other" else word)
            (folder / f"{name}.py").write_text(comment + changed)
        made = import_package(folder, f"{at}").made
        found.append((version_hash(made), expression_hash(made)))
        made.right.fn("zz")
        assert (version_hash(made), expression_hash(made)) == found[-1], "while tests run"
    assert found[0] == found[1]
    assert found[0][0] != found[2][0] and found[0][1] != found[2][1]
