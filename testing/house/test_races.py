"""The races: who fails loses only that race, calls asked twice are counted, a ratio says who needs more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.__main__ import BEGIN, END, write_some
from bench.contenders import REPLIES, Assay, Job
from bench.measure import Section
from bench.race import Lost, evaluate, in_turns, kill_and_resume
from bench.races import Row
from testing.model_server import ModelServer


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer(process=True, record=False, latency=0.05, replies=REPLIES) as running:
        yield running


class Broken(Assay):
    name = "broken"

    def run(self, job: Job, *, cached: bool = False) -> list[str]:
        return ["sh", "-c", "echo no such engine >&2; exit 3"]


class Credulous(Assay):
    """Passes every sample: its judge looks for nothing."""

    name = "credulous"

    def run(self, job: Job, *, cached: bool = False) -> list[str]:
        argv = super().run(job)
        suite = job.folder / "tests" / "race" / "suite.py"
        suite.write_text(suite.read_text("utf-8").replace('row["answer"]', '""'), "utf-8")
        return argv


class Forgetful(Assay):
    name = "forgetful"

    def run(self, job: Job, *, cached: bool = False) -> list[str]:
        return [*super().run(job), "--no-cache"]

    def resume(self, job: Job) -> list[list[str]]:
        return [self.run(job)]


def test_who_fails_or_judges_wrongly_loses_only_that_race(server: ModelServer, tmp_path: Path) -> None:
    def act(contender: Assay, folder: Path) -> list[float | str]:
        return [evaluate(contender, server, Job(folder, 20, 5, server.url)).requests]

    found, lost = in_turns([Broken(), Assay(), Credulous()], 1, tmp_path, act, "test")
    assert found["Assay"] == [[20]] and found["broken"] == []
    assert lost == {
        "broken": "ended with 3: no such engine",
        "credulous": "20 of 20 samples passed, 18 should",
    }


def test_who_takes_too_long_loses(server: ModelServer, tmp_path: Path) -> None:
    with pytest.raises(Lost, match="not done after 0 s"):
        evaluate(Assay(), server, Job(tmp_path, 20, 1, server.url), limit_s=0.2)


@pytest.mark.slow(2)
def test_calls_asked_twice_for_a_kill_are_counted(server: ModelServer, tmp_path: Path) -> None:
    for contender in (Assay(), Forgetful()):
        folder = tmp_path / contender.name
        folder.mkdir()
        found = kill_and_resume(contender, server, Job(folder, 60, 4, server.url), kill_at=30)
        # Some answers were on their way, so that in flight, as the server sees it, is a little less.
        assert found.repeated <= 8 if contender.name == "Assay" else found.repeated >= 30


def test_a_run_that_ends_before_the_kill_is_no_resume(server: ModelServer, tmp_path: Path) -> None:
    with pytest.raises(Lost, match="mid-run"):
        kill_and_resume(Assay(), server, Job(tmp_path, 5, 5, server.url), kill_at=100)


def test_a_cell_says_how_many_times_assays_figure_a_peer_needs() -> None:
    row = Row("time, s", figures={"Assay": 2.0, "slow": 9.0, "quick": 1.5}, words={"other": "no cache"})
    assert [row.cell(name) for name in ("Assay", "slow", "quick", "other")] == [
        "2.00",
        "9.00 (4.5×)",
        "1.50 (0.75×)",
        "no cache",
    ]
    target = row.target()
    assert target is not None and not target.met
    assert Row("alone", figures={"Assay": 2.0}).target() is None
    counted = Row("calls", 0, compared=False, figures={"Assay": 2.0, "slow": 9.0})
    assert counted.cell("slow") == "9" and counted.target() is None


def test_a_section_measured_alone_replaces_only_itself(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    one, two = (Section(title, "Old.", ("", "s"), [("row", "1")]).markdown() for title in ("One", "Two"))
    page.write_text(f"before\n{BEGIN}\nMeasured long ago.\n\n{one}\n{two}\n{END}after\n", "utf-8")
    for title in ("One", "Two", "Three"):
        new = Section(title, "New.", ("", "s"), [("row", "2")])
        for _ in range(2):
            write_some(page, [new], "9 cores", "2020-01-01")
    text = page.read_text("utf-8")
    assert text.startswith("before\n") and text.endswith(f"{END}after\n")
    assert "Measured long ago." in text and "Old." not in text
    assert [line for line in text.splitlines() if line.startswith("### ")] == [
        "### One",
        "### Two",
        "### Three",
    ]
    assert text.count("New. Measured on 2020-01-01: 9 cores.") == 3 and "\n\n\n" not in text
