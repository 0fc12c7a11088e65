"""The checks of an extension, by its kind: `sandboxes:small`, `languages:tac`, `exports:lines`,
`suites:sums`, `providers:acme`, or `providers:acme/rocket`, which asks that model short questions."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from assay.config import Config, near
from assay.conformance.clock import CHECK_TIME_LIMIT_S
from assay.conformance.failures import Unmet
from assay.conformance.languages import language_checks
from assay.conformance.providers import provider_checks
from assay.conformance.sandboxes.suite import attempt, check_backend
from assay.errors import AssayError, ConfigError, StoreError
from assay.extensions import GROUPS, OWN, extension, extensions, misplaced, not_used
from assay.language.languages import LANGUAGES
from assay.package_code import copies
from assay.records import Block, Outcome, TrialRecord
from assay.results.export.registry import load_export, write
from assay.results.export.source import Source
from assay.results.store import Results
from assay.running.observe import load_observer
from assay.running.plan import NO_REFERENCES
from assay.running.request import RunRequest
from assay.running.session import Session
from assay.running.trial import Planned
from assay.running.wiring import own_providers
from assay.sandboxes.attacks.runner import AttackResult, NotTried
from assay.sandboxes.backends.registry import BACKENDS
from assay.suites.flags import SuiteFlags, SuiteOptions, flags_of
from assay.suites.sample import Sample
from assay.suites.selected import Selected
from assay.suites.selection import Selection
from assay.suites.suite import odd_id, tables_by

Checks = Iterator[tuple[str, Callable[[], Any]]]  # the assertion in words, and the function that checks it
OURS: Mapping[str, Mapping[str, Any]] = {"languages": LANGUAGES, "sandboxes": BACKENDS}
SAMPLES = 1000  # of a suite that are examined
REFERENCED = 3  # of these whose references are tried
TRIAL_TIME_LIMIT_S = 300.0
SHOWN = 200  # characters of a reply
HOSTILE = "\x1b[2J\0\ud800\u202e=1+1,\"'\n<script>]]>" * 50


def check_name(what: str, root: Path) -> tuple[str, str]:
    """The KIND and the NAME. Raises ConfigError unless there is such an extension, ours or a package's; of a
    provider that is told when it is loaded."""
    kind, _, name = what.partition(":")
    group = f"assay.{kind}"
    if not name or group not in GROUPS:
        kinds = [group.partition(".")[2] for group in GROUPS]
        hint, named = near(kind, kinds), ", ".join(kinds)
        raise ConfigError(f"{what!r} is not an extension.{hint} Write KIND:NAME, of the kinds {named}")
    if kind != "providers" and name not in (known := {*_ours(kind, root), *extensions(group)}):
        raise ConfigError(
            f"no {GROUPS[group]} is called {name!r}.{near(name, known)} There are: "
            f"{', '.join(sorted(known)) or 'none'}{misplaced(group, name)}"
        )
    return kind, name


def _ours(kind: str, root: Path) -> Iterable[str]:
    """The names of Assay's own, and of the user's suites."""
    return Selection(root).own_suites() if kind == "suites" else _assays(kind)


def _assays(kind: str) -> Iterable[str]:
    """The names of Assay's own that are no entry points and hide those of packages."""
    return own_providers() if kind == "providers" else OURS.get(kind, {})


def check(
    what: str, config: Config, root: Path, said: Callable[[str], None], flags: Mapping[str, Any] = {}
) -> Iterator[AttackResult]:
    """Try the extension KIND:NAME, ours or an installed package's; outside any event loop. `said` is told the
    name of each check before it runs. `flags`: those of the command line. Raises ConfigError for
    one that is not there or cannot be used."""
    kind, name = check_name(what, root)
    group, own = f"assay.{kind}", name.partition("/")[0] if kind == "providers" else name
    its = extensions(group).get(own)
    if own in _assays(kind) or (its is not None and its.package == OWN):
        for package in not_used(group, own):
            said(f"{kind}:{own} is Assay's own; that of the package {package} is not used, so rename it")
    elif its is not None and not its.fault:
        package = its.entry.module.partition(".")[0]
        if text := copies([package], root).get(package):
            said(text)
    if kind == "sandboxes":
        yield from check_backend(name, said)
        return
    checks: dict[str, Callable[[str, Config, Path], Checks]] = {
        **CHECKS,
        "suites": partial(_suite, flags=flags),
        "providers": partial(provider_checks, said=said),
    }
    found = checks[kind](name, config, root) if kind in checks else _loads(f"assay.{kind}", name)
    limit_s = CHECK_TIME_LIMIT_S + (2 * REFERENCED * TRIAL_TIME_LIMIT_S if kind == "suites" else 0)
    for title, holds in found:
        said(f"trying {title}")
        yield attempt(title, f"{kind}:{name}", "", holds, limit_s)


def _loads(group: str, name: str) -> Checks:
    yield "it can be loaded", extension(group, name).load


def _export(name: str, config: Config, root: Path) -> Checks:
    export = load_export(name)

    def writes(records: Sequence[TrialRecord]) -> None:
        with tempfile.TemporaryDirectory(prefix="assay-conformance-") as place:
            results, target = Results(Path(place) / "results"), Path(place) / "deep" / "out"
            with results.open_new("commit", "m", None) as store:
                for record in records:
                    store.append(record)
            source = Source(results.files(), images=results.images)
            for _ in range(2):  # the second replaces the first
                count = write(export, source, target)
                if count != len(records) and export.unit == "trial":
                    raise Unmet(f"write() returned {count} for {len(records)} trials")
                if records and not target.exists():
                    raise Unmet("there is nothing at the path after write()")
            (blocked := Path(place) / "file").write_text("")
            if records:
                refuses(source, blocked / "out")

    def refuses(source: Source, path: Path) -> None:
        try:
            export.write(source, path)
        except StoreError:
            return
        except (Exception, SystemExit) as error:  # noqa: BLE001 - theirs may raise anything
            said = f"raises {type(error).__name__}"
        else:
            said = "raises nothing"
        raise Unmet(
            f"for a path that cannot be written, write() {said}; it must raise StoreError, as `with "
            "whole_file(path) as part:` of assay.results.export.registry does for what is written to `part`"
        )

    plain = [TrialRecord("t.T", "m", number, each) for number, each in enumerate(Outcome, 1)]
    words = Block("chat", "m replied", HOSTILE, role="assistant")
    odd = [
        TrialRecord(f"t.T{number}", "m", number, Outcome.FAIL, reason=words, score=score, why=HOSTILE)
        for number, score in enumerate((0.5, None, -1.0), 1)
    ]
    yield "no trials", lambda: writes([])
    yield "trials of every outcome", lambda: writes(plain)
    yield "what hostile models wrote", lambda: writes(odd)


def _suite(name: str, config: Config, root: Path, flags: Mapping[str, Any] = {}) -> Checks:
    suite = Selection(root).suite(name)
    declared = flags_of(suite, config.suites.get(name, {}))
    options = SuiteOptions(declared.defaults)

    def made() -> list[Sample]:
        return list(islice(suite.owned(options), SAMPLES))

    def differ() -> None:
        samples = made()
        found = [sample.id for sample in samples]
        if not found:
            raise Unmet("it has no samples")
        if twice := next((id for id, count in Counter(found).items() if count > 1), ""):
            raise Unmet(f"two samples have the id {twice!r}")
        if alien := next(filter(None, map(odd_id, samples)), ""):
            raise Unmet(alien)

    def stay() -> None:
        for one, other in zip_longest(made(), made()):
            its, again = one and one.id, other and other.id
            if one is None or other is None or its != again:
                raise Unmet(f"samples() gives other tests at its second call: {again!r} instead of {its!r}")
            if one.expression != other.expression:
                raise Unmet(
                    f"{its} asks or checks something else at the second call of samples(): draw what is "
                    "left to chance with a seed of its own, such as random.Random(options.seed)"
                )

    def told_apart() -> None:
        before = {sample.id: sample for sample in made()}
        for flag, value in _other_values(declared):
            if flag in suite.conditions:
                continue
            with suppress(AssayError):  # it may not take the value
                others = list(islice(suite.owned(SuiteOptions({**declared.defaults, flag: value})), SAMPLES))
                for other in others:
                    one = before.get(other.id)
                    if one and one.fingerprint == other.fingerprint and one.expression != other.expression:
                        raise Unmet(
                            f"--{flag.replace('_', '-')} {value} makes {one.id} ask or check something else, "
                            "so results by other values would be compared as if they were alike: name it in "
                            f"conditions = ({flag!r},), or in the id of the sample"
                        )

    async def proven() -> str:
        """The oracle passes and the saboteur fails some of the samples. Raises NotTried."""
        samples = made()
        chosen = samples[:: max(1, len(samples) // REFERENCED)][:REFERENCED]
        request = RunRequest(selection=Selection(root, suites=(name,)), no_cache=True)
        session = Session(request, config, message=lambda text: None)
        session.selected = Selected(chosen, {name: suite})
        untried: set[str] = set()
        records = []
        async with session:
            for sample in chosen:
                limit = min(sample.time_limit_s or TRIAL_TIME_LIMIT_S, TRIAL_TIME_LIMIT_S)
                trial = Planned(replace(sample, time_limit_s=limit), 1)
                for model, wanted in (("oracle", Outcome.PASS), ("saboteur", Outcome.FAIL)):
                    record = await session.trial(trial, model)
                    records.append(record)
                    if record.outcome is Outcome.SKIPPED or record.error.startswith("SandboxUnavailable"):
                        untried.add(f"{sample.id}, {model}: {record.error}")
                    elif record.outcome is not wanted:
                        why = record.error or record.why or "it passes"
                        raise Unmet(f"{sample.id}: the {model} ends in {record.outcome.upper()}: {why}")
        tables_by(suite, records)
        if all(record.error.startswith(NO_REFERENCES) for record in records):
            raise Unmet(f"{records[0].test}: {records[0].error}" if records else "there are no samples")
        if not (tried := 2 * len(chosen) - len(untried)):
            raise NotTried(min(untried))
        skipped = f"; {len(untried)} skipped, such as {min(untried)}" if untried else ""
        return f"{tried} trials end as they should{skipped}"

    asked = Selection(root, flags=flags)
    yield "a run takes its flags and conditions", lambda: asked.check_flags(suite, declared)
    yield "its samples have ids of their own", differ
    yield "its samples are the same each time", stay
    yield "flags that change its samples are conditions", told_apart
    yield "the oracle passes and the saboteur fails", lambda: asyncio.run(proven())


def _other_values(flags: SuiteFlags) -> Iterator[tuple[str, Any]]:
    """Another value than the default one of each flag that takes a number or one of some choices, or none."""
    for name, about in flags.declared.items():
        usual, read = flags.defaults[name], about.get("type")
        if isinstance(usual, bool):
            yield name, not usual
        elif choices := about.get("choices"):
            yield from ((name, each) for each in list(choices)[:2] if each != usual)
        elif callable(read) and isinstance(usual, int | float | None):
            with suppress(Exception):  # whatever the suite's own reader raises
                if isinstance(other := read(str((usual or 0) + 1)), int | float):
                    yield name, other


def _observer(name: str, config: Config, root: Path) -> Checks:
    def is_one() -> None:
        load_observer(name)

    yield "it is the class of an observer", is_one


CHECKS = {
    "languages": language_checks,
    "exports": _export,
    "suites": _suite,
    "observers": _observer,
}
