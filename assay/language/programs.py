"""From a model's code and a test case to one source file and the commands that build and run it.

What joining the two must know of a language, and a row of assay/language/languages.py cannot say.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace

from assay.language.c_source import c_build
from assay.language.go_source import as_main, join_go
from assay.language.java_source import has_bare_main, java_types, join_java, main_type, package_of
from assay.language.languages import LANGUAGES, language_row
from assay.language.main_function import masked, unused_name, without_program_main

MODULE_SYNTAX = re.compile(r"^(?:import\s+[\w{*\"']|export\s+[\w{*])", re.MULTILINE)
REQUIRE_FOR_MODULES = (
    'import { createRequire as _createRequire } from "node:module";\n'
    "const require = _createRequire(import.meta.url);\n"
)

EXPORTS_SET = re.compile(r"\b(?:module\.)?exports(?:\.\w{1,99})?\s{0,9}=(?!=)")
# What a program only exports (`exports.f = ...`) has no name for a test case in the same file.
EXPORTS_IN_SCOPE = (
    "for (const [name, value] of Object.entries(module.exports)) globalThis[name] ??= value;\n"
    'if (typeof module.exports === "function") globalThis[{name}] ??= module.exports;\n'
)
# The name of a function that is only exported, which esbuild changes where a test case says it.
EXPORTED_NAME = re.compile(
    r"\bmodule\.exports\s{0,9}=\s{0,9}(?:async\s{1,9})?(?:function\b\s{0,9}\*?|class\b)\s{0,9}([A-Za-z_$][\w$]{0,99})"
)


@dataclass(frozen=True)
class Program:
    """`build` and `run` are shell commands in the work directory; '' if there is nothing to build.
    `case`: the test case in a language where it is a file of its own, beside the program's: `case_file`."""

    filename: str
    source: str
    build: str
    run: str
    case: str = ""

    @property
    def case_file(self) -> str:
        return f"case{self.filename[self.filename.rindex('.') :]}"

    @property
    def files(self) -> dict[str, bytes]:
        """What to write: name -> content."""
        parts = {self.filename: self.source, **({self.case_file: self.case} if self.case else {})}
        return {name: text.encode("utf-8", errors="replace") for name, text in parts.items()}


def plain(code: str) -> str:
    """Code without a byte order mark and with \\n at its lines' ends: there it would stand below other text,
    where no compiler knows it for what it is."""
    return code.removeprefix("\ufeff").replace("\r\n", "\n")


def assemble(language: str, code: str, test_case: str) -> Program:
    """The file to write for `code` followed by `test_case`, and how to run it."""
    row = language_row(language)
    code = plain(code)
    if language == "java":
        return _java(code, test_case)
    if language == "go":
        return _go(code, test_case)
    source = code
    if test_case:
        code = without_program_main(code, test_case, row.family)
        between = _between(code, test_case) if row.family == "javascript" else "\n\n"
        source = f"{code}{between}{test_case}"
    if not source.endswith("\n"):
        source += "\n"
    if language == "javascript" and _is_module(source):
        if "require(" in source and "createRequire" not in source:
            source = REQUIRE_FOR_MODULES + source
        return Program("main.mjs", source, "", row.run.replace(row.filename, "main.mjs"))
    build = c_build(row.build, source) if language == "c" else row.build
    return Program(row.filename, source, build, row.run)


def _between(code: str, test_case: str) -> str:
    """What stands between JavaScript and its test case: at least a semicolon, for a program may do without
    its last, and a test case that opens with a bracket would be taken for its arguments."""
    text = masked(code, "javascript")
    if not EXPORTS_SET.search(text) or _is_module(f"{code}\n{test_case}"):
        return "\n;\n\n"
    named = EXPORTED_NAME.search(text)
    name = f'"{named[1]}"' if named else "module.exports.name"
    return f"\n;\n{EXPORTS_IN_SCOPE.replace('{name}', name)}\n"


def _is_module(source: str) -> bool:
    """Whether JavaScript has an import or export statement: outside comments, strings and templates."""
    code = masked(source, "javascript")
    return any(code[found.start()] != " " for found in MODULE_SYNTAX.finditer(source))


def _go(code: str, test_case: str) -> Program:
    row = LANGUAGES["go"]
    if not test_case:
        return Program(row.filename, as_main(code), row.build, row.run)
    program, case = join_go(code, test_case)
    joined = Program(row.filename, program, row.build, row.run, case)
    return replace(joined, build=f"{row.build} {joined.case_file}")


def _java(code: str, test_case: str) -> Program:
    row = LANGUAGES["java"]
    source = join_java(code, test_case) if test_case else code
    types = java_types(source)
    start = main_type(types)
    package = package_of(source)
    if test_case and any(each.name == "Main" for each in types) and has_bare_main(source):
        # the class that java makes of such a file is called as the file is
        name = unused_name(source, "Program")
        return Program(f"{name}.java", source, "", f"java {name}.java")
    if test_case or start is None or (start is types[0] and not package):
        return Program(row.filename, source, row.build, row.run)
    # `java Main.java` starts the first type of the file, and wants one of a package in the package's folder
    public = next((each.name for each in types if each.public), "Main")
    name = f"{package}.{start.name}" if package else start.name
    build = f"javac -d classes {shlex.quote(public)}.java"
    return Program(f"{public}.java", source, build, f"java -cp classes {shlex.quote(name)}")
