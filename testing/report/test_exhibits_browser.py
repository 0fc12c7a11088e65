"""A suite's exhibits in a real Chromium: sorting, choosing two tables, light and dark, nothing that runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from assay.records import Cell, Table
from assay.report.html import write_report
from assay.suites.exhibits import Columns, Figure, Page, Versus
from assay.suites.suite import Suite
from testing.report.browser import chromium
from testing.report.demo_suite import MODELS, SUITE, by_model, demo_records, with_parts
from testing.report.injections import INJECTIONS, hostile_block, hostile_records
from testing.report.sample_records import sample_records

MINUS = "\u2212"
pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report")
    records = [*sample_records(out / "stored", models=3, tests=20, epochs=1), *demo_records()]
    return write_report(records, out, images=out / "stored", suites=[SUITE], root=out).index


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium(log=True) as driver:
        yield driver


def at(browser: Any, report: Path, name: str = "") -> Any:
    browser.get("about:blank")
    browser.get((report.parent / "pages" / f"demo--{name}.html" if name else report).as_uri())
    return browser


def texts(page: Any, selector: str) -> list[str]:
    return page.execute_script(
        "return Array.from(document.querySelectorAll(arguments[0])).map(e => e.textContent.trim())", selector
    )


@pytest.mark.slow(8)
def test_any_table_sorts_by_a_click(browser: Any, report: Path) -> None:
    page = at(browser, report)
    column = "#suite-demo table tbody tr > :nth-child({})"
    heads = page.find_elements(By.CSS_SELECTOR, "#suite-demo table thead button")
    assert [head.text for head in heads] == ["model", "mean", "perfect", "cells", "best"]
    usual = texts(page, column.format(3))
    heads[2].click()
    down = sorted(usual, key=int, reverse=True)  # numbers, not words: 17, 5, 3
    assert texts(page, column.format(3)) == down
    heads[2].click()
    assert texts(page, column.format(3)) == sorted(usual, key=int)
    th = page.find_elements(By.CSS_SELECTOR, "#suite-demo table thead th")
    assert [each.get_attribute("aria-sort") for each in th] == [None, None, "ascending", None, None]
    heads[0].click()
    assert texts(page, column.format(1)) == sorted(MODELS)


def test_sorting_goes_by_value_and_leaves_what_has_none_last(browser: Any, tmp_path: Path) -> None:
    rows = tuple((f"r{i}", Cell(value, text)) for i, (value, text) in enumerate(
        [(0.5, "half"), (None, ""), (12.0, "a dozen"), (-3, "three less"), (7, ""), (None, "nothing")]
    ))  # fmt: skip
    suite = with_parts(
        SUITE, tables=lambda r: [Table("T", ("name", "n"), rows)], figures=lambda r: (), pages=lambda r: ()
    )
    index = write_report(demo_records(), tmp_path, images=tmp_path, suites=[suite], root=tmp_path).index
    browser.get(index.as_uri())
    head = browser.find_elements(By.CSS_SELECTOR, "#suite-demo thead button")[1]
    head.click()
    assert texts(browser, "#suite-demo tbody th") == ["r2", "r4", "r0", "r3", "r1", "r5"]
    head.click()
    assert texts(browser, "#suite-demo tbody th") == ["r3", "r0", "r4", "r2", "r1", "r5"]


@pytest.mark.slow(5)
def test_two_models_cell_by_cell(browser: Any, report: Path) -> None:
    page = at(browser, report, "two-models")
    scores = {m: {r.test: r.score or 0 for r in its} for m, its in by_model(demo_records()).items()}

    def check(first: str, second: str) -> None:
        assert [h for h in texts(page, ".side:not([hidden]) h3")] == [
            first,
            second,
            f"{first} {MINUS} {second}",
        ]
        gaps = page.execute_script(
            "return Array.from(document.querySelectorAll('.gap tbody tr')).map(r =>"
            " Array.from(r.cells).slice(1).map(c => [c.textContent, c.className]))"
        )
        narrow = "return Array.from(document.querySelectorAll('.side:not([hidden]) .scroll')).filter("
        assert page.execute_script(f"{narrow}each => each.scrollWidth > each.clientWidth).length") == 0
        for y, row in enumerate(gaps, 1):
            for x, (said, css) in enumerate(row, 1):
                gap = scores[first][f"product.D{x}x{y}"] - scores[second][f"product.D{x}x{y}"]
                assert float(said.replace(MINUS, "-")) == pytest.approx(gap * 100, abs=0.051)
                step = int(re.search(r"\bg(\d+)\b", css)[1])  # type: ignore[index]
                assert (step > 5) == (gap > 1e-9) and (step < 5) == (gap < -1e-9)
                assert step == 5 or abs(step - 5) == max(1, min(5, round(abs(gap) / 0.5 * 5 + 1e-9)))

    check(MODELS[0], MODELS[1])
    selects = [Select(each) for each in page.find_elements(By.TAG_NAME, "select")]
    selects[0].select_by_visible_text(MODELS[2])
    check(MODELS[2], MODELS[1])
    selects[1].select_by_visible_text(MODELS[0])
    check(MODELS[2], MODELS[0])
    address = page.current_url
    page.get("about:blank")
    page.get(address)  # a link shows what was seen
    check(MODELS[2], MODELS[0])
    selects = [Select(each) for each in page.find_elements(By.TAG_NAME, "select")]
    selects[1].select_by_visible_text(MODELS[2])
    assert texts(page, ".side:not([hidden]) h3") == [MODELS[2]]


@pytest.mark.slow(3)
def test_a_cell_of_a_heat_map_leads_to_its_trials_and_back(browser: Any, report: Path) -> None:
    page = at(browser, report, "model-2")
    cell = page.find_element(By.CSS_SELECTOR, "td.shade a")
    assert "1 by 1 digits" in cell.find_element(By.XPATH, "..").get_attribute("title")
    cell.click()
    assert texts(page, "h1") == ["product.D1x1"] and MODELS[1] in texts(page, ".sub")[0]
    page.find_element(By.LINK_TEXT, "Programs of product.D1x1").click()
    assert texts(page, ".columns h3") == list(MODELS)
    page.find_element(By.CSS_SELECTOR, "nav a").click()
    assert page.current_url.endswith("index.html#suite-demo")
    top = page.execute_script("return document.getElementById('suite-demo').getBoundingClientRect().top")
    assert top < 900


def test_programs_stand_beside_each_other_highlighted(browser: Any, report: Path) -> None:
    page = at(browser, report, "product-d1x2")
    boxes = page.execute_script(
        "return Array.from(document.querySelectorAll('.columns > section')).map(s => {"
        " var b = s.getBoundingClientRect(); return [b.top, b.left, b.width]; })"
    )
    assert (
        len(boxes) == 3
        and len({top for top, _, _ in boxes}) == 1
        and len({left for _, left, _ in boxes}) == 3
    )
    assert texts(page, ".columns pre.code i.k")[:2] == ["def", "for"]


@pytest.mark.slow(2)
def test_pictures_load_and_suit_the_page(report: Path) -> None:
    for dark in (False, True):
        with chromium(dark=dark, log=True) as page:
            page.get(report.as_uri())

            def shown(page: Any = page) -> list[str]:
                page.execute_script("document.images[0].scrollIntoView()")
                page.execute_async_script(
                    "var done = arguments[0], seen = Array.from(document.images).filter(i => i.offsetParent);"
                    "Promise.all(seen.map(i => { i.loading = 'eager'; return i.decode(); })).then(done)"
                )
                return page.execute_script(
                    "return Array.from(document.images).filter(i => i.offsetParent && i.naturalWidth)"
                    ".map(i => i.getAttribute('src'))"
                )

            light = ["figures/demo--accuracy-by-length.svg", "figures/demo--spread-of-scores.svg"]
            night = [name.replace(".svg", ".dark.svg") for name in light]
            assert shown() == (night if dark else light)
            page.execute_script("window.scrollTo(0, 0)")
            page.find_element(By.ID, "theme").click()
            assert shown() == (light if dark else night)
            links = page.find_elements(By.CSS_SELECTOR, ".drawn > a")
            next(link for link in links if link.is_displayed()).click()
            assert page.current_url.endswith(".svg")
            assert not [e for e in page.get_log("browser") if "Content Security" in e["message"]]


CONTRAST = """
function luminance(text) {
  var c = document.createElement('canvas').getContext('2d');
  c.fillStyle = text; c.fillRect(0, 0, 1, 1);
  var p = Array.from(c.getImageData(0, 0, 1, 1).data).slice(0, 3).map(v => {
    v /= 255; return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); });
  return 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2];
}
return Array.from(document.querySelectorAll('td.shade')).map(td => {
  var inner = td.querySelector('a') || td, s = getComputedStyle(td);
  var a = luminance(getComputedStyle(inner).color), b = luminance(s.backgroundColor);
  return [td.className, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), s.backgroundColor];
});
"""


@pytest.mark.parametrize("dark", [False, True])
def test_the_number_in_every_colour_is_legible(dark: bool, tmp_path: Path) -> None:
    def row(scale: Any) -> tuple[Any, ...]:
        shades = [at / 10 if scale != "gap" else at / 5 - 1 for at in range(11)]
        links = ["", "https://example.org"] * 6
        return (
            scale,
            *(Cell(s, shade=s, scale=scale, link=to) for s, to in zip(shades, links, strict=False)),
        )

    table = Table("scales", ("scale", *"0123456789a"), tuple(row(scale) for scale in ("rate", "heat", "gap")))
    suite = with_parts(SUITE, tables=lambda r: [table], figures=lambda r: (), pages=lambda r: ())
    index = write_report(demo_records(), tmp_path, images=tmp_path, suites=[suite], root=tmp_path).index
    with chromium(dark=dark) as page:
        page.get(index.as_uri())
        found = page.execute_script(CONTRAST)
    assert len(found) == 33 and len({(css[4], colour) for css, _, colour in found}) == 33  # each step is seen
    assert min(found, key=lambda each: each[1])[1] >= 4.5  # WCAG AA


@pytest.mark.parametrize("width", [400, 1400])
def test_no_page_of_a_suite_is_wider_than_the_window(report: Path, width: int) -> None:
    with chromium(width=width) as page:
        for name in ("", "two-models", "model-1", "product-d1x1"):
            at(page, report, name)
            assert page.execute_script("return document.documentElement.scrollWidth") <= width, name


@pytest.mark.slow(3)
def test_descriptions_fill_the_room_beside_few_models(report: Path, tmp_path: Path) -> None:
    def about(page: Any) -> list[str]:
        return page.execute_script(
            "return Array.from(document.querySelectorAll('td.about')).filter(t => t.offsetParent)"
            ".map(t => t.innerText)"
        )

    with chromium(width=1400) as page:
        page.get(report.as_uri())
        said = about(page)
        assert "Can the model write a complete program" in said[1] and said[1].split()[-2] == "code"
        assert said[0] == ""  # the head of a suite whose tests ask different things
        widths = page.execute_script(
            "return ['.matrix', 'main'].map(name => document.querySelector(name).clientWidth)"
        )
        assert widths[0] >= widths[1] - 2
        page.find_element(By.ID, "text").send_keys("bash_renamer")
        rows = "return document.querySelectorAll('.matrix tbody tr:not(.suite):not([hidden])').length"
        assert page.execute_script(rows) == 1
        pairs = page.find_elements(By.CSS_SELECTOR, "#comparison tbody tr")
        assert pairs and all(len(row.find_elements(By.TAG_NAME, "td")) == 3 for row in pairs)
    with chromium(width=800) as page:
        page.get(report.as_uri())
        assert about(page) == []
    records = sample_records(tmp_path / "i", models=5, tests=4, epochs=1)
    many = write_report(records, tmp_path / "out", images=tmp_path / "i", root=tmp_path).index
    assert 'class="about"' not in many.read_text()


def test_what_all_tests_of_a_suite_ask_alike_is_said_once(tmp_path: Path) -> None:
    records = [replace(record, description="All the same?", tags=("one",)) for record in demo_records()]
    index = write_report(records, tmp_path, images=tmp_path, root=tmp_path).index.read_text()
    assert index.count("<em>All the same?</em><span>one</span>") == 1


def test_reading_works_without_scripts(report: Path) -> None:
    with chromium() as page:
        page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        at(page, report, "two-models")
        assert len([t for t in page.find_elements(By.TAG_NAME, "table") if t.is_displayed()]) == 3
        assert not page.find_element(By.TAG_NAME, "select").is_displayed()


@pytest.mark.slow(3)
def test_nothing_that_was_written_runs_on_a_suites_page(tmp_path: Path) -> None:
    records = hostile_records()
    suite_name = "demo"
    records = [replace(record, suite=suite_name) for record in records]

    def table(text: str) -> Table:
        cell = Cell(text, text, 0.5, link=text, hover=text)
        return Table(
            text, (text, text + "2"), ((cell, Cell(0.5, text, hover=text)), (cell, cell)), text, compact=True
        )

    def items() -> Any:
        for text in INJECTIONS:
            yield text
            yield table(text)
            yield hostile_block(text)
            yield Columns(((text, (text, hostile_block(text))),))
            yield Versus(text, ((text, table(text)), (text + "2", table(text))), text)
            yield Figure(text, text, lambda format, dark: b"")

    suite = Suite(
        suite_name, INJECTIONS[4], samples=lambda options: (),
        tables=lambda r: [table(t) for t in INJECTIONS],
        figures=lambda r: [Figure(t, t, lambda format, dark: b"") for t in INJECTIONS],
        pages=lambda r: [Page(text, text, items, (text,)) for text in INJECTIONS[:3]],
    )  # fmt: skip
    summary = write_report(records, tmp_path, images=tmp_path, suites=[suite], root=tmp_path)
    pages = sorted((tmp_path / "pages").iterdir())
    assert len(pages) == 3 and len(summary.problems) > len(INJECTIONS)
    with chromium(log=True) as driver:
        driver.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument",
            {"source": "alert = confirm = prompt = () => { window.__pwned = 'dialog'; };"},
        )
        for url in [summary.index.as_uri(), *(page.as_uri() for page in pages)]:
            driver.get(url)
            for button in driver.find_elements(By.CSS_SELECTOR, "table[data-sortable] thead button")[:40]:
                driver.execute_script("arguments[0].click()", button)
            state = driver.execute_script(
                "return [window.__pwned || null, document.title === 'pwned',"
                " document.querySelectorAll('script:not([type])').length,"
                " document.querySelectorAll('iframe,object,embed,base,form:not(.tools),style,svg:not(.bar),"
                "main link,main meta,main script:not([type]),plaintext').length,"
                " Array.from(document.querySelectorAll('*')).filter(e => Array.from(e.attributes)"
                ".some(a => a.name.startsWith('on') || a.name === 'style')).length,"
                " Array.from(document.querySelectorAll('a')).filter(a =>"
                " /^(javascript|data|vbscript):/i.test(a.href)).length, document.images.length]"
            )
            assert state == [None, False, 1, 0, 0, 0, 0], url
        refused = [e["message"] for e in driver.get_log("browser") if "Content Security" in e["message"]]
        assert refused == []
