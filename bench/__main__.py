"""Run the measurements and write them into docs/benchmarks.md.

python -m bench                 all of them
python -m bench calls startup   some; writes nothing
python -m bench races --write   some; writes their sections, leaves the others
python -m bench cost --against COMMIT   now and at an earlier commit, in turns
python -m bench --quick         once, small: to see that they work; writes nothing
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bench.before import COMMIT
from bench.measure import ROOT, Section, machine

PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"
BENCHES = {
    "cost": "bench.cost_bench",
    "sandbox": "bench.sandbox_bench",
    "verdicts": "bench.verdict_bench",
    "load": "bench.load_bench",
    "calls": "bench.calls_bench",
    "arithmetic": "bench.arithmetic_bench",
    "startup": "bench.startup_bench",
    "demo": "bench.demo_bench",
    "cache": "bench.cache_bench",
    "report": "bench.report_section",
    "euler": "bench.euler_bench",
    "ray": "bench.ray_bench",
    "races": "bench.races",
    "rows": "bench.rows_bench",
    "daily": "bench.daily_bench",
    "agents": "bench.agents_bench",
}


def write(page: Path, sections: Sequence[Section], machine_text: str, day: str) -> None:
    """Replace the measured part of the page; what people wrote around it stays."""
    text = page.read_text("utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    body = "\n".join(section.markdown() for section in sections)
    page.write_text(f"{before}{BEGIN}\nMeasured on {day}: {machine_text}.\n\n{body}\n{END}{after}", "utf-8")


def write_some(page: Path, sections: Sequence[Section], machine_text: str, day: str) -> None:
    """Replace these sections, or add them at the end; each says when and where it was measured, for the
    line at the top is about the others."""
    text = page.read_text("utf-8")
    before, rest = text.split(BEGIN)
    measured, after = rest.split(END)
    for section in sections:
        head = f"### {section.title}\n"
        about = f"{section.about} Measured on {day}: {machine_text}."
        new = replace(section, about=about).markdown() + "\n"
        if head in measured:
            kept, old = measured.split(head)
            following = old.find("\n### ")
            measured = kept + new + (old[following + 1 :] if following >= 0 else "")
        else:
            measured = measured.rstrip("\n") + "\n\n" + new
    page.write_text(f"{before}{BEGIN}{measured}{END}{after}", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(BENCHES)}; default: all")
    parser.add_argument("--quick", action="store_true", help="small and once; writes nothing")
    parser.add_argument("--write", action="store_true", help="write the sections of NAME into the page")
    parser.add_argument(
        "--against",
        metavar="COMMIT",
        help=f"of cost and daily: compare with it (default of cost: {COMMIT})",
    )
    args = parser.parse_args()
    unknown = sorted(set(args.names) - set(BENCHES))
    if unknown:
        parser.error(f"no measurement named {', '.join(unknown)}; choose from {', '.join(BENCHES)}")
    sections: list[Section] = []
    for name in args.names or BENCHES:
        begun = time.perf_counter()
        print(f"measuring: {name}", file=sys.stderr, flush=True)
        options = {"against": args.against} if name in ("cost", "daily") and args.against else {}
        found: list[Section] = importlib.import_module(BENCHES[name]).measure(quick=args.quick, **options)
        print(f"measured: {name}, {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
        for section in found:
            print(section.markdown(), flush=True)
        sections += found
    if not args.quick and (args.write or not args.names):
        put = write_some if args.names else write
        put(PAGE, sections, machine(), f"{datetime.date.today():%Y-%m-%d}")
        print(f"written to {PAGE.relative_to(ROOT)}", file=sys.stderr)
    missed = [target.line() for section in sections for target in section.targets if not target.met]
    print("\n".join(missed) if missed else "every target met", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
