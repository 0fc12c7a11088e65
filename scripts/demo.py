"""`make demo`: the oracle over every applied test that this machine can run, then the report.

The oracle replays each test's reference answers, so no key is needed and every test should pass.
Arguments go to main.py.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from assay.records import Outcome, TrialRecord  # noqa: E402
from assay.results.store import load_records  # noqa: E402

REPORT = ROOT / "evaluation_examples" / "index.html"
RUNS = "results/*/oracle/run-*.jsonl"
LACKS = re.compile(r"sandbox (\S+) lacks ([^;]+)")
# What people call a requirement; what stands for one thing is one thing.
WORDS = {
    "rustc": "Rust",
    "cargo": "Rust",
    "javac": "Java",
    "java": "Java",
    "node": "Node.js",
    "chromium": "a browser",
    "chromedriver": "a browser",
    "go": "Go",
    "clojure": "Clojure",
    "tsc": "TypeScript",
}
NAMED = 6


def missing(records: Iterable[TrialRecord]) -> dict[str, set[str]]:
    """What the skipped tests lacked, in people's words -> these tests."""
    lacking: dict[str, set[str]] = {}
    oldest: dict[str, str] = {}
    for record in records:
        found = LACKS.search(record.error) if record.outcome is Outcome.SKIPPED else None
        for need in found[2].split(", ") if found else ():
            name, _, version = need.removeprefix("python:").removeprefix("file:").partition(">=")
            word = WORDS.get(name, name)
            oldest[word] = version or oldest.get(word, "")
            lacking.setdefault(word, set()).add(record.test)
    return {f"{word} {oldest[word]}".rstrip(): tests for word, tests in lacking.items()}


def advice(records: Sequence[TrialRecord]) -> str:
    """One sentence and one command for the tests that were skipped; '' if none was."""
    lacking = missing(records)
    skipped, tests = set().union(*lacking.values()), {record.test for record in records}
    if not lacking:
        return ""
    words = sorted(lacking, key=lambda word: (-len(lacking[word]), word))
    if len(words) > NAMED:
        words = [*words[: NAMED - 1], f"{len(words) - NAMED + 1} more"]
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
    said = f"{len(skipped)} of {len(tests)} tests were skipped because the sandbox lacks {listed}: "
    on_host = any(found[1].endswith("+host") for each in records if (found := LACKS.search(each.error)))
    if on_host:
        return said + "`make image` builds an image with all of them (about 3 GB)."
    return said + "`.venv/bin/python main.py doctor` says what to do."


def main() -> int:
    command = [sys.executable, str(ROOT / "main.py"), "run", "--model", "oracle", "--report"]
    before = set(ROOT.glob(RUNS))
    code = subprocess.run([*command, *sys.argv[1:]], cwd=ROOT, check=False).returncode
    if code in (1, 130, 143):
        return code
    new = sorted(set(ROOT.glob(RUNS)) - before)
    records = load_records(new, light=True).records
    print(f"\nThe report: {REPORT.as_uri()}")
    if said := advice(records):
        print(said)
    print("Next, put a key into config.json or the environment, and run for example")
    print("  .venv/bin/python main.py run print_hello --model openai/gpt-4o --report")
    return code


if __name__ == "__main__":
    sys.exit(main())
