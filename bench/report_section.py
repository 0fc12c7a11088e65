"""The report's measurement as a section of the page. The figures are report_bench.py's."""

from __future__ import annotations

import json
import sys

from bench.measure import Section, Target, run


def measure(*, quick: bool = False) -> list[Section]:
    size = ["--tests", "30", "--models", "4", "--epochs", "2"] if quick else []
    found = json.loads(run([sys.executable, "-m", "bench.report_bench", "--json", *size]).stdout)
    rows = [
        ("first time", f"{found['first_s']:.1f} s"),
        ("a record", f"{found['ms_a_record']:.2f} ms"),
        ("files a record", f"{found['bytes_a_record'] / 1000:.2f} kB"),
        ("again, with one record changed", f"{found['one_changed_s']:.2f} s"),
        ("the grid's page", f"{found['index_bytes'] / 1e6:.2f} MB"),
    ]
    targets = [
        Target("time a record", found["ms_a_record"], 1.5, " ms"),
        Target("files a record", found["bytes_a_record"] / 1000, 8, " kB"),
        Target("one record changed, times the first time", found["one_changed_over_first"], 0.05),
        Target("the grid's page", found["index_bytes"] / 1e6, 1.5, " MB"),
    ]
    about = f"{found['records']:,} records with {found['text_a_record_bytes'] / 1000:.1f} kB of text each."
    return [Section("Report", about, ("", "measured"), rows, targets)]
