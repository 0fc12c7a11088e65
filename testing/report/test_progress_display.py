from __future__ import annotations

import asyncio
import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from assay.records import Outcome, TrialRecord, Usage
from assay.report.progress import Progress

ROOT = Path(__file__).parents[2]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def ended(outcome: Outcome) -> TrialRecord:
    return TrialRecord("t.T", "m", 1, outcome)


def test_plain_lines_are_few_and_say_everything() -> None:
    out, clock, place = io.StringIO(), Clock(), 0
    with Progress(1000, spent=lambda: (Usage(), place * 0.01), file=out, clock=clock) as progress:
        for place in range(1000):
            clock.now += 0.05
            progress.running(8)
            progress.done(
                ended([Outcome.PASS, Outcome.PASS, Outcome.FAIL, Outcome.ERROR, Outcome.SKIPPED][place % 5])
            )
            if place == 500:
                progress.message("a provider\x1b[2J slowed down")
    lines = out.getvalue().splitlines()
    assert len(lines) <= 8 and "\x1b" not in out.getvalue()  # 50 s of work
    assert "a provider slowed down" in lines
    assert re.search(
        r"^\d+/1000 trials: \d+ pass, \d+ fail, \d+ error, \d+ skipped, 8 running, .*20\.0/s, \$", lines[1]
    )
    assert re.search(r"\d+ s left$", lines[1])
    assert lines[-1] == "1000/1000 trials in 50.0 s: 400 pass, 200 fail, 200 error, 200 skipped, $9.99"


@pytest.mark.parametrize(
    ("calls", "paid", "said"),
    [
        ([(2, 2), (1, 1)], 0, ", all 3 replies from the cache, nothing paid"),
        ([(1, 1)], 0, ", the reply from the cache, nothing paid"),
        ([(2, 2), (1, 1)], 9, ", 9 tokens, all 3 replies from the cache"),
        ([(2, 1), (1, 0)], 9, ", 9 tokens, 1 of 3 replies from the cache"),
        ([(2, 0), (1, 0)], 9, ", 9 tokens"),
        ([(0, 0)], 0, ""),
    ],
)
def test_the_end_tells_what_came_from_the_cache(calls: list[tuple[int, int]], paid: int, said: str) -> None:
    for cached in (True, False):
        out = io.StringIO()
        with Progress(len(calls), spent=lambda: (Usage(paid), 0.0), cached=cached, file=out) as progress:
            for made, kept in calls:
                progress.done(TrialRecord("t.T", "m", 1, Outcome.PASS, calls=made, cached_calls=kept))
        its = said if cached else ", 9 tokens" * bool(paid)
        assert out.getvalue().strip().endswith(f": {len(calls)} pass, 0 fail{its}")


def test_without_a_terminal_there_is_a_sign_of_life_though_no_trial_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assay.report.progress.FIRST_LINE_S", 0.2)
    monkeypatch.setattr("assay.report.progress.LINE_EVERY_S", 0.3)
    out = io.StringIO()

    async def wait() -> None:
        with Progress(3, file=out) as progress:
            progress.running(2)
            await asyncio.sleep(1.2)
        await asyncio.sleep(0.5)

    asyncio.run(wait())
    lines = out.getvalue().splitlines()
    assert 3 <= len(lines) <= 5 and lines[0] == "0/3 trials: 0 pass, 0 fail, 2 running"
    assert lines[-1].startswith("0/3 trials in 1.2 s")


def test_unknown_cost_is_said_and_an_interrupted_run_is_summed_up() -> None:
    out, clock = io.StringIO(), Clock()
    shown = Progress(10, spent=lambda: (Usage(9, 1), None), file=out, clock=clock)
    with pytest.raises(KeyboardInterrupt), shown as progress:
        clock.now = 3
        progress.done(ended(Outcome.PASS))
        raise KeyboardInterrupt
    assert "cost unknown, 10 tokens" in out.getvalue()
    assert out.getvalue().splitlines()[-1].startswith("1/10 trials in 3.0 s: 1 pass, 0 fail")


def test_an_estimate_that_has_passed_is_not_repeated() -> None:
    clock, out = Clock(), io.StringIO()
    with Progress(16, file=out, clock=clock) as progress:
        for _ in range(15):
            clock.now += 1
            progress.done(ended(Outcome.PASS))
        said = []
        for waited in (0.5, 3, 51):
            clock.now = 15 + waited
            said.append(progress._pieces()[-1][0])
    assert said == ["1 s left", "1 s left", "no trial has ended for 51 s"]


def test_a_notebook_keeps_only_the_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Kernels(io.StringIO):
        pub_thread = None

    shown: list[str] = []

    def update(data: dict[str, str], raw: bool) -> None:
        shown[-1] = data["text/plain"]

    def display(data: dict[str, str], raw: bool, display_id: bool) -> SimpleNamespace:
        shown.append(data["text/plain"])
        return SimpleNamespace(update=update)

    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=display))
    monkeypatch.setattr(sys, "stderr", Kernels())
    clock = Clock()
    with Progress(2, clock=clock) as progress:
        clock.now = 3.0
        progress.done(ended(Outcome.PASS))
        assert shown[0].startswith("1/2 trials: ")
        progress.message("a word")
    assert shown == ["1/2 trials in 3.0 s: 1 pass, 0 fail"] and sys.stderr.getvalue() == "a word\n"


def test_trials_that_wait_for_a_connection_are_told_apart() -> None:
    clock, out = Clock(), io.StringIO()
    with Progress(30, waiting=lambda: 20, file=out, clock=clock) as progress:
        clock.now = 3
        progress.running(24)
        progress.done(ended(Outcome.PASS))
    assert ", 4 running, 20 waiting for a connection, " in out.getvalue()


def test_why_calls_are_made_again_is_said_while_they_wait() -> None:
    clock, out = Clock(), io.StringIO()
    why = ["2 calls wait to be made again: local/m: nothing\nlistens\x1b[2J " + "x" * 1000]
    with Progress(30, retrying=lambda: why, file=out, clock=clock) as progress:
        clock.now = 3
        progress.running(2)
        progress.done(ended(Outcome.PASS))
    line = out.getvalue().splitlines()[0]
    assert "; 2 calls wait to be made again: local/m: nothing listens xxx" in line and len(line) < 500


PROGRAM = """
import sys, time
from assay.records import Outcome, TrialRecord, Usage
from assay.report.progress import Progress
with Progress(40, spent=lambda: (Usage(1200, 34), 0.5), max_cost=2.0, max_tokens=5000) as progress:
    for place in range(40):
        time.sleep(0.03)
        progress.running(3)
        progress.done(TrialRecord("t", "m", 1, Outcome.PASS if place % 3 else Outcome.FAIL))
        if place == 10: progress.message("spoken above")
        if place == 20: print("for the pipe")
"""


def on_a_terminal(columns: int, term: str = "xterm-256color", **more: str) -> tuple[str, str]:
    """What the program writes to a terminal of so many columns (stderr), and to a pipe (stdout)."""
    main, side = pty.openpty()
    environment = {
        **os.environ,
        "TERM": term,
        "COLUMNS": str(columns),
        "LINES": "24",
        "PYTHONPATH": str(ROOT),
        **more,
    }
    run = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stderr=side, stdin=side, stdout=subprocess.PIPE, env=environment
    )
    os.close(side)
    seen = b""
    while True:
        try:
            more = os.read(main, 65536)
        except OSError:
            break
        if not more:
            break
        seen += more
    out, _ = run.communicate(timeout=30)
    os.close(main)
    assert run.returncode == 0
    return seen.decode(), out.decode()


def test_calls_without_a_reply_take_of_the_budget() -> None:
    out = io.StringIO()
    with Progress(
        2,
        spent=lambda: (Usage(10, 5), 0.5),
        unread=lambda: (100, 1.25),
        max_cost=2.0,
        max_tokens=200,
        file=out,
    ):
        pass
    assert "$0.50 ($0.25 of the budget left)" in out.getvalue(), "it said $1.50, and then that all was spent"
    assert "15 tokens (85 of the budget left)" in out.getvalue()


@pytest.mark.parametrize("columns", [80, 40, 22])
def test_live_display_fits_its_terminal_and_cleans_up(columns: int) -> None:
    seen, piped = on_a_terminal(columns)
    assert piped == "for the pipe\n"
    assert "\x1b[?25l" in seen and seen.rindex("\x1b[?25h") > seen.rindex(
        "\x1b[?25l"
    )  # the cursor comes back
    assert "spoken above" in seen and "━" in seen
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "\n", seen)
    said = " ".join(plain.split())
    assert "$0.50 ($1.50 of the budget left)" in said
    assert "1,234 tokens (3,766 of the budget left)" in said
    assert all(len(line) <= columns for line in plain.splitlines() if "trials in" not in line)
    assert re.search(r"40/40 trials in .*27 pass|26 pass", plain.replace("\n", " ")) or "26 pass" in plain


@pytest.mark.parametrize(("columns", "term"), [(80, "dumb"), (80, ""), (0, "xterm"), (5, "xterm")])
def test_a_terminal_that_cannot_show_it_gets_plain_lines(columns: int, term: str) -> None:
    seen, _ = on_a_terminal(columns, term=term)
    assert "\x1b" not in seen and "26 pass, 14 fail" in seen


def test_a_terminal_without_utf8_or_colours_is_spared_both() -> None:
    seen, _ = on_a_terminal(40, PYTHONIOENCODING="latin-1", NO_COLOR="1")
    assert seen.isascii() and re.search(r"-{5,} +\d+/40", seen) and not re.search(r"\x1b\[[0-9;]*3\dm", seen)
    assert "26 pass  14 fail" in seen and "26 pass, 14 fail" in seen
