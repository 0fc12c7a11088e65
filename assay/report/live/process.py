"""The process that shows a run while it goes on: one of its own, so that rendering never holds up a trial.

The run tells it by lines of JSON on stdin: first what is planned, then which trials are under way, at last
how it ended. What the trials left it reads from the results files. It ends when stdin does.
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

from assay.report.aggregate import Facts
from assay.report.live.reporter import TICK_S, Reporter, Source

LINGER_S = 3.0  # at most, until every page that is open knows that the run has ended


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the run's, which tells us how it ended
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
    """Until the run ends, and a moment longer."""
    said: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(said,), daemon=True).start()
    ending = None
    while ending is None:
        try:
            told = said.get(timeout=TICK_S)
        except queue.Empty:
            reporter.tick()
            continue
        if "now" in told:
            reporter.status.under_way = {(suite, test, model): n for suite, test, model, n in told["now"]}
        ending = told.get("end")
    reporter.finish(*ending)
    deadline = time.monotonic() + LINGER_S
    while time.monotonic() < deadline and not reporter.pages.all_know():
        time.sleep(0.05)


def _listen(said: queue.SimpleQueue[Any]) -> None:
    for line in sys.stdin.buffer:
        said.put(json.loads(line))
    said.put({"end": ("stopped", "")})  # it was killed


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - the run shows it


if __name__ == "__main__":
    main()
