"""The report in a browser while the run goes on, or while another process writes results."""

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
from assay.report.messages import say
from assay.results.workspace import Workspace
from assay.running.execute import Watching, nobody
from assay.running.run import ModelRun
from assay.running.session import Session
from assay.running.trial import Planned

FLUSH_S = 0.25  # between two times that the page's process is told which trials are under way
FAREWELL_S = 8.0  # what the end of a run waits for that process, at most


@dataclass
class LivePage:
    """The page of a run, in a process of its own. What a trial pays for it is one number counted up and one
    down again."""

    write: Callable[[bytes], None]
    _now: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    _told: dict[tuple[str, str, str], int] = field(default_factory=dict)

    @contextlib.contextmanager
    def trial(self, trial: Planned, model: str) -> Iterator[None]:
        """While it is under way, its cell says so."""
        cell = (trial.sample.suite, trial.sample.id, model)
        self._now[cell] += 1
        try:
            yield
        finally:
            self._now[cell] -= 1
            if not self._now[cell]:
                del self._now[cell]

    def flush(self) -> None:
        """Tell which trials are under way, if others are than were told."""
        if self._told != self._now:
            self._told = dict(self._now)
            self._say({"now": [[*cell, number] for cell, number in self._told.items()]})

    def end(self, state: str, note: str) -> None:
        self._say({"end": (state, note)})

    def _say(self, message: Any) -> None:
        self.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")


def listening(port: int | None) -> socket.socket | None:
    """The socket that --live asks for; None without that flag. Raises ConfigError for a taken port."""
    if port is None:
        return None
    from assay.report.live.server import listen

    return listen(port)


def live_watch(port: int | None) -> Watching:
    """What shows a run on a page while it goes on; nothing without that flag. Raises ConfigError for a taken
    port."""
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
    """The page of the run in this block. Whatever becomes of it, the run goes on."""
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
            await asyncio.wait_for(process.wait(), FAREWELL_S)
        if process.returncode is None:
            process.kill()
            await process.wait()
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _flush(page: LivePage, pipe: asyncio.StreamWriter) -> None:
    while True:
        await asyncio.sleep(FLUSH_S)
        if not pipe.transport.get_write_buffer_size():  # else it is behind, and what is true may change yet
            page.flush()


async def _pass_on(
    errors: asyncio.StreamReader, process: asyncio.subprocess.Process, message: Callable[[str], None]
) -> None:
    """What the page's process complains of. If it dies, that is said; its last words are a traceback's."""
    last = ""
    while line := await errors.readline():
        last = line.decode("utf-8", "replace").rstrip()
        if last.startswith("suite "):
            message(last)
    if await process.wait():
        message(f"the live report has stopped ({last or process.returncode}); the run goes on")


def serve_saved(
    listens: socket.socket, workspace: Workspace, folders: Sequence[Path], keep: Callable[[TrialRecord], bool]
) -> int:
    """report --live: what is saved, and what other processes add to it, until Ctrl-C."""
    import signal
    import time

    from assay.report.live.reporter import TICK_S, Reporter, Source
    from assay.report.live.server import address, new_secret

    source = Source(workspace.results.files, workspace.results.images, folders, keep)
    secret = new_secret()
    for number in (signal.SIGTERM, signal.SIGHUP):  # as Ctrl-C: the pages' folder goes with the process
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
