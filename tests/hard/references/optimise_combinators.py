"""Right and wrong replies to optimise_combinators."""

from __future__ import annotations

from ..optimise_combinators import SPARE, Term, planted, shown


def _reply(terms: list[str]) -> str:
    lines = "\n".join(f"{number}: {term}" for number, term in enumerate(terms, 1))
    return f"Each was checked by its rules.\n\n```\n{lines}\n```\n"


def _full(term: Term) -> str:
    return term if isinstance(term, str) else f"({_full(term[0])} {_full(term[1])})"


def right(seed: int) -> list[str]:
    terms = [term for _, _, term in planted(seed)[1]]
    return [_reply([shown(term) for term in terms]), _reply([_full(term) for term in terms])]


def wrong(seed: int) -> list[str]:
    rules, targets = planted(seed)
    terms = [shown(term) for _, _, term in targets]
    return [
        _reply(terms[:-1]),
        _reply([terms[1], terms[0], *terms[2:]]),
        _reply([terms[0], *terms[1:-1], terms[-1].replace("(", "").replace(")", "")]),
        _reply([f"{term}a" for term in terms]),
        _reply([terms[0] + next(iter(rules)) * (SPARE + 1), *terms[1:]]),
        "No such terms exist.",
    ]
