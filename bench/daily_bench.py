"""What a user does every day, now and at the commit before the library was put under the command.

python -m bench daily [--against COMMIT]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from bench.before import NoSuchCommit, checkout
from bench.measure import ROOT, Section, Target, milliseconds, run

COMMIT = "939f988"
ROUNDS, QUICK_ROUNDS = 7, 1
SHORT, SHORT_ROUNDS = ("--help", "--list"), 5  # in each round: a few milliseconds are noise there
COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}  # as everybody has it but for a setting of their own
SLACK = 1.05  # of two least times


def commands(root: Path, folder: Path) -> dict[str, list[str]]:
    """Title -> command line by the checkout `root`, in the order in which they build upon each other. What
    they write lies in `folder`."""
    config = folder / "config.json"
    config.write_text("{}", "utf-8")
    logs = ["--config", str(config), "--logdir", str(folder / "results")]
    main = [sys.executable, str(root / "main.py")]
    arithmetic = ["--suite", "arithmetic", "--model", "oracle"]
    fresh = folder / "report"
    return {
        "--help": [*main, "--help"],
        "--list": [*main, "--list"],
        "a run: arithmetic by the oracle": [*main, *arithmetic, "--run-tests", *logs],
        "its report": [
            *(*main, *arithmetic, "--load-saved", "--generate-report", "--report-dir", str(fresh), *logs),
        ],
        "its tables": [*main, *arithmetic, "--load-saved", *logs],
        "judged again": [*main, "--rescore", "last", *logs],
    }


def measure(*, quick: bool = False, against: str = COMMIT) -> list[Section]:
    sides, notes = {"now": ROOT}, []
    try:
        sides["before"] = checkout(against)
    except NoSuchCommit as error:
        notes.append(f"no figures of before: {error}")
    rounds = QUICK_ROUNDS if quick else ROUNDS
    cpu: dict[tuple[str, str], list[float]] = {}
    wall: dict[tuple[str, str], list[float]] = {}
    for number in range(rounds + 1):
        for side in _in_turn(list(sides), number):
            with tempfile.TemporaryDirectory() as folder:
                for title, command in commands(sides[side], Path(folder)).items():
                    for _ in range(SHORT_ROUNDS if title in SHORT else 1):
                        spent = run(command, cwd=sides[side], env=COMPILED)
                        if number:  # the first round warms byte code and the file cache
                            cpu.setdefault((title, side), []).append(spent.cpu)
                            wall.setdefault((title, side), []).append(spent.wall)
    for _ in range(rounds):
        spent = run([sys.executable, "-c", "import assay"], env=COMPILED)
        cpu.setdefault(("import assay", "now"), []).append(spent.cpu)
        wall.setdefault(("import assay", "now"), []).append(spent.wall)
    least = {which: min(its) for which, its in cpu.items()}
    rows, targets = [], []
    for title in dict.fromkeys(title for title, _ in cpu):
        now, before = (wall.get((title, side), []) for side in ("now", "before"))
        shortest = ([least[title, side]] if (title, side) in least else () for side in sides)
        rows.append((title, *(milliseconds(each) if each else "" for each in (now, before, *shortest)),
                     f"{median(now) / median(before):.2f}" if before else ""))  # fmt: skip
        if before:
            ratio = least[title, "now"] / least[title, "before"]
            targets.append(Target(f"least CPU of {title}, times before", ratio, SLACK))
        elif "before" in sides:
            ratio = least[title, "now"] / least["--help", "before"]
            targets.append(Target(f"least CPU of {title}, times --help before", ratio, 1))
    about = (
        f"Before: commit {against}. {rounds} runs in turns, on the same Python and libraries: the median of "
        "their wall times, and the least of their CPU times, to which a busy machine only adds."
    )
    columns = ("", "wall ms", "before", "least CPU ms", "before", "wall, now / before")
    return [Section("Every day", about, columns, rows, targets, notes)]


def _in_turn(sides: Sequence[str], number: int) -> Sequence[str]:
    return sides if number % 2 else sides[::-1]
