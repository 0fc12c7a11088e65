"""What the record tells of the files that an agent changed."""

import asyncio
import random
import subprocess

import pytest

from assay.language.agents.file_changes import MOST_CHARS, changes, differing
from assay.records import Outcome
from assay.report.explanation import walk
from assay.sandboxes.agent.trees import packed
from evaluator import AgentCommand, AgentRun, Files, PyEvaluator, Shell
from testing.language.pipeline import trial
from testing.language.test_agent_run import sh


def tree(files, mode=0o644):
    return b"".join(packed(b"f", mode, 0, f"work/{name}", content) for name, content in files.items())


def told(before, after, mode=0o644):
    return asyncio.run(changes(tree(before), tree(after, mode)))


def titles(block):
    return [child.title for child in block.children if child.kind == "group"]


@pytest.mark.parametrize(
    ("before", "after", "title"),
    [
        (b"a\nb\n", b"a\nc\n", "f: +1 \u22121"),
        (None, b"a\nb\n", "f: new, +2"),
        (b"a\n", None, "f: deleted, \u22121"),
        (None, b"", "f: new, empty"),
        (b"\0", b"\0\1", "f: binary, 1 bytes \u2192 2 bytes"),
        (b"caf\xe9", b"cafe", "f: binary, 4 bytes \u2192 4 bytes"),
        (b"x", b"x" * (2 << 20), "f: 0 \u2192 0 lines, 1 bytes \u2192 2,097 kB, too large to be compared"),
    ],
)
def test_a_file_is_one_line(before, after, title):
    sides = [{"f": content} if content is not None else {"g": b""} for content in (before, after)]
    assert titles(told(*sides))[:1] == [title]


def test_a_move_and_a_mode_are_told_as_such():
    assert titles(told({"a": b"same\n"}, {"d/b": b"same\n"})) == ["d/b: renamed from a"]
    assert titles(told({"a": b"x\n"}, {"a": b"x\n"}, mode=0o755)) == ["a: mode 644 \u2192 755"]


def test_nothing_changed_and_nothing_there():
    assert told({"a": b"x"}, {"a": b"x"}).title == "No file was changed"
    assert told({}, {}) is None


@pytest.mark.parametrize("seed", range(20))
def test_the_lines_are_a_patch_that_makes_the_one_of_the_other(tmp_path, seed):
    draw = random.Random(seed)
    one = [draw.choice("abcdef") for _ in range(draw.randrange(40))]
    other = [line for line in one if draw.random() > 0.2]
    for _ in range(draw.randrange(6)):
        other.insert(draw.randrange(len(other) + 1), draw.choice("xyz"))
    file = tmp_path / "f"
    file.write_text("".join(f"{line}\n" for line in one))
    patch = "\n".join(["--- f", "+++ f", *differing(one, other), ""])
    if one != other:
        subprocess.run(["patch", "-s", str(file)], input=patch, text=True, check=True)
    assert file.read_text() == "".join(f"{line}\n" for line in other) if file.exists() else not other


@pytest.mark.slow(20)
def test_lines_made_to_be_slow_are_not_compared(monkeypatch):
    monkeypatch.setattr("assay.language.agents.file_changes.LIMIT_S", 1.0)
    draw = random.Random(1)  # each line too rare to be left aside, and many of each
    one, other = ("".join(f"{draw.randrange(150)}\n" for _ in range(19_000)).encode() for _ in "ab")
    assert "too much has changed to be compared" in titles(told({"f": one}, {"f": other}))[0]


def test_of_many_and_long_changes_a_part_is_told():
    files = {f"f{number:04}": b"a line of text\n" * 3_000 for number in range(300)}
    block = told({"x": b""}, files | {".git/objects/aa": b"x", ".git/config": b"x"})
    bodies = [each.body for _, each in walk(block)]
    assert sum(map(len, bodies)) < MOST_CHARS + 10_000 and sum(1 for _ in walk(block)) < 100
    assert "and 162 more files" in bodies[-1] and ".git/objects/: 1 files" in bodies[-1]
    assert ".git/config: new, +1 \u22120" not in titles(block) and ".git/config: new, +1" in titles(block)


def test_the_record_of_an_agent_tells_what_it_changed():
    test = Files({"a.txt": "1\n2\n"}) >> "x" >> AgentRun([Shell()]) >> PyEvaluator(_fine)
    record = trial(test, sh("echo 3 >> a.txt; mkfifo pipe; ln -s a.txt link"), "done")
    assert record.outcome is Outcome.PASS
    (block,) = [each for _, each in walk(record.reason) if each.role == "changes"]
    assert block.title == "1 file changed, +1" and titles(block) == ["a.txt: +1"]
    assert block.children[0].children[0].body == "@@ -1,2 +1,3 @@\n 1\n 2\n+3"


def test_the_record_of_an_agent_program_does_too():
    test = Files({"a.txt": "1\n"}) >> "x" >> AgentCommand("rm a.txt # {task}") >> PyEvaluator(_fine)
    record = trial(test)
    (block,) = [each for _, each in walk(record.reason) if each.role == "changes"]
    assert titles(block) == ["a.txt: deleted, \u22121"]


@pytest.mark.slow(5)
def test_a_huge_file_is_told_by_its_size():
    record = trial(
        "x" >> AgentRun([Shell()]) >> PyEvaluator(_fine),
        sh("truncate -s 1G big; truncate -s 60M big"),
        "done",
    )
    (block,) = [each for _, each in walk(record.reason) if each.role == "changes"]
    assert titles(block) == ["big: new, binary, 62.9 MB"] and "File too large" in str(record.reason)


def _fine():
    return True
