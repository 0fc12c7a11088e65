"""The report in a real headless Chromium: it filters, sorts, compares, and runs nothing but our scripts."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from assay.records import Outcome, TrialRecord
from assay.report.cell_page import page_name
from assay.report.html import write_report
from assay.report.packs import data_file
from assay.report.sanitise import strip_terminal, visible
from assay.results.paired import compare
from testing.report.browser import chromium
from testing.report.injections import hostile_records, hostile_tables
from testing.report.sample_records import sample_records, sample_tables, scored_records

MINUS = "\u2212"
LOCAL = ("file:", "about:", "chrome:", "chrome-untrusted:")  # what the browser itself opens, too
pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report with spaces & signs")
    (folder / "tests").mkdir()
    (folder / "tests" / "print_hello.py").write_text("print('hello')\n")
    records = sample_records(folder / "images", models=4, tests=30, epochs=3) + scored_records(4)
    return write_report(
        records, folder / "out", images=folder / "images", tables=sample_tables(), root=folder
    ).index


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium(log=True) as driver:
        yield driver


@pytest.fixture
def page(browser: Any, report: Path) -> Any:
    browser.get("about:blank")
    browser.get(report.as_uri())
    return browser


def shown(page: Any) -> list[str]:
    script = (
        "return Array.from(document.querySelectorAll('.matrix tbody tr:not(.suite):not([hidden]) th'))"
        ".filter(th => th.offsetParent).map(th => th.textContent)"
    )
    return page.execute_script(script)


def choose(page: Any, control: str, text: str) -> None:
    Select(page.find_element(By.ID, control)).select_by_visible_text(text)


@pytest.mark.slow(2)
def test_filter_by_text_tag_and_outcome(page: Any) -> None:
    everything = shown(page)
    assert len(everything) == 34
    page.find_element(By.ID, "text").send_keys("git SQL")  # all words, in name, tags or description
    assert shown(page) == ["git_cherrypick.TestGitCherrypick"]
    page.find_element(By.ID, "text").send_keys(" zebra")
    assert shown(page) == []
    page.find_element(By.ID, "text").clear()
    page.find_element(By.ID, "text").send_keys("git_")
    assert shown(page) == ["git_cherrypick.TestGitCherrypick", "git_merge.TestGitMerge"]
    assert "2 of 34" in page.find_element(By.ID, "shown").text
    page.find_element(By.CSS_SELECTOR, "button[type=reset]").click()
    page.execute_async_script("setTimeout(arguments[0], 50)")
    assert shown(page) == everything
    choose(page, "tag", "ml")
    assert len(shown(page)) == 4
    choose(page, "tag", "any")
    choose(page, "outcome", "all passed")
    passed = shown(page)
    choose(page, "outcome", "some failed")
    failed = shown(page)
    assert passed and failed and sorted(passed + failed) == sorted(everything)
    choose(page, "outcome", "skipped")
    assert shown(page) == ["clojure_transduce.TestClojureTransduce", "webgl_triangle.TestWebglTriangle"] or (
        shown(page) == ["clojure_transduce.TestClojureTransduce"]
    )


@pytest.mark.slow(2)
def test_the_causes_of_failures_are_outcomes(page: Any) -> None:
    everything = shown(page)
    options = page.find_elements(By.CSS_SELECTOR, "#outcome optgroup option")
    causes = [each.get_attribute("value") for each in options]
    table = page.find_element(By.ID, "causes").text
    assert causes and all(cause in table for cause in causes)
    choose(page, "outcome", causes[-1])
    page.refresh()
    assert 0 < len(shown(page)) < len(everything), "the choice is in the address"
    cells = page.find_elements(By.CSS_SELECTOR, ".matrix tbody tr:not(.suite):not([hidden])")
    assert all(causes[-1] in each.get_attribute("innerHTML") for each in cells), "in the hover texts"


@pytest.mark.slow(6)
def test_outcome_of_one_model(page: Any) -> None:
    choose(page, "outcome", "none passed")
    choose(page, "of", "aurora/heron-4-mini")
    column = 1 + [o.text for o in Select(page.find_element(By.ID, "of")).options].index("aurora/heron-4-mini")
    cells = page.execute_script(
        f"return Array.from(document.querySelectorAll('.matrix tbody tr:not(.suite):not([hidden])'))"
        f".filter(tr => tr.offsetParent).map(tr => tr.children[{column}].className)"
    )
    assert cells and set(cells) == {"q0"}


@pytest.mark.slow(5)
def test_sort_by_column_both_ways_keeps_the_untried_last(page: Any) -> None:
    heads = page.find_elements(By.CSS_SELECTOR, ".matrix thead th")
    heads[3].find_element(By.TAG_NAME, "button").click()

    def column() -> list[float | None]:
        return page.execute_script(
            "return Array.from(document.querySelector('.matrix tbody').querySelectorAll('tr:not(.suite)'))"
            ".map(tr => { var t = tr.children[3].textContent.match(/^(\\d+)\\/(\\d+)/);"
            " return t ? t[1] / t[2] : null; })"
        )

    values = column()
    known = [value for value in values if value is not None]
    assert known == sorted(known) and len(set(known)) > 1
    assert values[len(known) :] == [None] * (len(values) - len(known))
    assert heads[3].get_attribute("aria-sort") == "ascending"
    heads[3].find_element(By.TAG_NAME, "button").click()
    values = column()
    assert [value for value in values if value is not None] == sorted(known, reverse=True)
    assert values[len(known) :] == [None] * (len(values) - len(known))


def test_the_column_of_all_models_is_sorted_by_what_it_shows(page: Any) -> None:
    page.find_element(By.CSS_SELECTOR, ".matrix [data-sort=total]").click()
    shown = page.execute_script(
        "return Array.from(document.querySelectorAll('.matrix td.t')).map(td => td.textContent)"
        ".filter(text => /^[01](\\.\\d+)?$/.test(text)).map(Number)"
    )
    assert shown == sorted(shown) and len(set(shown)) == 4  # the mean scores of four tests


def test_click_through_to_a_cell_and_back_keeps_the_filter(page: Any) -> None:
    page.find_element(By.ID, "text").send_keys("flexbox")
    index = page.current_url
    page.find_element(By.CSS_SELECTOR, ".matrix tr:not([hidden]) td:not(.t) > a").click()
    assert "/cells/" in page.current_url
    assert "flexbox_webpage" in page.find_element(By.TAG_NAME, "h1").text
    pictures = page.execute_script(
        "return Array.from(document.images).map(i => [i.loading = 'eager', i.complete && i.naturalWidth])"
    )
    page.execute_async_script(
        "var done = arguments[0]; Promise.all(Array.from(document.images).map(i => i.decode())).then(done)"
    )
    widths = page.execute_script("return Array.from(document.images).map(i => i.naturalWidth)")
    assert pictures and widths == [360] * 3
    tabs = page.find_elements(By.CSS_SELECTOR, "[role=tab]")
    assert [tab.text for tab in tabs[1:]] and len(tabs) == 3
    visible = "return Array.from(document.querySelectorAll('article')).map(a => !a.hidden)"
    assert page.execute_script(visible) == [True, False, False]
    tabs[2].click()
    assert page.execute_script(visible) == [False, False, True]
    page.find_element(By.CSS_SELECTOR, "article:not([hidden]) .fold label").click()
    assert page.execute_script(
        "var p = document.querySelector('article:not([hidden]) .fold > :is(pre,.md)');"
        " return p.scrollHeight <= p.clientHeight + 1"
    )
    page.back()
    assert page.current_url == index
    assert shown(page) == ["flexbox_webpage.TestFlexboxWebpage"]
    page.find_element(By.CSS_SELECTOR, ".matrix tr:not([hidden]) td:not(.t) > a").click()
    page.find_element(By.CSS_SELECTOR, "nav a").click()
    assert page.current_url.startswith(index.split("#")[0])


def test_link_to_the_source_of_a_test(page: Any) -> None:
    links = page.find_elements(By.CSS_SELECTOR, ".matrix tbody th a")
    assert [link.text for link in links] == ["print_hello.TestPrintHello"]  # the others have no file
    links[0].click()
    assert "print('hello')" in page.find_element(By.TAG_NAME, "body").text


def test_side_by_side_agrees_with_the_statistics(page: Any) -> None:
    choose(page, "first", "aurora/heron-4-mini")
    choose(page, "second", "aurora/heron-4-large")
    line = page.find_element(By.CSS_SELECTOR, ".verdictline").text
    data = json.loads(page.find_element(By.ID, "data").get_attribute("textContent"))
    first, second = data["models"].index("aurora/heron-4-mini"), data["models"].index("aurora/heron-4-large")

    def values(model: int) -> dict[int, float]:
        return {
            place: cell[5] if len(cell) > 5 else cell[0] / cell[1]
            for place, row in enumerate(data["rows"])
            if (cell := row[model]) and cell[1]
        }

    a, b = values(first), values(second)
    ours = compare([a[test] - b[test] for test in a if test in b], single=False)
    numbers = [float(word.replace(MINUS, "-").rstrip(",")) for word in re.findall(f"[+{MINUS}][0-9.]+", line)]
    assert numbers == pytest.approx([100 * each for each in (ours.mean, ours.low, ours.high)], abs=0.051)
    note = page.find_element(By.CSS_SELECTOR, "#comparison .note").text
    wins, losses = sum(a[t] > b[t] for t in a if t in b), sum(a[t] < b[t] for t in a if t in b)
    assert f"Better on {wins}, worse on {losses}" in note and "Paired permutation test" in note
    assert f"p = {ours.p:.2g}" in note
    bar = page.find_element(By.CSS_SELECTOR, ".verdictline .gap .range")
    assert float(bar.get_attribute("width")) == pytest.approx(
        (ours.high - ours.low) * 100 / data["width"], abs=0.01
    )
    row = page.find_element(By.XPATH, "//tr[th='aurora/heron-4-large' and td[.='aurora/heron-4-mini']]").text
    turned = f"{-ours.mean * 100:+.1f} {-ours.high * 100:+.1f} to {-ours.low * 100:+.1f}"
    assert turned.replace("-", MINUS) in row  # the same numbers, from the other side
    differing = page.find_elements(By.CSS_SELECTOR, ".pairs tbody tr")
    assert len(differing) == wins + losses
    choose(page, "second", "aurora/heron-4-mini")
    assert "two different" in page.find_element(By.ID, "comparison").text


def test_side_by_side_pairs_no_tests_under_different_conditions(browser: Any, tmp_path: Path) -> None:
    records = [
        TrialRecord(
            test=f"{suite}.T", model=model, epoch=1, outcome=outcome, suite=suite, started_at="2026-12-01",
            conditions={} if suite == "applied" else {"seed": seed},
        )
        for suite in ("applied", "sums")
        for seed, (model, outcome) in enumerate([("m", Outcome.PASS), ("n", Outcome.FAIL)])
    ]  # fmt: skip
    browser.get(write_report(records, tmp_path / "out", images=tmp_path, root=tmp_path).index.as_uri())
    assert "Better on 1, worse on 0" in browser.find_element(By.ID, "comparison").text
    assert len(browser.find_elements(By.CSS_SELECTOR, "#comparison .pairs tbody tr")) == 1


def test_side_by_side_lists_a_test_with_several_names_once(browser: Any, tmp_path: Path) -> None:
    records = [
        TrialRecord(f"{name}[{at}]", model, 1, Outcome.PASS if passed else Outcome.FAIL, expression=str(at))
        for name in ("capitals.Test", "notebook.questions")
        for at in range(7)
        for model, passed in (("a", True), ("b", at % 2))
    ]
    browser.get(write_report(records, tmp_path / "out", images=tmp_path, root=tmp_path).index.as_uri())
    assert "over the 7 tests" in browser.find_element(By.CSS_SELECTOR, ".verdictline").text
    differing = browser.find_elements(By.CSS_SELECTOR, ".pairs tbody th")
    assert [each.text for each in differing] == [f"capitals.Test[{at}]" for at in (0, 2, 4, 6)]


def test_theme_toggle_is_remembered(page: Any) -> None:
    ground = "return getComputedStyle(document.documentElement).backgroundColor"
    light = page.execute_script(ground)
    page.find_element(By.ID, "theme").click()
    dark = page.execute_script(ground)
    assert dark != light
    page.refresh()
    assert page.execute_script(ground) == dark
    page.find_element(By.ID, "theme").click()
    assert page.execute_script(ground) == light


@pytest.mark.parametrize("width", [420, 1400])
def test_no_page_is_wider_than_the_window(page: Any, report: Path, width: int) -> None:
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )
    for url in (report.as_uri(), next((report.parent / "cells").glob("flexbox*")).as_uri()):
        page.get(url)
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
    page.get(report.as_uri())
    sticky = page.execute_script(
        "var m = document.querySelector('.matrix'); m.scrollTop = 300; m.scrollLeft = 60;"
        "var box = m.getBoundingClientRect(),"
        " head = m.querySelector('thead th:nth-child(3)').getBoundingClientRect(),"
        " side = m.querySelector('tbody:last-of-type tr:last-child th').getBoundingClientRect();"
        "return [Math.round(head.top - box.top), Math.round(side.left - box.left)]"
    )
    assert sticky == [1, 1]  # the border
    name = page.execute_script(
        "return document.querySelector('.matrix tbody tr:nth-child(3) th').offsetWidth"
    )
    assert name >= 150  # a readable width, however many columns there are


def test_reading_works_without_scripts(report: Path) -> None:
    with chromium() as driver:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        driver.get(report.as_uri())
        assert len(driver.find_elements(By.CSS_SELECTOR, ".matrix tbody tr")) == 36
        driver.find_element(By.CSS_SELECTOR, ".matrix td:not(.t) > a").click()
        assert "This page needs JavaScript" in driver.find_element(By.TAG_NAME, "main").text
        driver.find_element(By.LINK_TEXT, "← All results").click()
        assert driver.current_url.endswith("index.html")


def test_a_page_without_its_data_says_what_is_missing(report: Path, tmp_path: Path) -> None:
    page = next((report.parent / "cells").iterdir())
    (tmp_path / "cells").mkdir()
    (tmp_path / "cells" / page.name).write_bytes(page.read_bytes())
    shutil.copy(report.parent / "cell.js", tmp_path)
    with chromium() as driver:
        driver.get((tmp_path / "cells" / page.name).as_uri())
        said = driver.find_element(By.ID, "nothing").text
        assert re.fullmatch(r"data/[0-9a-f]\.js is not beside this page\.", said)
        (tmp_path / "data").mkdir()
        for digit in "0123456789abcdef":  # of a report without this test
            (tmp_path / "data" / f"{digit}.js").write_bytes(data_file([]))
        driver.refresh()
        assert "no longer holds trials for this page" in driver.find_element(By.ID, "nothing").text


# ---------------------------------------------------------------- nothing that was written runs


def requests_of(driver: Any) -> list[str]:
    found = []
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.append(message["params"]["request"]["url"])
    return found


@pytest.mark.slow(8)
def test_nothing_from_a_record_runs_or_asks_the_network(tmp_path: Path) -> None:
    records = hostile_records()
    index = write_report(
        records, tmp_path / "out", images=tmp_path, tables=hostile_tables(), root=tmp_path
    ).index
    cells = sorted((tmp_path / "out" / "cells").iterdir())
    assert len(cells) == len(records)
    with chromium(log=True) as driver:
        driver.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument",
            {"source": "alert = confirm = prompt = () => { window.__pwned = 'dialog'; };"},
        )
        for url in [index.as_uri(), *(cell.as_uri() for cell in cells)]:
            driver.get(url)
            driver.execute_script(  # poke at everything that could be waiting for an event
                "document.querySelectorAll('main *').forEach(e => {"
                " for (const t of ['mouseover','focus','load','error','toggle','click'])"
                "  if (t !== 'click' || e.tagName !== 'A') e.dispatchEvent(new Event(t)); });"
                "document.querySelectorAll('a').forEach(a => {"
                " if (/^(javascript|data|vbscript):/i.test(a.href))"
                " window.__pwned = a.href; });"
            )
            state = driver.execute_script(
                "return [window.__pwned || null, document.title === 'pwned', location.href.split('#')[0],"
                " document.querySelectorAll('script:not([type])').length,"
                " document.querySelectorAll('iframe,object,embed,base,form:not(.tools),style,svg:not(.bar),"
                "main link,main meta,main script:not([type]),plaintext').length,"
                " Array.from(document.querySelectorAll('*')).filter(e => Array.from(e.attributes)"
                ".some(a => a.name.startsWith('on') || a.name === 'style')).length,"
                " document.images.length]"
            )
            assert state == [None, False, url, 1, 0, 0, 0], url
            if url != index.as_uri():
                links = driver.execute_script(
                    "return Array.from(document.querySelectorAll('article a')).map(a => [a.href, a.rel])"
                )
                for link, rel in links:
                    assert link.startswith(("http://", "https://", "mailto:")) and "noopener" in rel
        asked = [url for url in requests_of(driver) if not url.startswith(LOCAL)]
        assert [url for url in asked if not url.startswith("data:")] == []
        refused = [
            entry["message"] for entry in driver.get_log("browser") if "Content Security" in entry["message"]
        ]
        assert refused == []  # the policy is the second wall; nothing may even reach it


@pytest.mark.slow(4)
def test_what_was_written_is_shown_as_text(tmp_path: Path) -> None:
    records = [record for record in hostile_records() if record.outcome is Outcome.FAIL]
    out = tmp_path / "out"
    index = write_report(records, out, images=tmp_path, root=tmp_path).index
    with chromium() as driver:

        def texts(selector: str) -> list[str]:
            script = "return Array.from(document.querySelectorAll(arguments[0])).map(e => e.textContent)"
            return driver.execute_script(script, selector)

        for record in records:
            driver.get((out / "cells" / page_name(record.suite, record.test, record.model)).as_uri())
            written, printed = visible(record.error), visible(strip_terminal(record.error + "1"))
            assert texts("h1") == [written]
            assert texts(".about") == [written]
            assert texts(".broke") == [written]
            assert texts(".tags span") == [written, "tag"]
            assert texts(".said") == [written.lstrip("\n") + number for number in "57"]
            assert texts(".block pre")[0] == printed
            assert texts(".block pre.code")[:2] == [written.lstrip("\n") + number for number in "23"]
            assert all(written in verdict for verdict in texts(".verdict"))
            whole = "".join(texts("body"))
            assert not any(character in whole for character in "\x00\x1b\x08\x07\u202e\u2066\u200b\ufeff")
        driver.get(index.as_uri())
        shown_names = texts(".matrix tbody tr:not(.suite) th")
        assert sorted(shown_names) == sorted(visible(record.test) for record in records)


@pytest.mark.slow(4)
def test_the_policy_is_a_second_wall(tmp_path: Path) -> None:
    """Even with markup smuggled in past the templates, the browser refuses to run it."""
    records = sample_records(tmp_path / "images", models=2, tests=2, epochs=1)
    index = write_report(records, tmp_path / "out", images=tmp_path / "images", root=tmp_path).index
    evil = (
        "<script>window.__pwned=1</script><img src=x onerror='window.__pwned=2'>"
        "<img src=http://pwned.invalid/x.png><script src=http://pwned.invalid/x.js></script>"
        "<style>body{visibility:hidden}</style><base href=http://pwned.invalid/>"
    )
    for page in (index, next((tmp_path / "out" / "cells").iterdir())):
        page.write_text(page.read_text().replace("<main>", "<main>" + evil))
        with chromium(log=True) as driver:
            driver.get(page.as_uri())
            assert driver.execute_script("return window.__pwned") is None
            assert driver.execute_script("return getComputedStyle(document.body).visibility") == "visible"
            assert driver.execute_script("return document.baseURI").startswith("file:")
            blocked = [e["message"] for e in driver.get_log("browser") if "Content Security" in e["message"]]
            assert len(blocked) >= 4
