"""The suite's flags, read and checked."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.errors import ConfigError
from assay.home import program

from .facts import FETCHED, problems
from .languages import LANGUAGES, PUBLISHED
from .nodes import RUN_TIME_LIMIT_S
from .statements import statement_of

SERIES = (100, 200)
LAST = 9999  # four digits in the names of files


def languages(text: str) -> tuple[str, ...]:
    """
    >>> languages("java,python")
    ('java', 'python')
    """
    found = tuple(dict.fromkeys(word.strip().lower() for word in text.split(",") if word.strip()))
    if found == ("all",):
        return tuple(LANGUAGES)
    for name in found:
        if name not in LANGUAGES:
            raise argparse.ArgumentTypeError(
                f"unknown language {name!r}; choose from {', '.join(LANGUAGES)} and all"
            )
    if not found:
        raise argparse.ArgumentTypeError(f"no language given; choose from {', '.join(LANGUAGES)} and all")
    return found


def numbers(text: str) -> tuple[int, ...]:
    """
    >>> numbers("1,2,8-12")
    (1, 2, 8, 9, 10, 11, 12)
    """
    found: dict[int, None] = {}
    for part in text.split(","):
        first, dash, last = (each.strip() for each in part.partition("-"))
        if not first.isdecimal() or not (last.isdecimal() if dash else not last):
            raise argparse.ArgumentTypeError(
                f"{part.strip()!r} is neither a problem number nor a range such as 8-12"
            )
        begin, end = int(first), int(last or first)
        if not 1 <= begin <= end:
            raise argparse.ArgumentTypeError(
                f"{part.strip()!r}: problems are numbered from 1, and a range begins with the smaller number"
            )
        if end > LAST:
            raise argparse.ArgumentTypeError(f"{part.strip()!r}: there is no problem above {LAST}")
        found.update(dict.fromkeys(range(begin, end + 1)))
    return tuple(found)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds between 0 and 3600")
    return value


def add_options(parser: Any) -> None:
    """The flags that --suite euler adds."""
    add = parser.add_argument
    add(
        "--language",
        type=languages,
        metavar="L,...",
        default=PUBLISHED,
        help=f"languages to ask for: {', '.join(LANGUAGES)}, all (default: the published series, "
        f"{','.join(PUBLISHED)})",
    )
    add(
        "--n", type=int, choices=SERIES, default=SERIES[0], help="the first 100 or 200 problems (default 100)"
    )
    add("--problem", type=numbers, metavar="N,...", help="only these problems, e.g. 1,2,8-12")
    add(
        "--run-limit",
        type=_seconds,
        metavar="S",
        default=RUN_TIME_LIMIT_S,
        help=f"seconds that a program may run, without compiling (default {RUN_TIME_LIMIT_S:g}; scores "
        "under different limits are never merged)",
    )
    add(
        "--leaderboard",
        type=Path,
        metavar="FILE.json",
        help="print the leaderboard of a JSON file: a list of {model, params, bits, context, python, java, "
        "rust, clojure}",
    )
    add(
        "--fetch-euler",
        action="store_true",
        help=f"download statements, data files and statistics into {FETCHED} (for --problem, else for "
        "--n); continues where it stopped",
    )
    add(
        "--fetch-euler-url",
        metavar="URL",
        default="https://projecteuler.net",
        help="the site to download from (default https://projecteuler.net)",
    )
    add(
        "--fetch-euler-answers",
        metavar="URL|FILE",
        help='with --fetch-euler: a file with a line "N. answer" for each problem whose answer is not '
        "known here",
    )
    add("--fetch-euler-delay", type=float, metavar="S", default=2.0,
        help="seconds between two requests to the site (default 2)")  # fmt: skip


def chosen(options: Any) -> Sequence[int]:
    """The problems that the flags mean."""
    if options.problem:
        last = max(problems())
        unknown = [each for each in options.problem if each > last and not statement_of(each)]
        if unknown and not options.fetch_euler:
            raise ConfigError(
                f"--problem {unknown[0]}: nothing is known of it (known: 1 to {last}, and what is fetched); "
                f"get it: {program()} --fetch-euler --problem {unknown[0]}"
            )
        return tuple(options.problem)
    return tuple(number for number in problems() if number <= options.n)
