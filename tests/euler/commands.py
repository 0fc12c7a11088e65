"""What the suite's flags do instead of running tests: print a leaderboard, fetch problems."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from assay.errors import ConfigError

from .facts import FETCHED
from .flags import chosen
from .leaderboard import as_json, ranked, read_rows
from .tables import leaderboard_table, newer_table


def print_leaderboard(options: Any) -> int:
    """--leaderboard FILE.json, in the form that --format asks for."""
    from assay.report.terminal import show_tables

    rows = ranked(read_rows(options.leaderboard))
    if options.format == "json":
        sys.stdout.write(json.dumps(as_json(rows), indent=2) + "\n")
        return 0
    tables = [leaderboard_table(rows, {}), newer_table(rows)]
    show_tables(tables, format=options.format)
    return 0


def fetch(options: Any) -> int:
    """--fetch-euler: get what is not here yet. Exit code 1 if some problems could not be had."""
    from .fetching import Fetcher
    from .site import Site

    if options.fetch_euler_delay < 0:
        raise ConfigError("--fetch-euler-delay must be 0 seconds or more")

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    with Site(options.fetch_euler_url, delay_s=options.fetch_euler_delay, say=say) as site:
        return Fetcher(site, Path(FETCHED), say).fetch(chosen(options), options.fetch_euler_answers)
