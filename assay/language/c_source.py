"""The C and C++ texts around a program whose checks are made by make_c_test.

What sends the values out is a file of its own, and what the program's file needs of it stands before the
program: no macro of the program's reaches either. Only `main` and the checks come after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assay.language.main_function import branched_depths, masked

# Sends what the checks give: \x1e MARKER NUMBER SIDE VALUE \x1e on a private copy of stdout. A value is
# i INTEGER, f FLOAT, d DOUBLE (in hexadecimal), s HEX (text), N (no text), p ADDRESS, [ VALUES ],
# { VALUES } in no order, or o (any other).
EMIT = r"""
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef __cplusplus
extern "C" {
#endif
static int assay_fd = -1;
static const char *assay_marker = "";
static char *assay_data;
static size_t assay_size, assay_room;
static void assay_put(const char *text, size_t size) {
    if (assay_size + size > assay_room) {
        assay_room = 2 * (assay_size + size) + 256;
        assay_data = (char *)realloc(assay_data, assay_room);
        if (!assay_data) abort();
    }
    memcpy(assay_data + assay_size, text, size);
    assay_size += size;
}
static void assay_word(const char *word) { assay_put(word, strlen(word)); }
void assay_start(const char *marker) {
    assay_marker = marker;
    assay_fd = fcntl(1, F_DUPFD_CLOEXEC, 3);
}
void assay_begin(int number, int side) {
    char head[80];
    assay_size = 0;
    snprintf(head, sizeof head, "\036%s %d %d ", assay_marker, number, side);
    assay_word(head);
}
void assay_integer(long long value) {
    char text[40];
    snprintf(text, sizeof text, "i%lld ", value);
    assay_word(text);
}
void assay_unsigned(unsigned long long value) {
    char text[40];
    snprintf(text, sizeof text, "i%llu ", value);
    assay_word(text);
}
static void assay_real(const char *format, double value) {
    char text[80];
    snprintf(text, sizeof text, format, value);
    assay_word(text);
}
void assay_float(double value) { assay_real("f%a ", value); }
void assay_number(double value) { assay_real("d%a ", value); }
void assay_bytes(const char *text, size_t size) {
    assay_word("s");
    for (size_t at = 0; at < size; at++) {
        char two[4];
        snprintf(two, sizeof two, "%02x", (unsigned char)text[at]);
        assay_word(two);
    }
    assay_word(" ");
}
void assay_text(const void *text) {
    if (text) assay_bytes((const char *)text, strlen((const char *)text));
    else assay_word("N ");
}
void assay_pointer(const volatile void *value) {
    char text[40];
    snprintf(text, sizeof text, "p%llx ", (unsigned long long)(size_t)value);
    assay_word(text);
}
void assay_group(int opens) { assay_word(opens ? "{ " : "} "); }
void assay_list(int opens) { assay_word(opens ? "[ " : "] "); }
void assay_other(int claim) { assay_word(claim ? "o1 " : "o0 "); }
void assay_done(void) {
    assay_word("\036");
    fflush(stdout);
    for (size_t at = 0; at < assay_size;) {
        /* not write(): the program may have a function of that name */
        long wrote = syscall(SYS_write, assay_fd, assay_data + at, assay_size - at);
        if (wrote <= 0) break;
        at += wrote;
    }
}
#ifdef __cplusplus
}
#endif
"""

# No include: a program may say #define _GNU_SOURCE before its own first one.
C_TOP = r"""
void assay_start(const char *); void assay_begin(int, int); void assay_done(void);
void assay_integer(long long); void assay_unsigned(unsigned long long); void assay_float(double);
void assay_number(double); void assay_text(const void *); void assay_pointer(const volatile void *);
#define ASSAY_SEND(x) _Generic((x), char *: assay_text, const char *: assay_text, \
    unsigned char *: assay_text, const unsigned char *: assay_text, signed char *: assay_text, \
    const signed char *: assay_text, float: assay_float, double: assay_number, long double: assay_number, \
    unsigned: assay_unsigned, unsigned long: assay_unsigned, unsigned long long: assay_unsigned, \
    _Bool: assay_integer, char: assay_integer, signed char: assay_integer, unsigned char: assay_integer, \
    short: assay_integer, unsigned short: assay_integer, int: assay_integer, long: assay_integer, \
    long long: assay_integer, __int128: assay_integer, unsigned __int128: assay_unsigned, \
    default: assay_pointer)(x)
"""

CPP_TOP = r"""
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
extern "C" {
void assay_start(const char *); void assay_begin(int, int); void assay_done(void);
void assay_integer(long long); void assay_unsigned(unsigned long long);
void assay_float(double); void assay_number(double); void assay_bytes(const char *, std::size_t);
void assay_text(const void *); void assay_pointer(const volatile void *); void assay_list(int);
void assay_group(int); void assay_other(int);
}
namespace assay {
template <class T, class = void> struct is_range : std::false_type {};
template <class T> struct is_range<T, std::void_t<decltype(std::declval<const T &>().begin() !=
    std::declval<const T &>().end())>> : std::true_type {};
template <class T, class = void> struct is_tuple : std::false_type {};
template <class T> struct is_tuple<T, std::void_t<decltype(std::tuple_size<T>::value)>> : std::true_type {};
template <class T, class = void> struct is_unordered : std::false_type {};
template <class T> struct is_unordered<T, std::void_t<typename T::hasher>> : std::true_type {};
template <class T> struct is_optional : std::false_type {};
template <class T> struct is_optional<std::optional<T>> : std::true_type {};
template <class T> void send(const T &value) {
    if constexpr (std::is_same_v<T, std::nullptr_t>) assay_pointer(nullptr);
    else if constexpr (std::is_same_v<T, std::nullopt_t>) assay_text(nullptr);
    else if constexpr (is_optional<T>::value) {
        if (value) send(*value);
        else assay_text(nullptr);
    }
    else if constexpr (std::is_convertible_v<const T &, const char *>) assay_text(value);
    else if constexpr (std::is_convertible_v<const T &, std::string>) {
        std::string text(value);
        assay_bytes(text.data(), text.size());
    }
    else if constexpr (std::is_convertible_v<const T &, std::string_view>) {
        std::string_view text(value);
        assay_bytes(text.data(), text.size());
    }
    else if constexpr (std::is_same_v<T, float>) assay_float(value);
    else if constexpr (std::is_floating_point_v<T>) assay_number((double)value);
    else if constexpr (std::is_enum_v<T>) assay_integer((long long)value);
    else if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>) assay_unsigned(value);
    else if constexpr (std::is_integral_v<T>) assay_integer(value);
    else if constexpr (std::is_pointer_v<T>) assay_pointer((const void *)value);
    else if constexpr (is_range<T>::value) {
        constexpr bool ordered = !is_unordered<T>::value;
        ordered ? assay_list(1) : assay_group(1);
        for (auto at = value.begin(); at != value.end(); ++at) {
            const typename std::decay<decltype(*at)>::type &item = *at;
            send(item);
        }
        ordered ? assay_list(0) : assay_group(0);
    }
    else if constexpr (is_tuple<T>::value) {
        assay_list(1);
        std::apply([](const auto &...item) { (send(item), ...); }, value);
        assay_list(0);
    }
    else if constexpr (std::is_convertible_v<const T &, double>) assay_number((double)value);
    else assay_other(0);
}
template <class T> constexpr bool is_opaque() {
    if constexpr (!std::is_class_v<T> || std::is_convertible_v<const T &, std::string>) return false;
    else if constexpr (is_optional<T>::value) return is_opaque<typename T::value_type>();
    else if constexpr (is_range<T>::value)
        return is_opaque<typename std::decay<decltype(*std::declval<const T &>().begin())>::type>();
    else return true;
}
template <class A, class B> void send_wanted(const A &got, const B &wanted) {
    if constexpr (std::is_same_v<A, B> && is_opaque<B>())
        assay_other(got == wanted);
    else send(wanted);
}
}
#define ASSAY_SEND(x) assay::send(x)
"""

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
    """The command `build` for this C: as C23, in which `bool` is a word of the language, where the source
    uses it without having declared it."""
    first = _BOOL.search(masked(source, "c"))
    return build.replace("gcc ", "gcc -std=gnu2x ", 1) if first and not first["declared"] else build


def split_header(header: str, helpers: str, language: str) -> tuple[str, str]:
    """What of a header stands at file scope, and what inside main: statements.

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
        plain = _without_directives(text)
        found = (each for each in head.finditer(plain) if level[each.start()] <= 0)
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


def around(
    language: str,
    marker: str,
    program: str,
    header: str,
    helpers: str,
    checks: Sequence[str],
    expressions: str,
    before: str = "",
) -> str:
    """The whole file: `program` between what the checks need and the checks themselves. `marker` stands
    before each value that is sent; `before`: the author's text right after the program."""
    outside, inside = split_header(header, f"{before}\n{helpers}", language)
    hidden = macros_in_the_way(program, f"{before}\n{header}\n{helpers}", expressions)
    return _whole(language, marker, program, [before, outside, helpers], [inside, *checks], hidden)


def _whole(
    language: str,
    marker: str,
    program: str,
    outside: Sequence[str],
    inside: Sequence[str],
    hidden: Sequence[str],
) -> str:
    """`hidden`: further words that are no macros of the program's below it."""
    name = "main.c" if language == "c" else "main.cpp"
    return "\n".join(
        [
            (C_TOP if language == "c" else CPP_TOP).strip(),
            "#define main assay_program_main",
            f'#line 1 "{name}"',
            program.rstrip("\n"),
            "#undef main",
            *(f"#undef {word}" for word in (*KEYWORDS, *hidden)),
            '#line 1 "test"',
            _includes_after(program, language),
            *outside,
            "int main(void) {",
            f'assay_start("{marker}");',
            *inside,
            "return 0;",
            "}\n",
        ]
    )


@dataclass
class Apart:
    """The test's own text without the program's, to find what checks should give: its parts by name, of which
    those that need the program are dropped, by what compiler and linker say of them."""

    language: str
    marker: str
    outside: dict[str, str]
    statements: dict[str, str]
    checks: dict[str, str]

    @classmethod
    def of(cls, language: str, marker: str, header: str, helpers: str, checks: Mapping[int, str]) -> Apart:
        (directives, *outside), inside = header_parts(header, helpers, language)
        inside = [] if _UNSTEADY.search(header) else inside
        outside += _helper_parts(helpers, language)
        return cls(
            language,
            marker,
            {"assay_directives": directives, **_named("outside", outside)},
            _named("inside", inside),
            {f"assay_check_{number}": line for number, line in checks.items()},
        )

    @property
    def source(self) -> str:
        program = "#include <bits/stdc++.h>" if self.language == "cpp" else ""
        inside = [*_in_lines(self.statements), *_in_lines(self.checks)]
        return _whole(self.language, self.marker, program, _in_lines(self.outside), inside, ())

    def refused(self, said: str) -> bool:
        """Drop what a failed build names, or what uses a name that it lacks. False if there is none."""
        if self.drop(_PART.findall(said)):
            return True
        lacking = {word for names in _LACKING.findall(said) for word in re.findall(r"\w+", names)}
        return self.drop(_users(lacking, {**self.outside, **self.statements, **self.checks}))

    def drop(self, named: Iterable[str]) -> bool:
        """False if there was nothing to drop. What speaks of a variable that a dropped statement speaks of
        is dropped with it: its value may be another one beside the program."""
        gone, tainted = False, set()
        for name in named:
            tainted |= _words(self.statements.pop(name, ""))
            gone |= self.checks.pop(name, None) is not None or self.outside.pop(name, None) is not None
        if tainted:
            self.drop(_users(tainted, {**self.statements, **self.checks}))
        return gone or bool(tainted)


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


def _named(kind: str, parts: Sequence[str]) -> dict[str, str]:
    return {f"assay_{kind}_{number}": text for number, text in enumerate(parts)}


def _in_lines(parts: Mapping[str, str]) -> list[str]:
    return [f'#line 1 "{name}"\n{text}' for name, text in parts.items()]


def _users(words: set[str], parts: Mapping[str, str]) -> list[str]:
    return [name for name, text in parts.items() if words & _words(text)]


def _words(text: str) -> set[str]:
    """The names in C, but for the language's own and the harness's."""
    return set(re.findall(r"\b[A-Za-z_]\w*", text)) - set(KEYWORDS) - {"ASSAY_SEND"}
