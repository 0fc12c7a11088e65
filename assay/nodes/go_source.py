"""Go wants imports before all else and each name imported once a file, so a program and a test case are two
files of one package."""

from __future__ import annotations

import re

from assay.nodes.main_function import masked, without_program_main

PACKAGE = re.compile(r"^[ \t]*package[ \t]+(?P<name>\w+)[ \t]*;?", re.MULTILINE)


def split_package(source: str) -> tuple[str, str, str]:
    """What stands before the package clause, the package's name, and what follows; '', '', and the whole
    source if it has none."""
    found = PACKAGE.search(masked(source, "go"))
    if found is None:
        return "", "", source
    return source[: found.start()], found["name"], source[found.end() :]


def as_main(source: str) -> str:
    """`source` as a file of package main, whatever package it is of, or none.

    >>> as_main("package stack\\n\\nfunc f() {}")
    'package main\\n\\nfunc f() {}'
    """
    before, name, after = split_package(source)
    return f"{before}package main{after}" if name else f"package main\n\n{source}"


def join_go(code: str, test_case: str) -> tuple[str, str]:
    """Both files. The program's main gives way to the test case's, if both have one."""
    before, name, after = split_package(code)
    head = f"{before}package main" if name else "package main\n\n"
    return head + without_program_main(after, test_case, "go"), as_main(test_case)
