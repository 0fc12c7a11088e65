"""What the default path costs, now and at an earlier commit, in turns on one machine.

    python -m bench cost [--against COMMIT]
    python -m bench.cost_bench trials calls --rounds 1      some of it, and fewer turns; writes nothing

Trials are measured by the CPU seconds of the whole machine, so that daemons and monitors count; that needs a
machine that does nothing else, and what it did besides is told.
"""

from __future__ import annotations

import argparse
import compileall
import contextlib
import hashlib
import json
import math
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from pathlib import Path
from statistics import median

from bench import startup_bench
from bench.before import COMMIT, NoSuchCommit, checkout
from bench.calls_bench import ANTHROPIC, CONNECTIONS, LATENCY_S, MADE, RAW, assay, environment, measure_one
from bench.measure import ROOT, Section, Target, run, run_alone
from bench.ray_bench import make_tests
from bench.verdict_bench import BACKENDS as VERDICTS
from bench.verdict_bench import BESIDE, MORE_CPU_MS, cpu_a_trial, works_here
from testing import engines
from testing.model_server import ModelServer

NOW, BEFORE = "now", "before"
FASTEST, ENGINES = "bubblewrap", ("podman", "docker")
TIMES_FASTEST = 2
OVER_BARE_MS = {"bubblewrap": 40, "podman": 80}
MEANING = {"CPU s": "CPU", "s": "wall time"}
SECOND_SANDBOX = "PyEvaluator behind a program"
SECOND_ROUNDS = 40  # of each: the difference is small beside what a machine does meanwhile
BYTE_CODE = {"PYTHONDONTWRITEBYTECODE": ""}  # kept, as for whoever runs a program twice
Figures = Mapping[str, float]


@dataclass
class Cost:
    """One line of the table: a figure of each side, NaN if unknown, and what it may be at most now."""

    what: str
    unit: str
    figures: Figures
    at_most: float | None = None

    def row(self) -> tuple[str, ...]:
        now, before = self.figures[NOW], self.figures.get(BEFORE, math.nan)
        shown = ["" if math.isnan(each) else f"{each:.3g}{self.unit}" for each in (now, before)]
        ratio = f"{now / before:.2f}" if before > 0 and not math.isnan(now) else ""
        return self.what, *shown, ratio, f"{self.at_most:g}{self.unit}" if self.at_most is not None else ""

    def targets(self) -> list[Target]:
        now = self.figures[NOW]
        return (
            []
            if self.at_most is None or math.isnan(now)
            else [Target(self.what, now, self.at_most, self.unit)]
        )


def middle(figures: Sequence[float]) -> float:
    """The median of those that are known."""
    known = [each for each in figures if not math.isnan(each)]
    return median(known) if known else math.nan


@dataclass
class Turns:
    """Two checkouts that do the same in turns, and what was found."""

    sides: Mapping[str, Path]
    rounds: int = 3
    quick: bool = False
    costs: list[Cost] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def take(self, title: str, act: Callable[[Path], Figures], rounds: int = 0) -> dict[str, Figures]:
        """What `act` finds of each side: medians of so many turns. The side of before may be unable to do it;
        then it is left out, which is noted."""
        found: dict[str, list[Figures]] = {side: [] for side in self.sides}
        for number in range(1 if self.quick else rounds or self.rounds):
            sides = list(self.sides)
            for side in sides if number % 2 else reversed(sides):
                if side not in found:
                    continue
                try:
                    found[side].append(act(self.sides[side]))
                except RuntimeError as error:
                    if side == NOW:
                        raise
                    del found[side]
                    self.notes.append(f"{title}: no figures of before: {str(error).splitlines()[-1]}")
                    continue
                figures = ", ".join(f"{what} {value:.3g}" for what, value in found[side][-1].items())
                print(f"  {title}, {side}: {figures}", file=sys.stderr, flush=True)
        return {
            side: {what: middle([one[what] for one in each]) for what in each[0]}
            for side, each in found.items()
        }

    def add(
        self,
        what: str,
        unit: str,
        found: Mapping[str, Figures],
        of: Callable[[Figures], float],
        at_most: float | None = None,
    ) -> None:
        self.costs.append(Cost(what, unit, {side: of(each) for side, each in found.items()}, at_most))


def oracle(root: Path, tests: Path, logdir: str, *flags: str) -> list[str]:
    """By which the checkout `root` replays the references of `tests`, without anybody's settings."""
    config = tests.parent / "config.json"
    config.write_text(json.dumps({"cache": str(tests.parent / "cache")}), "utf-8")
    command = [sys.executable, str(root / "main.py"), "--run-tests", "--model", "oracle", "--no-cache"]
    where = ["--config", str(config), "--tests", str(tests), "--logdir", logdir]
    return [*command, *where, "--fail-under", "100", *flags]


def trials(turns: Turns) -> None:
    """One-step Python trials by the oracle in each sandbox: CPU of the whole machine, and time."""
    count, look_s = (2, 0.1) if turns.quick else (100, 2.0)
    busy: list[float] = []
    found: dict[str, dict[str, Figures]] = {}
    with tempfile.TemporaryDirectory() as name, contextlib.nullcontext() if turns.quick else engines.docker():
        tests = Path(name) / "tests"
        make_tests(tests, count, work=0)
        bare = cpu_of_bare_program(Path(name), count)

        def act(root: Path, sandbox: str) -> Figures:
            with tempfile.TemporaryDirectory() as logdir:
                argv = oracle(root, tests, logdir, "--sandbox", sandbox)
                whole = run_alone(argv, env=BYTE_CODE, look_s=look_s)
            its = whole.spent
            if not whole.idle:
                busy.append(whole.others)
            # docker's containers are its daemon's children
            rest = math.nan if sandbox == "docker" else its.cpu
            return {"CPU s": whole.cpu if whole.idle else rest, "s": its.wall}

        for sandbox in works_here((FASTEST, *ENGINES), turns.notes):
            found[sandbox] = turns.take(f"{count} trials, {sandbox}", partial(act, sandbox=sandbox))
    for sandbox, sides in found.items():
        for figure, word in MEANING.items():
            turns.add(f"{count} trials, {sandbox}: {word}", " s", sides, itemgetter(figure))
    for sandbox in [each for each in ENGINES if {each, FASTEST} <= found.keys()]:
        for figure, word in MEANING.items():
            times = {
                side: {figure: sides[figure] / found[FASTEST][side][figure]}
                for side, sides in found[sandbox].items()
                if side in found[FASTEST]
            }
            what = f"a trial, {sandbox}: {word}, times {FASTEST}"
            turns.add(what, "", times, itemgetter(figure), TIMES_FASTEST)
    for sandbox in [each for each in OVER_BARE_MS if each in found]:
        turns.add(
            f"a trial, {sandbox}: CPU over the bare program's", " ms", found[sandbox],
            lambda each: (each["CPU s"] - bare) * 1000 / count, OVER_BARE_MS[sandbox],
        )  # fmt: skip
    turns.notes.append(f"The bare program, started by a shell: {bare * 1000 / count:.1f} ms of CPU.")
    if busy:
        turns.notes.append(
            f"THE MACHINE WAS NOT IDLE: just before {len(busy)} of the runs of trials it used up to "
            f"{max(busy):.2f} CPU s a second. Their CPU is then that of the process and all it started; "
            "docker's cannot be told, since a daemon starts its containers. Wall times are rough."
        )


def cpu_of_bare_program(folder: Path, count: int) -> float:
    """CPU seconds of the trials' program, started so many times on the host by a shell."""
    program = folder / "bare.py"
    program.write_text("print('done')\n", "utf-8")
    loop = f"for i in $(seq {count}); do /usr/bin/python3 {shlex.quote(str(program))} > /dev/null; done"
    return median(run(["sh", "-c", loop]).cpu for _ in range(3))


def calls(turns: Turns) -> None:
    """Samples of one call each against a local server."""
    few, many = (50, 200) if turns.quick else (1000, 10_000)
    with ModelServer(process=True, record=False, latency=LATENCY_S) as server:

        def act_few(root: Path) -> Figures:
            return {"CPU s": measure_one(server, "Assay", few, root).spent.cpu}

        def act_anthropic(root: Path) -> Figures:
            return {"CPU s": measure_one(server, ANTHROPIC, few, root).spent.cpu}

        def act_many(root: Path) -> Figures:
            ours, least = (measure_one(server, each, many, root).spent.cpu for each in (MADE, RAW))
            return {"ms more": (ours - least) * 1000 / many}

        found = turns.take(f"{few} samples", act_few)
        turns.add(
            f"{few:,} samples at {CONNECTIONS} connections: CPU", " s", found, lambda each: each["CPU s"], 2
        )
        found = turns.take(f"{few} samples, Anthropic", act_anthropic)
        turns.add(f"{few:,} samples, Anthropic's messages: CPU", " s", found, itemgetter("CPU s"), 2)
        found = turns.take(f"{many} samples", act_many)
        what = f"a sample of {many:,}: CPU over raw aiohttp's"
        turns.add(what, " ms", found, itemgetter("ms more"), 1)


def start(turns: Turns) -> None:
    """One sample from start to end: some that ask a model, and one whose replies run in a sandbox."""
    with ModelServer(process=True, record=False) as server, tempfile.TemporaryDirectory() as name:

        def act(root: Path, kind: str) -> Figures:
            folder = Path(name) / hashlib.sha256(str(root).encode()).hexdigest()  # what each knows is its own
            folder.mkdir(exist_ok=True)
            return {"s": startup_bench.one_sample(server, kind, folder, root).wall}

        for kind in startup_bench.kinds(turns.notes):
            for root in turns.sides.values():  # which sandboxes work is found out once
                with contextlib.suppress(RuntimeError):
                    act(root, kind)
            found = turns.take(kind, partial(act, kind=kind), 9)
            what = f"one sample, start to end ({kind}): wall time"
            turns.add(what, " s", found, itemgetter("s"), startup_bench.MOST_S)


def verdicts(turns: Turns) -> None:
    """What a verdict costs that needs a second sandbox, over the same function in the program's own."""

    def act(root: Path, sandbox: str, rounds: int) -> Figures:
        kinds = (SECOND_SANDBOX, BESIDE[SECOND_SANDBOX])
        with_it, without = (cpu_a_trial(sandbox, kind, rounds, root) for kind in kinds)
        return {"ms more": (with_it - without) * 1000}

    for sandbox in works_here(VERDICTS, turns.notes):
        rounds = 1 if turns.quick else SECOND_ROUNDS
        found = turns.take(f"verdicts, {sandbox}", partial(act, sandbox=sandbox, rounds=rounds))
        what = f"a verdict in a second sandbox, {sandbox}: more CPU"
        turns.add(what, " ms", found, itemgetter("ms more"), MORE_CPU_MS)


def report(turns: Turns) -> None:
    """The HTML report of many samples, each of which it shows. The races compare it with other harnesses."""
    count = 200 if turns.quick else 10_000
    with ModelServer(process=True, record=False) as server, tempfile.TemporaryDirectory() as name:
        folders = {root: Path(name) / side for side, root in turns.sides.items()}
        for root, folder in folders.items():
            folder.mkdir()
            run(assay(count, folder, made=True, root=root), env=environment(server, folder))

        def act(root: Path) -> Figures:
            folder = folders[root]
            show = [sys.executable, str(root / "main.py"), "--suite", "made", "--load-saved"]
            where = ["--config", str(folder / "config.json"), "--tests", str(folder / "tests")]
            to = ["--logdir", str(folder / "results"), "--report-dir", str(folder / "report")]
            spent = run([*show, *where, *to, "--generate-report"], env=environment(server, folder))
            shutil.rmtree(folder / "report")
            return {"s": spent.wall, "CPU s": spent.cpu}

        found = turns.take("report", act)
    for figure, word in MEANING.items():
        turns.add(f"every sample of {count:,} in the report: {word}", " s", found, itemgetter(figure))


PARTS: dict[str, Callable[[Turns], None]] = {
    "trials": trials,
    "calls": calls,
    "start": start,
    "verdicts": verdicts,
    "report": report,
}


def measure(
    *, quick: bool = False, against: str = "", parts: Sequence[str] = tuple(PARTS), rounds: int = 3
) -> list[Section]:
    """Against the commit `against`, which must be there; by default against `before.COMMIT`, if it is."""
    sides, notes = {NOW: ROOT}, []
    try:
        sides[BEFORE] = checkout(against or COMMIT)
    except NoSuchCommit as error:
        if against:
            raise
        notes.append(f"no figures of before: {error}")
    for root in sides.values():  # nobody's first turn compiles
        for each in ("assay", "tests"):
            compileall.compile_dir(root / each, quiet=2)
    turns = Turns(sides, 1 if quick else rounds, quick, notes=notes)
    for part in parts:
        PARTS[part](turns)
    about = (
        f"Before: commit {against or COMMIT}, on the same Python, libraries and sandbox image; medians of "
        f"{turns.rounds} turns, 9 of one sample. The trials are of a Python program that prints one line, by "
        "the oracle; their CPU is the whole machine's (/proc/stat), less what it used just before."
    )
    rows = [cost.row() for cost in turns.costs]
    targets = [target for cost in turns.costs for target in cost.targets()]
    return [Section("Cost", about, ("", NOW, BEFORE, "now / before", "at most"), rows, targets, turns.notes)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.cost_bench")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; default: all")
    parser.add_argument("--against", default="", metavar="COMMIT", help=f"default: {COMMIT}")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each side")
    parser.add_argument("--quick", action="store_true", help="small and once")
    args = parser.parse_args()
    if unknown := sorted(set(args.parts) - set(PARTS)):
        parser.error(f"no part named {', '.join(unknown)}; choose from {', '.join(PARTS)}")
    try:
        sections = measure(
            quick=args.quick, against=args.against, parts=args.parts or tuple(PARTS), rounds=args.rounds
        )
    except NoSuchCommit as error:
        parser.error(str(error))
    for section in sections:
        print(section.markdown(), flush=True)


if __name__ == "__main__":
    main()
