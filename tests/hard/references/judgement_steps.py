"""Right and wrong replies to judgement_steps."""

from __future__ import annotations

from collections.abc import Mapping

from ..judgement_steps import TASK


def _broken(seed: int, least: int = 1) -> dict[str, str]:
    """The steps that break each claim in so many states at least; a hurried reader may miss a few states."""
    rules, claims = TASK.puzzle(seed)
    found = {}
    for name, (_, claim) in claims.items():
        states = [[one for one, other in rule.leads if claim[one] and not claim[other]] for rule in rules]
        found[name] = " ".join("abcdefghij"[n] for n, its in enumerate(states) if len(its) >= least) or "none"
    return found


def _said(broken: Mapping[str, str], line: str = "{}: {}") -> str:
    return "Step by step.\n\n" + "\n".join(line.format(name, its) for name, its in broken.items())


def right(seed: int) -> list[str]:
    broken = _broken(seed)
    commas = {name: ", ".join(reversed(its.split())) for name, its in broken.items()}
    return [_said(broken), _said(commas, "- **{}:** {}.")]


def wrong(seed: int) -> list[str]:
    broken = _broken(seed)
    kept = {name: " ".join(sorted(set("abcdefg") - set(its.split()))) for name, its in broken.items()}
    return [
        _said(_broken(seed, TASK.rare + 1)),
        _said(_broken(seed, 2 * TASK.rare)),
        _said({**broken, "C4": kept["C4"]}),
        _said({name: its for name, its in broken.items() if name != "C9"}),
        _said(kept),
        "None is broken.",
    ]
