"""Runs trials for pytest, one after another, with the engine, cache and results of the command line."""

from __future__ import annotations

import argparse
import asyncio
import concurrent.futures
import contextlib
import os
import threading
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from assay.cli.arguments import make_parser, parse
from assay.cli.place import models_of, place_of, with_flags
from assay.errors import ConfigError, TestFileError
from assay.records import EVAL_LLM, VISION_EVAL_LLM, TrialKey, TrialRecord
from assay.results.store import Store
from assay.running.lazy_pools import LazyPools
from assay.running.memo import open_memo
from assay.running.plan import variants, without_references
from assay.running.roles import SELF_JUDGED, ModelSource, Roles, load_roles, roles_asked
from assay.running.trial import Planned, TrialOptions, run_trial
from assay.running.wiring import models_opener, open_pool, references_finder, settings
from assay.suites.changed import head_commit, is_dirty
from assay.suites.fingerprint import Fingerprints
from assay.suites.suite import Sample

T = TypeVar("T")
FLAGS = frozenset((
    "run_tests", "model", "endpoint", "judge", "vision_judge", "system_prompt", "think", "reasoning_effort",
    "thinking_budget", "params", "retries", "times", "runid", "max_connections", "max_cost", "max_tokens",
    "no_cache", "sandbox", "config", "logdir",
))  # fmt: skip
THREADS = 16  # in which the nodes of tests of the old style may run


@contextlib.contextmanager
def ordinary_warnings() -> Iterator[None]:
    """Python's own rules for warnings: a project that makes them errors means its own code, not the
    libraries of a provider."""
    with warnings.catch_warnings():
        warnings.resetwarnings()
        for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", category)
        yield


@dataclass
class _Open:
    """What is open while trials run."""

    source: ModelSource
    pools: LazyPools
    setting: TrialOptions
    players: dict[str, Roles] = field(default_factory=dict)
    stores: dict[str, Store] = field(default_factory=dict)


class Trials:
    """The trials of one pytest process. Their event loop has a thread of its own, so that neither pytest nor
    another plugin's loop is touched, and sandboxes are opened ahead while pytest does other things."""

    def __init__(self, argv: Sequence[str], root: Path) -> None:
        """Raises ConfigError for flags, settings or a model that cannot be used."""
        options = parse(argv)
        given, defaults = vars(options), vars(make_parser().parse_args([]))
        if wrong := [name for name in given if name not in FLAGS and given[name] != defaults[name]]:
            flag = "--" + wrong[0].replace("_", "-")
            raise ConfigError(f"{flag} is not for pytest, which chooses tests by its arguments, -k and --lf")
        self._options: argparse.Namespace = options
        self.root = root
        self.config = with_flags(settings(options.config, root), options)
        self.place = place_of(options, self.config, root)
        self.models = models_of(options, self.config)
        self.files: list[Path] = []  # of results, once something was written to them
        self.cost: float | None = 0.0
        self._references = references_finder(root)
        self._check_models()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._open: _Open | None = None
        self._stop = asyncio.Event()

    def _check_models(self) -> None:
        source: Any = models_opener(self.root)(self.config, self.place.cache)
        for model in self.models:
            load_roles(source, model, self.config, self._judges(), {})

    def _judges(self) -> dict[str, str | None]:
        return {EVAL_LLM: self._options.judge, VISION_EVAL_LLM: self._options.vision_judge}

    def times(self, model: str, test: str, source: str) -> int:
        """How many trials of a test there are."""
        if self._options.times is not None or model not in SELF_JUDGED:
            return self._options.times or 1
        try:
            found = self._references(TrialKey(test, 1, "applied", source), model == "oracle")
        except TestFileError:
            return 1  # the trial tells what is wrong
        return max(1, len(found))

    def fingerprints(self, folder: Path) -> Fingerprints:
        """How to make fingerprints of the test files in a folder."""
        return Fingerprints(
            self.root, [folder], self.place.cache / "imports.json" if self.place.cache else None
        )

    def run(self, sample: Sample, model: str, epoch: int) -> TrialRecord:
        """One trial, stored before this returns. Raises ConfigError, StoreError and RunEnds; an
        interruption is passed on once the trial's sandbox is closed."""
        with ordinary_warnings():
            return self._wait(self._trial(Planned(sample, epoch), model))

    # ------------------------------------------------------------ in the loop's thread

    async def _trial(self, trial: Planned, model: str) -> TrialRecord:
        opened = self._open
        assert opened is not None
        source, sample = opened.source, trial.sample
        if model not in opened.players:
            needed = dict.fromkeys(roles_asked(sample), sample.id)
            opened.players[model] = load_roles(source, model, self.config, self._judges(), needed)
        its = opened.players[model]
        store = self._store(its.llm.name, opened)  # before anything is paid for
        if not variants(source, model, sample):
            record = without_references(trial, model, opened.setting.commit)
        else:
            record = await run_trial(
                sample,
                its.llm,
                its.eval_llm,
                its.vision_eval_llm,
                opened.pools.for_sample(sample),
                epoch=trial.epoch,
                setting=opened.setting,
            )
        store.append(record)
        await asyncio.to_thread(store.sync)
        self.cost = source.spent[1]
        scrub = self.place.results.scrub
        return replace(record, error=scrub(record.error), why=scrub(record.why))

    def _store(self, model: str, opened: _Open) -> Store:
        if model not in opened.stores:
            commit = opened.setting.commit.removesuffix("-dirty")
            run, worker = self._options.runid, os.environ.get("PYTEST_XDIST_WORKER")
            if run and worker:  # each has a file of its own
                run = f"{run}-{worker}"
            store = self.place.results.open_new(commit, model, run)
            opened.stores[model] = store
            self.files.append(store.path)
        return opened.stores[model]

    async def _main(self, ready: threading.Event) -> None:
        """Holds everything open until `close`: what a task opened is closed by the same task."""
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        commit = head_commit(self.root)
        async with contextlib.AsyncExitStack() as stack:
            source = await stack.enter_async_context(models_opener(self.root)(self.config, self.place.cache))
            memo = None
            if self.place.cache is not None:
                memo = open_memo(self.place.cache, lambda text: None)
            if memo is not None:
                stack.callback(memo.close)
            pools = LazyPools(open_pool(self.config, f"{commit}-pytest"), self.config.limits)
            await stack.enter_async_context(pools)
            shown = commit + ("-dirty" if is_dirty(self.root) else "")
            opened = _Open(source, pools, TrialOptions(shown, self.config.trial_time_limit_s, memo))
            self._open = opened
            stack.callback(_close_all, opened.stores)
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
            future.cancel()  # Ctrl-C, or a plugin's time-out: the sandbox is closed before pytest goes on
            ended.wait(60)
            raise

    def close(self) -> None:
        """Close sandboxes, connections and files. May be called twice."""
        if self._thread is not None and self._loop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(120)
        self._thread = None


def _close_all(stores: dict[str, Store]) -> None:
    for store in stores.values():
        store.close()
