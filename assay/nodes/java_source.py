"""Java wants one file a public class and starts the class it is told; find out which."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.nodes.main_function import depths, masked, rename_identifier, unused_name

TYPE = re.compile(r"(?<![\w.@])(?:class|interface|enum|record)\s+(?P<name>[A-Za-z_$][\w$]*)")
MAIN = re.compile(r"\bstatic\b[^;{}()]*\bvoid\s+main\s*\(")
HEADER = re.compile(r"^[ \t]*(?:import\s+(?:static\s+)?[\w.*\s]+?;|package\s+[\w.\s]+?;)", re.MULTILINE)


@dataclass(frozen=True)
class JavaType:
    """A top-level class, interface, enum or record."""

    name: str
    public: bool
    has_main: bool


def java_types(source: str) -> list[JavaType]:
    """The top-level types of a source, in order."""
    text = masked(source, "java")
    level = depths(text)
    tops = [found for found in TYPE.finditer(text) if level[found.start()] == 0]
    types = []
    for number, found in enumerate(tops):
        end = tops[number + 1].start() if number + 1 < len(tops) else len(text)
        before = text[: found.start()]
        modifiers = before[max(before.rfind(";"), before.rfind("}"), before.rfind("{")) + 1 :]
        has_main = MAIN.search(text, found.end(), end) is not None
        types.append(JavaType(found["name"], re.search(r"\bpublic\b", modifiers) is not None, has_main))
    return types


def main_type(types: list[JavaType]) -> JavaType | None:
    """The type to start: of those with a main the public one, else Main, else the first."""
    candidates = [each for each in types if each.has_main]
    ranked = sorted(candidates, key=lambda each: (not each.public, each.name != "Main"))
    return ranked[0] if ranked else None


def package_of(source: str) -> str:
    found = re.search(r"^\s*package\s+([\w.]+)\s*;", masked(source, "java"), re.MULTILINE)
    return found[1] if found else ""


def _split_header(source: str) -> tuple[list[str], str]:
    """A source's imports, and the rest with imports and package blanked out."""
    text = masked(source, "java")
    first = TYPE.search(text)
    imports: list[str] = []
    rest = source
    for found in HEADER.finditer(text, 0, first.start() if first else len(text)):
        line = source[found.start() : found.end()]
        if line.split()[0] == "import":
            imports.append(" ".join(line.split()))
        rest = rest[: found.start()] + " " * (found.end() - found.start()) + rest[found.end() :]
    return imports, rest


def join_java(program: str, test_case: str) -> str:
    """One file in which the test's class comes first, for `java Main.java` starts the first.

    `test_case` is one or more types, the first with a main, or bare statements, which are put
    into one. Imports of both move to the top, package lines go. A type that both define is
    renamed in the program, to Program and its name.
    """
    for name in {each.name for each in java_types(test_case)} & {each.name for each in java_types(program)}:
        program = rename_identifier(program, "java", name, unused_name(program + test_case, f"Program{name}"))
    program_imports, program_rest = _split_header(program)
    test_imports, test_rest = _split_header(test_case)
    if not java_types(test_case):
        name = unused_name(program, "TestMain")
        test_rest = (
            f"class {name} {{\n    public static void main(String[] args) throws Exception {{\n"
            f"{test_rest}\n    }}\n}}"
        )
    imports = "\n".join(dict.fromkeys((*test_imports, *program_imports)))
    return f"{imports}\n\n{test_rest.strip()}\n\n{program_rest.strip()}\n"
