"""The oracle's programs, references/<language>/NNN.<suffix>, and the saboteur's, made by sabotage.py."""

from __future__ import annotations

from .facts import FOLDER, problems
from .languages import LANGUAGES
from .sabotage import saboteurs

PROGRAMS = FOLDER / "references"


def fenced(program: str, language: str) -> str:
    """A reply that holds `program`."""
    return f"This program prints the answer.\n\n````{language}\n{program.rstrip()}\n````\n"


def references_of(number: int, language: str, right: bool) -> list[str]:
    """The right reply to a problem, if there is one, or the wrong ones."""
    problem, row = problems().get(number), LANGUAGES.get(language)
    if problem is None or row is None:
        return []
    if not right:
        return [reply for _, reply in saboteurs(problem, language)]
    path = PROGRAMS / language / f"{number:03}.{row.suffix}"
    return [fenced(path.read_text(encoding="utf-8"), language)] if path.is_file() else []
