"""The programming languages: how each is run, shown, named and tried. Adding one is adding a row here (and
its package in the Dockerfile)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Language:
    """`build` and `run` are shell commands in the work directory; '' means there is nothing to build.

    `needs`: commands that the sandbox must have: those that `build` and `run` call.
    `hello`: a program that prints hello and nothing else; `main.py --doctor` runs it.
    `aliases`: other names in a fence's info string.
    `version`: a shell command that prints the version; '' for the first of `needs` with --version.
    `lexer`: Pygments' name for it, for the report; '' where that is the language's own.
    `family`: whose rules find a `main` (c, cpp, rust, python), so that the program's gives way to the test
    case's when both have one; '' in a language where a second one is no conflict.
    """

    filename: str
    run: str
    build: str = ""
    needs: tuple[str, ...] = ()
    hello: str = ""
    aliases: tuple[str, ...] = ()
    version: str = ""
    lexer: str = ""
    family: str = ""

    @property
    def version_command(self) -> str:
        return self.version or f"{self.needs[0]} --version"

    @property
    def whole(self) -> str:
        """Build and run, as one shell command."""
        return f"{self.build} && {self.run}" if self.build else self.run


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        "python": Language(
            "main.py", "python3 main.py", needs=("python3",), hello="print('hello')",
            aliases=("py", "python3"), family="python",
        ),
        "bash": Language(
            "main.sh", "bash main.sh", needs=("bash",), hello="echo hello", aliases=("sh", "shell", "zsh"),
        ),
        "c": Language(
            "main.c", "./main", "gcc -O2 -o main main.c -lm", needs=("gcc",), family="c",
            hello='#include <stdio.h>\n#include <math.h>\nint main(int c, char **v)'
            '{ puts(sqrt(4 * c) == 2 ? "hello" : ""); }',
        ),
        "cpp": Language(
            "main.cpp", "./main", "g++ -O2 -std=c++20 -o main main.cpp -pthread", needs=("g++",),
            hello='#include <bits/stdc++.h>\nint main() { std::vector<int> v{1}; std::cout << "hello\\n"; }',
            aliases=("c++", "cc", "cxx"), family="cpp",
        ),
        "rust": Language(
            "main.rs", "./main", "rustc -O --edition 2021 -o main main.rs", needs=("rustc",),
            hello='fn main() { println!("hello"); }', aliases=("rs",), family="rust",
        ),
        "java": Language(
            "Main.java", "java Main.java", needs=("java", "javac"), version="java -version",
            hello="public class Main { public static void main(String[] a)"
            ' { System.out.println("hello"); } }',
        ),
        "clojure": Language(
            "main.clj", "clojure main.clj", needs=("clojure",), aliases=("clj",),
            version="clojure -e '(println (clojure-version))'",
            hello='(require (quote [clojure.string :as s])) (println (s/lower-case "HELLO"))',
        ),
        "javascript": Language(
            "main.js", "node main.js", needs=("node",), hello="console.log('hello')", aliases=("js", "node"),
        ),
        "sql": Language(
            "main.sql", "sqlite3 database.db < main.sql", needs=("sqlite3",), hello="select 'hello';",
        ),
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
