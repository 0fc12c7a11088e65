"""The process that shows a run in progress: separate, so that rendering never delays a trial.

The run sends lines of JSON to its stdin: first the plan, then the trials under way, and at last how it ended.
The trials themselves are read from the results files. The process ends when stdin does.
"""

from __future__ import annotations

import json
import queue
import signal
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

from assay.report.aggregate import CellKey, Facts
from assay.report.live.reporter import TICK_S, Reporter, Source

LINGER_S = 3.0  # at most, until every open page knows that the run has ended


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which tells us how it ended
    plan = json.loads(sys.stdin.buffer.readline() or b"{}")
    if not plan:
        return
    files = [(Path(path), size) for path, size in plan["files"]]
    source = Source(
        lambda: [path for path, _ in files], Path(plan["images"]), [Path(each) for each in plan["folders"]]
    )
    with Reporter(socket.socket(fileno=plan["socket"]), plan["secret"], source, _say) as reporter:
        reporter.board.expect(
            ((s, test, Facts(about, tuple(tags), source)) for s, test, about, tags, source in plan["tests"]),
            plan["models"],
        )
        reporter.begun_before(files)
        reporter.status.state, reporter.status.total = "running", plan["total"]
        reporter.start()
        _serve(reporter)


def _serve(reporter: Reporter) -> None:
    """Serve until the run ends, and a moment longer."""
    said: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(said,), daemon=True).start()
    end = None
    while end is None:
        try:
            told = said.get(timeout=TICK_S)
        except queue.Empty:
            reporter.tick()
            continue
        if "now" in told:
            reporter.status.under_way = {CellKey(*cell): number for *cell, number in told["now"]}
        end = told.get("end")
    reporter.finish(*end)
    deadline = time.monotonic() + LINGER_S
    while time.monotonic() < deadline and not reporter.pages.all_know():
        time.sleep(0.05)


def _listen(said: queue.SimpleQueue[Any]) -> None:
    for line in sys.stdin.buffer:
        said.put(json.loads(line))
    said.put({"end": ("stopped", "")})  # the run was killed


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - the run shows it


if __name__ == "__main__":
    main()
