"""What to say of flags that nobody asked for."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from assay.cli.arguments import make_parser
from assay.cli.request import selection_of
from assay.config import near
from assay.errors import AssayError
from assay.home import typed
from assay.suites.flags import flags_of
from assay.suites.selection import other_suites


def unknown_flags(unknown: Sequence[str], options: argparse.Namespace, root: Path) -> str:
    """An error for flags that are neither ours nor those of the suites asked for: whose they are, or what
    they might be meant for. Imports every suite, which only a mistake costs."""
    flag = next((each for each in unknown if each.startswith("-")), unknown[0])
    flag = flag.partition("=")[0]
    ours = [each for action in make_parser()._actions for each in action.option_strings]
    for name, its in _flags_of_suites(options, root):
        if flag in its:
            return f"{flag} belongs to a suite: --suite {name} {flag} ... (its flags: --suite {name} --help)"
        ours += its if name in options.suite else []
    return f"unrecognized arguments: {' '.join(unknown)}.{near(flag, ours)} {typed()} --help shows all flags"


def _flags_of_suites(options: argparse.Namespace, root: Path) -> Iterator[tuple[str, list[str]]]:
    """Every suite that can be loaded, with its flags."""
    selection = selection_of(options, root)
    for name in other_suites(selection.suite_folders()):
        try:
            yield (
                name,
                [f"--{flag.replace('_', '-')}" for flag in flags_of(selection.suite(name), {}).declared],
            )
        except AssayError:
            continue


def suite_of_flags(unknown: Sequence[str], options: argparse.Namespace, root: Path) -> str:
    """The only suite that has all of these flags, '' if there is none."""
    flags = {each.partition("=")[0] for each in unknown if each.startswith("--")}
    found = [name for name, its in _flags_of_suites(options, root) if flags and flags <= set(its)]
    return found[0] if len(found) == 1 else ""
