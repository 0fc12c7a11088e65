"""From one trial to the next: neighbours, two models beside each other, search, copying, folded dialogues."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By

from assay.records import Block, Outcome
from assay.report.aggregate import make_grid
from assay.report.cell_page import page_name
from assay.report.explanation import Pictures, pieces
from assay.report.html import write_report
from assay.report.neighbours import Neighbourhood
from testing.report.browser import chromium
from testing.report.sample_records import sample_records

TURNS = [Block("text", body=f"turn {number} of the conversation") for number in range(1, 5)]


def dialogue(reply: str) -> Block:
    steps = [
        Block("group", "LLMConversation", children=(
            turn,
            Block("chat", "asked m", f"question {number}", role="user"),
            Block("chat", "m replied", f"```bash\nls {number}\n```\n{reply}", role="assistant"),
        ))
        for number, turn in enumerate(TURNS, 1)
    ]  # fmt: skip
    return Block("group", children=tuple(steps))


def records() -> list[Any]:
    made = [each for each in sample_records(None, models=1, tests=1, epochs=1)][:1]
    out = []
    for model in ("a/one", "b/two"):
        for number, test in enumerate(("alpha.TestA", "beta.TestB", "gamma.TestC")):
            passed = (model, number) not in (("a/one", 1), ("b/two", 0), ("b/two", 2))
            reply = f"{model} says </script><b>{test}</b> \u2028 Pfefferminz"
            outcome = Outcome.PASS if passed else Outcome.FAIL
            out.append(
                replace(
                    made[0],
                    test=test, suite="applied", model=model, epoch=1, outcome=outcome, score=None, metrics={},
                    reason=dialogue(reply), error="",
                )
            )  # fmt: skip
    return out


def name(test: str, model: str) -> str:
    return page_name("applied", test, model)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    return write_report(records(), folder / "out", images=folder, root=folder).index


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium(log=True) as driver:
        yield driver


def settle(browser: Any) -> None:
    browser.execute_async_script("setTimeout(arguments[0], 300)")


def complaints(browser: Any) -> list[str]:
    return [each["message"] for each in browser.get_log("browser") if each["level"] in ("SEVERE", "WARNING")]


def test_the_next_failure_is_the_models_own_and_comes_round() -> None:
    grid = make_grid(records())
    near = Neighbourhood(grid.rows, grid.models, lambda cell: name(*cell[1:]))
    found = {(row.suite, row.test, model): near.of(row.suite, row.test, model)
             for row in grid.rows for model in row.trials}  # fmt: skip
    its = found["applied", "alpha.TestA", "b/two"]
    assert (its.before, its.after.title, its.failure.title) == (None, "beta.TestB", "gamma.TestC")
    assert found["applied", "gamma.TestC", "b/two"].failure.title == "alpha.TestA"
    assert found["applied", "beta.TestB", "a/one"].failure is None  # the only one
    assert [(each.model, each.css) for each in found["applied", "alpha.TestA", "a/one"].others] == [
        ("b/two", "fail")
    ]


@pytest.mark.slow(5)
def test_one_click_leads_to_the_next_test_the_next_failure_and_the_other_model(
    browser: Any, report: Path
) -> None:
    browser.get((report.parent / "cells" / name("alpha.TestA", "b/two")).as_uri())
    browser.find_element(By.LINK_TEXT, "Next failure ↓").click()
    assert name("gamma.TestC", "b/two") in browser.current_url
    browser.find_element(By.TAG_NAME, "body").send_keys("p")
    settle(browser)
    assert name("beta.TestB", "b/two") in browser.current_url
    browser.find_element(By.LINK_TEXT, "a/one").click()
    assert name("beta.TestB", "a/one") in browser.current_url


@pytest.mark.slow(2)
def test_two_models_stand_side_by_side_and_go_on_together(browser: Any, report: Path) -> None:
    browser.get((report.parent / "cells" / name("alpha.TestA", "a/one")).as_uri())
    browser.find_element(By.LINK_TEXT, "side by side").click()
    settle(browser)

    def seen() -> list[str]:
        heads = []
        for frame in browser.find_elements(By.TAG_NAME, "iframe"):
            browser.switch_to.frame(frame)
            heads.append(browser.find_element(By.TAG_NAME, "header").text.split("\n")[:2])
            browser.switch_to.default_content()
        return [f"{test} {model.split()[0]}" for test, model in heads]

    assert seen() == ["alpha.TestA a/one", "alpha.TestA b/two"]
    browser.find_element(By.CSS_SELECTOR, "[data-step=after]").click()
    settle(browser)
    assert seen() == ["beta.TestB a/one", "beta.TestB b/two"]
    assert complaints(browser) == []


def test_nothing_but_a_page_of_ours_is_opened_beside_another(browser: Any, report: Path) -> None:
    browser.get("about:blank")
    browser.get(report.with_name("side.html").as_uri() + "#../../etc/passwd+javascript:alert(1)")
    settle(browser)
    frames = browser.find_elements(By.TAG_NAME, "iframe")
    assert [frame.get_attribute("src") for frame in frames] == ["", ""]
    assert browser.find_element(By.ID, "nothing").is_displayed()


def test_search_finds_what_was_replied_and_runs_none_of_it(browser: Any, report: Path) -> None:
    browser.get(report.as_uri())
    browser.find_element(By.CSS_SELECTOR, "#search input").send_keys("pfeffermin")
    settle(browser)
    settle(browser)
    hits = browser.find_elements(By.CSS_SELECTOR, "#search li")
    assert len(hits) == 24  # 6 trials of four turns
    assert "</script><b>alpha.TestA</b>" in hits[0].text and "a/one replied, trial 1" in hits[0].text
    assert browser.find_elements(By.CSS_SELECTOR, "#search li b") == []
    hits[0].find_element(By.TAG_NAME, "a").click()
    assert "alpha-testa-a-one" in browser.current_url
    assert complaints(browser) == []


def test_what_was_found_in_a_trial_leads_to_that_trial(browser: Any, tmp_path: Path) -> None:
    first, *_ = records()
    reasons = [
        Block("chat", "m replied", text, role="assistant") for text in ("one", "two\n\n\nPfefferminz", "")
    ]
    tries = [replace(first, epoch=epoch, reason=reason) for epoch, reason in enumerate(reasons, 1)]
    index = write_report(tries, tmp_path / "out", images=tmp_path, root=tmp_path).index
    browser.get(index.as_uri())
    browser.find_element(By.CSS_SELECTOR, "#search input").send_keys("pfeffermin")
    settle(browser)
    settle(browser)
    (hit,) = browser.find_elements(By.CSS_SELECTOR, "#search li")
    assert "replied, trial 2" in hit.text and hit.find_element(By.TAG_NAME, "p").text == "two\nPfefferminz"
    hit.find_element(By.TAG_NAME, "a").click()
    assert browser.find_element(By.ID, "t2").is_displayed()
    assert not browser.find_element(By.ID, "t1").is_displayed()
    browser.find_element(By.ID, "tab3").click()
    empty = browser.find_element(By.CSS_SELECTOR, "#t3 .md")
    said = "return getComputedStyle(arguments[0], '::before').content"
    assert browser.execute_script(said, empty) == '"(empty)"'
    browser.execute_script("location.hash = '#t1'")  # as a link to another trial that is opened here
    settle(browser)
    assert browser.find_element(By.ID, "t1").is_displayed()


def test_search_reads_the_pages_own_data(browser: Any, tmp_path: Path) -> None:
    """In the grid's order; each prompt once; a reply's words, addresses and repeats."""
    first, *_ = records()
    long = "the **answer** is [here](https://ok.example/pfefferminz) " + "and so on " * 20
    steps = (
        Block("chat", "asked m", "Say pfefferminz.", role="user"),
        Block("chat", "m replied", long, role="assistant"),
        Block("chat", "m replied", long, role="assistant"),
    )
    reason = Block("group", "all", children=steps)
    cells = [replace(first, test=f"t{n}", reason=reason, model=model) for n in (2, 1) for model in "ab"]
    index = write_report(cells, tmp_path / "out", images=tmp_path, root=tmp_path).index
    old = tmp_path / "out" / "search"
    old.mkdir()
    (old / "0.js").write_text("assaySearch(0,[]);")  # of a report as they were
    write_report(cells, tmp_path / "out", images=tmp_path, root=tmp_path)
    assert list(old.iterdir()) == []
    for words, hits in (
        ("Say pfeff", ["t1 the prompt", "t2 the prompt"]),
        ("answer is here http", [f"t{n} {m} replied, trial 1" for n in (1, 2) for m in "ab" for _ in "12"]),
    ):
        browser.get(index.as_uri())
        browser.find_element(By.CSS_SELECTOR, "#search input").send_keys(words)
        settle(browser)
        settle(browser)
        found = browser.find_elements(By.CSS_SELECTOR, "#search li")
        assert [each.text.split("\n")[0] for each in found] == hits


def test_no_word_however_long_widens_a_page(browser: Any, tmp_path: Path) -> None:
    first, *_ = records()
    word = "w" * 3000
    reason = Block(
        "group", word, children=(Block("image", word, word, data=b"GIF8"), Block("text", word, word))
    )
    wide = replace(first, description=word, model=word, metrics={word: 1.0}, reason=reason)
    write_report([wide], tmp_path / "out", images=tmp_path, root=tmp_path)
    browser.get((tmp_path / "out" / "cells" / name(wide.test, wide.model)).as_uri())
    assert browser.find_element(By.TAG_NAME, "h3").text == word
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")


def test_what_is_folded_is_printed_whole(browser: Any, tmp_path: Path) -> None:
    first, *_ = records()
    long = replace(first, reason=Block("text", "output", "line\n" * 200))
    write_report([long], tmp_path / "out", images=tmp_path, root=tmp_path)
    browser.get((tmp_path / "out" / "cells" / name(long.test, long.model)).as_uri())
    text = browser.find_element(By.CSS_SELECTOR, ".fold > pre")
    heights = []
    for medium in ("screen", "print"):
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": medium})
        heights.append(text.size["height"])
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert heights[0] < 400 and heights[1] > 2000


def test_turns_before_the_last_are_folded_and_say_how_they_begin(browser: Any, report: Path) -> None:
    browser.get((report.parent / "cells" / name("alpha.TestA", "a/one")).as_uri())
    rounds = browser.find_elements(By.CSS_SELECTOR, "details.round")
    assert [each.get_attribute("open") is not None for each in rounds] == [False, False, False, True]
    assert rounds[1].find_element(By.TAG_NAME, "summary").text.startswith("Turn 2 ls 2")


def test_a_fold_never_reaches_out_of_its_group() -> None:
    turns = dialogue("x").children
    inner = Block("group", "deeper", children=turns[2:])
    found = pieces(Block("group", "all", children=(*turns[:2], inner)), Pictures())
    open_now: list[str] = []
    for piece in found:
        if piece.kind in ("open", "round"):
            open_now.append(piece.kind)
        elif piece.kind in ("close", "rest"):
            assert open_now.pop() == {"close": "open", "rest": "round"}[piece.kind]
    assert open_now == []
    assert sum(piece.kind == "round" for piece in found) == 4


def test_a_block_is_copied(browser: Any, report: Path) -> None:
    browser.get((report.parent / "cells" / name("alpha.TestA", "a/one")).as_uri())
    taken = "{writeText: async (text) => { window.copied = text; }}"
    browser.execute_script(f"Object.defineProperty(navigator, 'clipboard', {{value: {taken}}})")
    last = browser.find_elements(By.CSS_SELECTOR, "details[open] .chat.prompt .copy")[-1]
    browser.execute_script("arguments[0].click()", last)
    settle(browser)
    assert browser.execute_script("return window.copied") == "question 4"
    assert last.text == "Copied" or last.get_attribute("textContent") == "Copied"
