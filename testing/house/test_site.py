"""The documentation site builds without a warning, has every page, and fetches nothing from elsewhere."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow(8)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT, capture_output=True, text=True, timeout=280, check=False,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr
    return folder


def article(page: Path) -> str:
    (found,) = re.findall(r"<article.*?</article>", page.read_text("utf-8"), re.DOTALL)
    return str(found)


def test_every_page_is_there_and_is_read_as_it_is_meant(site: Path) -> None:
    """No Markdown is left over: what GitHub and Python-Markdown read differently shows so."""
    written = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    at_top = [Path(name) for name in ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
    for page in (*written, *at_top, Path("index.md")):
        shown = article(site / page.with_suffix(".html"))
        text = re.sub(r"<(pre|code)\b.*?</\1>", "", shown, flags=re.DOTALL)
        text = html.unescape(re.sub(r"<[^>]+>", "", text))
        left_over = re.search(r"^.*(```|\*\*|^[ ]*(- |\|)|\]\().*$", text, re.MULTILINE)
        assert left_over is None, f"{page}: {left_over}"
        assert not re.search(r"<code>[^<]*\\\|", shown), f"{page}: a | in code has a backslash"


def test_the_reference_has_every_name_of_a_test_file(site: Path) -> None:
    import evaluator

    modules = {"io", "json", "os", "random", "re", "time"}
    shown = article(site / "api" / "language.html")
    constants = {"LLM", "EVAL_LLM", "VISION_EVAL_LLM", "PYTHON_ENV", "Literal"}
    for name in set(evaluator.__all__) - modules - constants:
        assert f'id="evaluator.{name}"' in shown, name


def test_a_block_that_is_a_file_shows_its_name(site: Path) -> None:
    assert '<span class="filename">tests/flip_words.py</span>' in article(site / "index.html")


def test_a_reader_of_the_site_fetches_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        loaded = re.findall(r"<(?:script|img|link)\b[^>]*?(?:src|href)=\"?(https?:[^\" >]+)", text)
        assert not loaded, f"{page.name}: {loaded}"
