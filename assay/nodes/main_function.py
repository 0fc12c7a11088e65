"""Two mains in one file: the program's is renamed, so that the test's runs.

A small lexer blanks comments and literals first; a naive replace would rename the word in "main
street", miss a main behind a comment, and break char* s = "main(".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_C_COMMENT = r"//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)"
_C_STRING = r'"(?:\\.|[^"\\\n])*"?'
_C_CHAR = r"'(?:\\.|[^'\\\n])*'?"
_NUMBER = r"(?<![\w.])\d(?:'?[\w.])*"  # C++ and Rust write 1'000 and 1_000; no quote opens there
_CPP_RAW = r'(?:u8|[uUL])?R"(?P<raw>[^()\\\s]{0,16})\(.*?(?:\)(?P=raw)"|\Z)'
_RUST_RAW = r'b?c?r(?P<hash>#*)".*?(?:"(?P=hash)|\Z)'
_RUST_CHAR = r"b?'(?:\\[^\n']+|\\'|[^\\'\n])'"  # a lifetime ('a) has no closing quote
_RUST_STRING = r'[bc]?"(?:\\.|[^"\\])*(?:"|\Z)'
_TEXT_BLOCK = r'"""(?:\\.|[^\\])*?(?:"""|\Z)'

TOKENS = {
    "c": rf"(?P<blank>{_C_COMMENT}|{_C_STRING}|{_C_CHAR})",
    "cpp": rf"(?P<blank>{_C_COMMENT}|{_CPP_RAW})|(?P<keep>{_NUMBER})|(?P<blank2>{_C_STRING}|{_C_CHAR})",
    "rust": rf"(?P<blank>//[^\n]*|{_RUST_RAW}|{_RUST_CHAR}|{_RUST_STRING})",
    "java": rf"(?P<blank>{_C_COMMENT}|{_TEXT_BLOCK}|{_C_STRING}|{_C_CHAR})",
}

FAMILIES = ("python", "c", "cpp", "rust")  # whose rules find a main; Java has its own file


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def masked(source: str, language: str) -> str:
    """`source` with comments and literals blanked; every other character stays in its place.

    >>> masked('int a; // main', "c")
    'int a;        '
    """
    if language == "rust":
        source = _without_nested_comments(source)
    pattern = re.compile(TOKENS[language], re.DOTALL)
    return pattern.sub(
        lambda found: found[0] if found.groupdict().get("keep") else _blanked(found[0]), source
    )


def _without_nested_comments(source: str) -> str:
    """Rust's block comments nest, which a regular expression cannot follow."""
    token = re.compile(rf"/\*|//[^\n]*|{_RUST_RAW}|{_RUST_CHAR}|{_RUST_STRING}", re.DOTALL)
    edge = re.compile(r"/\*|\*/")
    out: list[str] = []
    at = 0
    while found := token.search(source, at):
        out.append(source[at : found.start()])
        at = found.end()
        if found[0] != "/*":
            out.append(found[0])
            continue
        depth = 1
        while depth and (mark := edge.search(source, at)):
            depth += 1 if mark[0] == "/*" else -1
            at = mark.end()
        at = len(source) if depth else at
        out.append(_blanked(source[found.start() : at]))
    return "".join((*out, source[at:]))


def depths(text: str) -> list[int]:
    """How many curly braces are open before each character of masked `text`."""
    depth, out = 0, []
    for character in text:
        if character == "}":
            depth -= 1
        out.append(depth)
        if character == "{":
            depth += 1
    return out


def _outermost_main(text: str, pattern: str) -> bool:
    level = depths(text)
    return any(level[found.start()] <= 0 for found in re.finditer(pattern, text))


def defines_main(source: str, language: str) -> bool:
    """Whether a C, C++ or Rust source has a main function of its own."""
    pattern = r"\bfn\s+main\b" if language == "rust" else r"\bmain\s*\("
    return _outermost_main(masked(source, language), pattern)


def identifiers(text: str, name: str) -> Iterator[re.Match[str]]:
    """Where `name` stands as a word of its own in masked text, include lines aside."""
    for found in re.finditer(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text):
        line_start = text.rfind("\n", 0, found.start()) + 1
        if not re.match(r"[ \t]*#[ \t]*include\b", text[line_start : found.start()]):
            yield found


def rename_identifier(source: str, language: str, old: str, new: str) -> str:
    """Rename a name everywhere in code, and nowhere in comments and literals."""
    out, at = [], 0
    for found in identifiers(masked(source, language), old):
        out += [source[at : found.start()], new]
        at = found.end()
    return "".join((*out, source[at:]))


def unused_name(source: str, wanted: str) -> str:
    """`wanted`, with underscores added until `source` does not hold it."""
    while wanted in source:
        wanted += "_"
    return wanted


def _rename_python_guard(source: str) -> str:
    """Turn `if __name__ == "__main__":` off at the top level of a Python program."""
    import ast

    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source  # the run shows the error
    lines = source.encode().split(b"\n")  # ast counts columns in bytes
    for part in reversed(tree.body):
        if isinstance(part, ast.If) and is_main_guard(part.test) and part.test.lineno == part.test.end_lineno:
            row, start, end = part.test.lineno - 1, part.test.col_offset, part.test.end_col_offset
            lines[row] = lines[row][:start] + b'__name__ == "__program_main__"' + lines[row][end:]
    return b"\n".join(lines).decode()


def is_main_guard(test: object) -> bool:
    """Whether an `ast` expression compares __name__ with "__main__"."""
    import ast

    if not isinstance(test, ast.Compare) or len(test.comparators) != 1 or not isinstance(test.ops[0], ast.Eq):
        return False
    sides = (test.left, test.comparators[0])
    return any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides) and any(
        isinstance(side, ast.Constant) and side.value == "__main__" for side in sides
    )


def _has_python_guard(source: str) -> bool:
    return re.search(r"^if\s+.*__name__", source, re.MULTILINE) is not None


def without_program_main(program: str, test_case: str, family: str) -> str:
    """`program`, its main renamed if `test_case` has one too. `family`: see FAMILIES and `Language`."""
    if not family:
        return program
    if family == "python":
        return _rename_python_guard(program) if _has_python_guard(test_case) else program
    if not (defines_main(program, family) and defines_main(test_case, family)):
        return program
    return rename_identifier(program, family, "main", unused_name(program + test_case, "program_main"))
