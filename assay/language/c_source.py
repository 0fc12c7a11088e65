"""The C and C++ texts around a program whose checks are made by make_c_test.

What sends the values out is a file of its own, and what the program's file needs of it stands before the
program: no macro of the program's reaches either. Only `main` and the checks come after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assay.language.inside import file_text
from assay.language.main_function import branched_depths, masked

_WORDS = """
if else for while do switch case default break continue return goto int char long short float double void
signed unsigned const volatile static extern struct union enum typedef sizeof inline register auto bool
true false class template typename namespace using public private operator new delete this main include define
assay assay_start assay_begin assay_done assay_integer assay_float assay_number assay_text assay_pointer
"""
KEYWORDS = tuple(_WORDS.split())

_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*\n?", re.MULTILINE)
_SCOPED = re.compile(
    r"\s*(?:typedef|struct\s+\w+\s*\{|enum\b[^=]*\{|union\s+\w+\s*\{|template\b|namespace\b|using\b)"
)
_TYPE = re.compile(r"\s*(?:typedef|struct|union|enum|class)\b[^({=;]*\{")  # its end is a semicolon
_STATEMENT = re.compile(r"\s*(?:if|for|while|do|switch|else|return)\b")


# No quantifier gives back what it took, or it is a short one: one pass, whatever a model wrote.
_BOOL = re.compile(
    r"(?P<declared>^[ \t]*+#[ \t]*+(?:include[ \t]*+<stdbool|define[ \t]++bool\b)"
    r"|\btypedef\b[^;]{0,200}\bbool\s*+;)"
    r"|\bbool\b",
    re.MULTILINE,
)


def c_build(build: str, source: str) -> str:
    """The command `build` for this C: as C23, in which `bool` is a word of the language (but to gcc 12 and
    earlier without the header), where the source uses it without having declared it."""
    first = _BOOL.search(masked(source, "c"))
    bare = first and not first["declared"]
    return build.replace("gcc ", "gcc -std=gnu2x -include stdbool.h ", 1) if bare else build


def split_header(header: str, helpers: str, language: str) -> tuple[str, str]:
    """Split a header into what stands at file scope and what stands inside main (statements).

    Directives, functions and types stand outside, and variables that these or the test's helpers use; the
    rest inside.
    """
    outside, inside = header_parts(header, helpers, language)
    return "\n".join(outside), "\n".join(inside)


def header_parts(header: str, helpers: str, language: str) -> tuple[list[str], list[str]]:
    """As split_header, piece by piece; the first one outside holds all directives."""
    text = masked(header, language)
    outside = ["".join(header[found.start() : found.end()] for found in _DIRECTIVE.finditer(text))]
    inside: list[str] = []
    plain = _without_directives(text)
    pieces = [(start, end, plain[start:end]) for start, end in _pieces(plain)]
    helpers = "\n".join([helpers, *(piece for _, _, piece in pieces if _is_function(piece))])
    for start, end, piece in pieces:
        before = piece.split("=")[0].split("{")[0]
        named = set(re.findall(r"[A-Za-z_]\w*", before)) - set(KEYWORDS)
        used = any(re.search(rf"\b{name}\b", helpers) for name in named) and not _STATEMENT.match(piece)
        declares = bool(re.match(r"\s*[A-Za-z_][\w:<>,\s]*[\s*&]+[A-Za-z_]\w*\s*[\[=;(]", piece))
        place = outside if _is_function(piece) or _SCOPED.match(piece) or (used and declares) else inside
        place.append(header[start:end])
    return outside, inside


def _is_function(piece: str) -> bool:
    head = piece.split("{")[0]
    return "{" in piece and head.rstrip().endswith(")") and "=" not in head and not _STATEMENT.match(piece)


def _without_directives(text: str) -> str:
    return _DIRECTIVE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def _pieces(text: str) -> list[tuple[int, int]]:
    """Where each declaration or statement of masked text begins and ends."""
    pieces, start, depth = [], 0, 0
    for at, character in enumerate(text):
        if character in "({[":
            depth += 1
        elif character in ")}]":
            depth -= 1
        closes = character == "}" and depth <= 0 and not _goes_on(text, at) and not _TYPE.match(text, start)
        ends = closes or (depth <= 0 and character == ";")
        if ends:
            pieces.append((start, at + 1))
            start = at + 1
    if text[start:].strip():
        pieces.append((start, len(text)))
    return pieces


def _goes_on(text: str, at: int) -> bool:
    return re.match(r"\s*(?:[;,=)]|else\b|while\b)", text[at + 1 : at + 99]) is not None


def macros_in_the_way(program: str, harness: str, expressions: str) -> list[str]:
    """Macros of the program whose names the test's own text uses for something else."""
    names = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w{1,100})", program, re.MULTILINE))
    words, asked = (set(re.findall(r"\w+", text)) for text in (harness, expressions))
    return sorted(name for name in names if name in words and name not in asked and not name.isupper())


# The functions of which glibc's <math.h> declares forms for vectors, and the ends of their names by type
_VECTOR = """
acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 hypot log log10 log1p log2
pow sin sincos sinh tan tanh
"""
VECTOR = frozenset(_VECTOR.split())
KINDS = ("", "f", "l", "f16", "f32", "f64", "f128", "f32x", "f64x")
_INCLUDES = "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>"


def _includes_after(program: str, language: str) -> str:
    """The C library's headers below a program that may not have included them: for the time of it its macros
    are taken away, and in C the names of its functions are others in the headers (its own `div`, say)."""
    text = masked(program, language)
    macros = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+((?!_[A-Z_])[A-Za-z_]\w{0,99})", text, re.MULTILINE))
    functions: set[str] = set()
    if language == "c":
        head = re.compile(r"\b([A-Za-z_]\w{0,99})\s*+\(")
        level = branched_depths(text)
        found = (each for each in head.finditer(_without_directives(text)) if level[each.start()] <= 0)
        functions = {each[1] for each in found if each[1][0] != "_"} - set(KEYWORDS)
    names = sorted(macros | functions)
    hidden = [f"#define {name} assay_hidden_{name}" for name in sorted(functions)]
    # <math.h> makes a second name of some functions' first one
    hidden += [
        f"#define __DECL_SIMD_assay_hidden_{name}{kind}"
        for name in sorted(functions & VECTOR)
        for kind in KINDS
    ]
    return "\n".join(
        [
            *(f'#pragma push_macro("{name}")\n#undef {name}' for name in names),
            *hidden,
            _INCLUDES,
            *(f'#pragma pop_macro("{name}")' for name in reversed(names)),
        ]
    )


@dataclass(frozen=True)
class Around:
    """What stands around a program. `marker` stands before each value that is sent."""

    language: str
    marker: str

    def source(
        self, program: str, outside: Sequence[str], inside: Sequence[str], hidden: Sequence[str] = ()
    ) -> str:
        """The whole file: `program` between what the checks need and the checks themselves. `hidden`: further
        words that are not macros of the program's below it."""
        c = self.language == "c"
        return "\n".join(
            [
                file_text("checks.h" if c else "checks.hpp").strip(),
                "#define main assay_program_main",
                f'#line 1 "main.{self.language}"',
                program.rstrip("\n"),
                "#undef main",
                *(f"#undef {word}" for word in (*KEYWORDS, *hidden)),
                '#line 1 "test"',
                _includes_after(program, self.language),
                *outside,
                "int main(void) {",
                f'assay_start("{self.marker}");',
                *inside,
                "return 0;",
                "}\n",
            ]
        )


@dataclass
class Apart:
    """The test's own text without the program's, to find what checks should give: its parts by name, of which
    those that need the program are dropped, by what compiler and linker say of them."""

    around: Around
    parts: dict[str, str]

    @classmethod
    def of(cls, language: str, marker: str, header: str, helpers: str, checks: Mapping[int, str]) -> Apart:
        (directives, *outside), inside = header_parts(header, helpers, language)
        outside += _helper_parts(helpers, language)
        parts = {
            "assay_outside_directives": directives,
            **{f"assay_outside_{number}": text for number, text in enumerate(outside)},
            **{f"assay_check_{number}": line for number, line in checks.items()},
        }
        if not _UNSTEADY.search(header):
            parts |= {f"assay_inside_{number}": text for number, text in enumerate(inside)}
        return cls(Around(language, marker), parts)

    @property
    def checks(self) -> list[str]:
        return [name for name in self.parts if name.startswith("assay_check")]

    def _lines(self, kind: str) -> list[str]:
        parts = self.parts.items()
        return [f'#line 1 "{name}"\n{text}' for name, text in parts if name.startswith(f"assay_{kind}_")]

    @property
    def source(self) -> str:
        program = "#include <bits/stdc++.h>" if self.around.language == "cpp" else ""
        inside = [*self._lines("inside"), *self._lines("check")]
        return self.around.source(program, self._lines("outside"), inside)

    def refused(self, said: str) -> bool:
        """Drop what a failed build names, or what uses a name that it lacks. Return False if there is
        none."""
        if self.drop(_PART.findall(said)):
            return True
        lacking = {word for names in _LACKING.findall(said) for word in re.findall(r"\w+", names)}
        return self.drop(self._users(lacking))

    def drop(self, named: Iterable[str]) -> bool:
        """Return False if there was nothing to drop. A statement that uses a variable of a dropped statement
        is dropped with it: the variable may have another value beside the program."""
        gone = {name: self.parts.pop(name) for name in set(named) & set(self.parts)}
        tainted = {word for name, text in gone.items() if "_inside_" in name for word in _words(text)}
        if tainted:
            self.drop(name for name in self._users(tainted) if "_outside_" not in name)
        return bool(gone)

    def _users(self, words: set[str]) -> list[str]:
        return [name for name, text in self.parts.items() if words & _words(text)]


_PART = re.compile(r"\bassay_(?:outside|inside|check)_\d{1,6}\b")
_LACKING = re.compile(r"undefined reference to [`'\u2018]([\w:~]{1,200})")
# What a header says with these may be another thing beside the program
_UNSTEADY = re.compile(r"\b(?:s?rand\w*|time|clock\w*|gettimeofday|getpid|random_device|\w*chrono)\b")


def _helper_parts(helpers: str, language: str) -> list[str]:
    """A test's helpers one by one, directives first; as a whole where directives choose among them."""
    text = masked(helpers, language)
    if re.search(r"^[ \t]*#[ \t]*if", text, re.MULTILINE):
        return [helpers]
    directives = "".join(helpers[found.start() : found.end()] for found in _DIRECTIVE.finditer(text))
    return [directives, *(helpers[start:end] for start, end in _pieces(_without_directives(text)))]


def _words(text: str) -> set[str]:
    """The names in C source, except those of the language and of the harness."""
    return set(re.findall(r"\b[A-Za-z_]\w*", text)) - set(KEYWORDS) - {"ASSAY_SEND"}
