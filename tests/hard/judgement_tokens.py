"""A game of one token whose places can be visited once: which first moves win?"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache, partial
from string import ascii_uppercase

from evaluator import *

from .answers import judge_all

DESCRIPTION = (
    "Can the model tell all first moves that win in eight small games that no rule of thumb decides?"
)
TAGS = ["hard", "reasoning", "planning"]

PROMPT = """A game for two is played with one token on places that are named by letters. The players move in turn. A move takes the token from its place along an arrow to
another place on which it has never been before; the place where it starts, A, counts as one where it has been. Whoever is to move and cannot has lost.

These are {count} games. Behind each place stand all places to which an arrow leads from it.

{games}

In each game the first player is to move and the token is on A. To which places may the first player move so that he can then win whatever the other one does?
That may be several places, all or none. Work it out without running any code. End your reply with {count} lines, one for each game, with its name and all of these
places, such as "G1: C F", or "G1: none". It passes if in each game exactly the right places are named."""

Game = tuple[tuple[int, ...], ...]  # for each place, where arrows lead


@dataclass
class Played:
    """What is known of a game: whether the player who is to move wins."""

    game: Game
    most: int
    known: dict[tuple[int, int], bool]

    def wins(self, at: int, been: int) -> bool:
        """Whether whoever is to move wins; moves that leave the other one few answers are tried first."""
        key = at, been
        if key not in self.known:
            if len(self.known) > self.most:
                raise OverflowError
            moves = [to for to in self.game[at] if not been >> to & 1]
            moves.sort(key=lambda to: sum(not been >> each & 1 for each in self.game[to]))
            self.known[key] = any(not self.wins(to, been | 1 << to) for to in moves)
        return self.known[key]


@dataclass(frozen=True)
class Games:
    """Random games of one size. All first moves are decided by `least` to `most` positions, if the best moves are tried early."""

    name: str
    count: int
    places: int
    arrows: int
    first: int  # moves from A
    least: int
    most: int

    def _drawn(self, chance: random.Random) -> Game:
        """No arrow has one that leads back, and about as many arrows lead from and to all places."""
        to: list[set[int]] = [set() for _ in range(self.places)]
        coming = [1] + [0] * (self.places - 1)
        for _ in range(self.arrows):
            at = min(
                range(self.places),
                key=lambda each: (len(to[each]) - (self.first - 3) * (not each), chance.random()),
            )
            goal = min(
                (each for each in range(1, self.places) if each not in to[at] | {at} and at not in to[each]),
                key=lambda each: coming[each] + 2 * chance.random(),
            )
            to[at].add(goal)
            coming[goal] += 1
        return tuple(tuple(sorted(each)) for each in to)

    @cache  # noqa: B019 - there are one or two of them
    def games(self, seed: int) -> dict[str, tuple[Game, tuple[int, ...]]]:
        """Name -> a game, and the first moves that win."""
        chance = random.Random(f"{self.name} {seed}")
        found: list[tuple[Game, tuple[int, ...]]] = []
        while len(found) < self.count:
            game = self._drawn(chance)
            played = Played(game, self.most, {})
            try:
                good = tuple(to for to in game[0] if not played.wins(to, 1 | 1 << to))
            except OverflowError:
                continue
            if len(played.known) >= self.least and len(game[0]) == self.first and len(good) <= 2:
                found.append((game, good))
        return {f"G{n}": each for n, each in enumerate(found, 1)}

    def wanted(self, seed: int) -> dict[str, str]:
        """The moves that win, by game."""
        return {
            name: " ".join(ascii_uppercase[to] for to in good) or "none"
            for name, (_, good) in self.games(seed).items()
        }

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        shown = []
        for name, (game, _) in self.games(seed).items():
            lines = (
                f"    {ascii_uppercase[at]}: {' '.join(ascii_uppercase[to] for to in its)}"
                for at, its in enumerate(game)
            )
            shown.append(f"{name}:\n" + "\n".join(lines))
        question = PROMPT.format(count=self.count, games="\n\n".join(shown))
        return question >> LLMRun() >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_places))


def same_places(said: str, wanted: str) -> bool:
    """Whether the same places are named, in whatever order."""

    def places(text: str) -> set[str]:
        return set(re.findall(r"[a-z]+", text.lower())) - {"and"}

    return places(said) == places(wanted)


TASK = Games("tokens", count=8, places=18, arrows=48, first=4, least=250, most=700)
build = TASK.build
