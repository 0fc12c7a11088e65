"""Run the measurements and write them into docs/benchmarks.md.

python -m bench                 all of them
python -m bench calls startup   some
python -m bench --quick         once, small: to see that they work; writes nothing
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bench.measure import ROOT, Section, machine

PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"
BENCHES = {
    "sandbox": "bench.sandbox_bench",
    "calls": "bench.calls_bench",
    "arithmetic": "bench.arithmetic_bench",
    "startup": "bench.startup_bench",
    "cache": "bench.cache_bench",
    "report": "bench.report_section",
    "euler": "bench.euler_bench",
    "ray": "bench.ray_bench",
}


def write(page: Path, sections: Sequence[Section], machine_text: str, day: str) -> None:
    """Replace the measured part of the page; what people wrote around it stays."""
    text = page.read_text("utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    body = "\n".join(section.markdown() for section in sections)
    page.write_text(f"{before}{BEGIN}\nMeasured on {day}: {machine_text}.\n\n{body}\n{END}{after}", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(BENCHES)}; default: all")
    parser.add_argument("--quick", action="store_true", help="small and once; writes nothing")
    args = parser.parse_args()
    unknown = sorted(set(args.names) - set(BENCHES))
    if unknown:
        parser.error(f"no measurement named {', '.join(unknown)}; choose from {', '.join(BENCHES)}")
    sections: list[Section] = []
    for name in args.names or BENCHES:
        begun = time.perf_counter()
        print(f"measuring: {name}", file=sys.stderr, flush=True)
        found: list[Section] = importlib.import_module(BENCHES[name]).measure(quick=args.quick)
        print(f"measured: {name}, {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
        for section in found:
            print(section.markdown(), flush=True)
        sections += found
    if not args.quick and not args.names:
        write(PAGE, sections, machine(), f"{datetime.date.today():%Y-%m-%d}")
        print(f"written to {PAGE.relative_to(ROOT)}", file=sys.stderr)
    missed = [target.line() for section in sections for target in section.targets if not target.met]
    print("\n".join(missed) if missed else "every target met", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
