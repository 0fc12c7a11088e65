"""The command line: parse, wire, print. `assay --help`, in a checkout `python main.py --help`, tells what it
can do."""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from assay.cli.arguments import actions_of, check, make_parser
from assay.errors import AssayError, ConfigError
from assay.home import CHECKOUT
from assay.running.wiring import (
    keys_found,
    known_models,
    references_finder,
    settings,
)


def add_suite_flags(options: argparse.Namespace, parser: argparse.ArgumentParser, root: Path) -> None:
    """The flags of the suites that were asked for; only these suites are imported."""
    from assay.cli.request import selection_of
    from assay.suites.flags import flags_of
    from assay.suites.selection import APPLIED
    from assay.suites.suite import blame

    configured = settings(options.config, root).suites
    selection = selection_of(options, root)
    for name in selection.suite_names():
        if name != APPLIED:
            suite = selection.suite(name)
            group = parser.add_argument_group(f"suite {name}", suite.description)
            with blame(name, suite.folder):
                suite.flags(group)
            parser.set_defaults(**flags_of(suite, configured.get(name, {})).defaults)


def command_of_suites(options: argparse.Namespace, root: Path) -> int | None:
    """The exit code of what a suite's flags ask for instead of tests; None if they do not."""
    from assay.cli.request import selection_of
    from assay.suites.selection import APPLIED

    selection = selection_of(options, root)
    for name in selection.suite_names() if options.suite else ():
        if name != APPLIED and (code := selection.suite(name).command(selection.options)) is not None:
            return code
    return None


def check_environment() -> None:
    """Raises ConfigError if this Python lacks what shows results: the trials would be paid for before."""
    from importlib.util import find_spec

    if lacking := [name for name in ("rich", "jinja2", "markdown_it", "pygments") if find_spec(name) is None]:
        mend = "run make setup, then . .venv/bin/activate (or .venv/bin/python main.py ...)"
        raise ConfigError(
            f"this Python ({sys.executable}) lacks {', '.join(lacking)}: "
            f"{mend if CHECKOUT else 'reinstall Assay with its dependencies'}"
        )


def command(argv: Sequence[str], root: Path) -> int:
    """Run one command line. `root`: where config.json, .env, tests/ and what a run leaves lie. Raises
    AssayError for whatever the user must change."""
    if argv[:1] == ["--complete"]:  # a shell asks, at each press of the tab key
        from assay.cli.complete import complete

        print(complete(argv[2:], root, add_suite_flags, known_models).text(), end="")
        return 0
    parser = make_parser()
    options, rest = parser.parse_known_args(argv)
    resumed: dict[str, str] = {}
    if options.resume and not rest:
        from assay.cli.resume import is_alone, last_run

        if is_alone(options) and (found := last_run(options, argv, root)) is not None:
            argv, resumed = found.argv, dict(found.runs)
            options, rest = parser.parse_known_args(argv)
    if rest and not options.suite and not options.help and not actions_of(options):
        from assay.cli.unknown_flags import suite_of_flags

        if name := suite_of_flags(rest, options, root):  # main.py --fetch-euler
            argv, options.suite = ["--suite", name, *argv], [name]
    if options.suite:
        add_suite_flags(options, parser, root)
    if options.help or not argv:
        parser.print_help()
        return 0
    if options.completion:
        from assay.cli.completion import script

        print(script(options.completion), end="")
        return 0
    options, unknown = parser.parse_known_args(argv)
    if unknown:
        from assay.cli.unknown_flags import unknown_flags

        raise ConfigError(unknown_flags(unknown, options, root))
    if not actions_of(options) and (code := command_of_suites(options, root)) is not None:
        return code
    check(options)
    options.argv, options.resumed = tuple(argv), resumed
    if options.list:
        from assay.cli.list_tests import list_command

        return list_command(
            options, root, None if options.no_cache else root / settings(options.config, root).cache
        )
    if options.new_test:
        from assay.cli.new_test import new_test_command

        return new_test_command(options, root)
    check_environment()
    config = settings(options.config, root)
    if options.lint_tests:
        from assay.cli.lint import lint_command

        return lint_command(options, config, root, references_finder(root))
    if options.explain:
        from assay.cli.explain import explain_command

        return explain_command(options, root, references_finder(root))
    if options.doctor:
        from assay.cli.doctor import doctor_command

        return doctor_command(options, config, root, keys_found(config, root))
    if options.rescore:
        from assay.cli.rescore import rescore_command
        from assay.running.event_loop import leave

        return leave(rescore_command(options, config, root))
    if options.compare:
        from assay.cli.compare import compare_command

        return compare_command(options, config, root)
    if options.load_saved:
        from assay.cli.saved import saved_command

        return saved_command(options, config, root)
    from assay.uncollected import uncollected

    with uncollected(freeze=True):  # of what is imported nothing is garbage
        from assay.cli.run_command import run_command
        from assay.running.event_loop import leave

    return leave(run_command(options, config, root))


def main(argv: Sequence[str] | None = None, root: Path | None = None) -> int:
    """The process's exit code (see --help). Failures of ours are one line on stderr. `root`: the working
    directory, unless given."""
    atexit.register(gc.freeze)  # or the interpreter looks for garbage in all that there is, and then ends
    try:
        return command(sys.argv[1:] if argv is None else argv, root or Path.cwd())
    except AssayError as error:
        from assay.report.messages import say

        say(f"error: {error}")
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
