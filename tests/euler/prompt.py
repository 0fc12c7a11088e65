"""What a model is asked: the template of the language, with the statement in its place."""

from __future__ import annotations

from functools import cache

from .facts import FOLDER


@cache
def template(language: str) -> str:
    """prompts/<language>.md, where <STATEMENT> stands for the problem and <SECONDS> for the time it has."""
    return (FOLDER / "prompts" / f"{language}.md").read_text(encoding="utf-8")


def prompt_for(language: str, statement: str, time_limit_s: float) -> str:
    """The whole question for one problem in one language."""
    text = template(language).replace("<SECONDS>", f"{time_limit_s:g}")
    return text.replace("<STATEMENT>", statement).rstrip() + "\n"
