"""The Euler suite's oracle, against starting each of its programs the plain way.

The plain way is what the languages' own commands do in the same sandboxes, as many at a time: Debian's
clojure, javac and java, rustc -O, python3. The image's archive of the JVM's classes serves plain java as
well, so the ratio flatters the plain way.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.nodes.fences import fenced_blocks
from assay.records import ExecResult
from assay.sandboxes.pool import Pool, open_pool
from bench.measure import ROOT, Section, Target, run
from tests.euler.execution import recipe_for
from tests.euler.facts import problems
from tests.euler.languages import PUBLISHED, title_of
from tests.euler.replies import references_of
from tests.euler.statements import what_is_missing

PLAIN = {
    "python": ("", "python3 main.py"),
    "java": ("/usr/bin/javac -d classes *.java", "/usr/bin/java -cp classes {name}"),
    "rust": ("rustc -O --edition 2021 -o main main.rs", "./main"),
    "clojure": ("", "$(test -x /usr/bin/clojure && echo /usr/bin/clojure || echo clojure) main.clj"),
}
LIMIT_S = 1800.0


@dataclass
class Sums:
    """Seconds of all programs of a language, without what the harness adds."""

    programs: int = 0
    compile_s: float = 0.0
    run_s: float = 0.0


def measure(*, quick: bool = False) -> list[Section]:
    known = problems()
    numbers = [n for n in ((1, 2) if quick else range(1, 101)) if not what_is_missing(known[n])]
    ours, wall, cpu = _suite(numbers)
    plain, plain_wall = asyncio.run(_plain(numbers))
    rows = [
        (
            title_of(name), f"{ours[name].programs}", *(_seconds(each) for each in (ours[name], plain[name])),
            f"{_total(ours[name]) / _total(plain[name]):.2f}",
        )
        for name in PUBLISHED
    ]  # fmt: skip
    count = sum(each.programs for each in ours.values())
    ratio = wall / plain_wall
    rows.append(("all, wall time", f"{count}", f"{wall:.1f}", f"{plain_wall:.1f}", f"{ratio:.2f}"))
    targets = [Target("wall time of the suite, times starting each program the plain way", ratio, 1.1)]
    about = (
        f"`main.py --suite euler --run-tests --model oracle` over {len(numbers)} problems in four languages, "
        "from process start to the tables, against the same programs started the plain way "
        "(bench/euler_bench.py). Seconds of all programs of a language: compiling + running."
    )
    spent = f"CPU of the harness itself, sandboxes apart: {cpu:.1f} s"
    columns = ("language", "programs", "suite s", "plain s", "ratio")
    return [Section("Project Euler", about, columns, rows, targets, (spent,))]


def _total(sums: Sums) -> float:
    return sums.compile_s + sums.run_s


def _seconds(sums: Sums) -> str:
    return f"{sums.compile_s:.1f} + {sums.run_s:.1f}" if sums.compile_s else f"{sums.run_s:.1f}"


def _suite(numbers: Sequence[int]) -> tuple[dict[str, Sums], float, float]:
    """What the suite's records say, and wall and CPU seconds of the command."""
    with tempfile.TemporaryDirectory() as folder:
        flags = ["--suite", "euler", "--run-tests", "--model", "oracle", "--no-cache", "--logdir", folder]
        asked = ["--problem", ",".join(map(str, numbers)), "--fail-under", "100"]
        spent = run([sys.executable, str(ROOT / "main.py"), *flags, *asked], time_limit_s=LIMIT_S)
        sums: dict[str, Sums] = defaultdict(Sums)
        for path in Path(folder).glob("*/*/run-*.jsonl"):
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                its = sums[record["extra"]["language"]]
                its.programs += 1
                its.compile_s += record["metrics"].get("compile_s", 0.0)
                its.run_s += record["metrics"]["run_s"]
    return sums, spent.wall, spent.cpu


async def _plain(numbers: Sequence[int]) -> tuple[dict[str, Sums], float]:
    sums: dict[str, Sums] = defaultdict(Sums)
    began = time.perf_counter()
    async with open_pool() as pool:
        tasks = (_one(pool, number, language, sums[language]) for number in numbers for language in PUBLISHED)
        await asyncio.gather(*tasks)
    return sums, time.perf_counter() - began


async def _one(pool: Pool, number: int, language: str, sums: Sums) -> None:
    (reply,) = references_of(number, language, right=True)
    recipe = recipe_for(language, next(fenced_blocks(reply)).code)
    build, start = PLAIN[language]
    sandbox = await pool.acquire()
    try:
        files = {recipe.filename: recipe.source.encode()}
        if build:
            built = await sandbox.run(["sh", "-c", build], files=files, time_limit_s=60.0)
            sums.compile_s += _checked(built, number, language).seconds
            files = {}
        start = start.replace("{name}", recipe.run.rpartition(" ")[2])
        result = await sandbox.run(["sh", "-c", start], files=files, time_limit_s=120.0)
        sums.run_s += _checked(result, number, language).seconds
        sums.programs += 1
    finally:
        await sandbox.close()


def _checked(result: ExecResult, number: int, language: str) -> ExecResult:
    if result.returncode != 0:
        raise RuntimeError(f"problem {number} in {language}: {result.output[-500:]}")
    return result
