"""Run trials for pytest, one after another, with the engine, cache and results of the command."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import os
import threading
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.cli.arguments import DEFAULTS, parse
from assay.cli.request import request_of
from assay.errors import ConfigError, TestFileError
from assay.language.dsl import Node
from assay.records import TrialKey, TrialRecord
from assay.results.store import Store
from assay.running.roles import ModelSource, load_roles, roles_asked
from assay.running.session import Session
from assay.running.trial import Planned
from assay.suites.fingerprint import Fingerprints
from assay.suites.sample import Sample

FLAGS = frozenset((
    "model", "endpoint", "judge", "vision_judge", "system_prompt", "think", "reasoning_effort",
    "thinking_budget", "params", "retries", "times", "runid", "max_connections", "max_cost", "max_tokens",
    "no_cache", "sandbox", "config", "logdir",
))  # fmt: skip
THREADS = 16  # threads for nodes of old-style tests


@contextlib.contextmanager
def ordinary_warnings() -> Iterator[None]:
    """Python's default rules for warnings: a project that turns warnings into errors means its own code, not
    a provider's libraries."""
    with warnings.catch_warnings():
        warnings.resetwarnings()
        for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", category)
        yield


class Trials:
    """The trials of one pytest process. Their event loop has its own thread, so that neither pytest nor
    another plugin's loop is affected, and sandboxes are opened ahead while pytest does other things."""

    def __init__(self, argv: Sequence[str], root: Path) -> None:
        """Raises ConfigError for flags, settings or a model that cannot be used."""
        options = parse(argv)
        given = vars(options)
        if wrong := [name for name in DEFAULTS if name not in FLAGS and given[name] != DEFAULTS[name]]:
            flag = "--" + wrong[0].replace("_", "-")
            raise ConfigError(f"{flag} is not for pytest, which chooses tests by its arguments, -k and --lf")
        request, worker = request_of(options, root), os.environ.get("PYTEST_XDIST_WORKER")
        if request.runid and worker:  # each worker has its own file
            request = replace(request, runid=f"{request.runid}-{worker}")
        self._session = Session(request, message=lambda text: None)
        self.root, self.config, self.models = root, self._session.config, self._session.models
        self.files: list[Path] = []  # of results, once they have a record
        self.tests: dict[str, Node] = {}  # that were run
        self.cost: float | None = 0.0
        self._stores: dict[str, Store] = {}
        self._check_models()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()

    def _check_models(self) -> None:
        source: Any = self._session.open_models()
        self._known: ModelSource = source
        for model in self.models:
            load_roles(source, model, self.config, self._session.request.judges, {})

    def times(self, model: str, test: str, source: str) -> int:
        """The number of trials of a test."""
        if (times := self._session.request.times) is not None or not self._known.traits(model).self_judged:
            return times or 1
        try:
            return max(1, self._known.variants(model, TrialKey(test, 1, "applied", source)))
        except TestFileError:
            return 1  # the trial reports the error

    def fingerprints(self, folder: Path) -> Fingerprints:
        """The fingerprints of the test files in a folder."""
        cache = self._session.cache
        return Fingerprints(self.root, [folder], cache / "imports.json" if cache else None)

    def run(self, sample: Sample, model: str, epoch: int) -> TrialRecord:
        """Run a trial and store it before returning. Raises ConfigError, StoreError and RunEnds; an
        interruption is raised once the trial's sandbox is closed."""
        self.tests[sample.id] = sample.test
        with ordinary_warnings():
            return self._wait(self._trial(Planned(sample, epoch), model))

    # ------------------------------------------------------------ in the loop's thread

    async def _trial(self, trial: Planned, model: str) -> TrialRecord:
        session, sample = self._session, trial.sample
        its = session.roles(model, dict.fromkeys(roles_asked(sample), sample.id))
        name = its.llm.name
        if name not in self._stores:  # before anything is paid for
            self._stores[name] = session.open_store(name)
            self.files.append(self._stores[name].path)
        store = self._stores[name]
        record = await session.trial(trial, model, its)
        store.append(record)
        await asyncio.to_thread(store.sync)
        self.cost = session.source.spent[1]
        scrub = session.results.scrub
        return replace(record, error=scrub(record.error), why=scrub(record.why))

    async def _main(self, ready: threading.Event) -> None:
        """Hold everything open until `close`, because the task that opened a resource must close it."""
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        async with self._session as session:
            await session.open_engine(f"{session.commit}-pytest")
            ready.set()
            await self._stop.wait()

    # ------------------------------------------------------------ in pytest's thread

    def _start(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            ready, failure = threading.Event(), []

            def work() -> None:
                loop = asyncio.new_event_loop()
                loop.set_default_executor(concurrent.futures.ThreadPoolExecutor(THREADS, "assay-worker"))
                try:
                    loop.run_until_complete(self._main(ready))
                except BaseException as error:  # noqa: BLE001 - told to the thread that waits
                    failure.append(error)
                finally:
                    loop.run_until_complete(loop.shutdown_asyncgens())
                    loop.close()
                    ready.set()

            self._thread = threading.Thread(target=work, name="assay", daemon=True)
            self._thread.start()
            ready.wait()
            if failure:
                raise failure[0]
        assert self._loop is not None
        return self._loop

    def _wait(self, work: Any) -> TrialRecord:
        ended = threading.Event()

        async def watched() -> TrialRecord:
            try:
                record: TrialRecord = await work
                return record
            finally:
                ended.set()

        future = asyncio.run_coroutine_threadsafe(watched(), self._start())
        try:
            return future.result()
        except BaseException:
            future.cancel()  # Ctrl-C, or a plugin's time-out: close the sandbox before pytest continues
            ended.wait(60)
            raise

    def close(self) -> None:
        """Close sandboxes, connections and files. May be called twice."""
        if self._thread is not None and self._loop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(120)
        self._thread = None
