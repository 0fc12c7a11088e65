"""A suite's tables, pictures and pages in the report: what is made, what is kept, what a mistake costs."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from assay.records import Block, Cell, Table, TrialRecord
from assay.report.discrimination import FILE
from assay.report.figures import Drawings, svg_fault
from assay.report.html import ReportSummary, write_report
from assay.report.plot import label, plotted
from assay.results.store import Results
from assay.suites.exhibits import Figure, Page
from assay.suites.finding import load_suite
from assay.suites.suite import Suite
from testing.report import demo_suite
from testing.report.demo_suite import SUITE, demo_records, with_parts
from testing.report.sample_records import picture
from testing.report.written import cell_of

ROOT = Path(__file__).parents[2]
SVG = b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><path d='M0 0h9'/></svg>"


def write(records: Sequence[TrialRecord], out: Path, suite: Suite = SUITE) -> ReportSummary:
    return write_report(records, out, images=out, suites=[suite], root=out)


def files(out: Path, *folders: str) -> dict[str, int]:
    """Inode of every file: a rewritten one has another."""
    return {
        f"{folder}/{path.name}": path.stat().st_ino for folder in folders for path in (out / folder).iterdir()
    }


def changed(before: dict[str, int], after: dict[str, int]) -> set[str]:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def drawn_by(svg: bytes = SVG, png: bytes = b"", dark: bytes | None = None) -> Callable[[str, bool], bytes]:
    return lambda format, is_dark: png if format == "png" else dark if is_dark and dark is not None else svg


def test_pictures_are_files_for_light_and_dark_and_png(tmp_path: Path) -> None:
    assert write(demo_records(), tmp_path).problems == ()
    found = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert found[:3] == [f"demo--accuracy-by-length.{kind}" for kind in ("dark.svg", "png", "svg")]
    light, dark = (tmp_path / "figures" / f"demo--accuracy-by-length.{k}" for k in ("svg", "dark.svg"))
    assert svg_fault(light.read_bytes()) == svg_fault(dark.read_bytes()) == ""
    assert b"#ffffff" in light.read_bytes() and b"#1e2023" in dark.read_bytes()
    with Image.open(tmp_path / "figures" / "demo--accuracy-by-length.png") as image:
        assert image.size == (1120, 640)
    index = (tmp_path / "index.html").read_text()
    assert 'alt="Mean accuracy falls with the digits of a factor, for every model."' in index
    for path in (tmp_path / "figures").iterdir():
        page = index if path.name.startswith("demo--") else (
            tmp_path / "pages" / f"{path.name.partition('--')[0].replace('demo-', 'demo--', 1)}.html"
        ).read_text()  # fmt: skip
        assert f"figures/{path.name}" in page


@pytest.mark.slow(2)
def test_a_picture_is_the_same_whenever_it_is_drawn(tmp_path: Path) -> None:
    write(demo_records(), tmp_path / "a")
    write(list(reversed(demo_records())), tmp_path / "b")
    for path in (tmp_path / "a" / "figures").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / "figures" / path.name).read_bytes()


@pytest.mark.slow(2)
def test_nothing_is_drawn_or_rendered_again_without_need(tmp_path: Path) -> None:
    calls: list[str] = []

    def pages(records: Sequence[TrialRecord]) -> Iterable[Page]:
        for page in demo_suite.pages(records):
            yield replace(page, items=lambda page=page: (calls.append(page.name), page.items())[1])

    def figures(records: Sequence[TrialRecord]) -> Iterable[Figure]:
        for each in demo_suite.figures(records):
            yield replace(each, draw=lambda f, d, each=each: (calls.append(each.title), each.draw(f, d))[1])

    suite = with_parts(SUITE, pages=pages, figures=figures, code="1")
    records = demo_records()
    write(records, tmp_path, suite)
    assert set(calls) == {
        "Accuracy by length", "Spread of scores", "two-models", "model-1", "model-2", "model-3",
        "product-d1x1", "product-d1x2", "product-d1x3",
    }  # fmt: skip
    before = files(tmp_path, "pages", "figures", "cells")
    calls.clear()
    write(records, tmp_path, suite)
    assert calls == [] and changed(before, files(tmp_path, "pages", "figures", "cells")) == set()

    # One trial has another score: pages about other tests are left alone, and files of the same content.
    one = next(
        record for record in records if record.test == "product.D1x2" and record.model.startswith("fj")
    )
    write([replace(one, score=0.25) if record is one else record for record in records], tmp_path, suite)
    assert "product-d1x1" not in calls and "product-d1x2" in calls
    rewritten = changed(before, files(tmp_path, "pages", "figures", "cells"))
    assert {name for name in rewritten if name.startswith("pages")} == {
        f"pages/{FILE}", "pages/demo--two-models.html", "pages/demo--model-2.html",
    }  # fmt: skip
    assert not [name for name in rewritten if "model-1" in name or "model-3" in name]
    assert [name for name in rewritten if "demo--accuracy" in name]

    calls.clear()
    write(records, tmp_path, with_parts(suite, code="2"))
    assert {"Accuracy by length", "product-d1x1"} <= set(calls)


@pytest.mark.slow(2)
def test_a_missing_file_is_made_again(tmp_path: Path) -> None:
    write(demo_records(), tmp_path)
    for name in ("figures/demo--spread-of-scores.dark.svg", "pages/demo--model-1.html",
                 "figures/demo-model-2--accuracy-by-length.png"):  # fmt: skip
        (tmp_path / name).unlink()
        assert write(demo_records(), tmp_path).drawn == name.startswith("figures")
        assert (tmp_path / name).exists()


def test_what_a_suite_shows_no_more_is_removed_and_strangers_stay(tmp_path: Path) -> None:
    write(demo_records(), tmp_path)
    (tmp_path / "figures" / "My Plot.svg").write_text("mine")
    (tmp_path / "pages" / "notes.html").write_text("mine")
    write(demo_records(demo_suite.MODELS[:1]), tmp_path)
    assert {path.name for path in (tmp_path / "pages").iterdir()} == {
        "demo--model-1.html", "demo--two-models.html", "demo--product-d1x1.html", "demo--product-d1x2.html",
        "demo--product-d1x3.html", "notes.html",
    }  # fmt: skip
    assert not list((tmp_path / "figures").glob("demo-model-2*"))
    write_report(demo_records(), tmp_path, images=tmp_path, root=tmp_path)
    left = {path.name for folder in ("figures", "pages") for path in (tmp_path / folder).iterdir()}
    assert left == {"My Plot.svg", "notes.html", FILE}


@pytest.mark.parametrize("name", ["../../evil.html", "/etc/passwd", "demo--x.html/..", "x.svg"])
def test_a_manifest_cannot_name_other_files(name: str, tmp_path: Path) -> None:
    suite = with_parts(SUITE, figures=lambda records: (), pages=lambda records: [Page("P", "p", list)])
    write(demo_records(), tmp_path, suite)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["suites"]["demo"]["pages"][0][1] = name
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    assert write(demo_records(), tmp_path, suite).written == 108  # not trusted at all
    assert name not in (tmp_path / "index.html").read_text()


def test_pages_of_one_test_are_linked_from_its_row_and_its_trials(tmp_path: Path) -> None:
    write_report(demo_records(), tmp_path, images=tmp_path, root=tmp_path)  # when there was no such page yet
    assert write(demo_records(), tmp_path).written == 9
    index = (tmp_path / "index.html").read_text()
    assert index.count('class="own" href="pages/demo--product-d1x2.html"') == 1
    head = index[index.index('id="suite-demo"') :]
    assert "demo--two-models.html" in head and "product-d1x2" not in head
    cell = cell_of(tmp_path, "product-d1x2-aurora")
    assert cell["links"] == [["Programs of product.D1x2", "../pages/demo--product-d1x2.html"]]
    assert cell_of(tmp_path, "product-d6x6-aurora")["links"] == []


def test_links_of_cells_lead_to_trials_pages_and_addresses(tmp_path: Path) -> None:
    row = (
        Cell("trials", link=("product.D1x1", demo_suite.MODELS[0])), Cell("page", link="model-1"),
        Cell("site", link="https://example.org/a?b&c"), Cell("gone", link=("no.Test", "m")),
        Cell("lost", link="nowhere"), Cell("evil", link="javascript:alert(1)"),
        Cell("file", link="../../etc/passwd"),
    )  # fmt: skip
    table = Table("links", tuple("abcdefg"), (row,))
    suite = with_parts(SUITE, tables=lambda records: [table], figures=lambda records: (),
                    pages=lambda records: [Page("P", "model-1", lambda: [table])])  # fmt: skip
    write(demo_records(), tmp_path, suite)
    for path, up in ((tmp_path / "index.html", ""), (tmp_path / "pages" / "demo--model-1.html", "../")):
        page = path.read_text()
        assert f'<a href="{up}cells/product-d1x1-aurora-heron-4-large-' in page
        assert f'<a href="{up}pages/demo--model-1.html">page</a>' in page
        outside = 'href="https://example.org/a?b&amp;c" rel="noopener noreferrer" target="_blank">site</a>'
        assert outside in page
        for word in ("gone", "lost", "evil", "file"):
            assert f">{word}</td>" in page
        assert "javascript:" not in page and "etc/passwd" not in page


def test_code_and_pictures_on_a_page_are_shown_as_on_a_trials_page(tmp_path: Path) -> None:
    blocks = [
        Block("code", "program", "def f(): return 1", "python"),
        Block("image", "shot", data=picture(1)),
    ]
    suite = with_parts(SUITE, pages=lambda records: [Page("P", "p", lambda: ["**Bold** <b>", *blocks])])
    write(demo_records(), tmp_path, suite)
    page = (tmp_path / "pages" / "demo--p.html").read_text()
    assert '[2,"def "]' in page and "<strong>Bold</strong> &lt;b&gt;" in page
    (name,) = (path.name for path in (tmp_path / "images").iterdir())
    assert f'"image":"{name}"' in page
    write(demo_records(), tmp_path, suite)
    assert (tmp_path / "images" / name).exists()


# ---------------------------------------------------------------- mistakes


def broken(*args: Any) -> Any:
    raise ZeroDivisionError("a mistake of the suite's")


def test_a_mistake_costs_only_what_it_is_about(tmp_path: Path) -> None:
    good = next(iter(demo_suite.figures(demo_records())))
    suite = with_parts(
        SUITE,
        tables=broken,
        figures=lambda records: [Figure("Bad one", "caption", broken), good],
        pages=lambda records: [
            Page("Bad page", "bad", broken),
            Page("Good page", "good", lambda: ["Hello."]),
        ],
    )
    summary = write(demo_records(), tmp_path, suite)
    assert sorted(problem.split(":")[0] + ":" + problem.split(":")[1] for problem in summary.problems) == [
        "suite demo: figure 'Bad one' could not be drawn",
        "suite demo: page 'Bad page' failed",
        "suite demo: tables failed",
    ]
    assert all("ZeroDivisionError: a mistake" in problem for problem in summary.problems)
    index = (tmp_path / "index.html").read_text()
    assert "could not be drawn: ZeroDivisionError" in index and "demo--accuracy-by-length.svg" in index
    assert "could not be made" in (tmp_path / "pages" / "demo--bad.html").read_text()
    assert "Hello." in (tmp_path / "pages" / "demo--good.html").read_text()
    assert len(write(demo_records(), tmp_path, suite).problems) == 3  # said again, until it is mended
    assert write(demo_records(), tmp_path).problems == ()
    assert "could not be drawn" not in (tmp_path / "index.html").read_text()


def test_a_full_disk_is_no_mistake_of_the_suites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        if self.parent.name == "figures":
            raise OSError(28, "No space left on device")
        return whole(self, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        write(demo_records(), tmp_path)
    monkeypatch.undo()
    assert write(demo_records(), tmp_path).problems == ()
    assert len(list((tmp_path / "figures").iterdir())) == 15 and not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize(
    "svg",
    [
        b"<svg><script>1</script></svg>", b"<svg onload='1'/>", b"<svg><a href='http://x'/></svg>",
        b"<svg><image href='http://x/y.png'/></svg>", b"<svg><foreignObject/></svg>",
        b"<svg><image href='data:image/svg+xml;base64,xx'/></svg>", b"<svg style='fill:url(//x)'/>",
        b"<svg><style>@import 'http://x';</style></svg>", b"<svg><style>p{fill:url(http://x)}</style></svg>",
        b"<s:svg xmlns:s='x'><s:script/></s:svg>", b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg>&a;</svg>",
        b"<?xml-stylesheet href='http://x'?><svg/>", b"<svg>", b"text",
        b"<svg xmlns:x='http://www.w3.org/1999/xlink'><use x:href='javascript:1'/></svg>",
        b"<svg><set attributeName='href' to='javascript:1'/></svg>",
    ],
)  # fmt: skip
def test_an_svg_that_could_do_anything_is_refused(svg: bytes) -> None:
    assert svg_fault(svg)
    problems: list[str] = []
    view = Drawings("p", problems).add(Figure("t", "c", drawn_by(svg)))
    assert view.files == () and "nor an SVG without scripts" in view.fault and len(problems) == 1


def test_figures_of_other_makes(tmp_path: Path) -> None:
    problems: list[str] = []
    drawings = Drawings("p", problems)
    light, dark = picture(1), picture(2)

    def both(format: str, is_dark: bool) -> bytes:
        return (dark if is_dark else light) if format == "png" else b""

    only_svg = drawings.add(Figure("One", "", drawn_by()))
    assert (only_svg.light, only_svg.dark, only_svg.png) == ("p--one.svg", "", "")
    assert drawings.add(Figure("One", "", drawn_by(dark=SVG + b"<!-- -->"))).files == (
        "p--one-2.svg",
        "p--one-2.dark.svg",
    )
    png = drawings.add(Figure("one!", "", both))
    assert (png.light, png.dark, png.png) == ("p--one-3.png", "p--one-3.dark.png", "p--one-3.png")
    assert drawings.add(Figure("\u6f22", "", drawn_by(b"", light))).files == (
        "p--figure.png",
        "p--figure.png",
    )
    assert drawings.save(tmp_path) == 4 and drawings.save(tmp_path) == 0 and not problems
    assert len(list(tmp_path.iterdir())) == 7 - 1
    for draw in (drawn_by(b"", b""), drawn_by(SVG, SVG), drawn_by(b"", b"GIF89a")):
        assert drawings.add(Figure("bad", "", draw)).fault


def test_names_that_models_chose_are_drawn_as_they_are() -> None:
    """Dollars, letters without a glyph, control characters, braces: nothing fails and nothing warns."""
    names = ["a$\\frac{$", "\u6f22\u5b57", "\x1b[31mred\x00", "<script>", "x" * 400, "{}%s"]

    def draw(canvas: Any, ink: Any) -> None:
        axes = canvas.subplots()
        axes.bar([label(name) for name in names], range(6))

    figure = plotted("names", "", draw)
    assert svg_fault(figure.draw("svg", False)) == "" and figure.draw("png", True).startswith(b"\x89PNG")
    assert label(names[2]) == "red\u2400" and len(label(names[4])) == 40


def test_a_plot_keeps_its_look_and_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib

    figure = plotted("t", "", lambda canvas, ink: canvas.subplots().plot([1, 2]))
    usual = figure.draw("svg", False)
    monkeypatch.setitem(matplotlib.rcParams, "font.size", 30.0)
    monkeypatch.setitem(matplotlib.rcParams, "lines.linewidth", 9.0)
    monkeypatch.setitem(matplotlib.rcParams, "axes.facecolor", "red")
    assert figure.draw("svg", False) == usual
    assert matplotlib.rcParams["font.size"] == 30.0
    assert matplotlib.rcParams["axes.facecolor"] == "red"


@pytest.mark.slow(8)
def test_matplotlib_is_imported_only_to_draw(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from assay.report.html import write_report\n"
        "from testing.report.demo_suite import SUITE, demo_records\n"
        "out = Path(sys.argv[1])\n"
        "write_report(demo_records(), out, images=out, suites=[SUITE], root=out)\n"
        "print('matplotlib' in sys.modules, 'numpy' in sys.modules)\n"
    )
    said = [
        subprocess.run([sys.executable, "-c", program, str(tmp_path)], cwd=ROOT, check=True, text=True,
                       stdout=subprocess.PIPE, timeout=120).stdout.split()
        for _ in range(2)
    ]  # fmt: skip
    assert said == [["True", "True"], ["False", "False"]]


# ---------------------------------------------------------------- from the command line


@pytest.mark.slow(7)
def test_a_suite_in_its_folder_is_shown_from_the_command_line(tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "demo"
    folder.mkdir(parents=True)
    shutil.copy(demo_suite.__file__, folder / "suite.py")
    suite = load_suite("demo", tmp_path / "tests")
    assert suite.code and suite.name == "demo"
    (folder / "more.py").write_text("x = 1\n")
    assert load_suite("demo", tmp_path / "tests").code != suite.code

    results = Results(tmp_path / "results")
    for model in demo_suite.MODELS:
        with results.open_new("abc", model) as store:
            for record in demo_records([model]):
                store.append(record)
    command = [sys.executable, "main.py", "--load-saved", "--generate-report",
               "--tests", str(tmp_path / "tests"), "--logdir", str(tmp_path / "results"),
               "--report-dir", str(tmp_path / "report")]  # fmt: skip
    run = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert "Products" in run.stdout and "0.822" in run.stdout
    assert (tmp_path / "report" / "pages" / "demo--two-models.html").is_file()
    assert 'id="suite-demo"' in (tmp_path / "report" / "index.html").read_text()


def test_png_sizes_are_for_paper() -> None:
    data = plotted("t", "", lambda canvas, ink: canvas.subplots().plot([1, 2]), width=5, height=2).draw(
        "png", False
    )
    with Image.open(io.BytesIO(data)) as image:
        assert image.size == (800, 320)
