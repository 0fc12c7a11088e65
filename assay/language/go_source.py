"""Go requires imports first, and each name imported once per file, so a program and a test case are two files
of one package."""

from __future__ import annotations

import re

from assay.language.main_function import depths, masked, rename_identifier, unused_name, without_program_main

PACKAGE = re.compile(r"^[ \t]*package[ \t]+(?P<name>\w+)[ \t]*;?", re.MULTILINE)

# https://go.dev/ref/spec#Predeclared_identifiers
PREDECLARED = frozenset(
    re.findall(
        r"\w+",
        """
        any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64
        rune string uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex
        copy delete imag len make max min new panic print println real recover
        """,
    )
)
NAMES = r"(?P<names>\w++(?:[ \t]*+,[ \t]*+\w++)*+)"
DECLARED = re.compile(rf"^(?:func|type|var|const)[ \t]++{NAMES}", re.MULTILINE)
GROUP = re.compile(r"^(?:var|const)[ \t]*+\((?P<lines>[^()]*+)", re.MULTILINE)
IN_GROUP = re.compile(rf"^[ \t]*+{NAMES}", re.MULTILINE)


def split_package(source: str) -> tuple[str, str, str]:
    """What stands before the package clause, the package's name, and what follows; '', '', and the whole
    source if it has none."""
    found = PACKAGE.search(masked(source, "go"))
    if found is None:
        return "", "", source
    return source[: found.start()], found["name"], source[found.end() :]


def as_main(source: str) -> str:
    """`source` as a file of package main, whatever its package clause says.

    >>> as_main("package stack\\n\\nfunc f() {}")
    'package main\\n\\nfunc f() {}'
    """
    before, name, after = split_package(source)
    return f"{before}package main{after}" if name else f"package main\n\n{source}"


def without_own_builtins(program: str, test_case: str) -> str:
    """`program` with other names for what it calls as the language's own (`func min(a, b int64)`, as before
    Go 1.21): its package is also the test case's, which means the language's."""
    text = masked(program, "go")
    level = depths(text)
    lists = list(DECLARED.finditer(text))
    for group in GROUP.finditer(text):
        lists += IN_GROUP.finditer(text, group.start("lines"), group.end("lines"))
    own = {name for each in lists if level[each.start()] == 0 for name in re.findall(r"\w+", each["names"])}
    for name in sorted(own & PREDECLARED):
        program = rename_identifier(program, "go", name, unused_name(program + test_case, f"own_{name}"))
    return program


def join_go(code: str, test_case: str) -> tuple[str, str]:
    """Both files. If both have a main, the test case's replaces the program's."""
    before, name, after = split_package(without_own_builtins(code, test_case))
    head = f"{before}package main" if name else "package main\n\n"
    return head + without_program_main(after, test_case, "go"), as_main(test_case)
