"""A pytest plugin for .ci/run: a skipped test fails the run unless its reason is on the list.

A test that is skipped because something was not installed looks like a green run. The list is
allowed_skips.txt beside this file, or the one that the variable ALLOWED_SKIPS names.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

ALLOWED = Path(__file__).with_name(os.environ.get("ALLOWED_SKIPS", "allowed_skips.txt"))


def allowed_reasons() -> list[re.Pattern[str]]:
    lines = ALLOWED.read_text("utf-8").splitlines()
    return [re.compile(line) for line in lines if line.strip() and not line.startswith("#")]


class ForbiddenSkips:
    """Collects skips; at the end prints every reason and turns the forbidden ones into a failure."""

    def __init__(self) -> None:
        self.skips: dict[str, list[str]] = {}  # reason -> tests
        self.allowed = allowed_reasons()

    def note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            place = report.longrepr
            reason = place[2] if isinstance(place, (tuple, list)) else str(place)
            self.skips.setdefault(reason.removeprefix("Skipped: "), []).append(report.nodeid)

    pytest_runtest_logreport = note
    pytest_collectreport = note

    @property
    def forbidden(self) -> list[str]:
        return [reason for reason in self.skips if not any(known.search(reason) for known in self.allowed)]

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.forbidden and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.skips:
            return
        terminalreporter.section("skipped tests")
        for reason, tests in sorted(self.skips.items()):
            mark = "NOT ALLOWED" if reason in self.forbidden else "allowed"
            terminalreporter.line(f"{mark}: {len(tests)} x {reason} (first: {tests[0]})")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(ForbiddenSkips(), "forbidden-skips")
