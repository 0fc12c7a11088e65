"""Two mains in one file: the program's is renamed, so that the test's runs.

A small lexer blanks comments and literals first; a naive replace would rename the word in "main
street", miss a main behind a comment, and break char* s = "main(".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

# Every token, once it has begun, ends somewhere: at the end of the source if nowhere else, and no quantifier
# gives back what it took. A token that could fail at the end would be tried again from each quote on the way
# there, and the time taken would grow with the square of what a model wrote.
_ESCAPE = r"\\(?:.|\Z)"
_C_COMMENT = r"//(?:\\\n|[^\n])*+|/\*.*?(?:\*/|\Z)"
_C_STRING = rf'"(?:{_ESCAPE}|[^"\\\n])*+"?'
_C_CHAR = rf"'(?:{_ESCAPE}|[^'\\\n])*+'?"
_NUMBER = r"(?<![\w.])\d(?:'?[\w.])*+"  # C++ and Rust write 1'000 and 1_000; no quote opens there
_CPP_RAW = r'(?:u8|[uUL])?R"(?P<raw>[^()\\\s]{0,16})\(.*?(?:\)(?P=raw)"|\Z)'
_RUST_RAW = r'b?c?r(?P<hash>#{0,255}+)".*?(?:"(?P=hash)|\Z)'
_RUST_CHAR = r"b?'(?:\\[^\n']{1,40}+|\\'|[^\\'\n])'"  # a lifetime ('a) has no closing quote
_RUST_STRING = rf'[bc]?"(?:{_ESCAPE}|[^"\\])*+(?:"|\Z)'
_TEXT_BLOCK = rf'"""(?:{_ESCAPE}|[^\\])*?(?:"""|\Z)'

_JS_TEMPLATE = rf"`(?:{_ESCAPE}|[^`\\])*+(?:`|\Z)"
# A slash behind an operator opens a regular expression, in which a quote opens nothing
_JS_REGEX = r"(?:[=(,:;!&|?{}\[]|\breturn)[ \t]*+/(?![*/])(?:\\.|[^/\\\n])*+/?"
_GO_RAW = r"`[^`]*+`?"

TOKENS = {
    "c": rf"(?P<blank>{_C_COMMENT}|{_C_STRING}|{_C_CHAR})",
    "cpp": rf"(?P<blank>{_C_COMMENT}|{_CPP_RAW})|(?P<keep>{_NUMBER})|(?P<blank2>{_C_STRING}|{_C_CHAR})",
    "rust": rf"(?P<nests>/\*)|(?P<blank>//[^\n]*|{_RUST_RAW}|{_RUST_CHAR}|{_RUST_STRING})",
    "go": rf"(?P<blank>//[^\n]*+|/\*.*?(?:\*/|\Z)|{_GO_RAW}|{_C_STRING}|{_C_CHAR})",
    "java": rf"(?P<blank>{_C_COMMENT}|{_TEXT_BLOCK}|{_C_STRING}|{_C_CHAR})",
    "javascript": rf"(?P<keep>{_JS_REGEX})|(?P<blank>{_C_COMMENT}|{_JS_TEMPLATE}|{_C_STRING}|{_C_CHAR})",
}

MAIN = {"rust": r"\bfn\s+main\b", "go": r"\bfunc\s+main\s*\("}
MAX_UNDERSCORES = 8
# families with rules that find a main; Java has its own file
FAMILIES = ("python", "javascript", "c", "cpp", "rust", "go")


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def masked(source: str, language: str) -> str:
    """`source` with comments and literals blanked; every other character stays in its place.

    >>> masked('int a; // main', "c")
    'int a;        '
    """
    pattern = re.compile(TOKENS[language], re.DOTALL)
    out: list[str] = []
    at = 0
    while found := pattern.search(source, at):
        end = _end_of_comment(source, found.end()) if found.lastgroup == "nests" else found.end()
        token = source[found.start() : end]
        out += [source[at : found.start()], token if found.lastgroup == "keep" else _blanked(token)]
        at = end
    return "".join((*out, source[at:]))


def _end_of_comment(source: str, at: int) -> int:
    """Rust's block comments nest, which a regular expression cannot follow."""
    depth = 1
    for edge in re.compile(r"/\*|\*/").finditer(source, at):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    return len(source)


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


def branched_depths(text: str) -> list[int]:
    """As `depths` of C, where each branch of an #if begins as deep as the #if stands: a function may have two
    heads, of which one is compiled."""
    depth = 0
    out: list[int] = []
    before: list[int] = []
    for line in text.splitlines(keepends=True):
        word = re.match(r"[ \t]*+#[ \t]*+(if|el|endif)", line)
        if word and word[1] == "if":
            before.append(depth)
        elif word and before:
            if word[1] == "el":
                depth = before[-1]
            else:
                before.pop()
        out += [depth + level for level in depths(line)]
        depth += line.count("{") - line.count("}")
    return out


def outermost(text: str, pattern: str | re.Pattern[str], language: str) -> list[re.Match[str]]:
    """Where a pattern stands in masked text within no curly braces."""
    found = list(re.finditer(pattern, text))
    depths_of = branched_depths if language in ("c", "cpp") else depths
    level = depths_of(text) if found else []
    return [each for each in found if level[each.start()] <= 0]


def defines_main(source: str, language: str) -> bool:
    """Whether a C, C++, Rust or Go source has a main function of its own."""
    pattern = MAIN.get(language, r"\bmain\s*\(")
    return bool(outermost(masked(source, language), pattern, language))


def identifiers(text: str, name: str) -> Iterator[re.Match[str]]:
    """The positions of `name` as a separate word in masked text, without include lines."""
    word = rf"^[ \t]*+#[ \t]*+include\b[^\n]*+|(?P<word>(?<![\w$]){re.escape(name)}(?![\w$]))"
    for found in re.finditer(word, text, re.MULTILINE):
        if found["word"] is not None:
            yield found


def rename_identifier(source: str, language: str, old: str, new: str) -> str:
    """Rename a name everywhere in code, and nowhere in comments and literals."""
    out, at = [], 0
    for found in identifiers(masked(source, language), old):
        out += [source[at : found.start()], new]
        at = found.end()
    return "".join((*out, source[at:]))


def unused_name(source: str, wanted: str) -> str:
    """`wanted`, with underscores or a number added until `source` does not hold it as a word.

    The number keeps it short: a source may hold a name with any number of underscores, and the name is
    written as often as the old one was.
    """
    for _ in range(MAX_UNDERSCORES):
        if wanted not in source:
            return wanted
        wanted += "_"
    taken = {int(each) for each in re.findall(rf"{re.escape(wanted)}(\d{{1,9}})(?!\d)", source)}
    return wanted + str(next(number for number in count(1) if number not in taken))


def _rename_python_guard(source: str) -> str:
    """Disable `if __name__ == "__main__":` in a Python program, however it is written: what
    `__name__` is compared with is renamed."""
    import ast

    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source  # the run shows the error
    lines = source.encode().split(b"\n")  # ast counts columns in bytes
    for part in sorted(_compared_mains(tree), key=lambda each: (each.lineno, each.col_offset), reverse=True):
        if part.lineno == part.end_lineno:
            row = part.lineno - 1
            before, behind = lines[row][: part.col_offset], lines[row][part.end_col_offset :]
            lines[row] = before + b'"__program_main__"' + behind
    return b"\n".join(lines).decode()


# How JavaScript asks whether it is the program or a module of one
_JS_MAIN = re.compile(
    r"\brequire\.main\s{0,9}={2,3}\s{0,9}module\b|\bmodule\s{0,9}={2,3}\s{0,9}require\.main\b|!module\.parent\b"
)
_JS_SCRIPT = re.compile(r"\bprocess\.argv\[1\]")


def _without_javascript_guard(source: str) -> str:
    """Disable `if (require.main === module)`, and a comparison of import.meta.url with the script's name,
    which often stands in a template."""
    code = masked(source, "javascript")
    for found in reversed(list(_JS_MAIN.finditer(code))):
        source = f"{source[: found.start()]}false{source[found.end() :]}"
    return _JS_SCRIPT.sub("String(0)", source) if "import.meta" in code else source


def _compared_mains(tree: ast.AST) -> list[ast.Constant]:
    """Each "__main__" that __name__ is compared with, alone or among others."""
    import ast

    found = []
    for node in ast.walk(tree):
        sides = (node.left, *node.comparators) if isinstance(node, ast.Compare) else ()
        if not any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides):
            continue
        for side in sides:
            items = side.elts if isinstance(side, (ast.Tuple, ast.List, ast.Set)) else [side]
            found += [each for each in items if isinstance(each, ast.Constant) and each.value == "__main__"]
    return found


def without_program_main(program: str, test_case: str, family: str) -> str:
    """`program`, its main renamed if `test_case` has one too. `family`: see FAMILIES and `Language`."""
    if not family:
        return program
    if family == "python":
        return _rename_python_guard(program)  # a test case is there to call the program, not to let it run
    if family == "javascript":
        return _without_javascript_guard(program)
    if not (defines_main(program, family) and defines_main(test_case, family)):
        return program
    return rename_identifier(program, family, "main", unused_name(program + test_case, "program_main"))
