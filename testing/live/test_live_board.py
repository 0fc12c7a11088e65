"""What a live page is told: the same numbers as the written report, and only what is new."""

from __future__ import annotations

import random
import re
from email.message import Message
from pathlib import Path

import pytest

from assay.errors import ConfigError
from assay.records import Block, Outcome, TrialRecord, Usage
from assay.report.aggregate import Facts, make_grid
from assay.report.live.board import Board
from assay.report.live.follow import Follower, Rewritten, read_at
from assay.report.live.reporter import written_to
from assay.report.live.server import address, listen, refusal
from assay.results.store import Store, load_records


def record(draw: random.Random, at: int) -> TrialRecord:
    suite = draw.choice(["applied", "sums"])
    outcome = draw.choice(list(Outcome))
    conditions = {"digits": draw.choice([2, 2, 2, 3])} if suite == "sums" else {}
    counted = suite == "sums" and outcome in (Outcome.PASS, Outcome.FAIL)
    score = draw.choice([0.1, 0.25, 1.0, None, None, 7.0 if at % 40 == 0 else None]) if counted else None
    return TrialRecord(
        f"t{draw.randrange(4)}.T", f"m{draw.randrange(3)}", draw.randrange(1, 3), outcome, suite=suite,
        score=score, usage=Usage(3, draw.randrange(9)), cost=draw.choice([None, 0.5]), calls=1,
        seconds=draw.randrange(4) / 4, started_at=f"2026-11-20T10:{draw.randrange(60):02}:{at % 60:02}",
        conditions=conditions, fingerprint=draw.choice(["", "v1", "v2", "v2", "v3"]), description="d",
        tags=("x",), reason=Block("text", body="long " * 99),
    )  # fmt: skip


def written(folder: Path, records: list[TrialRecord], name: str = "run-1.jsonl") -> Path:
    with Store(folder / "c" / "m" / name, folder / "images") as store:
        for each in records:
            store.append(each)
    return folder / "c" / "m" / name


@pytest.mark.parametrize("shown", [{"m0", "m1", "m2"}, {"m0", "m1"}], ids=["all", "some"])
@pytest.mark.parametrize("seed", range(12))
def test_the_numbers_are_those_of_the_written_report(tmp_path: Path, seed: int, shown: set[str]) -> None:
    draw = random.Random(seed)
    file = written(tmp_path, [record(draw, at) for at in range(draw.choice([1, 5, 60, 200]))])
    board = Board()
    for each, place in Follower(file).news():
        if each.model in shown:
            board.add(each, place)
        else:
            board.know(each)
        if draw.random() < 0.1:
            board.changes(draw.randrange(board.version))  # looking changes nothing
    board.rank()
    read = load_records([file], keep=lambda each: each.model in shown)
    live, fixed = board.grid(), make_grid(read.records)
    totals = {model: total for model, total in live.totals.items() if total.trials}
    assert totals == fixed.totals and [each for each in live.models if each in totals] == list(fixed.models)
    assert board.left_out() == read.left_out
    cells = {(row.suite, row.test): (row.cells, row.total) for row in live.rows if row.cells}
    assert cells == {(row.suite, row.test): (row.cells, row.total) for row in fixed.rows}
    assert {key: tally for key, tally in live.by_suite.items() if tally.trials} == fixed.by_suite


def test_a_page_that_takes_in_every_change_ends_like_one_that_came_late(tmp_path: Path) -> None:
    draw = random.Random(7)
    file = written(tmp_path, [record(draw, at) for at in range(120)])
    board, seen, cells, most = Board(), 0, {}, 0
    board.expect([(s, f"t{n}.T", Facts()) for s in ("applied", "sums") for n in range(4)], ["m0", "m1", "m2"])
    for at, (each, place) in enumerate(Follower(file).news()):
        board.add(each, place)
        if at % 3 == 0:
            news = board.changes(seen)["cells"]
            most = max(most, len(news))
            cells.update({(row, column): rest for row, column, *rest in news})
            seen = board.version
    cells.update({(row, column): rest for row, column, *rest in board.changes(seen)["cells"]})
    assert cells == {(row, column): rest for row, column, *rest in board.changes(0)["cells"]}
    assert board.changes(board.version) == {"cells": []}
    assert most < len(cells)  # only what changed was sent


def test_a_planned_run_shows_its_own_tests_only(tmp_path: Path) -> None:
    board = Board()
    board.expect([("applied", "a.T", Facts("about a", ("x",)))], ["m0"])
    place = next(Follower(written(tmp_path, [record(random.Random(1), 0)])).news())[1]
    assert board.add(TrialRecord("a.T", "m0", 1, Outcome.PASS), place)
    assert not board.add(TrialRecord("b.T", "m0", 1, Outcome.PASS), place)
    assert not board.add(TrialRecord("a.T", "m9", 1, Outcome.PASS), place)
    assert [row.test for row in board.grid().rows] == ["a.T"] and board.shape == 1


def test_only_whole_lines_are_read_and_whole_trials_found_again(tmp_path: Path) -> None:
    records = [record(random.Random(seed), seed) for seed in range(3)]
    file = written(tmp_path, records)
    whole = file.read_bytes()
    cut = whole.index(b"\n") + 20
    file.write_bytes(whole[:cut])
    follower = Follower(file)
    first = list(follower.news())
    assert len(first) == 1 and first[0][0].reason is None
    assert list(follower.news()) == []
    with file.open("ab") as more:
        more.write(whole[cut:] + b"no json\n")
    rest = list(follower.news())
    assert [each.test for each, _ in first + rest] == [each.test for each in records]
    assert read_at([place for _, place in first + rest])[2].reason == records[2].reason
    file.write_bytes(whole[:10])
    with pytest.raises(Rewritten):
        list(follower.news())


def test_who_writes_is_read_from_the_systems_locks(tmp_path: Path) -> None:
    open_now, closed = tmp_path / "open.jsonl", tmp_path / "closed.jsonl"
    closed.touch()
    with Store(open_now, tmp_path / "images"):
        assert written_to([open_now, closed]) == 1
    assert written_to([open_now, closed, tmp_path / "none"]) == 0
    assert written_to([open_now], tmp_path / "no such list") == 0


# ---------------------------------------------------------------- who is answered


def asked(**headers: str) -> Message:
    message = Message()
    for name, value in {"Host": "127.0.0.1:8000", **headers}.items():
        message[name.replace("_", "-")] = value
    return message


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:9", "127.0.0.1", "[::1]:9"])
def test_this_machine_is_answered_by_its_own_names(host: str) -> None:
    assert refusal("GET", asked(Host=host)) is None
    assert refusal("GET", asked(Host=host, Origin=f"http://{host}", Sec_Fetch_Site="same-origin")) is None


HOSTS = ["evil.example", "evil.example:8000", "127.0.0.1.evil.example:80", "", ":80", "localhost.",
         "[::2]:80", "2130706433:80", "localhost@evil.example"]  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
def test_another_host_is_not(host: str) -> None:
    refused = refusal("GET", asked(Host=host))
    assert refused is not None and refused[0] == 421


def test_two_hosts_or_none_are_refused() -> None:
    twice = asked()
    twice["Host"] = "evil.example"
    del (none := asked())["Host"]
    assert [refusal("GET", each)[0] for each in (twice, none)] == [400, 400]  # type: ignore[index]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},  # another program of this machine
        {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors", "Sec_Fetch_Dest": "script"},
        {"Sec_Fetch_Site": "same-site", "Sec_Fetch_Mode": "no-cors", "Sec_Fetch_Dest": "image"},
        {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"},
    ],
)
def test_another_origins_page_is_refused(headers: dict[str, str]) -> None:
    refused = refusal("GET", asked(**headers))
    assert refused is not None and refused[0] == 403


def test_a_link_on_another_page_may_lead_here() -> None:
    headers = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
    assert refusal("GET", asked(**headers)) is None


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "HEAD"])
def test_only_get(method: str) -> None:
    refused = refusal(method, asked())
    assert refused is not None and refused[0] == 405


def test_a_taken_port_is_said() -> None:
    with listen(0) as taken:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/key/", address(taken, "key"))
        port = taken.getsockname()[1]
        with pytest.raises(
            ConfigError, match=f"--live {port}: cannot serve on that port: Address already in use"
        ):
            listen(port)
