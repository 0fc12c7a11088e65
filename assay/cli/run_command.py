"""--run-tests, from the flags to the exit code."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO, cast

from assay.cli.choose import conditions_of, wanted_by
from assay.cli.export import exports_of, write_exports
from assay.cli.live import Live, listening
from assay.cli.place import Place, models_of, place_of, say, try_named_sandbox, with_flags
from assay.cli.regression_gate import Baseline, find_baseline, worse
from assay.cli.resume import note_request
from assay.cli.samples import Chosen, choose_samples
from assay.cli.shown import below, show, suites_of, suites_with_tables, tables_of, write_report
from assay.cli.traces import check_traces, traced
from assay.config import Config
from assay.errors import ConfigError, ProviderError, RunEnds
from assay.home import typed
from assay.records import EVAL_LLM, LLM, VISION_EVAL_LLM, TrialRecord
from assay.results.conditions import mixed
from assay.results.spending import Spent
from assay.results.store import load_records
from assay.running.aggregates import write_aggregates
from assay.running.engines import Engine, RayEngine, local_engine, ray_engine, workers_for
from assay.running.event_loop import Stopped, run_until_done
from assay.running.lazy_pools import Opener
from assay.running.roles import SELF_JUDGED, ModelSource, OpenModels, References, judge_names, load_roles
from assay.running.run import Job, ModelRun, RunResult, prepare, run_job
from assay.suites.changed import head_commit, is_dirty


def run_command(
    options: argparse.Namespace,
    config: Config,
    root: Path,
    open_models: OpenModels,
    open_pool: Callable[[Config, str], Opener],
) -> int:
    """Run, or with --dry-run tell what a run would be. Returns the process's exit code."""
    config = with_flags(config, options)
    place = place_of(options, config, root)
    exports = exports_of(options.export)  # before anything is paid for
    check_traces(options)
    if options.all_models and not config.models:
        config = replace(config, models=asyncio.run(_installed(config, open_models)))
    models = models_of(options, config)
    chosen = choose_samples(options, place)
    if not chosen.count:
        say("nothing to run")
        if options.format == "json":
            show([], (), options)
        return 1 if chosen.errors else 0
    flags = {EVAL_LLM: options.judge, VISION_EVAL_LLM: options.vision_judge}
    for suite in chosen.suites.values():
        suite.check_extras(draws=options.generate_report or options.live is not None)
    if options.dry_run:
        from assay.cli.dry_run import show_estimates

        show_estimates(options, config, place, models, chosen, flags, open_models)
        return 1 if chosen.errors else 0
    baseline = find_baseline(options, place, models)
    job = Job(
        chosen,
        wanted_by(options),
        models,
        config,
        place.results,
        head_commit(root),
        place.cache,
        times=options.times,
        resume=options.resume,
        skip_existing=options.skip_existing,
        run=options.runid,
        resumed=options.resumed,
        dirty=is_dirty(root),
        conditions={name: conditions_of(suite, options) for name, suite in chosen.suites.items()},
        suites={name: suite.code for name, suite in chosen.suites.items()},
        ray=(options.ray_address or "") if options.engine == "ray" else None,
    )
    ending = RunResult(message=say)

    def note(runs: Sequence[ModelRun]) -> None:
        files = {each.players.llm.name: each.store.path for each in runs}
        note_request(options, config, models, chosen.roles(), files, place, job.commit)

    live = Live(options, place, listening(options.live))
    code = 0
    try:
        facts = {"assay.models": models, "assay.suites": list(chosen.suites), "assay.commit": job.commit}
        with traced(options, facts, place.results.scrub, say) as observer:
            job = replace(job, observer=observer)
            run_until_done(
                _run(
                    job, flags, chosen.roles(), open_models, open_pool, ending, chosen.references, live, note
                ),
                threads=min(256, 16 + len(models) * workers_for(config)),
                message=lambda text: ending.message(text),
            )
    except Stopped as stopped:
        code = stopped.code
    for problem in ending.problems:
        say(problem)
    if not ending.files and not job.skip_existing:
        return code or 1
    if ending.files:
        code = _after_run(options, job, ending, chosen, place, code)
    if options.generate_report or options.live is not None:
        read = load_records(place.results.files())
        for warning in (*read.left_out, *mixed(read.records)):
            say(warning)
        suites = suites_of((record.suite for record in read.records), options, root)
        write_report(read.records, suites, place, read.left_out)
    if exports:
        keep = job.wanted
        write_exports(exports, ending.files, lambda record: keep(record.test, record.tags), place)
    if code in (0, 3):  # else the run is not complete, and says so
        code = _check_worse(baseline, options, place, job, ending) or code
    return code


async def _installed(config: Config, open_models: OpenModels) -> tuple[str, ...]:
    """Every model of the local Ollama server. Raises ConfigError if there is none."""
    try:
        async with open_models(config, None) as source:
            found = tuple(f"ollama/{each.name}" for each in await source.available("ollama"))
    except ProviderError as error:
        raise ConfigError(
            f'--all-models runs the "models" of config.json, and it lists none; and {error}'
        ) from None
    if not found:
        raise ConfigError("--all-models: the Ollama server has no model yet; get one by `ollama pull NAME`")
    return found


async def _run(
    job: Job,
    flags: dict[str, str | None],
    roles: Mapping[str, str],
    open_models: OpenModels,
    open_pool: Callable[[Config, str], Opener],
    ending: RunResult,
    references: References,
    live: Live,
    note: Callable[[Sequence[ModelRun]], None],
) -> None:
    from assay.report.progress import Progress

    async with contextlib.AsyncExitStack() as stack:
        cluster: RayEngine | None = None
        if job.ray is None:
            await try_named_sandbox(job.config, job.samples())
        else:  # first: a cluster that is not there must leave no empty run
            message = lambda text: ending.message(text)  # noqa: E731
            cluster = await stack.enter_async_context(ray_engine(job.config, job.ray, job.commit, message))
        source = await stack.enter_async_context(open_models(job.config, job.cache))
        source.references = references
        runs = prepare(job, source, lambda model: load_roles(source, model, job.config, flags, roles), ending)
        note(runs)
        _announce(job, runs)
        if not runs:
            return
        await _forecast(job, runs, source, flags)
        await source.learn([each.model for each in runs if each.left])
        file = cast(TextIO, _NoTerminal()) if any(model.startswith("human") for model in job.models) else None
        with Progress(
            sum(each.left for each in runs),
            spent=lambda: source.spent,
            unread=lambda: source.unread,
            max_cost=job.config.max_cost,
            max_tokens=job.config.max_tokens,
            file=file,
        ) as display:
            ending.message = display.message
            try:
                run_id = f"{job.commit}-{runs[0].store.path.stem}"
                opener = open_pool(job.config, run_id)
                here = local_engine(job.config, opener, sum(each.left for each in runs))
                engine: Engine = await stack.enter_async_context(here) if cluster is None else cluster
                async with live.page(job, runs, display.message) as page:
                    await run_job(job, runs, source, engine, display, ending, page)
            finally:
                ending.message = say
    for each in runs:
        if each.spent.calls:
            say(f"{each.model}: {_money(each.store.spending().total())} spent on this run in all")


async def _forecast(
    job: Job, runs: Sequence[ModelRun], source: ModelSource, flags: dict[str, str | None]
) -> None:
    """Say what is about to be asked and paid, from the cache and earlier runs. Nothing for the oracle."""
    from assay.running.estimate import Estimator, is_free
    from assay.running.forecast import lines

    estimator = Estimator(source, job.results, job.cache / "replies.sqlite" if job.cache else None)
    found = []
    for each in runs:
        name = each.players.llm.name
        if each.left and not is_free(each.model):
            names = {LLM: each.model, **judge_names(each.model, job.config, flags)}
            found.append(await estimator.estimate(name, each.plan, names))
    for line in lines(found, job.config.max_cost, job.config.max_tokens):
        say(line)


class _NoTerminal(io.TextIOBase):
    """stderr without its terminal: a live display would write over what a person is typing."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def _announce(job: Job, runs: Sequence[ModelRun]) -> None:
    from assay.report.wording import count

    for each in runs:
        kept = f", {each.kept} done before" if each.kept else ""
        before = f", {_money(each.spent)} spent on it before" if each.spent.calls else ""
        left = f"{each.left} trial{'s'[: each.left != 1]} to run"
        if each.model in SELF_JUDGED and job.times is None:
            left += " (one for each reference)"
        say(f"{each.model}: {left}{kept}{before} -> {each.store.path}")
        if each.outdated:
            words = ("were", "their", "are") if each.outdated > 1 else ("was", "its", "is")
            made = "{} made by an earlier version of {} test and {} kept".format(*words)
            flag = "--skip-existing" if job.skip_existing else "--resume"
            say(f"{each.outdated} of these {made}; a new run (without {flag}) makes them anew")
        if each.anew:
            made, it_is = ("were made", "they are") if each.anew > 1 else ("was made", "it is")
            say(
                f"{count(each.anew, 'trial')} of tests that are not finished {made} by an earlier version of "
                f"the test: {it_is} run again"
            )
        if begun := each.store.journal().begun() if job.resume else 0:
            say(f"{each.model}: trials that were stopped half-way go on from there: {begun}")
        elif job.resume and not each.kept and not each.earlier.broken:
            elsewhere = job.results.commits(each.players.llm.name) - {job.commit}
            seen = f" (there are runs at {', '.join(sorted(elsewhere)[:5])})" if elsewhere else ""
            say(f"{each.model}: nothing to resume at commit {job.commit}{seen}; it starts afresh")


def _money(spent: Spent) -> str:
    """'$0.31', or what is known of it, with the tokens where nothing is."""
    from assay.report.wording import count, money

    tokens = count(spent.usage.input_tokens + spent.usage.output_tokens, "token")
    if spent.unknown == spent.calls:
        return tokens
    return f"{'at least ' if spent.unknown else ''}{money(spent.cost)} ({tokens})"


def _after_run(
    options: argparse.Namespace, job: Job, ending: RunResult, chosen: Chosen, place: Place, code: int
) -> int:
    """Show what came out, say how to go on, and find the exit code."""
    grid = ending.counter.grid()
    if grid.totals:
        suites = suites_with_tables(grid.suites, options, place.root)
        show(grid, tables_of(suites, _records_of({suite.name for suite in suites}, job, ending)), options)
        if options.skip_existing:
            say(
                "these are this run's trials alone; with those that were there: "
                f"{typed()} --load-saved{place.logdir}"
            )
    again = "go on with the same command and --resume"
    if job.run is not None or len(job.models) > 1 or not options.resume:
        runs = sorted({path.stem.removeprefix("run-") for path in ending.files})
        if len(runs) == 1:
            again += f" --runid {runs[0]}"
    again += f" (until another run is started, {typed()} --resume{place.logdir} is enough)"
    if ending.missing_references:
        from assay.report.wording import count

        say(
            f"{count(ending.missing_references, 'test')} without references: the oracle could not try "
            f"{'it' if ending.missing_references == 1 else 'them'}"
        )
    if code:
        say(f"stopped; {again}")
        return code
    if ending.failure is not None:
        say(f"error: {ending.failure}\nthe run is not complete; {again}")
    if ending.failure is None:
        for problem in write_aggregates(ending.files, chosen.suites.values(), job.results):
            say(problem)
    if chosen.errors:
        say(f"{len(chosen.errors)} test file(s) could not be loaded (see above)")
        return 1
    if ending.failure is not None:
        return 2 if isinstance(ending.failure, RunEnds) else 1
    if any(total.failed for total in grid.totals.values()) and not options.generate_report:
        say(f"why a trial failed, step by step: {typed()} --load-saved --generate-report{place.logdir}")
    if any(total.errors for total in grid.totals.values()):
        say(f"some trials ended in ERROR; to try these again, {again}")
        return 2
    return below(options.fail_under, grid.totals)


def _check_worse(
    baseline: Baseline | None, options: argparse.Namespace, place: Place, job: Job, ending: RunResult
) -> int:
    """3 if a model did worse than the baseline, else 0."""
    if baseline is None:
        return 0
    now = load_records(ending.files, keep=lambda r: job.wanted(r.test, r.tags), light=True).records
    return worse(baseline, options, place, now, ending.files)


def _records_of(suites: set[str], job: Job, ending: RunResult) -> list[TrialRecord]:
    """The run's records of the suites that compute tables from them."""

    def keep(record: TrialRecord) -> bool:
        return record.suite in suites and job.wanted(record.test, record.tags)

    return load_records(ending.files, keep=keep, light=True).records if suites else []
