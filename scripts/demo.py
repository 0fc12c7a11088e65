"""`make demo`: the oracle over every applied test that this machine can run, then the report.

The oracle replays each test's reference answers, so no key is needed and every test should pass.
Arguments go to main.py.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from assay.harness.store import load_records  # noqa: E402
from assay.records import Outcome, TrialRecord  # noqa: E402

REPORT = ROOT / "evaluation_examples" / "index.html"
RUNS = "results/*/oracle/run-*.jsonl"
# Requirements whose Debian package has another name. "python:..." come with the image.
PACKAGES = {
    "rustc": "rustc",
    "javac": "openjdk-17-jdk-headless",
    "java": "openjdk-17-jdk-headless",
    "node": "nodejs",
    "chromedriver": "chromium-driver",
    "objdump": "binutils",
    "xxd": "xxd",
}


def missing(records: Iterable[TrialRecord]) -> Counter[str]:
    """What the skipped tests lacked, and how many tests lacked it."""
    lacking: dict[str, set[str]] = {}
    for record in records:
        match = re.search(r" lacks (.+)", record.error) if record.outcome is Outcome.SKIPPED else None
        if match:
            lacking.setdefault(record.test, set()).update(match[1].split(", "))
    return Counter(name for names in lacking.values() for name in names)


def advice(lacking: Counter[str], skipped: int) -> list[str]:
    """What to install for the tests that were skipped."""
    if not lacking:
        return []
    names = ", ".join(f"{name} ({count})" for name, count in lacking.most_common())
    lines = [f"{skipped} tests were skipped; the sandbox lacks {names}."]
    how = "" if shutil.which("podman") else " (needs podman: it is installed if you may)"
    lines.append(f"  everything at once, about 3 GB:  make image && make demo{how}")
    packages = sorted({PACKAGES.get(name, name) for name in lacking if ":" not in name})
    if packages:
        sudo = "" if os.getuid() == 0 else "sudo "
        lines.append(f"  or from your system:  {sudo}apt-get install {' '.join(packages)}")
    return lines


def main() -> int:
    command = [sys.executable, str(ROOT / "main.py"), "--run-tests", "--model", "oracle", "--generate-report"]
    before = set(ROOT.glob(RUNS))
    code = subprocess.run([*command, *sys.argv[1:]], cwd=ROOT, check=False).returncode
    if code in (1, 130, 143):
        return code
    new = sorted(set(ROOT.glob(RUNS)) - before)
    records = load_records(new, light=True).records
    skipped = len({record.test for record in records if record.outcome is Outcome.SKIPPED})
    print(f"\nThe report: {REPORT.as_uri()}")
    print("\n".join(advice(missing(records), skipped)))
    print("Next: put a key into config.json or the environment, then for example")
    print("  .venv/bin/python main.py --run-tests --model openai/gpt-4o --test print_hello --generate-report")
    return code


if __name__ == "__main__":
    sys.exit(main())
