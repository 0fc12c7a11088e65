"""How to run each programming language. Adding one is adding a row (and a line in the Dockerfile)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Language:
    """`build` and `run` are shell commands in the work directory; '' means there is nothing to build.

    `needs`: commands that the sandbox must have. `aliases`: other names in a fence's info string.
    """

    filename: str
    run: str
    build: str = ""
    needs: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        "python": Language("main.py", "python3 main.py", needs=("python3",), aliases=("py", "python3")),
        "bash": Language("main.sh", "bash main.sh", needs=("bash",), aliases=("sh", "shell", "zsh")),
        "c": Language("main.c", "./main", "gcc -O2 -o main main.c -lm", needs=("gcc",)),
        "cpp": Language(
            "main.cpp", "./main", "g++ -O2 -std=c++20 -o main main.cpp -pthread", needs=("g++",),
            aliases=("c++", "cc", "cxx"),
        ),
        "rust": Language(
            "main.rs", "./main", "rustc -O --edition 2021 -o main main.rs", needs=("rustc",), aliases=("rs",)
        ),
        "java": Language("Main.java", "java Main.java", needs=("javac", "java")),
        "clojure": Language("main.clj", "clojure main.clj", needs=("clojure",), aliases=("clj",)),
        "javascript": Language("main.js", "node main.js", needs=("node",), aliases=("js", "node")),
        "sql": Language("main.sql", "sqlite3 database.db < main.sql", needs=("sqlite3",)),
    }
)  # fmt: skip


def language_of(label: str) -> str | None:
    """The language that a fence's info string names, by name or alias.

    >>> language_of("py"), language_of("C++"), language_of("cobol")
    ('python', 'cpp', None)
    """
    word = label.strip().lower()
    for name, language in LANGUAGES.items():
        if word == name or word in language.aliases:
            return name
    return None
