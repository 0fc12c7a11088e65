"""Right and wrong choices for optimise_cover."""

from __future__ import annotations

from ..optimise_cover import PEOPLE, SIZE, Teams, planted


def _said(numbers: list[int], line: str = "Teams: {}", sign: str = " ") -> str:
    return "With the person who has the fewest teams first.\n\n" + line.format(
        sign.join(f"T{n}" for n in numbers)
    )


def _greedy(teams: Teams) -> list[int]:
    """Each team of which nobody plays yet, from the first on."""
    plays: set[int] = set()
    chosen = []
    for n, team in enumerate(teams, 1):
        if not team & plays:
            plays |= team
            chosen.append(n)
    return chosen


def _nearly(teams: Teams, chosen: list[int]) -> list[int]:
    """Of the planted teams all but those that meet the first other team, and that one."""
    other = next(n for n in range(1, len(teams) + 1) if n not in chosen)
    return [other, *(n for n in chosen if not teams[n - 1] & teams[other - 1])]


def _all_somewhere(teams: Teams) -> list[int]:
    """Everybody in a team, some in several."""
    plays: set[int] = set()
    chosen = []
    while len(plays) < PEOPLE:
        n = max(range(len(teams)), key=lambda n: len(teams[n] - plays))
        plays |= teams[n]
        chosen.append(n + 1)
    return chosen


def right(seed: int) -> list[str]:
    chosen = [n + 1 for n in planted(seed)[1]]
    return [
        _said(chosen),
        _said(chosen[::-1], "**Teams:** {}.", ", ").replace("T", "").replace("eams", "Teams"),
    ]


def wrong(seed: int) -> list[str]:
    teams, chosen = planted(seed)
    numbers = [n + 1 for n in chosen]
    greedy = _greedy(teams)
    return [
        _said(numbers[:-1]),
        _said(_nearly(teams, numbers)),
        _said(greedy if len(greedy) < PEOPLE // SIZE else greedy[:-1]),
        _said(_all_somewhere(teams)) if len(_all_somewhere(teams)) > PEOPLE // SIZE else _said([1, 2]),
        _said([*numbers, len(teams) + 1]),
        _said(numbers).replace("Teams:", "They are"),
        "There is no such choice.",
    ]
