"""Tests leave the checkout as it was: git is asked before the first and after the last.

In CI a file that came, went or changed fails the run. Elsewhere it is only named: people edit meanwhile.
"""

from __future__ import annotations

import os
import subprocess

import pytest

CACHES = ("__pycache__/", ".cache/", ".pytest_cache/", ".mypy_cache/", ".ruff_cache/", ".hypothesis/")


def entries(folder: str) -> set[str]:
    """What git says of files that are not as committed, ignored ones among them, with sizes and times."""
    command = ["git", "status", "--porcelain", "-z", "--ignored", "--untracked-files=all"]
    asked = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    found = set()
    for entry in filter(None, asked.stdout.split("\0")):
        name = entry[3:]
        if any(cache in f"{name}/" for cache in CACHES):
            continue
        try:
            state = os.lstat(os.path.join(folder, name))  # noqa: PTH118 - names as git writes them
            entry += f"\0{state.st_size}" + ("" if name.endswith("/") else f"\0{state.st_mtime_ns}")
        except OSError:
            pass
        found.add(entry)
    return found


class Untouched:
    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.before = entries(folder)
        self.touched: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        now = entries(self.folder)
        self.touched = sorted({entry.split("\0")[0][3:] for entry in now ^ self.before})
        if self.touched and os.environ.get("CI") and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.touched:
            terminalreporter.section("files of the checkout that changed while the tests ran")
            for name in self.touched:
                terminalreporter.line(name)


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Untouched(str(config.rootpath)), "untouched")
