"""Checks of a package's sandbox end in time, and say what was expected and what came."""

from __future__ import annotations

import asyncio
import re
import signal
import time
from typing import Any

import pytest

from assay.cli import conformance
from assay.cli.main import main
from assay.conformance import clock
from assay.conformance.sandboxes import suite
from assay.errors import NodeError, SandboxMistake
from assay.records import ExecResult, Limits
from assay.sandboxes.attacks.runner import AttackResult
from assay.sandboxes.backends import registry

CHECKS = {each.name: each for each in suite.checks()}


class Room:
    tier = "room"

    async def run(self, argv, **options):
        return ExecResult(b"", b"", 1)

    async def read_file(self, path, *, max_bytes=0):
        return b""

    async def pack(self, only=()):
        time.sleep(60)  # noqa: ASYNC251 - as an author might

    async def unpack(self, data):
        await asyncio.sleep(60)

    async def close(self): ...


class House:
    """Opens a Room; `wrong` are methods in the place of its own."""

    name, tier, isolated = "house", "house", False

    def __init__(self, **wrong: Any) -> None:
        self.wrong = wrong

    async def open(self, limits: Limits, run_id: str) -> Room:
        return type("Room", (Room,), self.wrong)()

    async def remove_leftovers(self):
        return "all"


def test_a_table_keeps_the_lines_of_an_outcome():
    said = f"it prints:\nFatal: no unit\n{'x ' * conformance.WIDEST}"
    table = conformance.results_table("t", [AttackResult("hello", "", "", False, said, 0.0)], "table")
    assert [row[2] for row in table.rows][:2] == ["it prints:", "Fatal: no unit"] and len(table.rows) == 4


def tried(name: str, **wrong: Any) -> str:
    """What is said of a check that must not hold."""
    check = CHECKS[name]
    result = suite.attempt(name, "", "", lambda: check.holds(House(**wrong)))
    assert not result.passed
    return result.outcome


async def refused(*args, **more):
    raise NodeError("never")


async def mistaken(*args, **more):
    raise SandboxMistake("Room.read_file() raised KeyError: 'x'")


@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        (
            "commands.exit_codes_and_signals[exit 7-7]",
            {},
            "expected: result.returncode == code; result.returncode is 1, code is 7",
        ),
        (
            "closing.what_killed_runs_left_is_counted",
            {},
            "expected: isinstance(count, int); count is 'all'",
        ),
        (
            "commands.output_is_stdout_followed_by_stderr",
            {},
            r"expected: result.stdout == b'one\nthree\n'; result.stdout is b''",
        ),
        (
            "files.reading_a_trap_back_is_refused_at_once[fifo]",
            {},
            "`await sandbox.read_file('out', max_bytes=1000)`: expected NodeError, but nothing was raised",
        ),
        (
            "files.reading_what_is_not_there",
            {"read_file": refused},
            "`await sandbox.read_file(name)`: expected FileNotFoundError, but NodeError: never",
        ),
        (
            "files.reading_what_is_not_there",
            {"read_file": mistaken},
            "expected FileNotFoundError, but Room.read_file() raised KeyError: 'x'",
        ),
        (
            "size_limits.the_disk_is_limited[/tmp]",
            {},
            "`assert 16 << 20 < int(result.stdout.split()[-1]) <= 32 << 20`; "
            "result is ExecResult(stdout=b'', stderr=b'', returncode=1)",
        ),
        (
            "terminals.a_long_last_word_is_not_lost",
            {},
            "AttributeError: 'Room' object has no attribute 'start', in `terminal = await sandbox.start(",
        ),
    ],
)
def test_a_check_says_what_was_expected_and_what_came(name, wrong, said):
    assert said in tried(name, **wrong)


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(clock, "CHECK_TIME_LIMIT_S", 0.2)
    monkeypatch.setattr(clock, "AGAIN_S", 0.1)


def closing_blocks(room):
    time.sleep(60)


def test_a_method_that_never_returns_ends_in_time_and_is_named(short):
    name = "files.all_files_of_one_sandbox_can_be_handed_on_to_another"
    line = Room.pack.__code__.co_firstlineno + 1
    said = tried(name)
    assert re.fullmatch(
        rf"it did not end within 0\.2 s; Room\.pack\(\) \(.*test_conformance_clock\.py:{line}\) blocked .*",
        said,
    )
    assert tried(name, pack=Room.unpack, close=closing_blocks).startswith("it did not end within 0.2 s")


def test_after_three_that_do_not_end_the_others_are_not_tried(short, monkeypatch):
    async def ready(made, **more): ...

    monkeypatch.setattr(registry, "backend", lambda name: House(run=lambda *_, **__: time.sleep(60)))
    monkeypatch.setattr(registry, "ready", ready)
    said = []
    results = list(suite.check_backend("house", said.append))
    assert len(results) == 3 and said[-1] == "3 checks in a row did not end in time; the others are not tried"
    assert said[1] == f"trying {results[0].name}"


def test_ctrl_c_ends_all_and_says_how_many_checks_ran(tmp_path, capsys, monkeypatch):
    def left(code):
        raise SystemExit(code)

    def check(*given, **more):
        yield suite.attempt("one", "", "", lambda: None)
        given[3]("trying two")
        yield suite.attempt("two", "", "", lambda: asyncio.run(interrupted()))

    async def interrupted():
        signal.raise_signal(signal.SIGINT)

    handler = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr("assay.conformance.extensions.check", check)
    monkeypatch.setattr(conformance.os, "_exit", left)
    with pytest.raises(SystemExit, match="130"):
        main(["conformance", "exports:csv"], tmp_path)
    assert capsys.readouterr().err == "stopped during two; 1 check ran before, 0 of them failed\n"
    assert signal.getsignal(signal.SIGINT) is handler
