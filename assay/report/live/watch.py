"""The report in a browser during a run, or while another process writes results."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import assay
from assay.records import TrialRecord
from assay.report.aggregate import CellKey
from assay.report.messages import say
from assay.results.workspace import Workspace
from assay.running.execute import Watching, nobody
from assay.running.run import ModelRun
from assay.running.session import Session
from assay.running.trial import Planned

FLUSH_S = 0.25  # between two updates of the trials under way
FAREWELL_S = 8.0  # the longest that the end of a run waits for that process


@dataclass
class LivePage:
    """The page of a run, in its own process. A trial costs one increment and one decrement."""

    write: Callable[[bytes], None]
    _now: Counter[CellKey] = field(default_factory=Counter)
    _told: dict[CellKey, int] = field(default_factory=dict)

    @contextlib.contextmanager
    def trial(self, trial: Planned, model: str) -> Iterator[None]:
        """Show the trial as under way inside the block."""
        cell = CellKey(trial.sample.suite, trial.sample.id, model)
        self._now[cell] += 1
        try:
            yield
        finally:
            self._now[cell] -= 1
            if not self._now[cell]:
                del self._now[cell]

    def flush(self) -> None:
        """Send the trials under way if they have changed."""
        if self._told != self._now:
            self._told = dict(self._now)
            self._say({"now": [[*cell, number] for cell, number in self._told.items()]})

    def end(self, state: str, note: str) -> None:
        self._say({"end": (state, note)})

    def _say(self, message: Any) -> None:
        self.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")


def listening(port: int | None) -> socket.socket | None:
    """The socket for --live; None without that flag. Raises ConfigError for a port in use."""
    if port is None:
        return None
    from assay.report.live.server import listen

    return listen(port)


def live_watch(port: int | None) -> Watching:
    """Show a run on a page; do nothing without --live. Raises ConfigError for a port in use."""
    listens = listening(port)
    if listens is None:
        return nobody

    @contextlib.asynccontextmanager
    async def watching(session: Session, runs: Sequence[ModelRun]) -> AsyncIterator[LivePage]:
        from assay.report.live.server import address, new_secret

        secret, message = new_secret(), session.message
        message(f"live report: {address(listens, secret)}")
        plan = {**_plan(session, runs), "secret": secret}
        report = str(session.workspace.report / "index.html")
        async with live_page(listens, plan, message, report) as page:
            yield page

    return watching


def _plan(session: Session, runs: Sequence[ModelRun]) -> dict[str, Any]:
    """What the page's process must know of the run."""
    files = [each.store.path.resolve() for each in runs]
    samples = session.selected()
    return {
        "images": str(session.results.images.resolve()),
        "folders": [str(each.resolve()) for each in session.request.selection.test_folders()],
        "files": [(str(path), path.stat().st_size) for path in files],
        "tests": [(each.suite, each.id, each.description, each.tags, each.source) for each in samples],
        "models": [each.roles.llm.name for each in runs],
        "total": sum(each.left for each in runs),
    }


@contextlib.asynccontextmanager
async def live_page(
    listens: socket.socket, plan: dict[str, Any], message: Callable[[str], None], report: str
) -> AsyncIterator[LivePage]:
    """Show the page of a run inside the block. Its failure does not stop the run."""
    here = str(Path(assay.__file__).parent.parent)
    paths = os.pathsep.join(dict.fromkeys([here, *filter(None, sys.path)]))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "assay.report.live.process",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
        pass_fds=(listens.fileno(),), start_new_session=True, env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    assert process.stdin is not None and process.stderr is not None
    pipe, errors = process.stdin, process.stderr

    def write(data: bytes) -> None:
        if not pipe.is_closing():
            pipe.write(data)

    page = LivePage(write)
    write(json.dumps({**plan, "socket": listens.fileno()}).encode() + b"\n")
    listens.close()  # the page's process has it
    tasks = [asyncio.create_task(_flush(page, pipe)), asyncio.create_task(_pass_on(errors, process, message))]
    state, note = "ended", f"the whole report is in {report}"
    try:
        yield page
    except BaseException:
        state = "stopped"
        raise
    finally:
        tasks[0].cancel()
        page.end(state, note)
        pipe.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_S):
                await process.wait()
        if process.returncode is None:
            process.kill()
            await process.wait()
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _flush(page: LivePage, pipe: asyncio.StreamWriter) -> None:
    while True:
        await asyncio.sleep(FLUSH_S)
        if not pipe.transport.get_write_buffer_size():  # else it is behind, and the state may change again
            page.flush()


async def _pass_on(
    errors: asyncio.StreamReader, process: asyncio.subprocess.Process, message: Callable[[str], None]
) -> None:
    """Pass on messages of the page's process, and say if it dies; its last line is then a traceback's."""
    last = ""
    while line := await errors.readline():
        last = line.decode("utf-8", "replace").rstrip()
        if last.startswith("suite "):
            message(last)
    if await process.wait():
        message(f"the live report has stopped ({last or process.returncode}); the run continues")


def serve_saved(
    listens: socket.socket, workspace: Workspace, folders: Sequence[Path], keep: Callable[[TrialRecord], bool]
) -> int:
    """report --live: serve saved results, and what other processes add to them, until Ctrl-C."""
    import signal
    import time

    from assay.report.live.reporter import TICK_S, Reporter, Source
    from assay.report.live.server import address, new_secret

    source = Source(workspace.results.files, workspace.results.images, folders, keep)
    secret = new_secret()
    for number in (signal.SIGTERM, signal.SIGHUP):  # like Ctrl-C: removes the pages' folder
        signal.signal(number, signal.default_int_handler)
    with Reporter(listens, secret, source, say) as reporter:
        reporter.tick()
        reporter.board.rank()
        for said in reporter.board.left_out():
            say(said)
        reporter.start()
        say(f"live report: {address(listens, secret)} (Ctrl-C stops it)")
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                time.sleep(TICK_S)
                reporter.tick()
    return 0
