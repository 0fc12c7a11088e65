"""The command: parse, run the subcommand, print. `assay --help`, in a checkout `python main.py --help`, lists
the subcommands."""

from __future__ import annotations

import argparse
import atexit
import gc
import sys
import warnings
from collections.abc import Sequence
from contextlib import redirect_stdout
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.cli.arguments import add_suite_flags, check, read
from assay.errors import AssayError, ConfigError
from assay.gc_pause import gc_paused
from assay.home import CHECKOUT
from assay.stdout import Lent, for_results, stdout

if TYPE_CHECKING:
    from assay.suites.flags import SuiteOptions
    from assay.suites.suite import Suite

NEEDED = ("msgspec", "rich", "jinja2", "markdown_it", "pygments")


def command_of_suites(options: argparse.Namespace, root: Path) -> int | None:
    """Let a suite, by whatever name it was asked for, carry out its own flags, if they ask for something
    other than running tests. Returns the exit code; None if they ask for nothing."""
    from assay.cli.request import selection_of

    selection = selection_of(options, root)
    for name, suite in selection.suites_in([]):
        if suite is not None and (code := _own_command(suite, selection.options)) is not None:
            if selection.tests:
                from assay.report.messages import say

                say(f"no test was run: a flag of suite {name} asks for something else")
            return code
    return None


def _own_command(suite: Suite, options: SuiteOptions) -> int | None:
    """Carries out a suite's own flags. In JSON, what it prints is a result only if it had something to do."""
    kept = BytesIO()
    out = Lent(kept, "utf-8", write_through=True) if options.format == "json" else stdout()
    code: int | None = 0  # of one that raises, too
    try:
        with redirect_stdout(out):
            code = suite.command(options)
        return code
    finally:
        (sys.stderr if code is None else stdout()).write(kept.getvalue().decode(errors="replace"))


def check_environment() -> None:
    """Raises ConfigError if this Python lacks a library that every command needs, or that shows results: it
    would be noticed only after trials were paid for."""
    from importlib.machinery import PathFinder

    if lacking := [name for name in NEEDED if PathFinder.find_spec(name) is None]:
        mend = "run make setup, then . .venv/bin/activate (or .venv/bin/python main.py ...)"
        raise ConfigError(
            f"this Python ({sys.executable}) lacks {', '.join(lacking)}: "
            f"{mend if CHECKOUT else 'reinstall Assay with its dependencies'}"
        )


def command(argv: Sequence[str], root: Path) -> int:
    """Run one command line. `root`: the folder of config.json, .env, tests/ and the results of runs. Raises
    AssayError for whatever the user must change."""
    if argv[:1] == ["--complete"]:  # a shell asks, at each press of the Tab key
        from assay.cli.complete import complete
        from assay.running.wiring import known_models

        print(complete(argv[2:], root, add_suite_flags, known_models).text(), end="", file=stdout())
        return 0
    options = read(argv, root)
    if options.cli_page:
        print(options.cli_page, end="", file=stdout())
        return 0
    check_environment()
    # with --run-tests such a flag changes nothing, and never did
    asked = not options.cli_actions or (options.cli_command == "run" and not options.cli_old)
    if asked and (code := command_of_suites(options, root)) is not None:
        return code
    check(options)
    with gc_paused(freeze=True):  # nothing that is imported is garbage
        module = import_module(f"assay.cli.{options.cli_command}")
    code = module.command(options, root)
    assert isinstance(code, int)
    return code


def main(argv: Sequence[str] | None = None, root: Path | None = None) -> int:
    """The process's exit code (see --help). Expected errors are one line on stderr. `root`: the working
    directory, unless given."""
    warnings.showwarning = _warner(warnings.showwarning)
    atexit.register(gc.freeze)  # or the interpreter looks for garbage in all that there is, and then ends
    with for_results(to_the_end=argv is None):
        return _told(sys.argv[1:] if argv is None else argv, root or Path.cwd())


def _told(argv: Sequence[str], root: Path) -> int:
    """The exit code of a command line, whose expected errors are told."""
    code = 0
    try:
        code = command(argv, root)
        stdout().flush()
        return code
    except AssayError as error:
        from assay.report.messages import say

        say(f"error: {error}")
        return 1
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of stdout has seen enough, e.g. head
        from assay.files import drop_output

        drop_output(stdout())
        return code
    except OSError as error:
        where = f" {error.filename}" if error.filename else ""
        print(f"error: cannot read or write{where}: {error.strerror or error}", file=sys.stderr)
        from assay.files import drop_output

        drop_output(stdout())  # which may be the one that cannot be written
        return 1


def _warner(show: Any) -> Any:
    """Shows a warning to the user as a line of text, once; others, which are for programmers, as `show`."""
    said: set[str] = set()

    def shown(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        from assay.report.messages import say

        if category is not UserWarning:
            show(message, category, *where, **more)
        elif str(message) not in said:
            said.add(str(message))
            say(f"warning: {message}")

    return shown
