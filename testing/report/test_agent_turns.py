"""The turns of an agent in a trial's page: one line each, opened by a click."""

import time

import pytest

from assay.language.agents.turns import Story, Turn
from assay.language.agents.workbench import Done
from assay.records import Block, Completion, ToolCall
from assay.report.explanation import Pictures, as_data, pieces, walk
from assay.report.html import write_report
from testing.report.agent_trials import hostile, saved, sixty_turns
from testing.report.browser import chromium

pytestmark = pytest.mark.timeout(240)


def test_a_folded_group_is_a_line_that_can_be_opened():
    inside = Block("group", "reasoning", children=(Block("text", "", "hm\n" * 5),), folded=True)
    turn = Block("group", "turn 1: shell: a: b (exit 1)", children=(inside,), folded=True, passed=False)
    found = as_data(pieces(Block("group", "AgentRun", children=(turn,)), Pictures()))
    assert [
        (each["kind"], each.get("title"), each.get("text")) for each in found if each["kind"] == "round"
    ] == [
        ("round", "turn 1", "shell: a: b (exit 1)"),
        ("round", "reasoning", None),
    ]
    assert [each["kind"] for each in found].count("close") == 3
    assert found[1]["role"] == "failed" and "role" not in found[2]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("turns")
    records = [saved(sixty_turns(), "sixty"), saved(hostile(), "hostile")]
    return write_report(records, folder, images=folder, root=folder).index


@pytest.fixture(scope="module")
def browser():
    with chromium(log=True) as driver:
        yield driver


def open_cell(browser, report, name, size=(1400, 900)):
    browser.set_window_size(*size)
    (page,) = report.parent.glob(f"cells/{name}*.html")
    browser.get("about:blank")
    browser.get(page.as_uri())


def shown_turns(browser):
    script = "return [...document.querySelectorAll('.round')].filter(r => r.assaySpent && !r.hidden)"
    return browser.execute_script(f"{script}.map(r => r.assayName)")


@pytest.mark.slow(30)
def test_a_reader_finds_the_turn_that_went_wrong(browser, report):
    open_cell(browser, report, "sixty")
    head = browser.find_element("css selector", ".turns")
    assert head.find_element("css selector", ".ended").text.startswith(
        "ended by its limit of 60 turns, after 60"
    )
    assert "(limits: 60 turns, 1,800 s)" in head.text and "60 turns" in head.text
    assert len(head.find_elements("css selector", ".bars a")) == 60
    failed = browser.find_elements("css selector", ".round.failed")
    assert f"{len(failed)} with a failed call" in head.text and len(failed) > 5
    most = "return document.querySelector('.measured small').textContent"
    assert browser.execute_script(most).endswith("most in turn 54: $0.079")
    for number in range(3):  # each press goes on to the next one, and opens it
        browser.find_element("tag name", "body").send_keys("e")
        opened = [each.get_attribute("open") is not None for each in failed]
        assert opened == [at <= number for at in range(len(failed))]


@pytest.mark.slow(10)
def test_a_search_in_the_turns_leaves_those_that_hold_the_word(browser, report):
    open_cell(browser, report, "sixty")
    assert len(shown_turns(browser)) == 60
    box = browser.find_element("css selector", ".turns input")
    box.send_keys("A-ZA-Z_-]")
    assert shown_turns(browser) == ["turn 23"]
    assert browser.find_element("css selector", ".turns output").text == "1 of 60 turns"


@pytest.mark.slow(10)
def test_the_report_s_search_leads_into_the_turn(browser, report):
    browser.get(report.as_uri())
    browser.find_element("css selector", "#search input").send_keys("variant 26")
    wait = "return document.querySelector('#search li a')"
    deadline = time.monotonic() + 60
    while browser.execute_script(wait) is None:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    hit = browser.find_element("css selector", "#search li")
    assert "turn 27" in hit.text
    browser.get(hit.find_element("tag name", "a").get_attribute("href"))
    assert (
        browser.execute_script("return document.querySelector('details.round[open] b').textContent")
        == "turn 27"
    )


@pytest.mark.slow(10)
@pytest.mark.parametrize("size", [(1400, 900), (390, 844)])
def test_no_turn_is_wider_than_the_screen(browser, report, size):
    for name in ("sixty", "hostile"):
        open_cell(browser, report, name, size)
        wide = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        assert browser.execute_script(wide)


@pytest.mark.slow(10)
def test_what_a_hostile_agent_left_is_text_and_small(browser, report):
    open_cell(browser, report, "hostile")
    assert browser.title == "hostile.TestHostile · scripted/agent"
    assert browser.execute_script("return document.querySelectorAll('main script, main img').length") == 0
    told = browser.find_element("css selector", ".changes").text
    assert "huge.txt new, 100,000 lines, 1,089 kB, too large to be compared" in told
    assert "node_modules/: 300 files" in told and "⟨U+202E⟩gnp.exe" in browser.page_source
    assert not browser.get_log("browser")
    assert sum(path.stat().st_size for path in report.parent.glob("data/*.js")) < 400_000


@pytest.mark.slow(10)
def test_of_two_hundred_turns_the_last_and_the_failed_ones_are_told_in_full():
    turns = [
        Turn(Completion("t" * 90, calls=(ToolCall("1", "shell", '{"command": "ls"}'),)), [Done("x")])
        for _ in range(400)
    ]
    turns[80].done = [Done("no", failed=True)]
    told = Story().of(turns, "m")
    lines = [block for block in told if block.kind == "group"]
    assert len(lines) == 300 and told[150].body == "[100 turns left out]"
    assert lines[80].children and lines[-1].children and lines[0].children and not lines[149].children
    assert sum(1 for block in told for _ in walk(block)) <= 450
