"""Templates: what is meant for Jinja is read by Jinja, and no page shows it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.report.environment import TEMPLATES, environment
from assay.report.html import write_report
from testing.report.demo_suite import MODELS, SUITE, demo_records, with_parts
from testing.report.sample_records import sample_records

SIGNS = re.compile(r"\{[#.%{]|[#%]\}")


def test_no_template_leaves_a_sign_of_jinja_as_text() -> None:
    made = environment()
    for path in sorted(TEMPLATES.glob("*.j2")):
        tokens = made.lex(path.read_text(encoding="utf-8"), path.name)
        left = [(line, text) for line, kind, text in tokens if kind == "data" and SIGNS.search(text)]
        assert left == [], path.name


@pytest.mark.slow(3)
def test_no_page_of_a_report_shows_a_sign_of_jinja(tmp_path: Path) -> None:
    records = [
        *sample_records(tmp_path / "stored", models=2, tests=2, epochs=1),
        *demo_records(MODELS[:2], 3),
    ]
    suite = with_parts(SUITE, figures=lambda records: ())
    write_report(records[1:], tmp_path, images=tmp_path / "stored", suites=[suite], root=tmp_path)
    pages = {str(path.relative_to(tmp_path)): path for path in tmp_path.rglob("*.html")}
    assert {"index.html", "side.html"} < pages.keys()
    assert {name.partition("/")[0] for name in pages} > {"cells", "pages"}
    for name, path in pages.items():
        # our scripts have braces of their own, and a page's data hold what models and tests wrote
        shown = re.sub(r"<script\b.*?</script>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert SIGNS.findall(shown) == [], name
