"""The languages that can be asked for: one row each. The prompt of each is prompts/<name>.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Row:
    """`title`: for people. `suffix`: of a program's file. `published`: whether the series is a published one."""

    title: str
    suffix: str
    published: bool = False


LANGUAGES: Mapping[str, Row] = MappingProxyType(
    {
        "python": Row("Python", "py", published=True),
        "java": Row("Java", "java", published=True),
        "rust": Row("Rust", "rs", published=True),
        "clojure": Row("Clojure", "clj", published=True),
        "c": Row("C", "c"),
        "cpp": Row("C++", "cpp"),
        "javascript": Row("JavaScript", "js"),
    }
)
PUBLISHED = tuple(name for name, row in LANGUAGES.items() if row.published)


def title_of(language: str) -> str:
    """A language's name for people; a record may name one that is not in the table any more."""
    row = LANGUAGES.get(language)
    return row.title if row is not None else language
