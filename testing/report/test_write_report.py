"""write_report: what it writes again, what it leaves alone, what it removes, and what a kill leaves."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from assay.files import replace_file
from assay.records import Block, Outcome, TrialRecord
from assay.report import discrimination
from assay.report import html as report
from assay.report.aggregate import make_grid
from assay.report.cell_page import cell_data, page_name
from assay.report.fingerprint import fingerprint
from assay.report.html import ReportSummary, write_report
from assay.report.packs import number_of, packed
from assay.report.sanitise import visible
from assay.report.tally import tally
from assay.report.versus import pairs
from testing.report.injections import INJECTIONS
from testing.report.sample_records import picture, sample_records, scored_records
from testing.report.written import cell_of, cells_of, data_in, data_of


@pytest.fixture
def records(tmp_path: Path) -> list[TrialRecord]:
    return sample_records(tmp_path / "images", models=3, tests=30, epochs=2)


def write(records: list[TrialRecord], tmp_path: Path) -> ReportSummary:
    return write_report(records, tmp_path / "out", images=tmp_path / "images", root=tmp_path)


def state(out: Path) -> dict[str, tuple[int, int]]:
    """Inode and time of every file of data and page: what is written again has another inode."""
    files = [*(out / "data").iterdir(), *(out / "cells").iterdir()]
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}


def test_only_changed_cells_are_written(
    records: list[TrialRecord], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = write(records, tmp_path)
    assert (first.written, first.unchanged, first.removed) == (90, 0, 0)
    before, cells = state(tmp_path / "out"), cells_of(tmp_path / "out")
    assert write(list(reversed(records)), tmp_path).written == 0  # order is no change
    assert state(tmp_path / "out") == before
    changed = replace(records[7], cost=9.0)
    made: list[str] = []
    monkeypatch.setattr(
        report, "cell_data", lambda row, *about: made.append(row.test) or cell_data(row, *about)
    )
    again = write([*records[:7], changed, *records[8:]], tmp_path)
    assert (again.written, again.unchanged) == (1, 89) and made == [changed.test]
    after = state(tmp_path / "out")
    name = page_name(changed.suite, changed.test, changed.model)
    assert {file for file in after if after[file] != before[file]} == {f"{number_of(name)[0]}.js"}
    now = cells_of(tmp_path / "out")
    assert {page for page in now if now[page] != cells[page]} == {name}
    assert ["cost", "$9.00"] in now[name]["trials"][(7 % 2)]["facts"]
    files = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*.js*")}
    shutil.rmtree(tmp_path / "out")
    write([*records[:7], changed, *records[8:]], tmp_path)
    assert files == {path: path.read_bytes() for path in files}, "as a new report has them"


def test_no_garbage_is_looked_for_while_pages_are_made(
    records: list[TrialRecord], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collecting: list[bool] = []
    page = discrimination.page
    monkeypatch.setattr(discrimination, "page", lambda grid: collecting.append(gc.isenabled()) or page(grid))
    write(records, tmp_path)
    assert collecting == [False] and gc.isenabled()


def test_every_field_counts(records: list[TrialRecord]) -> None:
    one = next(record for record in records if record.reason is not None)
    base = fingerprint([one])
    other = {
        str: "another", int: 77, float: 7.7, tuple: ("x",), dict: {"k": 1}, Outcome: Outcome.SKIPPED,
        type(None): 0.25, Block: Block("text", body="x"), type(one.usage): type(one.usage)(9, 9, 9),
    }  # fmt: skip
    for name, value in one.__dict__.items():
        if name == "replies":  # no page shows them but by the steps that asked
            continue
        assert fingerprint([replace(one, **{name: other[type(value)]})]) != base, name
    assert fingerprint([replace(one)]) == base != fingerprint([one, one])
    import numpy as np  # a suite's scores are often numpy's

    odd = replace(
        one, score=np.float64(0.5), extra={"n": np.int64(3), "any": {"deep": [Path("x"), np.ones(2)]}}
    )
    assert fingerprint([odd]) == fingerprint([replace(odd)]) != base
    assert fingerprint([odd]) != fingerprint([replace(odd, score=np.float64(0.25))])
    large, half = replace(one, extra={"n": 10**30, 2: {"of": {1, 2}}}), replace(one, error="\ud800")
    assert len({base, fingerprint([large]), fingerprint([replace(large, extra={"n": -(10**30)})])}) == 3
    assert fingerprint([large]) == fingerprint([replace(large)]) and fingerprint([half]) != base
    deep = Block("text", body="end")
    for _ in range(5000):
        deep = Block("group", "g", children=(deep,))
    assert fingerprint([replace(one, reason=deep)]) != base


def test_pages_and_pictures_that_nothing_names_are_removed(
    records: list[TrialRecord], tmp_path: Path
) -> None:
    write(records, tmp_path)
    out = tmp_path / "out"
    assert list((out / "images").iterdir())
    (out / "cells" / "notes.txt").write_text("not ours")
    (out / ".index.html.123.part").write_text("left by a kill")
    kept = [
        r for r in records if r.model == records[0].model and "page" not in r.test and "html" not in r.test
    ]
    kept = [r for r in kept if not any(word in r.test for word in ("triangle", "flag", "jpeg"))]
    summary = write(kept, tmp_path)
    left = len({r.test for r in kept})
    # what is left is written again: its links to the other models are gone
    assert summary.removed == 90 - left and summary.written == left
    assert {path.name for path in (out / "cells").glob("*.html")} == {
        page_name(r.suite, r.test, r.model) for r in kept
    }
    assert not list((out / "images").iterdir()) and not list(out.glob(".*.part"))
    assert (out / "cells" / "notes.txt").exists()
    assert len(data_of(out)) == left


def test_a_missing_page_or_picture_is_made_again(records: list[TrialRecord], tmp_path: Path) -> None:
    write(records, tmp_path)
    out = tmp_path / "out"
    next(out.glob("cells/flexbox*")).unlink()
    assert write(records, tmp_path).written == 1
    file = next(out.glob("data/*.js"))
    its = len(data_in(file))
    file.unlink()
    assert write(records, tmp_path).written == its and len(cells_of(out)) == 90
    for path in (out / "images").iterdir():
        path.unlink()
    assert write(records, tmp_path).written > 1
    assert list((out / "images").iterdir())
    (out / "manifest.json").write_text('{"pages": [1]}')
    assert write(records, tmp_path).written == 90


def test_what_cannot_be_written_whole_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "index.html" / "taken").mkdir(parents=True)
    with pytest.raises(OSError):
        replace_file(tmp_path / "index.html", b"page")
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_data_that_another_run_wrote_are_not_trusted(records: list[TrialRecord], tmp_path: Path) -> None:
    """Two runs wrote at once, or one that was to take trials out was killed: the manifest is of one of them,
    files of data are of the other."""
    data = tmp_path / "out" / "data"
    write(records, tmp_path)
    theirs = {path: path.read_bytes() for path in data.iterdir()}
    fewer = [replace(r, error="changed") if at % 7 else r for at, r in enumerate(records) if r.test[0] != "e"]
    write(fewer, tmp_path)
    ours = data_of(tmp_path / "out")
    for path, content in theirs.items():
        path.write_bytes(content)
    assert write(fewer, tmp_path).written == 0 and data_of(tmp_path / "out") == ours
    before = {path: path.stat().st_mtime_ns for path in data.iterdir()}
    write(fewer, tmp_path)
    assert before == {path: path.stat().st_mtime_ns for path in data.iterdir()}, "what is right is left alone"


def test_a_picture_that_arrives_later_is_shown(tmp_path: Path) -> None:
    name = sha256(picture(1)).hexdigest() + ".png"
    record = TrialRecord("t.T", "m", 1, Outcome.PASS, reason=Block("image", "shot", file=name))
    assert write([record], tmp_path).written == 1
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / name).write_bytes(picture(1))
    assert write([record], tmp_path).written == 1
    assert (tmp_path / "out" / "images" / name).read_bytes() == picture(1)
    assert write([record], tmp_path).written == 0


def test_pictures_in_memory_are_stored_once(tmp_path: Path) -> None:
    block = Block("image", data=picture(1))
    found = [TrialRecord(f"t.T{i}", "m", 1, Outcome.PASS, reason=block) for i in range(3)]
    write(found, tmp_path)
    assert len(list((tmp_path / "out" / "images").iterdir())) == 1
    assert write(found, tmp_path).written == 0


@pytest.mark.parametrize(
    "file", ["../../../etc/passwd", "/etc/passwd", "a/b.png", "x.svg", "x.html", "\0.png", ".png"]
)
def test_a_picture_cannot_be_any_file(file: str, tmp_path: Path) -> None:
    record = TrialRecord("t.T", "m", 1, Outcome.PASS, reason=Block("image", file=file))
    write([record], tmp_path)
    assert not list((tmp_path / "out" / "images").iterdir())
    assert "image" not in cell_of(tmp_path / "out")["trials"][0]["pieces"][0]


def test_a_new_version_of_the_templates_rewrites_everything(
    records: list[TrialRecord], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(records, tmp_path)
    monkeypatch.setattr(report, "version", lambda: "f" * 32)
    assert write(records, tmp_path).written == 90


def test_file_names_are_safe_and_distinct(tmp_path: Path) -> None:
    names = {
        page_name(suite, test, model) for suite in ("a", "b") for test in INJECTIONS for model in INJECTIONS
    }
    assert len(names) == 2 * len(INJECTIONS) ** 2
    assert all(re.fullmatch(r"[a-z0-9-]{10,80}\.html", name) for name in names)
    assert page_name("a", "b", "c\udc80") and page_name("", "b\0c", "") != page_name("", "b", "c\0")


def test_sources_are_linked_only_below_the_root(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    (root / "tests").mkdir(parents=True)
    (root / "tests" / "a b%.py").write_text("")
    (tmp_path / "secret.py").write_text("")
    for source, linked in (
        ("tests/a b%.py", True), ("../secret.py", False), (str(tmp_path / "secret.py"), False),
        ("tests", False), ("no.py", False),
        ("x\0y", False), ("x" * 5000, False), ("\udc80", False), ("", False),
    ):  # fmt: skip
        record = TrialRecord("t.T", "m", 1, Outcome.PASS, source=source)
        write_report([record], root / "out", images=tmp_path, root=root)
        link = ["Source of the test", "../../tests/a%20b%25.py"]
        assert cell_of(root / "out")["links"] == [link] * linked, source


class Words(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "link", "input", "img", "br", "wbr", "hr", "rect"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_pages_are_well_formed_whatever_the_explanation(records: list[TrialRecord], tmp_path: Path) -> None:
    deep = Block("text", body="end")
    for level in range(3000):
        deep = Block(
            "group", f"level {level}" if level % 3 else "", children=(deep, Block("verdict", "v", "w"))
        )
    found = [*records, *scored_records(), replace(records[0], test="deep.T", reason=deep)]
    found.append(replace(records[0], test="huge.T", reason=Block("text", body="x y\n" * 500_000)))
    found.append(replace(records[0], test="empty.T", reason=Block("group")))
    write(found, tmp_path)
    for path in (tmp_path / "out").rglob("*.html"):
        assert Words(path.read_text()).open == []
    assert len(json.dumps(cell_of(tmp_path / "out", "huge"))) < 150_000


def test_no_records_make_an_empty_page(tmp_path: Path) -> None:
    assert "0 tests" in write([], tmp_path).index.read_text()


@pytest.mark.slow(4)
def test_a_kill_leaves_whole_pages_and_the_next_run_mends_the_rest(tmp_path: Path) -> None:
    program = (
        "import sys, dataclasses; from pathlib import Path; from assay.report.html import write_report\n"
        "from testing.report.sample_records import sample_records\n"
        "t = Path(sys.argv[1]); r = sample_records(t / 'images', models=6, tests=40, epochs=3)\n"
        "r = [dataclasses.replace(x, commit=sys.argv[2]) for x in r]\n"
        "print('go', flush=True)\n"
        "print(write_report(r, t / 'out', images=t / 'images', root=t).written)\n"
    )

    def start(commit: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", program, str(tmp_path), commit]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)

    whole = start("aaaa")
    assert whole.communicate(timeout=120)[0].split() == ["go", "240"]
    for wait in (0.1, 0.3, 0.5):
        run = start("bbbb")
        assert run.stdout is not None and run.stdout.readline() == "go\n"
        time.sleep(wait)
        run.send_signal(signal.SIGKILL)
        run.wait()
        run.stdout.close()
        for path in (tmp_path / "out" / "cells").glob("*.html"):
            assert path.read_text().rstrip().endswith("</html>")
        data_of(tmp_path / "out")  # each file is whole
        json.loads((tmp_path / "out" / "manifest.json").read_text())
    # Back to the first records: a page that a killed run had replaced must not pass for unchanged.
    assert start("aaaa").communicate(timeout=120)[0].split()[0] == "go"
    for cell in cells_of(tmp_path / "out").values():
        assert all(["commit", "aaaa"] in trial["facts"] for trial in cell["trials"])
    assert not list((tmp_path / "out").rglob("*.part"))


def test_a_full_disk_leaves_the_old_pages_whole(
    records: list[TrialRecord], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(records, tmp_path)
    files = {path: path.read_bytes() for path in (tmp_path / "out").glob("*/*.[hj]*")}
    whole = Path.write_bytes

    def half(self: Path, data: bytes) -> int:
        if re.search(r"\.(html|js)\.", self.name):
            whole(self, data[: len(data) // 2])
            raise OSError(28, "No space left on device")
        return whole(self, data)

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(OSError, match="No space"):
        write([replace(record, cost=1.0) for record in records], tmp_path)
    monkeypatch.undo()
    assert {path: path.read_bytes() for path in files} == files
    assert write(records, tmp_path).written == 0  # the old pages are whole, so they need not be written
    assert not list((tmp_path / "out").rglob("*.part"))


def test_pages_are_copies_where_no_file_can_have_two_names(
    records: list[TrialRecord], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, other = tmp_path / "out" / "cells", tmp_path / "other"
    write(records, tmp_path)
    assert len({path.stat().st_ino for path in out.iterdir()}) == 1

    def refuse(source: Path, target: Path) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    write_report(records, other, images=tmp_path / "images", root=tmp_path)
    copies = {path.name: path.read_bytes() for path in (other / "cells").iterdir()}
    assert copies == {path.name: path.read_bytes() for path in out.iterdir()}
    monkeypatch.undo()
    spoilt = next(out.iterdir())
    spoilt.write_bytes(b"")  # and with it all that are the same file
    write(records, tmp_path)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == copies
    assert not list(out.glob(".*.part"))


def test_every_character_that_may_lie_is_shown_by_its_name_in_the_data() -> None:
    for code in range(0x110000):
        text = chr(code)
        if visible(text) != text:
            assert json.loads(packed({"a": [text, {"b": text}]})) == {
                "a": [visible(text), {"b": visible(text)}]
            }
    plain = {"a": '\u00e9\u4e2d \U0001f600 \n\t"\\ \\b </script>', "n": [1, None, True]}
    assert json.loads(packed(plain)) == plain and packed(plain).isascii()


def test_a_text_that_is_handed_on_is_shown_once_and_linked(tmp_path: Path) -> None:
    question, code = "What is asked, in full, with every detail. " * 5, "print('the program')\n" * 9
    steps = Block(
        "group",
        children=(
            Block("text", "text", f"\n{question}\n"),
            Block("text", body="turn 1"),
            Block("group", "LLMRun", children=(Block("chat", "asked", question, role="user"),)),
            Block("group", "ExtractCode", children=(Block("code", "found", code, "python"),)),
            Block("group", "PythonRun", children=(Block("code", "program", code, "python"),)),
        ),
    )
    write([TrialRecord("t.T", "m", 1, Outcome.PASS, reason=steps)] * 2, tmp_path)
    trials = cell_of(tmp_path / "out")["trials"]
    page = json.dumps(trials)
    assert page.count("What is asked, in full") == 2 * 5  # once in each of two trials
    assert page.count("the program") == 2 * 9
    for trial in trials:
        (again,) = [piece for piece in trial["pieces"] if "same_as" in piece]
        assert again["lines"] == 9 and trial["pieces"][again["same_as"] - 1]["title"] == "found"


def test_a_verdict_does_not_repeat_what_stands_above_it(tmp_path: Path) -> None:
    printed, failed = "hello\ntest 1 failed: NameError\n", "test 1 failed: NameError"
    blocks = (
        Block("text", "output", printed),
        Block("verdict", "checks", failed, passed=False),
        Block("verdict", "SubstringEvaluator", f"{failed}; it was {printed!r}", passed=False),
        Block("verdict", "EqualEvaluator", "output differs from 'b'; it was 'a'", passed=False),
        Block("chat", "replied", "once more", role="assistant"),
        Block("verdict", "checks", "output differs from 'b'; it was 'a'", passed=False),
    )
    record = TrialRecord("t.Test", "m", 1, Outcome.FAIL, reason=Block("group", children=blocks))
    write_report([record], tmp_path / "out", images=tmp_path / "images", root=tmp_path)
    (trial,) = cell_of(tmp_path / "out", "t-test-m-")["trials"]
    verdicts = [
        (each["title"], each.get("text", "")) for each in trial["pieces"] if each["kind"] == "verdict"
    ]
    differs = "output differs from 'b'; it was 'a'"
    assert verdicts == [
        ("checks", failed), ("SubstringEvaluator", ""), ("EqualEvaluator", differs), ("checks", differs),
    ]  # fmt: skip


def test_a_picture_that_is_handed_on_is_shown_once_and_linked(tmp_path: Path) -> None:
    drawn, other = picture(1), picture(2)
    steps = Block(
        "group",
        children=(
            Block("group", "CRun", children=(Block("image", "output", "PNG", data=drawn),)),
            Block("group", "PyFunc", children=(Block("image", "called with", "PNG", data=drawn),)),
            Block("group", "PyFunc", children=(Block("image", "expected", "PNG", data=other),)),
        ),
    )
    write([TrialRecord("t.T", "m", 1, Outcome.FAIL, reason=steps)], tmp_path)
    found = cell_of(tmp_path / "out")["trials"][0]["pieces"]
    assert len([piece for piece in found if "image" in piece and "same_as" not in piece]) == 2
    (again,) = [piece for piece in found if "same_as" in piece]
    assert again["title"] == "called with" and found[again["same_as"] - 1]["title"] == "output"


# ---------------------------------------------------------------- counting


def test_errors_and_skipped_are_never_counted_as_wrong() -> None:
    one = TrialRecord("t.T", "m", 1, Outcome.PASS, cost=0.5, calls=1)
    counted = tally(
        [one, replace(one, outcome=Outcome.FAIL, cost=None), replace(one, outcome=Outcome.ERROR),
         replace(one, outcome=Outcome.SKIPPED, cost=None, calls=0)]
    )  # fmt: skip
    assert (counted.passed, counted.counted, counted.errors, counted.skipped) == (1, 2, 1, 1)
    assert counted.rate == 0.5 and counted.cost == 1.0 and counted.cost_unknown == 1
    assert tally([replace(one, outcome=Outcome.ERROR)]).rate is None


def test_side_by_side_begins_with_models_that_are_compared(tmp_path: Path) -> None:
    def preset(*models: str) -> list[str]:
        records = [TrialRecord("a.T", model, 1, Outcome.PASS, fingerprint=model) for model in models]
        index = write_report(records, tmp_path / str(len(models)), images=tmp_path, root=tmp_path).index
        return re.findall(r" selected>([^<]*)</option>", index.read_text())

    assert preset("oracle", "p/a", "p/b") == ["p/a", "p/b"]
    assert preset("oracle", "p/a") == ["p/a", "oracle"]


def test_a_score_outside_zero_and_one_is_shown_but_not_compared() -> None:
    points = [
        TrialRecord("e.T", model, 1, outcome, score=score)
        for model, score, outcome in (("a", 32.07, Outcome.PASS), ("b", 0.0, Outcome.FAIL))
    ]
    grid = make_grid(points)
    assert [grid.rows[0].cells[model].ratio for model in ("a", "b")] == [1.0, 0.0]
    assert (pairs(grid)[0].found.wins, pairs(grid)[0].found.losses) == (1, 0)


def test_pairs_leave_out_tests_that_one_side_did_not_finish() -> None:
    def trial(test: str, model: str, outcome: Outcome) -> TrialRecord:
        return TrialRecord(test, model, 1, outcome)

    grid = make_grid(
        [trial(f"{i}.T", "a", Outcome.PASS) for i in range(8)]
        + [trial(f"{i}.T", "b", Outcome.FAIL) for i in range(6)]
        + [trial("6.T", "b", Outcome.ERROR)]
    )
    (pair,) = pairs(grid)
    found = pair.found
    assert (found.tests, found.wins, found.losses) == (6, 6, 0) and found.p == pytest.approx(2 / 64)
    assert found.single and pair.verdict == "better"
