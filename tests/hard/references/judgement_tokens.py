"""Right and wrong replies to judgement_tokens. Who wins is found here once more, whatever the order of moves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from string import ascii_uppercase

from ..judgement_tokens import TASK, Game


@cache
def _good(game: Game) -> str:
    """The first moves that win."""

    @cache
    def wins(at: int, left: frozenset[int]) -> bool:
        return not all(wins(to, left - {to}) for to in reversed(game[at]) if to in left)

    left = frozenset(range(1, len(game)))
    good = [ascii_uppercase[to] for to in game[0] if not wins(to, left - {to})]
    return " ".join(good) or "none"


def _hasty(game: Game) -> str:
    """The first moves after which the other player has an odd number of answers: a rule of thumb."""
    return " ".join(ascii_uppercase[to] for to in game[0] if len(game[to]) % 2 == 0) or "none"


def _short(game: Game, depth: int = 6) -> str:
    """The first moves that win if one who looks so many moves ahead calls what is beyond a loss of who is to move."""

    def wins(at: int, left: frozenset[int], more: int) -> bool:
        return more > 0 and any(not wins(to, left - {to}, more - 1) for to in game[at] if to in left)

    left = frozenset(range(1, len(game)))
    return " ".join(ascii_uppercase[to] for to in game[0] if not wins(to, left - {to}, depth)) or "none"


def _said(moves: Mapping[str, str], line: str = "{}: {}") -> str:
    return "I looked at all lines of play.\n\n" + "\n".join(
        line.format(name, its) for name, its in moves.items()
    )


def right(seed: int) -> list[str]:
    moves = {name: _good(game) for name, (game, _) in TASK.games(seed).items()}
    commas = {name: ", ".join(reversed(its.split())) for name, its in moves.items()}
    return [_said(moves), _said(commas, "- **{}:** {}")]


def wrong(seed: int) -> list[str]:
    games = {name: game for name, (game, _) in TASK.games(seed).items()}
    moves = {name: _good(game) for name, game in games.items()}
    return [
        _said({name: _hasty(game) for name, game in games.items()}),
        _said({name: _short(game) for name, game in games.items()}),
        _said({name: its.split()[0] for name, its in moves.items()} | {"G2": "A"}),
        _said({**moves, "G1": "none" if moves["G1"] != "none" else ascii_uppercase[games["G1"][0][0]]}),
        _said({name: its for name, its in moves.items() if name != "G5"}),
        _said(dict.fromkeys(moves, "none")),
        "The first player wins them all.",
    ]
