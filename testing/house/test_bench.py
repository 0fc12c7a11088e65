"""The measurements run, in small; their figures are not judged here, for tests run on busy machines."""

from __future__ import annotations

import datetime
import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.__main__ import BEGIN, BENCHES, END, write
from bench.measure import Section, Target, machine, machine_cpu, run

ROOT = Path(__file__).resolve().parents[2]


NAMES = sorted(BENCHES.keys() - {"calls"})  # calls installs inspect_ai: minutes
TODAY = NAMES[datetime.date.today().toordinal() % 4 :: 4]  # the others in the next days


@pytest.mark.slow(17)
@pytest.mark.parametrize("name", TODAY)
def test_a_measurement_runs(name: str) -> None:
    page = ROOT / "docs" / "benchmarks.md"
    before = page.read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "bench", "--quick", name],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "| --- |" in done.stdout and re.search("^- (met|NOT MET): ", done.stdout, re.MULTILINE)
    assert page.read_bytes() == before, "a quick run must not write the page"


@pytest.mark.slow(5)
def test_assay_and_the_bare_loop_ask_once_for_each_sample() -> None:
    from bench.calls_bench import measure_one
    from testing.model_server import ModelServer

    with ModelServer(process=True, record=False, latency=0.01) as server:
        for contender in ("Assay", "bare loop", "aiohttp"):
            assert measure_one(server, contender, 60).requests == 60


def test_a_process_is_charged_for_its_own_cpu_and_memory() -> None:
    run([sys.executable, "-c", "sum(range(10**7))"])  # must not be on the next one's account
    idle = run([sys.executable, "-c", "import time; time.sleep(0.3)"])
    busy = run([sys.executable, "-c", "sum(range(10**7)); x = b'1' * (200 << 20)"])
    assert idle.wall >= 0.3 and idle.cpu < busy.cpu
    assert busy.peak > 200 << 20 > idle.peak


def test_with_orphans_what_has_left_its_parent_is_charged_as_well() -> None:
    work = "if not os.fork():\n    if not os.fork(): sum(range(3 * 10**7))\n    os._exit(0)\nos.wait()"
    without, whole = (
        run([sys.executable, "-c", f"import os\n{work}"], orphans=each) for each in (False, True)
    )
    assert whole.cpu > 2 * without.cpu and whole.returncode == 0


def test_a_process_that_fails_or_hangs_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="ended with 3"):
        run([sys.executable, "-c", "raise SystemExit(3)"])
    with pytest.raises(RuntimeError, match="ended with -9"):
        run([sys.executable, "-c", "import time; time.sleep(60)"], time_limit_s=0.5)


def test_a_target_knows_its_direction() -> None:
    assert Target("less", 1, 2).met and not Target("less", 3, 2).met
    assert Target("more", 3, 2, at_most=False).met and not Target("more", 1, 2, at_most=False).met
    assert Target("less", 3, 2, " ms").line() == "NOT MET: less: 3 ms (at most 2 ms)"


def test_the_page_keeps_what_people_wrote(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}old figures\n{END}after\n", "utf-8")
    section = Section("Speed", "About.", ("", "ms"), [("a|b", "1")], [Target("less", 1, 2)])
    for _ in range(2):
        write(page, [section], "2 cores", "2020-01-01")
    text = page.read_text("utf-8")
    assert text.startswith("before\n") and text.endswith("after\n") and "old figures" not in text
    assert text.count("### Speed") == 1 and "| a\\|b | 1 |" in text and "2 cores" in text


def test_the_machine_is_described_without_its_name() -> None:
    import platform

    assert "cores" in machine() and platform.node() not in machine().split()


def test_an_earlier_commit_is_had_as_it_was(tmp_path: Path) -> None:
    from bench.before import NoSuchCommit, checkout

    def git(*words: str, where: Path = tmp_path / "here") -> str:
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
        done = subprocess.run(["git", *who, *words], cwd=where, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    here, folder = tmp_path / "here", tmp_path / "before"
    here.mkdir()
    git("init", "-q")
    for text in ("old", "new"):
        (here / "main.py").write_text(text, "utf-8")
        git("add", "main.py")
        git("commit", "-q", "-m", text)
    old = git("rev-parse", "HEAD~1")
    (here / "main.py").write_text("edited", "utf-8")
    for _ in range(2):  # made, then found; what a run may have left there is undone
        then = checkout(old[:7], of=here, folder=folder)
        assert (then / "main.py").read_text("utf-8") == "old"
        (then / "main.py").write_text("spoilt", "utf-8")
    assert (here / "main.py").read_text("utf-8") == "edited"
    assert git("worktree", "list", "--porcelain").count("worktree ") == 1

    with pytest.raises(NoSuchCommit, match="there is no commit feed"):
        checkout("feed", of=here, folder=folder)
    git("clone", "-q", "--depth", "1", here.as_uri(), "shallow", where=tmp_path)
    with pytest.raises(NoSuchCommit, match="git fetch --unshallow"):
        checkout(old, of=tmp_path / "shallow", folder=folder)
    with pytest.raises(NoSuchCommit, match="there is no git repository"):
        checkout(old, of=folder.parent, folder=folder)


def test_the_machine_is_charged_for_every_process() -> None:
    before = machine_cpu()
    spent = run([sys.executable, "-c", "sum(range(5 * 10**7))"])
    assert machine_cpu() - before > 0.8 * spent.cpu > 0.1


def test_what_an_earlier_commit_cannot_do_is_noted() -> None:
    from bench.cost_bench import BEFORE, NOW, Cost, Turns

    turns = Turns({NOW: ROOT, BEFORE: ROOT / "before"}, rounds=3)

    def act(root: Path) -> dict[str, float]:
        if root != ROOT:
            raise RuntimeError("main.py ended with 1:\nno such sandbox")
        return {"s": 2.0}

    found = turns.take("trials", act)
    assert found == {NOW: {"s": 2.0}} and turns.notes == ["trials: no figures of before: no such sandbox"]
    assert Cost("a trial", " s", {NOW: 2, BEFORE: 4}, 3).row() == ("a trial", "2 s", "4 s", "0.50", "3 s")
    unknown = Cost("a trial", " s", {NOW: math.nan, BEFORE: 4}, 3)
    assert unknown.row() == ("a trial", "", "4 s", "", "3 s") and unknown.targets() == []
    with pytest.raises(RuntimeError):
        Turns({NOW: ROOT / "before"}).take("trials", act)
