"""The command line: parse, wire, print. `python main.py --help` tells what it can do."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assay.cli.arguments import actions_of, check, make_parser
from assay.errors import AssayError, ConfigError

if TYPE_CHECKING:  # whatever costs time is imported by the command that needs it
    from assay.cli.lazy_pool import Opener
    from assay.cli.players import ModelSource
    from assay.harness.config import Config
    from assay.harness.engine import SandboxPool
    from assay.records import Limits

ROOT = Path(__file__).resolve().parent


def settings(options: argparse.Namespace) -> Config:
    """The configuration: --config, or config.json where there is one."""
    from assay.harness.config import load_config

    default = ROOT / "config.json"
    return load_config(options.config or (default if default.exists() else None))


def open_models(config: Config, cache: Path | None) -> contextlib.AbstractAsyncContextManager[ModelSource]:
    """The models of a run; llm.py is known here and nowhere below."""
    from llm import Models
    from llms.line import Retry

    return Models(
        config.llms,
        config.hparams,
        cache=cache / "replies.sqlite" if cache else None,
        max_connections=config.max_connections,
        max_cost=config.max_cost,
        max_tokens=config.max_tokens,
        given=config.parameters,
        root=ROOT,
        replay=ROOT / config.cache / "replies.sqlite",
        retry=Retry(attempts=1 + config.retries),
    )


def open_pool(config: Config, run_id: str) -> Opener:
    """How to open the run's sandboxes, once a test needs some of such limits."""

    def opener(limits: Limits) -> contextlib.AbstractAsyncContextManager[SandboxPool]:
        from assay.sandboxes import pool

        return pool.open_pool(
            config.sandbox,
            limits=limits,
            max_open=config.max_sandboxes,
            max_running=commands_at_once(limits),
            run_id=run_id,
            blind_faith=config.blind_faith,
        )

    return opener


def commands_at_once(limits: Limits) -> int:
    """So many that each has the cores it may use; one where they use a GPU."""
    cores = len(os.sched_getaffinity(0))
    return 1 if limits.gpus else max(1, int(cores / max(1.0, limits.cpus)))


def list_tests(options: argparse.Namespace) -> int:
    """--list"""
    from assay.cli.choose import APPLIED, Choice, choose, other_suites, suites_of, test_folders
    from assay.cli.listing import count, listed, print_list

    suites = suites_of(options, ROOT)
    cache = None if options.no_cache else ROOT / settings(options).cache / "listing.json"
    choice = choose(options, ROOT, cache, strict=suites == [APPLIED]) if APPLIED in suites else Choice()
    rows = listed(options, ROOT, choice)
    print_list(rows, options.format)
    for text in (*choice.messages, *(f"error: {error}" for error in choice.errors), count(rows)):
        print(text, file=sys.stderr)
    if others := [name for name in other_suites(test_folders(options, ROOT)) if name not in suites]:
        print(f"further suites (--suite NAME): {', '.join(others)}", file=sys.stderr)
    return 1 if choice.errors else 0


def keys_found(config: Config) -> dict[str, str]:
    """Provider -> where its key was found, '' for none. Providers that need no key are left out, but
    not the servers of config.json, which may."""
    from llms.registry import PROVIDERS, key_variable
    from llms.secrets import Environment

    environment = Environment(ROOT / ".env")
    found = {}
    for name, row in PROVIDERS.items():
        if row.needs_key:
            variables = [variable for variable in row.key_env if environment.get(variable)]
            in_config = config.path if config.llms.get(name, {}).get("api_key") else ""
            found[name] = in_config or (variables[0] if variables else "")
    for name, section in config.llms.items():
        if name not in PROVIDERS and section.get("base_url"):
            variable = key_variable(name)
            found[name] = (
                config.path if section.get("api_key") else variable * bool(environment.get(variable))
            )
    return found


def add_suite_flags(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """The flags of the suites that were asked for; only these suites are imported."""
    from assay.cli.choose import APPLIED, suites_of
    from assay.cli.listing import find_suite
    from assay.cli.suite_flags import take_defaults
    from assay.harness.suite import blame

    configured = settings(options).suites
    for name in suites_of(options, ROOT):
        if name != APPLIED:
            suite = find_suite(name, options, ROOT)
            group = parser.add_argument_group(f"suite {name}", suite.description)
            with blame(name, suite.folder):
                suite.add_options(group)
            take_defaults(group, name, configured.get(name, {}))


def command_of_suites(options: argparse.Namespace) -> int | None:
    """The exit code of what a suite's flags ask for instead of tests; None if they do not."""
    from assay.cli.choose import APPLIED, suites_of
    from assay.cli.listing import find_suite

    for name in suites_of(options, ROOT) if options.suite else ():
        if name != APPLIED and (code := find_suite(name, options, ROOT).command(options)) is not None:
            return code
    return None


def check_environment() -> None:
    """Raises ConfigError if this Python lacks what shows results: the trials would be paid for before."""
    from importlib.util import find_spec

    if lacking := [name for name in ("rich", "jinja2", "markdown_it", "pygments") if find_spec(name) is None]:
        raise ConfigError(
            f"this Python ({sys.executable}) lacks {', '.join(lacking)}: run make setup, "
            "then . .venv/bin/activate (or .venv/bin/python main.py ...)"
        )


def command(argv: Sequence[str]) -> int:
    """Run one command line. Raises AssayError for whatever the user must change."""
    parser = make_parser()
    options, rest = parser.parse_known_args(argv)
    if rest and not options.suite and not options.help and not actions_of(options):
        from assay.cli.hints import suite_of_flags

        if name := suite_of_flags(rest, options, ROOT):  # main.py --fetch-euler
            argv, options.suite = ["--suite", name, *argv], [name]
    if options.suite:
        add_suite_flags(options, parser)
    if options.help or not argv:
        parser.print_help()
        return 0
    options, unknown = parser.parse_known_args(argv)
    if unknown:
        from assay.cli.hints import unknown_flags

        raise ConfigError(unknown_flags(unknown, options, ROOT))
    if not actions_of(options) and (code := command_of_suites(options)) is not None:
        return code
    check(options)
    if options.list:
        return list_tests(options)
    check_environment()
    config = settings(options)
    if options.lint_tests:
        from functools import partial

        from assay.cli.lint import lint_command
        from llms.references import variants_for

        return lint_command(options, config, ROOT, partial(variants_for, root=ROOT))
    if options.doctor:
        from assay.cli.doctor import doctor_command

        return doctor_command(options, config, ROOT, keys_found(config))
    if options.rescore:
        from assay.cli.event_loop import leave
        from assay.cli.rescore import rescore_command

        return leave(rescore_command(options, config, ROOT, open_pool))
    if options.load_saved:
        from assay.cli.saved import saved_command

        return saved_command(options, config, ROOT)
    from assay.cli.event_loop import leave
    from assay.cli.run_command import run_command

    return leave(run_command(options, config, ROOT, open_models, open_pool))


def main(argv: Sequence[str] | None = None) -> int:
    """The process's exit code (see --help). Failures of ours are one line on stderr."""
    try:
        return command(sys.argv[1:] if argv is None else argv)
    except AssayError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of stdout has seen enough, e.g. head
        _close_stdout()
        return 0
    except OSError as error:
        where = f" {error.filename}" if error.filename else ""
        print(f"error: cannot read or write{where}: {error.strerror or error}", file=sys.stderr)
        _close_stdout()  # which may be the one that cannot be written
        return 1


def _close_stdout() -> None:
    """What is still to be written goes nowhere, or the interpreter would complain at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
