"""A board of tiles with tracks that cross: the tracks without a crossing that run over the most tiles together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import answers
from .look_tracks import Tracks
from .routes import Railway, about, railway

DESCRIPTION = "Can the model choose the best tracks of a board of which no two cross?"
TAGS = ["hard", "vision", "tracing"]

BOARD = Tracks(columns=14, rows=13, side=68, asked=0)
OTHERS = 4_000_000  # added to seeds: no board is one of look_tracks
QUESTION = """

A track's value is the number of different tiles that it runs over; the board has {ends} named ends. Choose tracks that come out of the board of which no two cross each other, on any tile, such that the sum of their
values is as large as possible; that a track crosses itself does no harm. Any choice with the largest sum is right.

End your reply with one line that names one end of each track chosen, such as

TRACKS: T3 B14 L7 R2"""


@dataclass(frozen=True)
class Choice:
    """Tracks chosen from a board."""

    board: Tracks

    def railway(self, seed: int) -> Railway:
        """The tracks of a seed."""
        return railway(self.board, OTHERS + seed)

    def picture(self, seed: int) -> bytes:
        """The board."""
        return self.board.picture(OTHERS + seed)

    def best(self, seed: int) -> tuple[int, frozenset[int]]:
        """The largest sum, and tracks that have it."""
        return chosen(self.railway(seed))

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = about(self.board) + QUESTION.format(ends=2 * len(self.railway(seed).routes))
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(self.judge, seed))
        )

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """Passed with the largest sum; the score is the sum as a share of it."""
        its, best = self.railway(seed), self.best(seed)[0]
        said = re.findall(r"\b[TBLR]\d{1,2}\b", answers(reply, {"TRACKS": ""}).get("TRACKS", "").upper())
        tracks = {n for n, route in enumerate(its.routes) if {*said} & {*route.names}}
        names = {name for route in its.routes for name in route.names}
        crossed = [(one, other) for one in tracks for other in tracks if one < other and its.met(one, other)]
        if not said or not names.issuperset(said) or crossed:
            told = ", ".join(f"{its.routes[a].begin} and {its.routes[b].begin}" for a, b in crossed)
            return Score(0, False), f"no such choice: {' '.join(said)[:80]!r}; these cross: {told}"
        total = sum(len({*its.routes[n].tiles}) for n in tracks)
        return Score(total / best, total == best), f"a sum of {total}; the largest is {best}"


@cache
def chosen(its: Railway) -> tuple[int, frozenset[int]]:
    """The largest sum, and the tracks: those worth as much as all they cross are taken, of others the most crossed one
    once and once not."""
    values = [len({*route.tiles}) for route in its.routes]
    near = [{m for m in range(len(values)) if m != n and its.met(n, m)} for n in range(len(values))]

    def best(left: set[int]) -> tuple[int, frozenset[int]]:
        for n in left:
            if values[n] >= sum(values[m] for m in near[n] & left):
                total, tracks = best(left - {n} - near[n])
                return total + values[n], tracks | {n}
        if not left:
            return 0, frozenset()
        most = max(left, key=lambda n: len(near[n] & left))
        without, (total, tracks) = best(left - {most}), best(left - {most} - near[most])
        return max(without, (total + values[most], tracks | {most}), key=lambda each: each[0])

    return best({*range(len(values))})


TASK = Choice(BOARD)
build = TASK.build
