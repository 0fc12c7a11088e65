"""The progress of a run on stderr: live on a terminal, otherwise a line now and then."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

from assay.records import Outcome, TrialRecord, Usage
from assay.report import wording
from assay.report.sanitise import one_line, strip_terminal, visible

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.live import Live

NARROWEST = 8  # columns; a terminal that reports fewer, or none, gets plain lines
MOST_BATCHES = 8  # that the display shows
LONGEST = 300  # characters of why calls are made again
FIRST_LINE_S, LINE_EVERY_S = 2.0, 10.0
_COLOURS = {Outcome.PASS: "green", Outcome.FAIL: "red", Outcome.ERROR: "yellow", Outcome.SKIPPED: "dim"}


class Progress:
    """Count finished trials and show them until the `with` block ends.

    `total`: trials to run. `spent`: returns tokens and US dollars (None: unknown) so far. `max_cost`,
    `max_tokens`: the budget, of which `unread` is taken by calls without a readable reply. `waiting`: calls
    that wait for a connection, or a batch. `retrying`: returns a line for each provider whose calls wait for
    their next attempt, and why. `batches`: returns a line about each batch that is waited for. `cached`:
    whether to say at the end how many replies came from the cache. `file`: stderr by default. `clock`:
    seconds, for tests.
    """

    def __init__(
        self,
        total: int,
        *,
        spent: Callable[[], tuple[Usage, float | None]] = lambda: (Usage(), 0.0),
        unread: Callable[[], tuple[int, float]] = lambda: (0, 0.0),
        waiting: Callable[[], int] = lambda: 0,
        retrying: Callable[[], Sequence[str]] = lambda: (),
        batches: Callable[[], Sequence[str]] | None = None,
        max_cost: float | None = None,
        max_tokens: int | None = None,
        cached: bool = False,
        file: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.total = total
        self.counts = dict.fromkeys(Outcome, 0)
        self._file = file or sys.stderr
        self._clock = clock
        self._began = clock()
        self._next_line = self._began + FIRST_LINE_S
        self._running, self._last_end = 0, self._began
        self._says_cached, self._replies, self._cached = cached, 0, 0
        self._spent, self._max_cost, self._max_tokens = spent, max_cost, max_tokens
        self._unread, self._waiting, self._batches = unread, waiting, batches or (lambda: ())
        self._retrying = retrying
        self._for = "a connection" if batches is None else "a batch"
        self._live: Live | None = None
        self._spot: Any = None  # of the line in a notebook
        self._timer: asyncio.TimerHandle | None = None

    # ---------------------------------------------------------------- what the run tells

    def done(self, record: TrialRecord) -> None:
        """Count a trial that has ended."""
        self.counts[record.outcome] += 1
        self._last_end = self._clock()
        self._replies += record.calls
        self._cached += record.cached_calls
        if self._live is None and self._clock() >= self._next_line:
            self._line()

    def running(self, count: int) -> None:
        """Show that `count` trials are running now."""
        self._running = count

    def message(self, text: str) -> None:
        """Print a message above the display."""
        safe = visible(strip_terminal(text))
        if self._live is None:
            print(safe, file=self._file, flush=True)
        else:
            from rich.text import Text

            self._live.console.print(Text(safe))

    # ---------------------------------------------------------------- the display

    def __enter__(self) -> Self:
        self._began = self._clock()
        self._next_line = self._began + FIRST_LINE_S
        if self._file.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", ""):
            from rich.console import Console
            from rich.live import Live

            console = Console(file=self._file, highlight=False)
            if console.width >= NARROWEST:
                self._live = Live(
                    self,
                    console=console,
                    refresh_per_second=4,
                    transient=True,
                    redirect_stdout=sys.stdout.isatty(),  # a pipe must get its own output
                )
                self._live.start()
        if self._live is None:
            self._tick()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        live, self._live = self._live, None
        if live is not None:
            live.stop()
        spent = "".join(f", {piece}" for piece in (*self._paid(), *self._from_cache()))
        took = wording.duration(self._clock() - self._began)
        self._print(f"{self._finished}/{self.total} trials in {took}: {self._tally()}{spent}")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The live display, in as many lines as the width needs."""
        from rich.constrain import Constrain
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        width = max(10, options.max_width)
        bar = Table.grid(padding=(0, 1), expand=True)
        bar.add_column(ratio=1)
        bar.add_column(no_wrap=True)
        bar.add_row(ProgressBar(self.total or 1, self._finished), f"{self._finished}/{self.total}")
        yield Constrain(bar, min(width, 60))
        line = Text()
        for piece, style in self._pieces():
            if line and len(line) + 2 + len(piece) > width:
                yield line
                line = Text()
            line.append(("  " if line else "") + piece, style)
        yield line
        for words in self._retrying():
            yield Text(visible(strip_terminal(one_line(words, LONGEST))), "yellow")
        lines = self._batches()
        for words in lines[:MOST_BATCHES]:
            yield Text(visible(strip_terminal(words)))
        if len(lines) > MOST_BATCHES:
            yield Text(f"and {len(lines) - MOST_BATCHES} more batches")

    def _pieces(self) -> list[tuple[str, str]]:
        """The parts of the second line with their styles, the most important first."""
        running = min(self._running, self.total - self._finished)  # a trial that has just ended counts once
        waiting = min(self._waiting(), running)
        rest = [f"{running - waiting} running"] if running > 0 else []
        rest += [f"{waiting} waiting for {self._for}"] if waiting > 0 else []
        now = self._clock()
        speed, left = wording.pace(self._finished, self.total, now - self._began, now - self._last_end)
        rest += [each for each in (speed, *self._paid(), left) if each]
        return self._outcomes() + [(piece, "") for piece in rest]

    def _paid(self) -> list[str]:
        """What was spent, and what is left of a budget."""
        usage, cost = self._spent()
        tokens = usage.input_tokens + usage.output_tokens
        lost_tokens, lost_cost = self._unread()
        said = []
        if cost is None:
            said.append("cost unknown")
        elif self._max_cost is not None:
            left = max(0.0, self._max_cost - cost - lost_cost)
            said.append(f"{wording.money(cost)} ({wording.money(left)} of the budget left)")
        elif cost > 0:
            said.append(wording.money(cost))
        if self._max_tokens is not None:
            tokens_left = max(0, self._max_tokens - tokens - lost_tokens)
            said.append(f"{tokens:,} tokens ({tokens_left:,} of the budget left)")
        elif tokens:
            said.append(wording.count(tokens, "token"))
        return said

    def _from_cache(self) -> list[str]:
        """How many replies came from the cache, if any did."""
        if not (self._says_cached and self._cached):
            return []
        if self._cached < self._replies:
            return [f"{self._cached:,} of {self._replies:,} replies from the cache"]
        all_of = f"all {self._replies:,} replies" if self._replies > 1 else "the reply"
        usage, cost = self._spent()
        nothing = cost == 0 and not usage.input_tokens + usage.output_tokens
        return [f"{all_of} from the cache", *["nothing paid"] * nothing]

    @property
    def _finished(self) -> int:
        return sum(self.counts.values())

    def _tally(self) -> str:
        return ", ".join(said for said, _ in self._outcomes())

    def _outcomes(self) -> list[tuple[str, str]]:
        """For example '12 pass', with its style."""
        return [
            (f"{number} {outcome}", _COLOURS[outcome])
            for outcome, number in self.counts.items()
            if number or outcome in (Outcome.PASS, Outcome.FAIL)
        ]

    def _tick(self) -> None:
        """Print a line when it is time, also while no trial ends: silence looks like a program that hangs."""
        with contextlib.suppress(RuntimeError):  # no event loop: then trials alone tell the time
            loop = asyncio.get_running_loop()
            if self._clock() >= self._next_line and self._running:
                self._line()
            self._timer = loop.call_later(max(0.1, self._next_line - self._clock()), self._tick)

    def _line(self) -> None:
        self._next_line = self._clock() + LINE_EVERY_S
        pieces = ", ".join(piece for piece, _ in self._pieces())
        again = "".join(f"; {one_line(words, LONGEST)}" for words in self._retrying())
        self._print(visible(strip_terminal(f"{self._finished}/{self.total} trials: {pieces}{again}")))

    def _print(self, text: str) -> None:
        """A line; in a notebook it takes the place of the one before, which would stay there."""
        if self._file is not sys.stderr or not hasattr(self._file, "pub_thread"):  # as ipykernel's has
            print(text, file=self._file, flush=True)
        elif self._spot is None:
            shown: Any = importlib.import_module("IPython.display")
            self._spot = shown.display({"text/plain": text}, raw=True, display_id=True)
        else:
            self._spot.update({"text/plain": text}, raw=True)
