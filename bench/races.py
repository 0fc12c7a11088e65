"""Races against other harnesses: the same questions, the same server, as many connections.

    python -m bench races                     with every peer that can be had here
    python -m bench.races --peers promptfoo --races resume --size 0.1     some, small; writes nothing

A cell of a peer is its figure and, in brackets, how many times Assay's that is: above 1, Assay needs less.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import SubprocessError

from bench.contenders import ASSAY, CONTENDERS, REPLIES, TRIES, Contender, Job
from bench.measure import Section, Target
from bench.race import Found, Lost, evaluate, finish, in_turns, kill_and_resume, middle
from testing.model_server import ModelServer

LATENCY_S = 0.05
REFUSED = 0.1  # share of requests that the refusing server answers with 429
LARGE_LIMIT_S = 400.0
LOST = "lost, see below"
RACES = ("start", "calls", "large", "repeat", "resume", "refused")


@dataclass
class Row:
    """One line of the table: a figure by contender, or words where there is none."""

    label: str
    digits: int = 2  # behind the point
    compared: bool = True  # shown as a ratio too, and Assay promises to need no more than the best peer
    figures: dict[str, float] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)

    def cell(self, name: str) -> str:
        if name not in self.figures:
            return self.words.get(name, "")
        text = f"{self.figures[name]:,.{self.digits}f}"
        ours = self.figures.get(ASSAY)
        if not ours or name == ASSAY or not self.compared:
            return text
        ratio = self.figures[name] / ours
        return f"{text} ({ratio:.{2 if ratio < 2 else 1 if ratio < 10 else 0}f}×)"

    def target(self) -> Target | None:
        peers = [figure for name, figure in self.figures.items() if name != ASSAY]
        if not (self.compared and peers and ASSAY in self.figures and min(peers) > 0):
            return None
        return Target(f"{self.label}: Assay's, times the best peer's", self.figures[ASSAY] / min(peers), 1)


class Races:
    """The races among `contenders`. `size` scales the numbers of samples, for a quick look."""

    def __init__(self, contenders: Sequence[Contender], folder: Path, *, rounds: int, size: float) -> None:
        self.contenders, self.folder, self.rounds = contenders, folder, rounds
        self.few, self.thousand, self.many = (max(10, round(n * size)) for n in (300, 1000, 10_000))
        self.rows: list[Row] = []
        self.notes: list[str] = []

    def _race(
        self, name: str, rounds: int, rows: Sequence[Row], act: Callable[[Contender, Path], list[Found]]
    ) -> None:
        """`act` finds one figure, or words, for each row; the medians of all rounds go into the table."""
        found, lost = in_turns(self.contenders, rounds, self.folder, act, name)
        for contender, of_rounds in found.items():
            for number, row in enumerate(rows):
                values = [each[number] for each in of_rounds]
                figures = [value for value in values if not isinstance(value, str)]
                if figures and contender not in lost:
                    row.figures[contender] = middle(figures)
                else:
                    row.words[contender] = next((value for value in values if isinstance(value, str)), LOST)
        self.notes += [f"{contender} lost at {name}: {why}." for contender, why in lost.items()]
        self.rows += rows
        for row in rows:  # a run that is broken off later has shown what it found
            cells = (f"{contender.name} {row.cell(contender.name)}" for contender in self.contenders)
            print(f"  {row.label}: {', '.join(cells)}", file=sys.stderr, flush=True)

    def start(self, server: ModelServer) -> None:
        def act(contender: Contender, folder: Path) -> list[Found]:
            spent = evaluate(contender, server, Job(folder, 1, 1, server.url)).spent
            return [spent.wall, spent.cpu]

        rows = [Row("one sample, s"), Row("one sample, CPU s")]
        self._race("starting", self.rounds, rows, act)

    def calls(self, server: ModelServer) -> None:
        for connections in (10, 50):

            def act(contender: Contender, folder: Path, connections: int = connections) -> list[Found]:
                done = evaluate(contender, server, Job(folder, self.few, connections, server.url))
                return [done.spent.wall, done.in_flight, done.spent.cpu * 1000 / self.few]

            which = f"{self.few:,} samples, {connections} connections"
            busy = Row(f"{which}: most in flight", 0, compared=False)
            rows = [Row(f"{which}, s"), busy, Row(f"{which}: CPU a sample, ms", 1)]
            self._race(f"calls over {connections} connections", self.rounds, rows, act)

    def large(self, server: ModelServer) -> None:
        def small(contender: Contender, folder: Path) -> list[Found]:
            return [evaluate(contender, server, Job(folder, self.thousand, 50, server.url)).spent.peak / 1e6]

        def act(contender: Contender, folder: Path) -> list[Found]:
            job = Job(folder, self.many, 50, server.url)
            spent = evaluate(contender, server, job, limit_s=LARGE_LIMIT_S).spent
            figures: list[Found] = [spent.peak / 1e6, spent.wall, spent.cpu * 1000 / self.many]
            for argv in contender.opening(job):
                try:
                    figures.append(argv if isinstance(argv, str) else finish(contender, job, argv).wall)
                except Lost as error:
                    self.notes.append(f"{contender.name} lost at opening its log: {error}.")
                    figures.append(LOST)
            return figures

        self._race(
            f"{self.thousand:,} samples", 1, [Row(f"{self.thousand:,} samples, peak memory, MB", 0)], small
        )
        rows = [
            Row(f"{self.many:,} samples, peak memory, MB", 0),
            Row(f"{self.many:,} samples, s", 1),
            Row(f"{self.many:,} samples: CPU a sample, ms", 2),
            Row("opening that log: the results, s"),
            Row("opening that log: every sample, s"),
        ]
        self._race(f"{self.many:,} samples", 1, rows, act)

    def repeat(self, server: ModelServer) -> None:
        def act(contender: Contender, folder: Path) -> list[Found]:
            job = Job(folder, self.few, 50, server.url)
            evaluate(contender, server, job, cached=True)
            again = evaluate(contender, server, job, cached=True)
            return [again.spent.wall, again.requests]

        rows = [
            Row(f"{self.few:,} samples again, from the cache, s"),
            Row("calls of the repeat", 0, compared=False),
        ]
        self._race("repeating", 1, rows, act)

    def resume(self, server: ModelServer) -> None:
        def act(contender: Contender, folder: Path) -> list[Found]:
            job = Job(folder, self.thousand, min(50, self.thousand // 8), server.url)
            found = kill_and_resume(contender, server, job, kill_at=self.thousand // 2)
            return [found.wall, found.repeated, found.in_flight]

        rows = [
            Row(f"{self.thousand:,} samples, kill -9 at half: finishing, s"),
            Row("calls asked twice for the kill", 0, compared=False),
            Row("calls in flight when killed", 0, compared=False),
        ]
        self._race("resuming", 1, rows, act)

    def refused(self, server: ModelServer) -> None:
        refusals = {"fail_rate_429": REFUSED, "retry_after": "1", "seed": 1}
        with ModelServer(
            process=True, record=False, latency=LATENCY_S, replies=REPLIES, **refusals
        ) as refusing:

            def act(contender: Contender, folder: Path) -> list[Found]:
                done = evaluate(contender, refusing, Job(folder, self.few, 50, refusing.url))
                return [done.spent.wall, done.requests - self.few]

            rows = [
                Row(f"{self.few:,} samples, a tenth of the calls refused (429), s"),
                Row("calls beyond one a sample", 0, compared=False),
            ]
            self._race("refusals", 1, rows, act)

    def promises(self) -> list[Target]:
        by_label = {row.label: row.figures.get(ASSAY) for row in self.rows}
        absolute = [
            ("calls of the repeat", 0.0),
            ("calls asked twice for the kill", 60.0),  # 50 in flight, and replies on their way
            ("calls beyond one a sample", 0.2 * self.few),
        ]
        own = [
            Target(f"Assay's {label}", figure, limit)
            for label, limit in absolute
            if (figure := by_label.get(label)) is not None
        ]
        return [*own, *(target for row in self.rows if (target := row.target()))]


def ready(
    wanted: Sequence[type[Contender]], server: ModelServer
) -> tuple[list[Contender], list[str], list[str]]:
    """Install and warm each up: those that work, their versions, and why the others do not."""
    work: list[Contender] = []
    versions: list[str] = []
    missing: list[str] = []
    for kind in wanted:
        contender = kind()
        print(f"  making {contender.name} ready", file=sys.stderr, flush=True)
        try:
            version = contender.install()
            with tempfile.TemporaryDirectory() as name:
                evaluate(contender, server, Job(Path(name), 10, 10, server.url))
        except (OSError, ValueError, SubprocessError, Lost) as error:
            if contender.name == ASSAY:
                raise
            missing.append(f"{contender.name} did not race: {error}.")
        else:
            work.append(contender)
            versions.append(f"{contender.name} {version}")
    return work, versions, missing


def section(wanted: Sequence[type[Contender]], races: Sequence[str], *, rounds: int, size: float) -> Section:
    begun = time.perf_counter()
    with (
        ModelServer(process=True, record=False, latency=LATENCY_S, replies=REPLIES) as server,
        tempfile.TemporaryDirectory(prefix="assay-races-") as folder,
    ):
        contenders, versions, missing = ready(wanted, server)
        run = Races(contenders, Path(folder), rounds=rounds, size=size)
        for race in races:
            getattr(run, race)(server)
    names = [contender.name for contender in contenders]
    about = (
        f"{', '.join(versions)}. The same questions from one file, a server that answers after "
        f"{LATENCY_S * 1000:.0f} ms, at most {TRIES} tries a call, process start included; medians of "
        f"{rounds} interleaved runs at starting and calls, one run elsewhere. In brackets: how many times "
        "Assay's figure that is; above 1, Assay needs less."
    )
    print(f"  all races: {time.perf_counter() - begun:.0f} s", file=sys.stderr)
    table = [(row.label, *(row.cell(name) for name in names)) for row in run.rows]
    return Section("Races", about, ("", *names), table, run.promises(), [*run.notes, *missing])


def measure(*, quick: bool = False) -> list[Section]:
    """Quick: Assay alone, which installs nothing; `python -m bench.races` looks at peers in small."""
    if quick:
        return [section(CONTENDERS[:1], RACES, rounds=1, size=0.02)]
    return [section(CONTENDERS, RACES, rounds=3, size=1.0)]


def main() -> None:
    by_name = {kind.name: kind for kind in CONTENDERS}
    parser = argparse.ArgumentParser(description="Some races, small; writes nothing.")
    parser.add_argument("--peers", nargs="*", choices=by_name.keys() - {ASSAY}, default=[], metavar="NAME")
    parser.add_argument(
        "--races", nargs="*", choices=RACES, default=RACES, metavar="RACE", help=", ".join(RACES)
    )
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--size", type=float, default=0.02, help="1: as in docs/benchmarks.md")
    args = parser.parse_args()
    wanted = [by_name[ASSAY], *(by_name[name] for name in args.peers)]
    print(section(wanted, args.races, rounds=args.rounds, size=args.size).markdown())


if __name__ == "__main__":
    main()
