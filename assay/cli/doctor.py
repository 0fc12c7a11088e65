"""assay doctor: what works on this machine, and what to install for more. --attack: does the sandbox
withstand attacks?"""

from __future__ import annotations

import argparse
import asyncio
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from assay.cli.conformance import results_table
from assay.cli.request import request_of
from assay.config import Config, near
from assay.errors import ConfigError, NodeError, SandboxError, TestFileError
from assay.extensions import GROUPS, NEEDLESS, misnamed, of_others
from assay.extras import EXTRAS, install, lacking
from assay.home import config_example, typed
from assay.language.browser import draw
from assay.language.languages import LANGUAGES, Language, all_languages, find_language
from assay.records import Cell, Table
from assay.report.cells import value_of
from assay.report.messages import say
from assay.report.terminal import show_tables
from assay.results.export.registry import load_export
from assay.running.observe import load_observer
from assay.running.wiring import keys_found, settings
from assay.sandboxes import doctor
from assay.sandboxes.backends.registry import BACKENDS, Backend, backend, choose, names, ready
from assay.sandboxes.limits import gpus
from assay.sandboxes.pool import Pool, open_pool
from assay.suites.flags import SuiteOptions, flags_of
from assay.suites.listing import list_tests
from assay.suites.loading import load_tests
from assay.suites.selection import Selection

BROWSER = ("chromium", "python3")
PROBE_TIME_LIMIT_S = 120.0
REMARKS = 60  # characters beside the other columns
SHOWN = 160  # of what is wrong with a language
DETAILS = re.compile(r" \([^()'][^()]*\)|;.*|/\S*/", re.DOTALL)  # places, what to do, the folders of a file
PLAINLY = {  # what a probe of ours found
    ("cgroups", "1"): "limits by cgroups v1",
    ("cgroups", "2"): "limits by cgroups v2",
    ("cgroups", "none"): "limits watched, without cgroups",
    ("limits", "enforced"): "limits by the kernel",
    ("limits", "watched"): "limits watched, not enforced by the kernel",
    ("users", "own"): "",
    ("users", "shared"): "one user for all sandboxes",
    ("way", "plain"): "",
    ("way", "runc"): "podman with --runtime=runc",
    ("way", "crun"): "podman with --runtime=crun",
}


def command(options: argparse.Namespace, root: Path) -> int:
    """Show what works. Returns the exit code: 1 if no sandbox works or, with --attack, if an attack
    succeeded."""
    request = request_of(options, root)
    config = request.over(settings(options.config, root))
    if options.attack:
        return asyncio.run(_attack(options, config))
    return asyncio.run(_examine(options, config, request.selection, keys_found(config, root)))


async def _examine(
    options: argparse.Namespace, config: Config, selection: Selection, keys: Mapping[str, str]
) -> int:
    """`keys`: provider -> where its key was found, '' for none."""
    say("trying every sandbox; this takes up to a minute")
    opened = await sandboxes(config)
    tiers = await doctor.examine(lambda name: say(f"looking into {name}: its versions and its limits"))
    tables = [opened, *doctor.tables(tiers)]
    remedies = tables[-1]  # what the image is like
    code, spoken = 0, None
    try:
        async with open_pool(config.sandbox, limits=config.limits, blind_faith=config.blind_faith) as pool:
            needs = {name: language.needs for name, language in all_languages().items()}
            wanted = needs_of_tests(selection)
            everything = {need for each in (*needs.values(), *wanted.values()) for need in each}
            say(f"running a tiny program of each language in {pool.tier}")
            missing = set(await pool.missing(sorted(everything | set(BROWSER))))
            remedy = doctor.remedy(pool.tier, remedies)
            spoken = languages(pool.tier, needs, missing, await try_languages(pool, missing), remedy)
            tables.append(spoken)
            if missing & {need for each in wanted.values() for need in each}:
                tables.append(lacking_for_tests(pool.tier, wanted, missing, remedy))
            else:
                say(f"{pool.tier} has everything that the {len(wanted)} tests need")
    except SandboxError as error:
        code = 1
        say(f"error: {error}")
    rows = tuple((provider, where or "no key") for provider, where in sorted(keys.items()))
    note = "A key comes from config.json, the environment or .env; keys are never shown."
    tables.append(_fitted(Table("Providers", ("provider", "key"), rows, note)))
    theirs = of_packages(selection, opened, spoken)
    tables += [extras(), *([_fitted(theirs, named=2)] if theirs.rows else [])]
    show_tables(tables, format=options.format)
    return code


def extras() -> Table:
    """The optional libraries, and whether they are installed."""
    rows = tuple(
        (name, each.use, "no" if (missing := lacking(name)) else "yes", install(name) if missing else "")
        for name, each in EXTRAS.items()
    )
    return Table("Extras", ("extra", "for", "installed", "install by"), rows)


def of_packages(selection: Selection, opened: Table, spoken: Table | None = None) -> Table:
    """The extensions of other packages. `opened`: from `sandboxes`, `spoken`: from `languages`; a sandbox or
    a language that can be loaded may still not work."""
    faults: dict[tuple[str, object], object] = {
        ("sandbox", row[0]): value_of(row[3]) for row in opened.rows if row[1] == "no"
    }
    if spoken is not None:
        where = spoken.title.removeprefix("Languages ")
        broken = {name: remark for name, works, remark in spoken.rows if works == "no"}
        faults |= {("language", name): f"{where}: {remark}" for name, remark in broken.items()}
    ours = {"assay.languages": LANGUAGES, "assay.sandboxes": BACKENDS}
    loaders: dict[str, Callable[[str], object]] = {
        "assay.languages": find_language,
        "assay.sandboxes": backend,
        "assay.suites": partial(_first_sample, selection),
        "assay.exports": load_export,
        "assay.observers": load_observer,
    }
    rows = []
    for group, kind in GROUPS.items():
        if kind == "provider":  # theirs are among the providers
            continue
        for each, fault in of_others(group, ours.get(group, ()), loaders.get(group)):
            fault = fault or str(faults.get((kind, each.name), ""))
            rows.append((kind, each.name, each.package, "no" if fault else "yes", fault))
    for group, package in sorted(set(misnamed())):
        hint = f"; {NEEDLESS[group]}" if group in NEEDLESS else "." + near(group, GROUPS, 1)
        remark = f"Assay has no group {group}{hint}"
        rows.append(("?", group, package, "no", remark))
    note = f"It works if it can be loaded; `{typed()} conformance KIND:NAME` tells more."
    columns = ("kind", "name", "package", "works", "remarks")
    return Table("Extensions of other packages", columns, tuple(rows), note)


def _first_sample(selection: Selection, name: str) -> None:
    """Load a suite and make its first sample, unless it lacks a library. Raises ConfigError for a mistake of
    its author; one that needs a flag, and says so, is none."""
    suite = selection.suite(name)
    declared = flags_of(suite, {})
    selection.check_flags(suite, declared)
    options = SuiteOptions(declared.defaults)
    if not suite.lacks():
        try:
            next(suite.owned(options), None)
        except TestFileError:
            raise
        except ConfigError:
            return


def _remarks(tried: Backend, found: Mapping[str, str]) -> str:
    """The findings of its probe, in few words: `runtime` is a whole specification."""
    told = {key: value for key, value in found.items() if key not in ("image", "runtime", "why")}
    seen = [PLAINLY.get(each, ": ".join(each)) for each in sorted(told.items())]
    if way := getattr(tried, "way", ""):
        seen.append(f"opened by: {way}")
    return ", ".join(filter(None, seen))


async def sandboxes(config: Config) -> Table:
    """Every backend, probed afresh."""
    rows: list[tuple[str, str, str, str]] = []
    for name in names():
        if name == "unsafe_local" and not config.blind_faith:
            rows.append((name, "off", "", f"no protection; {config_example()} says how to allow it"))
            continue
        say(f"opening {name}")
        try:
            async with asyncio.timeout(PROBE_TIME_LIMIT_S):
                tried = backend(name)
                found = await ready(tried, fresh=True)
        except (SandboxError, ConfigError) as error:
            rows.append((name, "no", "", str(error)))
        except TimeoutError:
            rows.append((name, "no", "", f"no answer within {PROBE_TIME_LIMIT_S:g} s"))
        else:
            rows.append((name, "yes", tried.tier, _remarks(tried, found)))
    note = "auto takes the first that works." if config.sandbox == "auto" else f"Chosen: {config.sandbox}."
    if (config.sandbox, "no") in [row[:2] for row in rows]:
        note = f"Chosen: {config.sandbox}, which does not work here."
    note = f"{note} GPUs: {gpus.summary()}."
    if any(tier for _, _, tier, _ in rows):
        note += "\ntier: the name in records, with the files that programs see: of the image, or of the host."
    if any("opened by: " in remarks for *_, remarks in rows):
        note += "\nopened by: the runtime (crun or runc) with which podman starts a container."
    table = Table("Sandboxes", ("sandbox", "works", "tier", "remarks"), tuple(rows), note)
    return _fitted(table, told=BACKENDS)  # a package's is told among the extensions


def _fitted(table: Table, named: int = 1, told: Container[str] | None = None) -> Table:
    """With long remarks, the last column, without their details, and whole in the note. `named`: the
    columns that name a row; `told`: the names of those that the note has, by default all."""
    rows = [(" ".join(map(str, row[:named])), str(row[-1]), row) for row in table.rows]
    long = [
        f"{name}: {whole}"
        for name, whole, _ in rows
        if len(whole) > REMARKS and (told is None or name in told)
    ]
    shown = tuple((*row[:-1], Cell(whole, _cut(whole, str(row[named - 1])))) for _, whole, row in rows)
    return replace(table, rows=shown, note="\n".join(filter(None, (table.note, *long))))


def _cut(remarks: str, name: str) -> str:
    """A long remark without its details and what the other columns say; the note below the table has all of
    it."""
    if len(remarks) <= REMARKS:
        return remarks
    its = (
        rf"^(?:(?:the )?\w+ )?'?{re.escape(name)}'?(?:: | of the package \S+ [^\s:]+(?: cannot be used)?:? )"
    )
    told = DETAILS.sub("", re.sub(its, "", re.sub(its, "", remarks)))
    return textwrap.shorten(told, REMARKS, placeholder=" ...")


async def try_languages(pool: Pool, missing: set[str]) -> dict[str, str]:
    """Run a tiny program of each language that the sandbox has, and draw a page: name -> '' if that worked,
    otherwise what went wrong."""

    async def hello(language: Language) -> str:
        sandbox = await pool.acquire()
        try:
            return await doctor.says_hello(sandbox, language)
        finally:
            await sandbox.close()

    tried = {name: hello(each) for name, each in all_languages().items() if not missing & set(each.needs)}
    if not missing & set(BROWSER):
        tried["browser"] = draw_a_page(pool)
    return dict(zip(tried, await asyncio.gather(*tried.values()), strict=True))


async def draw_a_page(pool: Pool) -> str:
    """'' if the browser in the sandbox draws a page, otherwise what is wrong."""
    sandbox = await pool.acquire()
    try:
        _, fault, _ = await draw(sandbox, b"<p>hello")
    except SandboxError as error:
        return " ".join(str(error).split())[:200]
    finally:
        await sandbox.close()
    return fault


def languages(
    tier: str, needs: Mapping[str, Sequence[str]], missing: set[str], said: Mapping[str, str], remedy: str
) -> Table:
    """The languages, and the browser, and whether they work in the sandbox. `said`: from `try_languages`."""
    rows = []
    for name, each in {**needs, "browser": BROWSER}.items():
        lacks = [need for need in each if need in missing]
        remark = f"lacks {', '.join(lacks)}" if lacks else textwrap.shorten(said[name], SHOWN)
        rows.append((name, "no" if remark else "yes", remark))
    note = "A tiny program of each was run."
    if any(remark.startswith("lacks") for _, _, remark in rows):
        note += f" {remedy}"
    return Table(f"Languages in {tier}", ("language", "works", "remarks"), tuple(rows), note)


def needs_of_tests(selection: Selection) -> dict[str, tuple[str, ...]]:
    """The requirements of each applied test."""
    loaded = load_tests(list_tests(selection.test_folders()), root=selection.root)
    needs: dict[str, tuple[str, ...]] = {}
    errors = list(loaded.errors)
    for sample in loaded.every():
        try:
            needs[sample.id] = sample.needs
        except (ConfigError, NodeError) as fault:  # it names a language that is not there or cannot be used
            errors.append(f"{sample.id}: {fault}")
    for error in errors:
        say(f"error: {error}")
    return needs


def lacking_for_tests(
    tier: str, wanted: Mapping[str, Sequence[str]], missing: set[str], remedy: str
) -> Table:
    """The requirements that are missing, with the number of tests that need each; installing the first ones
    helps most."""
    lacking = {test: [need for need in needs if need in missing] for test, needs in wanted.items()}
    costs = Counter(need for needs in lacking.values() for need in needs)
    rows = tuple((need, count) for need, count in costs.most_common())
    can = sum(not needs for needs in lacking.values())
    note = f"{can} of {len(wanted)} tests can run in {tier}. {remedy}"
    return Table("Lacking for tests", ("requirement", "tests skipped"), rows, note)


async def _attack(options: argparse.Namespace, config: Config) -> int:
    from assay.conformance import forgeries
    from assay.sandboxes.attacks import runner

    chosen = await choose(config.sandbox, blind_faith=config.blind_faith)
    say(f"attacking {chosen.tier}; this takes about 30 seconds")
    results = [*await runner.run_all(chosen), *await forgeries.run_all(chosen)]
    table = results_table(f"Attacks on {chosen.tier}", results, options.format)
    show_tables([table], format=options.format)
    return 0 if all(each.passed for each in results) else 1
