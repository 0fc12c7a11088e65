"""The environment of trials, wired in one place: models, sandboxes, cached steps, results."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from assay.config import Config
from assay.errors import ConfigError, ProviderError
from assay.extensions import extension, extensions, versions_of
from assay.git import head_commit, is_dirty
from assay.language.package_parts import modules_of_nodes, packages_of
from assay.loaded_code import told
from assay.package_code import copies, edited
from assay.records import Model, TrialKey, TrialRecord
from assay.report.messages import say
from assay.results.journal import Journal
from assay.results.spending import Spending
from assay.results.store import Results, Store
from assay.running.engines import Engine, EngineOpener, LocalEngine
from assay.running.first_verdict import FirstVerdict
from assay.running.memo import Memo, open_memo
from assay.running.observe import SILENT, Observer
from assay.running.plan import Plan, make_plan, variants, without_references
from assay.running.request import RunRequest
from assay.running.roles import ModelSource, Roles, load_roles, roles_asked
from assay.running.trial import Planned, SandboxPool, TrialOptions, run_trial
from assay.running.wiring import models_opener, open_pool, settings
from assay.stdout import fill_closed
from assay.suites.importing import is_helper
from assay.suites.row_samples import RowSamples
from assay.suites.sample import Sample
from assay.suites.selected import Selected, select_tests


class Session:
    """The environment of everything that runs trials: a run, rescoring, pytest, run_test, and estimates.

    Made from a request, it has settings and folders; within `async with` it has models too, and opens
    sandboxes and the cache of steps when the first trial needs them. `models`: the names of those under test.
    `given`: models that a program passes, by name. `source`: of models, if not the providers. `message`:
    shows a message to the user.
    """

    def __init__(
        self,
        request: RunRequest,
        config: Config | None = None,
        *,
        source: ModelSource | None = None,
        given: Mapping[str, Model] | None = None,
        message: Callable[[str], None] = say,
    ) -> None:
        """Raises ConfigError for invalid settings."""
        fill_closed()
        self.request, self.root = request, request.selection.root
        self.config = request.over(config or settings(request.config, self.root))
        self.workspace = request.workspace(self.config)
        self.selected = Selected()
        self.given = given or {}
        self.observer: Observer = SILENT
        self.message = message
        self._first_verdict = FirstVerdict()
        self.engine: Engine | None = None
        self.memo: Memo | None = None
        self._source = source
        self._roles: dict[str, Roles] = {}
        self._stack = AsyncExitStack()

    @property
    def results(self) -> Results:
        return self.workspace.results

    @property
    def cache(self) -> Path | None:
        """The folder of cached replies and steps; None if nothing is cached."""
        return self.workspace.cache

    @cached_property
    def models(self) -> list[str]:
        return self.request.model_names(self.config)

    @cached_property
    def commit(self) -> str:
        """The folder of the results."""
        return head_commit(self.root)

    def select(self) -> Selected:
        """Load the selected tests, and show messages about them."""
        self.selected = select_tests(self.request.selection, self.cache)
        for text in self.selected.messages:
            self.message(text)
        return self.selected

    # ---------------------------------------------------------------- models

    def open_models(self) -> AbstractAsyncContextManager[ModelSource]:
        return models_opener(self.root)(self.config, self.cache)

    async def find_installed(self) -> None:
        """With `all_models` and none in config.json, use the models of the local Ollama server. Raises
        ConfigError."""
        if not self.request.all_models or self.config.models:
            return
        try:
            async with self.open_models() as source:
                found = tuple(f"ollama/{each.name}" for each in await source.available("ollama"))
        except ProviderError as error:
            raise ConfigError(
                f'--all-models runs the "models" of config.json, but it lists none; {error}'
            ) from None
        if not found:
            raise ConfigError(
                "--all-models: the Ollama server has no model yet; get one with `ollama pull NAME`"
            )
        self.config = replace(self.config, models=found)

    @property
    def source(self) -> ModelSource:
        assert self._source is not None, "models are there within `async with session` only"
        return self._source

    @cached_property
    def needed(self) -> Mapping[str, str]:
        """The judges that the applied tests ask, each with the first test that does."""
        return {role: each.id for each in reversed(self.selected.applied) for role in roles_asked(each)}

    @property
    def needed_by_rows(self) -> set[str]:
        """The roles of the models that Rows ask."""
        rows = (make.rows.test for make in self.selected.others if isinstance(make, RowSamples))
        return {role for test in rows if test is not None for node in test.walk() for role in node.asks}

    def roles(self, model: str, needed: Mapping[str, str] | None = None) -> Roles:
        """The model and its judges. Raises ConfigError for a judge that cannot be loaded and is `needed`
        (role -> a test that asks it); by default, the judges that the selected tests ask."""
        if model not in self._roles:
            needed = self.needed if needed is None else needed
            self._roles[model] = load_roles(self.source, model, self.config, self.request.judges, needed)
        return self._roles[model]

    # ---------------------------------------------------------------- trials

    def wants(self, record: TrialRecord) -> bool:
        """Whether a record is of a test that --test and --tag choose."""
        return self.request.selection.wants(record.test, record.tags)

    def plan(self, model: str, done: Container[TrialKey] = frozenset()) -> Plan:
        """The trials of a model, without those that are done."""
        return make_plan(self.selected, model, self.source, self.request.times, done)

    def order(self, plan: Iterable[Planned], roles: Roles) -> Iterable[Planned]:
        """The plan of a model in the order in which its trials begin."""
        return plan if self.source.waves else self._first_verdict.order(plan, roles)

    def check_code(self, samples: Callable[[], Iterable[Sample]]) -> None:
        """Raise ConfigError, before anything is spent, for a package that was edited since it was loaded and
        that the models or `samples` use. Tell of one that is not the code in this folder."""
        providers = [each.partition("/")[0] for each in self.providers]
        own = {*_modules("assay.providers", providers), *_modules("assay.sandboxes", [self.config.sandbox])}
        modules = modules_of_nodes() | own
        found, others = edited(modules, is_helper), copies(modules, self.root)
        if found or others:
            own.update(_modules("assay.suites", {each.suite for each in samples()}))
            used = packages_of(each.test for each in samples()) | {each.partition(".")[0] for each in own}
            for package in sorted(used & found.keys()):
                raise ConfigError(told(found[package]))
            for package in sorted(used & others.keys()):
                self.message(others[package])

    async def check_sandbox(self, samples: Iterable[Sample]) -> None:
        """Raise SandboxUnavailable, before anything is spent, if a sandbox requested by name does not open
        and a test needs one. With `auto`, tests that need none may still run without any."""
        if self.config.sandbox != "auto" and any(sample.needs for sample in samples):
            from assay.sandboxes.backends.registry import choose

            await choose(self.config.sandbox, blind_faith=self.config.blind_faith)

    async def open_engine(self, run_id: str, trials: int | None = None) -> Engine:
        """The source of the trials' sandboxes, opened once: this machine, or the engine of a plugin.
        `trials`: their number, if known."""
        if self.engine is None:
            local = LocalEngine(self.config, open_pool(self.config, run_id), trials)
            await self._stack.enter_async_context(local.pools)
            self.engine = local
        return self.engine

    @cached_property
    def providers(self) -> Mapping[str, Mapping[str, str]]:
        """The packages that the models are asked by, with their versions."""
        return {each: versions_of("assay.providers", each.partition("/")[0]) for each in self.models}

    @cached_property
    def trial_options(self) -> TrialOptions:
        """What the trials share; the first call opens the cache of steps."""
        if self.cache is not None and (memo := open_memo(self.cache, self.message)) is not None:
            self.memo = memo
            self._stack.callback(memo.close)
        return TrialOptions(
            self.commit + ("-dirty" if is_dirty(self.root, self.request.selection.test_folders()) else ""),
            self.config.trial_time_limit_s,
            self.memo,
            reuse_steps=self.request.reuse_steps,
            observer=self.observer,
            suites={name: suite.code for name, suite in self.selected.suites.items()},
            waves=None if self._source is None else self._source.waves,
            heard=self._first_verdict.heard,
            providers=self.providers,
        )

    async def trial(
        self,
        trial: Planned,
        model: str,
        roles: Roles | None = None,
        *,
        journal: Journal | None = None,
        spending: Spending | None = None,
        note: Callable[[TrialRecord, SandboxPool], TrialRecord] = lambda record, pool: record,
        unproven: bool = False,
    ) -> TrialRecord:
        """Run one trial. `note` completes the record from its sandboxes. `unproven`: run the trial even if a
        model that replays references has none for this test (which may ask nobody)."""
        sample, options = trial.sample, self.trial_options
        if roles is None:
            roles = self.roles(model, dict.fromkeys(roles_asked(sample), sample.id))
        if not unproven and not variants(self.source, model, sample):
            return without_references(trial, model, options.commit, self.source)

        async def once(models: Sequence[Model], pool: SandboxPool) -> TrialRecord:
            llm, judge, vision_judge = models
            record = await run_trial(
                sample,
                llm,
                judge,
                vision_judge,
                pool,
                epoch=trial.epoch,
                options=options,
                journal=journal,
                spending=spending,
            )
            return note(record, pool)

        engine = await self.open_engine(f"{self.commit}-{sample.suite}")
        turn = contextlib.nullcontext() if options.waves else self._first_verdict.turn(sample, roles)
        async with turn:
            return await engine.one(once, (roles.llm, roles.eval_llm, roles.vision_eval_llm), sample)

    def open_store(self, model: str) -> Store:
        """Open a new run's file, closed when the session ends."""
        return self._stack.enter_context(self.results.open_new(self.commit, model, self.request.runid))

    # ---------------------------------------------------------------- open and close

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            if self.request.engine != "local":  # first, because a missing cluster must leave no empty run
                opener: EngineOpener = extension("assay.engines", self.request.engine).load()
                engine = opener(self.config, self.request, self.commit, lambda text: self.message(text))
                self.engine = await stack.enter_async_context(engine)
            if self._source is None:
                self._source = await stack.enter_async_context(self.open_models())
                self._source.references = self.selected.references
                self._source.message = lambda text: self.message(text)
            for model in self.given.values():
                self._source.add(model)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> Any:
        return await self._stack.__aexit__(kind, value, trace)


def _modules(group: str, names: Iterable[str]) -> Iterator[str]:
    """The modules of those of a group of extensions that packages bring."""
    found = (extensions(group).get(name) for name in names)
    return (each.entry.module for each in found if each is not None and not each.fault)
