"""Java requires one file per public class and starts the class that it is told; find out which."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.language.main_function import depths, masked, outermost, rename_identifier, unused_name

# No quantifier gives back what it took, and none runs over what another match may begin in: one pass,
# whatever a model wrote.
TYPE = re.compile(r"(?<![\w.@])(?:class|interface|enum|record)\s++(?P<name>[A-Za-z_$][\w$]*+)")
MAIN_PARTS = re.compile(r"(?P<edge>[;{}()])|\b(?P<static>static)\b|\b(?P<main>void\s++main\s*+\()")
BARE_MAIN = re.compile(r"\bvoid\s++main\s*+\(")
HEADER = re.compile(r"^[ \t]*+(?:import\s[\w.*\s]*+|package\s[\w.\s]*+)(?P<end>;)?", re.MULTILINE)
GOES_ON = re.compile(r"\s*+[;,.)\]=]")  # behind a brace that ends no declaration
EDGE = re.compile(r"[{};]")
SPACE = re.compile(r"\s*+")
ANNOTATION = re.compile(r"@[\w.]++(?:\s*+\([^()]*+\))?+")
HEAD = re.compile(r"[^({=;]*+")
MAIN_CALL = re.compile(r"\bvoid\s++main\s*+\((?P<parameters>[^)]*+)\)")
PACKAGE = re.compile(r"^[ \t]*+package\s++([\w.]++)\s*+;", re.MULTILINE)


@dataclass(frozen=True)
class JavaType:
    """A top-level class, interface, enum or record."""

    name: str
    public: bool
    has_main: bool


def java_types(source: str) -> list[JavaType]:
    """The top-level types of a source, in order."""
    text = masked(source, "java")
    tops = outermost(text, TYPE, "java")
    spans = list(zip(tops, [*(each.start() for each in tops[1:]), len(text)], strict=False))
    mains = [_has_main(text, found.end(), end) for found, end in spans]
    if has_bare_main(source):
        mains = [False for _ in spans]  # the file itself is the class to start
    elif not any(mains):  # since Java 25 one without `static` will do
        mains = [_has_main(text, found.end(), end, static=True) for found, end in spans]
    types = []
    before = 0
    for found, main in zip(tops, mains, strict=True):
        start = found.start()
        modifiers = text[max(before, *(text.rfind(edge, before, start) + 1 for edge in ";{}")) : start]
        types.append(JavaType(found["name"], re.search(r"\bpublic\b", modifiers) is not None, main))
        before = found.end()
    return types


def _has_main(text: str, start: int, end: int, static: bool = False) -> bool:
    """Whether masked text has `static ... void main(` with nothing of `;{}()` in between; with `static` that
    word may be missing."""
    enough = static
    for found in MAIN_PARTS.finditer(text, start, end):
        if found["main"] and static:
            return True
        static = enough or found["static"] is not None
    return False


def main_type(types: list[JavaType]) -> JavaType | None:
    """The type to start: among those with a main, the public one, else Main, else the first."""
    candidates = [each for each in types if each.has_main]
    ranked = sorted(candidates, key=lambda each: (not each.public, each.name != "Main"))
    return ranked[0] if ranked else None


def package_of(source: str) -> str:
    found = PACKAGE.search(masked(source, "java"))
    return found[1] if found else ""


def _split_header(source: str) -> tuple[list[str], str]:
    """A source's imports, and the rest with imports and package blanked out."""
    text = masked(source, "java")
    first = TYPE.search(text)
    imports: list[str] = []
    rest: list[str] = []
    at = 0
    for found in HEADER.finditer(text, 0, first.start() if first else len(text)):
        if not found["end"]:
            continue
        words = source[found.start() : found.end()].split()
        if words[0] == "import":
            imports.append(" ".join(words))
        rest += [source[at : found.start()], " " * (found.end() - found.start())]
        at = found.end()
    return imports, "".join((*rest, source[at:]))


def _members(text: str) -> list[tuple[int, int]]:
    """Where each declaration at the top of masked text begins and ends."""
    spans: list[tuple[int, int]] = []
    start, level = 0, 0
    for edge in EDGE.finditer(text):
        level += (edge[0] == "{") - (edge[0] == "}")
        if level <= 0 and (edge[0] == ";" or (edge[0] == "}" and not GOES_ON.match(text, edge.end()))):
            begin = SPACE.match(text, start, edge.start())
            start = edge.end()
            if begin and begin.end() < edge.start():
                spans.append((begin.end(), start))
    return spans


def has_bare_main(source: str) -> bool:
    """Whether a `main` stands outside any class."""
    return bool(outermost(masked(source, "java"), BARE_MAIN, "java"))


def bare_members(source: str) -> list[tuple[int, int]]:
    """The positions of the methods and fields outside any class, in a source without imports."""
    text = masked(source, "java")
    spans = _members(text)
    if not spans:
        return []
    level = depths(text)
    return [
        span for span in spans if not any(level[found.start()] == 0 for found in TYPE.finditer(text, *span))
    ]


def _without_bare_main(source: str) -> str:
    """A program without its `main` outside any class, which java would start."""
    kept: list[str] = []
    at = 0
    text = masked(source, "java")
    for start, end in bare_members(source):
        if BARE_MAIN.search(text[start:end].partition("{")[0]):
            kept.append(source[at:start])
            at = end
    return "".join((*kept, source[at:]))


def _all_static(source: str) -> str:
    """Every declaration at the top made static, so that each can use every other."""
    kept: list[str] = []
    at = 0
    text = masked(source, "java")
    for start, end in _members(text):
        head = HEAD.match(ANNOTATION.sub(" ", text[start:end]))
        if head is None or not re.search(r"\bstatic\b", head[0]):
            kept += [source[at:start], "static "]
            at = start
    return "".join((*kept, source[at:]))


def _starting(test: str) -> str:
    """A main outside any class that calls the test's."""
    types = java_types(test)
    name = (main_type(types) or types[0]).name
    text = masked(test, "java")
    body = next(found.end() for found in TYPE.finditer(text) if found["name"] == name)
    main = MAIN_CALL.search(text, body)
    edge = max(text.rfind(each, 0, main.start()) for each in ";{}") if main else 0
    static = main is None or re.search(r"\bstatic\b", text[edge : main.start()])
    arguments = "args" if main is None or main["parameters"].strip() else ""
    called = name if static else f"new {name}()"
    return f"static void main(String[] args) throws Throwable {{ {called}.main({arguments}); }}"


def join_java(program: str, test_case: str) -> str:
    """One file in which the test's class comes first, for `java Main.java` starts the first.

    `test_case` is one or more types, the first with a main, or bare statements, which are put
    into one. Imports of both move to the top, package lines go. A type that both define is
    renamed in the program, to Program and its name. Where methods of the program stand in no
    class, everything is in the class without a name that java then makes, and static.
    """
    for name in {each.name for each in java_types(test_case)} & {each.name for each in java_types(program)}:
        program = rename_identifier(program, "java", name, unused_name(program + test_case, f"Program{name}"))
    program_imports, program_rest = _split_header(program)
    program_rest = _without_bare_main(program_rest)
    test_imports, test_rest = _split_header(test_case)
    if not java_types(test_case):
        name = unused_name(program, "TestMain")
        test_rest = (
            f"class {name} {{\n    public static void main(String[] args) throws Exception {{\n"
            f"{test_rest}\n    }}\n}}"
        )
    if bare_members(program_rest):
        test_rest = f"{_starting(test_rest)}\n\n{_all_static(test_rest)}"
        program_rest = _all_static(program_rest)
    imports = "\n".join(dict.fromkeys((*test_imports, *program_imports)))
    return f"{imports}\n\n{test_rest.strip()}\n\n{program_rest.strip()}\n"
