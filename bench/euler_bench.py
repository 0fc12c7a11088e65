"""The Euler suite's oracle, against starting each of its programs the plain way.

The plain way is what the languages' own commands do in the same sandboxes, as many at a time: javac and
java, java with Clojure's jars (as Debian's command clojure starts it), rustc -O, python3. The image's archive
of the JVM's classes serves plain java as well, so its ratio flatters the plain way. Both keep all cores busy:
what a suite does beside its programs makes these slower. The suite runs a second time, when what it compiled
is in the cache; an earlier commit's suite takes its turns too.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assay.language.fences import fenced_blocks
from assay.records import ExecResult
from assay.sandboxes.pool import Pool, open_pool
from bench.before import COMMIT, NoSuchCommit, checkout
from bench.measure import ROOT, Section, Target, run
from tests.euler.execution import recipe_for
from tests.euler.facts import problems
from tests.euler.languages import PUBLISHED, title_of
from tests.euler.replies import references_of
from tests.euler.statements import what_is_missing

JVM = "$(readlink -f /usr/bin/java)"
JARS = ":".join(f"/usr/share/java/{name}.jar" for name in ("clojure", "spec.alpha", "core.specs.alpha"))
PLAIN = {
    "python": ("", "python3 main.py"),
    "java": ("/usr/bin/javac -d classes *.java", "/usr/bin/java -cp classes {name}"),
    "rust": ("rustc -O --edition 2021 -o main main.rs", "./main"),
    "clojure": ("", f"{JVM} -cp {JARS} clojure.main main.clj"),
}
LIMIT_S = 1800.0
PARTS = 3  # of the problems: the sides take turns
AT_MOST = 1.1  # times the plain way
PLAINLY, NOW, AGAIN, BEFORE = "plain", "suite", "again", "before"
WITH_COMPILERS = ("java", "rust")


@dataclass
class Sums:
    """Of all programs of a language: seconds of their own, and within all calls of sandboxes."""

    programs: int = 0
    from_cache: int = 0
    compile_s: float = 0.0
    run_s: float = 0.0
    inside_s: float = 0.0

    @property
    def own_s(self) -> float:
        return self.compile_s + self.run_s


@dataclass
class Side:
    """One of those that take turns. Wall seconds, and CPU seconds of the suite without its sandboxes."""

    languages: dict[str, Sums] = field(default_factory=lambda: defaultdict(Sums))
    wall: float = 0.0
    cpu: float = 0.0


def measure(*, quick: bool = False) -> list[Section]:
    known = problems()
    numbers = [n for n in ((1, 2) if quick else range(1, 101)) if not what_is_missing(known[n])]
    sides: dict[str, Side] = {name: Side() for name in (PLAINLY, NOW, AGAIN)}
    notes, earlier = [], None
    if not quick:
        try:
            earlier = checkout()
            sides[BEFORE] = Side()
        except NoSuchCommit as error:
            notes.append(f"not compared with {COMMIT}: {error}")
    parts = 1 if quick else PARTS
    with tempfile.TemporaryDirectory() as folder:
        for part in range(parts):
            its = numbers[part::parts]
            asyncio.run(_plain(its, sides[PLAINLY]))
            _suite(ROOT, its, Path(folder, "cache"), sides[NOW])
            if earlier is not None:
                _suite(earlier, its, Path(folder, "earlier"), sides[BEFORE])
            _suite(ROOT, its, Path(folder, "cache"), sides[AGAIN])
    return [_section(len(numbers), sides, notes)]


def _section(many: int, sides: Mapping[str, Side], notes: Sequence[str]) -> Section:
    plain, now, again = sides[PLAINLY], sides[NOW], sides[AGAIN]
    before = sides.get(BEFORE)
    rows, targets = [], []

    def add(title: str, count: int, shown: Sequence[str], figures: Sequence[float]) -> None:
        """Of now, of the plain way and, if it is known, of before; and what it is inside, now and again."""
        ours, plainly, inside, later, *earlier = figures
        ratios = [f"{each / plainly:.2f}" for each in (ours, *earlier)]
        cells = (ratios[0], f"{inside:.1f}", f"{later:.1f}", *ratios[1:])
        rows.append((title, f"{count}", *shown, *cells))
        targets.append(Target(f"{title}, times the plain way", ours / plainly, AT_MOST))

    for name in PUBLISHED:
        ours, plainly, later = (side.languages[name] for side in (now, plain, again))
        figures = [ours.own_s, plainly.own_s, ours.inside_s, later.inside_s]
        figures += [before.languages[name].own_s] if before is not None else []
        add(title_of(name), ours.programs, (_seconds(ours), _seconds(plainly)), figures)
    count = sum(each.programs for each in now.languages.values())
    figures = [now.wall, plain.wall, now.wall, again.wall, *([before.wall] if before is not None else [])]
    add("all, wall time", count, (f"{now.wall:.1f}", f"{plain.wall:.1f}"), figures)
    anew = sum(again.languages[name].programs - again.languages[name].from_cache for name in WITH_COMPILERS)
    targets.append(Target("compiles of the second time", anew, 0))
    about = (
        f"`main.py --suite euler --run-tests --model oracle` over {many} problems in four languages, from "
        "process start to the tables, in parts, in turns with the same programs started the plain way, as "
        "many at a time as there are cores (bench/euler_bench.py). Seconds of all programs of a language: "
        "compiling + running; the ratio is of both. Inside: all calls of sandboxes, with what is put there. "
        "Again: a second time, with what was compiled in the cache."
    )
    spent = f"CPU of the harness itself, sandboxes apart: {now.cpu:.1f} s"
    columns = ["language", "programs", "suite s", "plain s", "ratio", "inside s", "inside s, again"]
    columns += [f"ratio at {COMMIT[:7]}"] if before is not None else []
    return Section("Project Euler", about, tuple(columns), rows, targets, (spent, *notes))


def _seconds(sums: Sums) -> str:
    return f"{sums.compile_s:.1f} + {sums.run_s:.1f}" if sums.compile_s else f"{sums.run_s:.1f}"


def _suite(root: Path, numbers: Sequence[int], cache: Path, side: Side) -> None:
    """Adds what the suite's records say, and wall and CPU seconds of the command. `root`: whose suite."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "config.json")
        config.write_text(json.dumps({"cache": str(cache)}))
        places = ["--config", str(config), "--logdir", folder]
        flags = ["--suite", "euler", "--run-tests", "--model", "oracle", *places]
        asked = ["--problem", ",".join(map(str, numbers)), "--fail-under", "100"]
        spent = run([sys.executable, str(root / "main.py"), *flags, *asked], cwd=root, time_limit_s=LIMIT_S)
        for path in Path(folder).glob("*/*/run-*.jsonl"):
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                its = side.languages[record["extra"]["language"]]
                its.programs += 1
                its.from_cache += "compiled" in record["extra"]
                its.compile_s += record["metrics"].get("compile_s", 0.0)
                its.run_s += record["metrics"]["run_s"]
                its.inside_s += record["sandbox_seconds"]
    side.wall += spent.wall
    side.cpu += spent.cpu


async def _plain(numbers: Sequence[int], side: Side) -> None:
    began = time.perf_counter()
    async with open_pool() as pool:
        every = ((number, language) for number in numbers for language in PUBLISHED)
        tasks = (_one(pool, number, language, side.languages[language]) for number, language in every)
        await asyncio.gather(*tasks)
    side.wall += time.perf_counter() - began


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
