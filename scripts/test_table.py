"""`make docs`: docs/tests.md, a line for each applied test, made from the files themselves."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
PAGE = ROOT / "docs" / "tests.md"

from assay.suites.listing import list_tests  # noqa: E402
from testing.applied.calibration import measured, tier_of  # noqa: E402

HEAD = """\
# The applied suite, test by test

{count} tests in {files} files. Run one by its name, `assay run print_hello --model M`, or
all with a tag, `--tag sql`. `make docs` writes this page from the files of `tests/`.

A tier is the share of blind replies that were right: `easy` above 90%, `medium` above 60%, else `hard`.
Who replied saw the prompt and nothing else, and a person read each verdict
([Suites answered blind](blind-rounds.md)). The families of the suite `hard` have
[a table of their own](hard.md#measured-so-far).

Tags: {tags}.

"""


def page() -> str:
    """The page as the files have it now."""
    files = [file for file in list_tests([ROOT / "tests"]) if file.tests]
    tests = [test for file in files for test in file.tests]
    tags = Counter(tag for test in tests for tag in test.tags)
    known = ", ".join(f"`{tag}` ({tags[tag]})" for tag in sorted(tags))
    table = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "--list", "--format", "markdown"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True,
    ).stdout  # fmt: skip
    return HEAD.format(count=len(tests), files=len(files), tags=known) + _with_replies(table)


def _with_replies(table: str) -> str:
    """The table with the blind replies to each test before its tags."""
    found = measured()
    rows = []
    for number, row in enumerate(table.splitlines()):
        name, rest = row.removeprefix("| ").split(" | ", 1)
        its = found.get(name)
        if number < 2:
            more = ("tier", "right of blind replies", "newest") if number == 0 else ("---", "---:", "---")
        elif its is None:
            more = ("", "0", "")
        else:
            more = (tier_of(name, its), f"{sum(its.passed)} of {len(its.passed)}", its.date)
        rows.append(f"| {' | '.join((name, *more, rest))}")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)
