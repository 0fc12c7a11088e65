"""What the HTML report costs: 150 tests x 20 models x 5 epochs, about 3 KB of text a record.

    python -m bench.report_bench [--tests 150] [--models 20] [--epochs 5]

Targets: at most 1.5 ms and 8 KB of files a record; a rebuild after one changed record in under a
twentieth of the first time; a grid page under 1.5 MB.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.records import Block, TrialRecord
from assay.report.explanation import walk
from assay.report.html import write_report
from assay.report.markup import highlight, markdown
from testing.report.sample_records import sample_records


def body_bytes(record: TrialRecord) -> int:
    """Text in a record's steps."""
    return sum(len(block.body) for _, block in walk(record.reason)) if record.reason else 0


def measure(records: Sequence[TrialRecord], images: Path, out: Path) -> dict[str, Any]:
    """Render twice, with one record changed in between, and once more with none."""

    def render(these: Sequence[TrialRecord]) -> tuple[float, float, Any]:
        highlight.cache_clear()
        markdown.cache_clear()
        began, cpu = time.perf_counter(), time.process_time()
        summary = write_report(these, out, images=images, root=Path.cwd())
        return time.perf_counter() - began, time.process_time() - cpu, summary

    first, first_cpu, _ = render(records)
    middle = len(records) // 2
    changed = replace(records[middle], reason=Block("text", body="another answer"))
    again, again_cpu, summary = render([*records[:middle], changed, *records[middle + 1 :]])
    if summary.written != 1:
        sys.exit(f"one record changed, but {summary.written} pages were written")
    found = [path.stat() for path in out.rglob("*") if path.is_file()]
    size = sum({each.st_ino: each.st_size for each in found}.values())  # pages are one file by many names
    return {
        "records": len(records),
        "text_a_record_bytes": sum(map(body_bytes, records)) / len(records),
        "first_s": first,
        "first_cpu_s": first_cpu,
        "ms_a_record": first * 1000 / len(records),
        "bytes_a_record": size / len(records),
        "one_changed_s": again,
        "one_changed_cpu_s": again_cpu,
        "one_changed_over_first": again / first,
        "index_bytes": (out / "index.html").stat().st_size,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tests", type=int, default=150)
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="print the numbers as one JSON object")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="assay-report-bench-") as folder:
        images = Path(folder) / "images"
        records = sample_records(images, args.models, args.tests, args.epochs)
        found = measure(records, images, Path(folder) / "report")
    if args.json:
        print(json.dumps(found))
        return
    rows = (
        ("text a record", f"{found['text_a_record_bytes'] / 1000:.1f} KB", "about 3 KB"),
        ("first time", f"{found['first_s']:.1f} s", ""),
        ("a record", f"{found['ms_a_record']:.2f} ms", "at most 1.5 ms"),
        ("  of which CPU", f"{found['first_cpu_s'] * 1000 / found['records']:.2f} ms", ""),
        ("files a record", f"{found['bytes_a_record'] / 1000:.2f} KB", "at most 8 KB"),
        ("one record changed", f"{found['one_changed_s']:.2f} s", ""),
        ("  of the first time", f"1/{1 / found['one_changed_over_first']:.0f}", "under 1/20"),
        ("grid page", f"{found['index_bytes'] / 1e6:.2f} MB", "under 1.5 MB"),
    )
    print(f"report: {found['records']:,} records")
    for name, value, target in rows:
        print(f"  {name:22}{value:>10}   {target}")


if __name__ == "__main__":
    main()
