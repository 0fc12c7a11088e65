"""The suite that docs/report.md shows makes a report without a fault."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from assay.records import Outcome, TrialRecord
from assay.report.discrimination import FILE
from assay.report.html import write_report
from assay.report.publish import tables_of

DOCS = Path(__file__).parents[2] / "docs"


def test_the_suite_in_the_docs_works(tmp_path: Path) -> None:
    (code,) = re.findall(
        r"^```python\n(.*?)^```", (DOCS / "report.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    defined: dict[str, Any] = {}
    exec(compile(code, "docs/report.md", "exec"), defined)  # our own page
    records = [
        TrialRecord(f"sums.Sum{n}", f"lab/model-{m}", 1, Outcome.PASS, suite="sums", score=n / (n + m),
                    extra={"code": "print(1 + 1)"})
        for n in (1, 2, 3) for m in (1, 2)
    ]  # fmt: skip
    summary = write_report(records, tmp_path, images=tmp_path, suites=[defined["SUITE"]()], root=tmp_path)
    assert summary.problems == ()
    assert {path.name for path in (tmp_path / "pages").iterdir()} == {
        FILE, "sums--two-models.html", "sums--sums-sum1.html", "sums--sums-sum2.html", "sums--sums-sum3.html",
    }  # fmt: skip
    assert len(list((tmp_path / "figures").iterdir())) == 3
    silent = [TrialRecord("sums.Sum1", "lab/silent", 1, Outcome.FAIL, suite="sums", extra={"code": ""})]
    (table,) = tables_of([defined["SUITE"]()], [*records, *silent])
    assert {row[0].value: row[1].value for row in table.rows}["lab/silent"] == 0  # it said nothing
    assert '[4,"print"]' in (tmp_path / "pages" / "sums--sums-sum1.html").read_text()


def test_the_pictures_of_the_docs_are_there_and_small() -> None:
    pages = [*DOCS.glob("*.md"), DOCS.parent / "README.md"]
    shown = {
        (page.parent / link).resolve()
        for page in pages
        for link in re.findall(r"!\[[^\]]*\]\((?!http)([^)]+)\)", page.read_text("utf-8"))
    }
    assert shown == {path.resolve() for path in (DOCS / "img").iterdir()}
    assert all(path.stat().st_size < 300_000 for path in shown)
