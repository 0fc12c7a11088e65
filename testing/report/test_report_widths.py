"""The first page on wide and narrow screens: what is wider than the screen scrolls in a box of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from markupsafe import escape

from assay.home import typed
from assay.records import Outcome, TrialRecord
from assay.report.environment import breaks, copied
from assay.report.html import write_report
from testing.report.browser import chromium

pytestmark = pytest.mark.timeout(240)

MODELS = (
    "openai/gpt-5.1",
    "anthropic/claude-sonnet-4-5",
    "openrouter/meta-llama/llama-3.3-70b-instruct",
    "ollama/qwen3:8b",
    "gemini/gemini-2.5-flash@temperature=0.2",
)


def records(models: int, trials: int) -> list[TrialRecord]:
    """Of the tenth trial of some tests there is no verdict, so that their number is said."""
    found = []
    for number in range(12):
        for place, model in enumerate(MODELS[:models]):
            for epoch in range(1, trials + 1):
                fails = (number + place + epoch) % 3 == 0
                outcome = Outcome.FAIL if fails else Outcome.PASS
                if epoch == 10 and number == place:
                    outcome = Outcome.ERROR
                cause = ("wrong", "cut off")[epoch % 2] if fails else ""
                found.append(
                    TrialRecord(
                        f"t.T{number}",
                        model,
                        epoch,
                        outcome,
                        cause=cause,
                        error="x",
                        tags=("easy",)[: models - 1],
                    )
                )
    return found


@pytest.mark.slow(4)
def test_five_models_of_ten_trials_fit_and_narrow_screens_scroll_in_boxes(tmp_path: Path) -> None:
    notes = [f"if it was stopped, go on with {typed()} run --resume --model {' '.join(MODELS[:2])}"]
    index = write_report(records(5, 10), tmp_path, images=tmp_path, root=tmp_path, notes=notes).index
    with chromium() as browser:
        browser.get(index.as_uri())

        def widths(screen: int) -> dict[str, Any]:
            metrics = {"width": screen, "height": 900, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            of = "var e = document.querySelector('{}'); return [e.scrollWidth, e.clientWidth]"
            boxes = ("html", "#models .scroll", ".tries .scroll", "#causes .scroll", ".differences")
            return {box: browser.execute_script(of.format(box)) for box in boxes}

        assert all(needs <= has for needs, has in widths(1280).values())
        tiers = browser.find_element("css selector", "#tiers .scroll").rect
        head, models = (browser.find_element("css selector", each).rect for each in ("#tiers h3", "#totals"))
        assert tiers["width"] < 600 and head["y"] >= models["y"] + models["height"] + 10
        for screen in (800, 400):
            needs, has = widths(screen)["html"]
            assert needs == has == screen
            assert browser.execute_script("return document.querySelector('.note code').offsetHeight") < 30


def test_one_model_without_descriptions_has_a_table_as_wide_as_its_cells(tmp_path: Path) -> None:
    page = write_report(records(1, 1), tmp_path, images=tmp_path, root=tmp_path).index.read_text("utf-8")
    assert 'class="about"' not in page and "<label hidden>Tag" in page


def test_a_long_name_may_be_broken_behind_a_sign_and_is_escaped() -> None:
    assert str(breaks("a/b.3<c>@d")) == "a/<wbr>b.3&lt;c&gt;@<wbr>d"


def test_commands_in_a_message_are_each_in_one_piece_and_all_is_escaped() -> None:
    run = f"{typed()} run --resume --model 'm <b>; x'"
    told = str(copied(f"<i>; go on with {run}, or `make <it>`"))
    assert told == f"&lt;i&gt;; go on with <code>{escape(run)}</code>, or <code>make &lt;it&gt;</code>"
