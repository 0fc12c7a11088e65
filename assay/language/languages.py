"""The programming languages: how each is run, shown, named and tried. To add one, add a row here (and its
package in the Dockerfile), or an entry point of `assay.languages` in a package of your own."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from assay.errors import ConfigError, NodeError
from assay.extensions import Extension, extensions, misplaced, usable

GROUP = "assay.languages"  # entry points of installed packages, each a Language; ours win a clash
TIME_LIMIT_S = 20.0  # of a program, unless its step says otherwise
LINE_HEAD = 300  # characters of a line by which it is told whose words it is


@dataclass(frozen=True)
class Language:
    """`build` and `run` are shell commands in the work directory; '' means there is nothing to build.

    `needs`: commands that the sandbox must have: those that `build` and `run` call. `go>=1.23` is one that
    must not be older: right programs would fail that use what the language has had for a while.
    `hello`: a program that prints hello and nothing else; `assay doctor` runs it.
    `aliases`: other names in a fence's info string.
    `version`: a shell command that prints the version; '' for the first of `needs` with --version.
    `lexer`: Pygments' name for it, for the report; '' where that is the language's own.
    `family`: whose rules find a `main` (c, cpp, rust, go, python, javascript), so that the program's gives
    way to the test case's when both have one; '' in a language where two do not conflict.
    `report`, `remark`: patterns for the lines of stderr at which the language's own tools begin to speak:
    what they say may quote the program, and is not judged. A report goes on to the end, and only a program
    that ended badly has one; a remark may come at any time and goes on as long as its lines are indented.
    Without both, nothing on the stderr of a program that ended badly is judged.
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
    report: str = ""
    remark: str = ""

    @property
    def faults(self) -> list[str]:
        """Why it cannot be used. Raising at once would lose the others of its module, too."""
        found = []
        for each in fields(self):
            given = getattr(self, each.name)
            if each.name not in ("needs", "aliases"):
                if not isinstance(given, str):
                    found.append(f"{each.name} must be a text, not {given!r:.60}")
            elif isinstance(given, str):
                found.append(f"{each.name} must be several words, such as ({given!r},), not a text")
            elif not isinstance(given, (tuple, list)) or not all(isinstance(word, str) for word in given):
                found.append(f"{each.name} must be several words, not {given!r:.60}")
        if not self.needs:
            found.append("needs must name the commands that `run` and `build` call")
        for name in ("report", "remark"):
            try:
                re.compile(str(getattr(self, name)))
            except re.error as error:
                found.append(f"{name} is not a pattern: {error}")
        return found

    @property
    def version_command(self) -> str:
        return self.version or f"{self.needs[0].partition('>=')[0]} --version"

    @property
    def whole(self) -> str:
        """Build and run, as one shell command."""
        return f"{self.build} && {self.run}" if self.build else self.run


_PYTHON_REMARK = (
    r"(?:Exception in thread |Exception ignored |\s*Traceback \(most recent call last\):|  \+ Exception Group"
    r"|\S+:\d+: \w*Warning: )"
)
_PYTHON_PLACE = r'  File ".*", line \d+'
_ASSERTION = r"\S+: \S+:\d+: .*Assertion .* failed"
_NODE = r"(?:file://)?\S+:\d+$|node:internal|\(node:\d+\) "
_SHELL_REMARK = r"(?:bash|sh|\S*main\.sh): (?:-c: )?line \d+: "

# As `python3 main.py`, but the work directory comes last where modules are looked for: a json.py that lies
# there stands in for nothing. Tracebacks do not show the frames of this.
_START_PYTHON = """\
def start(sys, path):
    def show(kind, error, trace):
        while trace is not None and trace.tb_frame.f_code.co_filename == "<string>":
            trace = trace.tb_next
        sys.__excepthook__(kind, error.with_traceback(trace), trace)

    names = globals()
    del names["start"]
    names["__file__"], sys.argv[0], sys.excepthook = path, "main.py", show
    sys.path.append(path.rpartition("/")[0])
    with open(path, "rb") as file:
        source = file.read()
    exec(compile(source, path, "exec"), names)


start(__import__("sys"), __import__("os").getcwd() + "/main.py")
"""

# Programs are written for either edition: the older forgives more (static mut), the newer knows more (let
# chains). What is in neither gets the newer one's messages.
_RUST = " || ".join(
    f"rustc -O --edition {edition} -o main main.rs{quiet}"
    for edition, quiet in (("2021", " 2>/dev/null"), ("2024", ""))
)

# TypeScript to JavaScript: its types are dropped, not checked. A program that is not CommonJS (await at its
# top, import.meta) becomes a module, in which `require` works all the same.
_ESBUILD = "esbuild main.ts --bundle --platform=node --target=node20 --sourcemap=inline"
_REQUIRE = (
    'import{createRequire as assayRequire}from"node:module";globalThis.require=assayRequire(import.meta.url);'
)
_TYPESCRIPT = (
    f"rm -f main.ts.[cm]js; {_ESBUILD} --format=cjs --outfile=main.ts.cjs --log-level=silent "
    f"--log-override:empty-import-meta=error || {_ESBUILD} --format=esm --outfile=main.ts.mjs "
    f"--log-level=warning --banner:js='{_REQUIRE}'"
)

LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        "python": Language(
            "main.py", f"python3 -I -c {shlex.quote(_START_PYTHON)}", needs=("python3>=3.11",),
            hello="print('hello')", aliases=("py", "python3"), family="python", remark=_PYTHON_REMARK,
            report=rf"{_PYTHON_REMARK}|{_PYTHON_PLACE}|Fatal Python error|\S*python3: can't open file",
        ),
        "bash": Language(
            "main.sh", "bash main.sh", needs=("bash",), hello="echo hello", aliases=("sh", "shell", "zsh"),
            remark=rf"{_SHELL_REMARK}|{_PYTHON_REMARK}|{_PYTHON_PLACE}",
        ),
        "c": Language(
            "main.c", "./main", "gcc -O2 -o main main.c -lm", needs=("gcc",), family="c",
            report=_ASSERTION,
            hello='#include <stdio.h>\n#include <math.h>\nint main(int c, char **v)'
            '{ puts(sqrt(4 * c) == 2 ? "hello" : ""); }',
        ),
        "cpp": Language(
            "main.cpp", "./main", "g++ -O2 -std=c++23 -o main main.cpp -pthread", needs=("g++>=14",),
            hello='#include <bits/stdc++.h>\nint main() { std::vector<int> v{1}; std::cout << "hello\\n"; }',
            aliases=("c++", "cc", "cxx"), family="cpp", report=rf"{_ASSERTION}|terminate called",
        ),
        "rust": Language(
            "main.rs", "./main", _RUST, needs=("rustc>=1.88",),
            hello='fn main() { println!("hello"); }', aliases=("rs",), family="rust",
            report=r"thread '.*' (?:\(\d+\) )?(?:panicked at|has overflowed its stack)",
        ),
        "java": Language(
            "Main.java", "java Main.java", needs=("java>=25", "javac"), version="java -version",
            report=r"\S*\.java:\d+: |Exception in thread |(?i:error): |Note: |warning: ",
            hello="public class Main { public static void main(String[] a)"
            ' { System.out.println("hello"); } }',
        ),
        "clojure": Language(
            "main.clj", "clojure main.clj", needs=("clojure",), aliases=("clj",),
            version="clojure -e '(println (clojure-version))'",
            report=r"Syntax error |Execution error|Unexpected error|Error |Exception in thread ",
            hello='(require (quote [clojure.string :as s])) (println (s/lower-case "HELLO"))',
        ),
        "javascript": Language(
            "main.js", "node main.js", needs=("node>=20",), hello="console.log('hello')",
            aliases=("js", "node"), report=_NODE, family="javascript",
        ),
        "typescript": Language(
            "main.ts", "node --enable-source-maps main.ts.[cm]js", _TYPESCRIPT,
            needs=("esbuild", "node>=20", "rm"),
            hello="const said: string = 'hello'\nconsole.log(said satisfies string)",
            aliases=("ts", "mts", "cts"), report=_NODE, family="javascript",
        ),
        "go": Language(
            "main.go", "./main", "go build -o main main.go", needs=("go>=1.23",), version="go version",
            hello='package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("hello") }', aliases=("golang",),
            family="go", report=r"panic: |fatal error: |runtime: |unexpected fault address|\[signal ",
        ),
        "sql": Language(
            "main.sql", "sqlite3 database.db < main.sql", needs=("sqlite3>=3.39",), hello="select 'hello';",
            report=r".",  # whatever stands on stderr is sqlite3's
        ),
    }
)  # fmt: skip


def find_language(name: str) -> Language | None:
    """The row of a language: ours, else an installed package's; None if there is none. Raises ConfigError
    for a package's that cannot be used."""
    if name in LANGUAGES or not name:
        return LANGUAGES.get(name)
    found = extensions(GROUP).get(name)
    return _loaded(found) if found else None


def _loaded(found: Extension) -> Language:
    row: Language = found.load(Language)
    if row.faults:
        raise found.broken("; ".join(row.faults))
    return row


def language_row(name: str) -> Language:
    """As `find_language`, but raises NodeError if there is none, or one that cannot be used: the test's node
    asks for it."""
    try:
        row = find_language(name)
    except ConfigError as error:
        raise NodeError(str(error)) from error
    if row is None:
        there = ", ".join((*LANGUAGES, *(each for each in usable(GROUP) if each not in LANGUAGES)))
        raise NodeError(f"no language is named {name!r}; there are: {there}{misplaced(GROUP, name)}")
    return row


def all_languages() -> dict[str, Language]:
    """Ours and those of installed packages that can be used, by name."""
    found = dict(LANGUAGES)
    for name, each in sorted(extensions(GROUP).items()):
        with contextlib.suppress(ConfigError):
            found.setdefault(name, _loaded(each))
    return found


def language_of(label: str) -> str | None:
    """The language of ours that a fence's info string names, by name or alias.

    >>> language_of("py"), language_of("C++"), language_of("cobol")
    ('python', 'cpp', None)
    """
    word = label.strip().lower()
    return next((name for name, row in LANGUAGES.items() if word in (name, *row.aliases)), None)


def same_language(label: str, asked: str) -> bool:
    """Whether a fence's label names the asked language, by name or alias."""
    word, known = label.strip().lower(), language_of(asked) or asked.strip().lower()
    row = find_language(known)
    return word == known or (row is not None and word in row.aliases)
