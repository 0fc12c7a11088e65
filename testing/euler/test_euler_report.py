"""What the report shows of the suite: leaderboard, who solved what, the grid, a page a problem."""

from html.parser import HTMLParser

import pytest

from assay.records import Block, Outcome, TrialRecord, Usage
from assay.report.html import write_report
from assay.suites.exhibits import Columns
from assay.suites.finding import load_suite
from testing.harness.commanding import ROOT
from tests.euler.facts import problems
from tests.euler.pages import grid, pages
from tests.euler.tables import tables

BAD = "<script>alert(1)</script>"


def record(model, number, language, passed, epoch=1, **more):
    outcome = Outcome.PASS if passed else Outcome.FAIL
    steps = (
        Block("code", "program main.py", f"print('{BAD}')", language="python"),
        Block("text", "stdout (exit 0, 0.10 s)", BAD if not passed else "42"),
        Block("verdict", "last line", "its last line is it", passed=passed),
    )
    return TrialRecord(
        f"euler{number:03}.{language}", model, epoch, more.pop("outcome", outcome), suite="euler",
        extra={"problem": number, "language": language}, metrics={"run_s": 0.25, "peak_memory_mb": 9.0},
        reason=Block("group", children=steps), usage=Usage(10, 200), cost=0.0, calls=1, **more,
    )  # fmt: skip


ABOUT = {"parameter_size": "8.0B", "quantization": "Q4_K_M", "context_length": 32768}
RECORDS = [
    *(record("small", n, "python", True, about=ABOUT) for n in (1, 2)),
    *(record("small", n, "rust", n == 1, about=ABOUT) for n in (1, 2)),
    record("big" + BAD, 1, "python", True),
    record("big" + BAD, 1, "python", False, epoch=2),
    record("big" + BAD, 2, "python", False, outcome=Outcome.ERROR, error="the server is down"),
    record("big" + BAD, 11, "java", False),
]


def rows_of(table):
    return [
        dict(
            zip(
                table.columns,
                [getattr(cell, "text", "") or getattr(cell, "value", cell) for cell in row],
                strict=True,
            )
        )
        for row in table.rows
    ]


def test_the_tables():
    board, newer, languages, solved = tables(RECORDS)
    first, second = rows_of(board)
    assert first["model"] == "small" and first["PE-Bench-Python-100"] == "1.47 (2/100)"
    assert first["PE-Bench-Rust-100"] == "0.65 (2/100)" and first["PE-Bench-Java-100"] is None
    assert first["W"] == "1.20" and first["Best model for size (GB)"] == "4.00" and first["Eco-Score"] == "30"
    assert (first["bits"], first["context (K)"]) == ("4", "32")
    assert second["PE-Bench-Python-100"] == "0.65 (1/100)", (
        "half of two trials, and an error counts for nothing"
    )
    assert second["PE-Bench-Java-100"] == "0.00 (1/100)" and second["Eco-Score"] == " "
    assert [row["model"] for row in rows_of(newer)] == ["small", "big" + BAD]
    python = next(
        row for row in rows_of(languages) if row["model"] == "small" and row["language"] == "Python"
    )
    assert python["solved"] == "2/2" and python["run s"] == "0.25" and python["tokens a reply"] == "200"
    assert rows_of(solved)[0]["1-10"] == "21--------"


def test_two_hundred_problems_have_a_leaderboard_of_their_own():
    longer = [*RECORDS, record("small", 150, "python", True, about=ABOUT)]
    boards = [table for table in tables(longer) if "Leaderboard" in table.title]
    assert [table.title for table in boards] == ["Leaderboard", "Leaderboard of the first 200 problems"]
    short, long = (rows_of(table)[0] for table in boards)
    assert short["PE-Bench-Python-100"] == "1.47 (2/100)"
    points = problems()[150].points
    assert long["PE-Bench-Python-200"] == f"{round((2.938 + points) / 3, 2):.2f} (3/200)"


def test_no_verdict_no_tables():
    assert list(tables([])) == list(tables([RECORDS[-2]])) == []
    assert list(pages([])) == []


def test_the_grid_shows_languages_and_leads_to_the_problems():
    table = grid(RECORDS)
    first, second, eleventh = table.rows
    assert (first[4].text, first[4].shade) == ("PR", 1.0) and first[4].link == "problem-0001"
    assert (second[4].text, second[4].shade) == ("P·", 0.5) and second[5] is None
    assert (eleventh[5].text, eleventh[5].shade) == ("·", 0.0)


def test_a_problems_page_has_every_program_beside_the_others():
    by_name = {page.name: page for page in pages(RECORDS)}
    assert set(by_name) == {"problems", "problem-0001", "problem-0002", "problem-0011"}
    page = by_name["problem-0001"]
    assert set(page.tests) == {"euler001.python", "euler001.rust"} and not page.listed
    items = list(page.items())
    assert "1,017,252 of 1,325,386" in items[0] and "`233168`" in items[0]
    python, rust = (item for item in items if isinstance(item, Columns))
    assert [name for name, _ in python.columns] == ["small", f"big{BAD}, trial 1", f"big{BAD}, trial 2"]
    blocks = python.columns[0][1]
    assert [block.kind for block in blocks] == ["verdict", "code", "text"] and blocks[
        0
    ].title == "pass, 0.25 s"
    assert len(rust.columns) == 1


class Texts(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.tags = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name == "href"]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    out = tmp_path_factory.mktemp("report")
    summary = write_report(RECORDS, out, images=out, suites=[load_suite("euler", ROOT / "tests")], root=ROOT)
    assert not summary.problems, summary.problems
    return out


def test_the_written_report(report):
    index = (report / "index.html").read_text()
    read = Texts()
    read.feed(index)
    assert "pages/euler--problems.html" in read.links
    head = index[index.index('<ul class="pages">') : index.index("</ul>", index.index('<ul class="pages">'))]
    assert "problem-0001" not in head, "a hundred links would bury the leaderboard"
    assert "pages/euler--problem-0001.html" in read.links, "but the test's row leads to its problem's page"
    for path in [report / "index.html", *(report / "pages").iterdir()]:
        assert BAD not in path.read_text(), path
    page = (report / "pages" / "euler--problem-0001.html").read_text()
    assert "&lt;script&gt;" in page and "Solved by 1,017,252" in page
