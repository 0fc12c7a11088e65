"""--fetch-euler against a local site of the same structure: what it gets, when it asks, what it says."""

import json
import shutil

import pytest

from assay.errors import ConfigError
from testing.euler.euler_site import EulerSite
from testing.harness.commanding import ROOT, Workspace
from tests.euler.facts import problems
from tests.euler.fetching import Fetcher
from tests.euler.markup import statement_in, statistics_in
from tests.euler.site import Site
from tests.euler.statements import data_files, statement_of, what_is_missing


@pytest.fixture
def site():
    with EulerSite() as running:
        yield running


@pytest.fixture
def fetch(site, tmp_path):
    """Fetch into tmp_path / "fetched"; what was said, after the exit code."""

    def fetch(*numbers, answers=None, delay_s=0.0):
        said = []
        with Site(site.url, delay_s=delay_s, say=said.append) as polite:
            code = Fetcher(polite, tmp_path / "fetched", said.append).fetch(numbers, answers)
        problems.cache_clear()
        return code, "\n".join(said)

    yield fetch
    problems.cache_clear()


def test_statements_become_markdown_with_their_tables_pictures_and_files():
    grid = statement_in(EulerSite().pages["/minimal=11"])
    assert grid.text == "In the grid below\n\n```\n08 02 26\n49 49 99\n```\n\nFind $a < b$ for 10^(12).\n"
    board = statement_in(EulerSite().pages["/minimal=84"])
    table = "| GO | A1 |\n| --- | --- |\n| H2 |  |"
    assert board.text == f"The board is $10 \\times 10$ & looks so:\n\n{table}\n\n![board](0084.png)\n"
    assert board.images == {"0084.png": "resources/images/0084.png?1678992052"}
    names = statement_in(EulerSite().pages["/minimal=22"])
    assert names.text == "Sort **all** names.\n\nUsing names.txt (right click), a 46K text file.\n"
    lists = (
        "<ul><li>one<ul><li>inner</li></ul></li><li>two <i>x</i>\n y</li></ul><ol><li>a</li><li>b</li></ol>"
    )
    assert statement_in(lists).text == "- one\n\n  - inner\n\n- two *x* y\n\n1. a\n2. b\n"
    assert (
        statement_in("<script>alert(1)</script><p>$$\nx &lt; 1\n$$</p>a<br>b").text
        == "$$ x < 1 $$\n\na  \nb\n"
    )
    assert statement_in(
        '<p><a href="resources/documents/../../x">x</a><b>un<table><tr><td>closed'
    ).documents == {"x": "resources/documents/../../x"}


def test_no_file_name_leads_out_of_the_folder():
    for name in ("..", ".hidden", "a/..", "%2e%2e", "x y.txt", "-x", "a" * 200):
        assert not statement_in(f'<a href="resources/documents/{name}">f</a><img src="{name}">').documents, (
            name
        )


def test_statistics_are_read_from_their_table_only():
    assert statistics_in(EulerSite().pages["/archives;page=2"]) == [
        (84, "Monopoly Odds", 12000), (950, "A New One", 321),
    ]  # fmt: skip


def test_everything_is_fetched_once(site, fetch, tmp_path):
    folder = tmp_path / "fetched"
    code, said = fetch(11, 22, 84, 950, answers=f"{site.url}/answers.txt")
    assert code == 0, said
    assert "4 problems fetched" in said and "problem 22, 0022_names.txt" in said
    assert (folder / "documents" / "0022_names.txt").read_text() == '"MARY","ANN"'
    assert (folder / "images" / "0084.png").read_text() == "PNG"
    known = problems(folder)
    assert known[950].title == "A New One" and known[950].solved_by == 321 and known[950].answer == "2.5e7"
    assert known[11].solved_by == problems()[11].solved_by, "published points do not change"
    assert list(site.agents) == ["assay-euler (fetches statements for one user, once)"]

    before = len(site.asked)
    code, said = fetch(11, 22, 84, 950)
    assert code == 0 and len(site.asked) == before and "4 of 4 problems are here already" in said
    (folder / "0022.md").unlink()
    assert fetch(11, 22)[0] == 0
    assert site.asked[before:] == ["/minimal=22", "/resources/documents/0022_names.txt"]


def test_fetched_ones_take_precedence_and_bring_data(fetch, tmp_path):
    folder = tmp_path / "fetched"
    missing = what_is_missing(problems()[22], folder)
    assert missing == "0022_names.txt; get it: main.py --fetch-euler --problem 22"
    shipped = statement_of(22, folder)
    fetch(22)
    assert statement_of(22, folder) != shipped and "46K" in statement_of(22, folder)
    assert data_files(problems()[22], folder) == {
        "0022_names.txt": b'"MARY","ANN"',
        "names.txt": b'"MARY","ANN"',
    }
    assert what_is_missing(problems()[22], folder) == ""


def test_what_cannot_be_had_is_named_and_had_the_next_time(site, fetch, tmp_path):
    del site.pages["/resources/documents/0022_names.txt"]
    code, said = fetch(11, 22, 951, 960)
    assert code == 1
    assert "problem 22: skipped: " in said and "0022_names.txt: 404" in said
    assert "problem 951: skipped" in said and "an empty page" in said
    assert "problem 960: skipped" in said and "no answer is known for 951, 960" in said
    assert "1 problems fetched" in said and not (tmp_path / "fetched" / "0022.md").exists()
    site.pages["/resources/documents/0022_names.txt"] = "now"
    assert fetch(11, 22)[0] == 0


def test_failures_that_pass_are_tried_again_and_others_are_not(site, fetch):
    site.failures = {"/minimal=11": [503, 429], "/minimal=22": [403]}
    code, said = fetch(11, 22)
    assert code == 1 and site.asked.count("/minimal=11") == 3 and site.asked.count("/minimal=22") == 1
    assert "503" in said and "trying again" in said and "problem 22: skipped" in said
    site.failures = {"/archives;page=1": [500] * 9}
    assert fetch(84)[0] == 1 and site.asked.count("/archives;page=1") >= 5


def test_there_is_a_pause_between_requests(site, fetch):
    fetch(11, 22, delay_s=0.15)
    gaps = [after - before for before, after in zip(site.at, site.at[1:], strict=False)]
    assert len(gaps) >= 3 and min(gaps) > 0.1, gaps


def test_a_list_of_answers_that_is_none_is_an_error(site, fetch, tmp_path):
    for source in (f"{site.url}/nothing", str(tmp_path / "none.txt"), f"{site.url}/minimal=11"):
        with pytest.raises(ConfigError, match="--fetch-euler-answers"):
            fetch(11, answers=source)
    (tmp_path / "answers.txt").write_text("11. 5\n22. 7\n")
    code, said = fetch(11, answers=str(tmp_path / "answers.txt"))
    assert code == 0 and "problem 11: the list says 5, ours is 70600674 and stays" in said


@pytest.mark.slow(2)
def test_the_command_line(site, tmp_path):
    """Without --suite: the flag says it. The suite's folder is a copy: ours stays as it is."""
    work = Workspace(tmp_path / "work")
    shutil.copytree(ROOT / "tests" / "euler", work.tests / "euler", ignore=shutil.ignore_patterns("fetched"))
    flags = (
        "--fetch-euler",
        "--fetch-euler-url",
        site.url,
        "--fetch-euler-delay",
        "0",
        "--problem",
        "22,950",
    )
    _, said = work.main(*flags, "--fetch-euler-answers", f"{site.url}/answers.txt")
    assert "2 problems fetched into" in said
    out, _ = work.main("--suite", "euler", "--problem", "22,950", "--list", "--format", "json")
    described = {row["test"]: row["description"] for row in json.loads(out)}
    assert described["euler950.java"] == "950. A New One, in Java" and len(described) == 8
    _, said = work.main("--suite", "euler", "--problem", "22,951", "--list", code=1)
    assert "--problem 951: nothing is known of it" in said and "--fetch-euler --problem 951" in said
    _, said = work.main("--fetch-euler", "--problem", "1-10000", code=1)
    assert "there is no problem above 9999" in said
    asked = len(site.asked)
    _, said = work.main(*flags, "--fetch-euler-answers", "nowhere.txt", code=1)
    assert "--fetch-euler-answers nowhere.txt: No such file or directory" in said and len(site.asked) == asked
    _, said = work.main("--fetch-euler", "--fetch-euler-url", "ftp://x", code=1)
    assert "must begin with http" in said
    _, said = work.main("--fetch-euler", "--problem", "9-3", code=1)
    assert "begins with the smaller number" in said


@pytest.mark.parametrize(
    ("path", "page", "said"),
    [
        (
            "/minimal=22",
            "<title>Just a moment...</title><p>Checking your browser</p>",
            "a page of another kind",
        ),
        ("/minimal=22", '<form action="sign_in"><input name="user"></form>', "a page of another kind"),
        (
            "/minimal=22",
            "<p>Please be patient.</p>",
            "does not name 0022_names.txt, so it is not the problem",
        ),
        ("/minimal=22", b"\x89PNG\xff\xfe", "no text"),
        (
            "/resources/documents/0022_names.txt",
            "<!doctype html><html>Busy",
            "a page, and 0022_names.txt is none",
        ),
        ("/minimal=22", "->/login", "another page"),
    ],
)
def test_a_page_that_is_no_problem_is_not_taken_for_one(site, fetch, tmp_path, path, page, said):
    site.pages["/login"] = "<p>Sign in</p>"
    right, site.pages[path] = site.pages[path], page
    code, told = fetch(22)
    assert code == 1 and "problem 22: skipped: " in told and said in told
    assert not (tmp_path / "fetched" / "0022.md").exists()
    site.pages[path] = right
    assert fetch(22)[0] == 0 and (tmp_path / "fetched" / "documents" / "0022_names.txt").is_file()


def test_a_statement_without_its_data_file_is_fetched_again(site, fetch, tmp_path):
    (tmp_path / "fetched").mkdir()
    (tmp_path / "fetched" / "0022.md").write_text("Checking your browser")
    code, _ = fetch(22)
    assert code == 0 and "46K" in (tmp_path / "fetched" / "0022.md").read_text()
