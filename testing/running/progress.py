"""One line of how far the tests are, in place of a dot for each: live on a terminal, now and then in a log.

At the end: what was skipped for want of what, and what to do about failures.
"""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Callable

import pytest

from assay.report.wording import countdown
from testing.running.schedule import PLAN
from testing.running.slow import USUAL_S

LINE_EVERY_S = 30.0  # in a log
REDRAW_EVERY_S = 0.2
REASONS = 8
DOCTOR = ".venv/bin/python main.py --doctor"
ADVICE = (
    'Only the failed ones again:         make test ARGS="--last-failed"',
    'Up to the first, with a debugger:   make test ARGS="--last-failed -n 0 -x --pdb"',
    f"Sandboxes, browser, compilers here: {DOCTOR}",
    "Above stands what each expected. One that passes alone was short of time or memory.",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--one-line", action="store_true", help="how far the tests are, in one line")


@pytest.hookimpl(trylast=True)  # after the reporter has come
def pytest_configure(config: pytest.Config) -> None:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if config.option.one_line and reporter and not hasattr(config, "workerinput"):
        config.pluginmanager.register(OneLine(reporter), "one-line")


class OneLine:
    """Counts the tests that ended. `clock`: seconds, for tests."""

    def __init__(
        self, reporter: pytest.TerminalReporter, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.reporter = reporter
        self.config = reporter.config
        self.counts: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.done_s = 0.0  # what the ended tests were expected to take
        self.running: dict[str, None] = {}  # the longest running first
        self._clock = clock
        self._began = self._next = 0.0

    def line(self) -> str:
        """Percent by expected seconds; the time left from how fast those pass."""
        plan = self.config.stash.get(PLAN, {})
        whole_s = sum(cost for _, cost in plan.values()) or 1.0
        gone_s = self._clock() - self._began
        ended = sum(self.counts.values())
        share = min(1.0, self.done_s / whole_s)
        words = [f"{share:4.0%}", f"{ended:,} of {len(plan):,} tests"]
        words += [f"{self.counts[kind]:,} {kind}" for kind in ("failed", "skipped") if self.counts[kind]]
        words.append(f"{countdown(gone_s)} gone")
        if share and ended < len(plan):
            words.append(f"{countdown(gone_s / share - gone_s)} left")
        return ", ".join(words)

    def _show(self) -> None:
        now = self._clock()
        if now < self._next:
            return
        if self.reporter.isatty:
            self._next = now + REDRAW_EVERY_S
            line = "  ".join([self.line(), *list(self.running)[:1]])
            self.reporter.rewrite(line[: shutil.get_terminal_size().columns - 1], erase=True)
        else:
            self._next = now + LINE_EVERY_S
            self.reporter.write_line(self.line())

    def _say(self, text: str) -> None:
        """Above the line."""
        if self.reporter.isatty:
            self.reporter.rewrite("", erase=True)
            self.reporter.rewrite("")
        self.reporter.write_line(text)
        self._next = 0.0 if self.reporter.isatty else self._next

    # ---------------------------------------------------------------- what pytest tells

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """The counts at the end are pytest's; the dots are left out."""
        if hasattr(report, "wasxfail"):
            return None
        if report.failed:
            return ("failed", "", "FAILED") if report.when == "call" else ("error", "", "ERROR")
        return ("", "", "") if report.passed and report.when != "call" else (report.outcome, "", "")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if not self._began:
            self._began = self._clock()
            self._next = self._began + (0 if self.reporter.isatty else LINE_EVERY_S)
        self.running[nodeid] = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.counts["failed"] += 1
            self.counts["passed"] -= report.when == "teardown"
            self._say(f"FAILED {report.nodeid}")
        elif report.skipped:
            self.counts["skipped"] += 1
            place = report.longrepr
            reason = place[2] if isinstance(place, tuple) else str(place)
            self.reasons[reason.removeprefix("Skipped: ")] += 1
        elif report.when == "call":
            self.counts["passed"] += 1
        if report.when == "teardown":
            self.running.pop(report.nodeid, None)
            self.done_s += self.config.stash.get(PLAN, {}).get(report.nodeid, ("", USUAL_S))[1]
        self._show()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        if self.reporter.isatty and self._began:
            self._say(self.line())

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        say = terminalreporter.line
        if self.reasons:
            terminalreporter.section("skipped")
            for reason, number in self.reasons.most_common(REASONS):
                say(f"{number:5} for: {reason.splitlines()[0]}")
            if self.reasons["there is no image here; make image builds it"]:
                say("`make image` builds the sandbox image, with which most of these run.")
            say(f"What this machine has and lacks: {DOCTOR}")
        if self.config.option.quick and self.config.option.markexpr:
            say("")
            say("What takes long was left out: make test-all runs everything.")
        if exitstatus == pytest.ExitCode.TESTS_FAILED:
            terminalreporter.section("what to do")
            for advice in ADVICE:
                say(advice)
