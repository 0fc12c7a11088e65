"""make_c_test: checks of C and C++ programs, judged outside the sandbox."""

import pytest

from assay.errors import NodeError, SandboxError
from assay.language import c_checks, c_emit
from evaluator import CppRun, CRun, make_c_test
from testing.language.pipeline import judged, run_in_sandbox

C_AND_CPP = [CRun, pytest.param(CppRun, marks=pytest.mark.slow(6))]
C = """#include <stdio.h>
int sq(int x) { return x * x; }
double half(double x) { return x / 2; }
float third(float x) { return x / 3; }
const char *hi(void) { return "hi \\"%s\\""; }
long long big(void) { return 1LL << 40; }
int main() { puts("the program's own main"); }
"""


C_CHECKS = [
    ("sq(3)", 9), ("sq(4)", "16"), ("half(3)", 1.5), ("third(1)", "1.0 / 3"), ("hi()", '"hi \\"%s\\""'),
    ("big()", 2**40), ("twice(4)", 8), ("sq(2) == 4", True), ("N", 7),
]  # fmt: skip


@pytest.mark.parametrize("node", C_AND_CPP)
def test_c_and_cpp(node):
    test_case, answer = make_c_test(
        C_CHECKS, header="#define N 7", extra_methods="int twice(int x) { return 2 * x; }"
    )
    assert judged(node(test_case), answer, C)[0] is True
    passed, text = judged(node(test_case), answer, C.replace("x * x", "x + x"))
    assert passed is False
    assert "test 1 failed: sq(3) is 6, should be 9" in text and "2 of 9 tests failed" in text
    assert judged(node(test_case), answer, C.replace("return x * x", "__builtin_exit(0)"))[0] is False


@pytest.mark.parametrize("node", C_AND_CPP)
def test_a_c_test_case_put_together_with_more_code_checks_as_well(node):
    made, answer = make_c_test([("sq(next(2))", 9), ("sq(4)", "next(15)")], header="int one = ONE;")
    before, after = (
        "#define ONE 1\nint one_more(int); \nint next(int x) { return x + ONE; }\n",
        ("\nint one_more(int x) { return x + 1; }"),
    )
    test_case = "" + before + made + after
    assert isinstance(test_case, c_checks.CChecks) and before in test_case and test_case.endswith(after)
    code = "int sq(int x) { return x * x; }\nint main() { return 1; }"
    passed, text = judged(node(test_case), answer, code)
    assert passed is True, text
    assert judged(node(test_case), answer, code.replace("x * x", "x + x"))[0] is False
    forged = "#define if(...) if (0)\n" + code.replace("x * x", "1")
    assert judged(node(test_case), answer, forged)[0] is False


@pytest.mark.parametrize("node", C_AND_CPP)
def test_what_does_not_build_is_shown_with_the_programs_own_lines(node):
    helper = "int twice(int x) { return 2 * x; }"
    test_case, _ = make_c_test([("sq(3)", 9), ("N", "twice(4)")], "#define N 8", helper)
    source = "// squares\r\nint sq(int x) { return x * y; }\n"
    program, checks, said = run_in_sandbox(node(test_case), source).blocks[0].children[:3]
    name = f"main.{node.language}"
    assert (program.title, program.body) == (f"program {name}", source.replace("\r", ""))
    assert (checks.title, checks.body.split("\n")) == (
        "checks", [helper, "#define N 8", "", "sq(3)  // 9", "N  // twice(4)"],
    )  # fmt: skip
    assert f"{name}:2:" in said.body and "2 | int sq(int x) { return x * y; }" in said.body
    assert "assay" not in said.body


@pytest.mark.slow(3)
def test_cpp_strings_and_vectors():
    test_case, answer = make_c_test([("s()", '"abc"'), ("v()", "std::vector<int>({1, 2})")])
    code = '#include <string>\n#include <vector>\nstd::string s() { return "abc"; }\n'
    code += "std::vector<int> v() { return {1, 2}; }"
    assert judged(CppRun(test_case), answer, code)[0] is True


def test_c_values_that_have_no_literal_are_refused():
    with pytest.raises(NodeError, match="C source"):
        make_c_test([("f()", [1])])


IN_THE_WAY = {
    "a macro that the test's own text uses": "#define a 3\n#define got 4\n#define number 5\n",
    "if is never true": "#define if(...) if (0)\n#define while(x) for (;0;)\n",
    "another printf and main": "#include <stdio.h>\n#define printf(...) 0\nint main(void) { return 1; }\n",
    "two heads of a function": "#ifdef X\nint g(int b) {\n#else\nint g(long b) {\n#endif\nreturn b; }\n"
    "int main(void) { return 7; }\n",
    "its own feature macros": "#define _GNU_SOURCE\n#include <stdio.h>\n#include <string.h>\n"
    'static char *z(void) { return strcasestr("aB", "b"); }\n',
}


@pytest.mark.parametrize("way", IN_THE_WAY)
def test_what_stands_in_a_c_program_is_in_no_check_s_way(way):
    test_case, answer = make_c_test(
        [("sq(3)", 9), ("twice(4)", "4 + 4")],
        extra_methods="int twice(int a) { int got = a; return a + got; }",
    )
    code = IN_THE_WAY[way] + "int sq(int x) { return x * x; }"
    passed, text = judged(CRun(test_case), answer, code)
    assert passed is True, text
    assert judged(CRun(test_case), answer, code.replace("x * x", "x + x"))[0] is False


BOOLS = {
    "a word of the language": "",
    "of a header": "#include <stdbool.h>\n",
    "its own type": "typedef enum { false, true } bool;\nint kept();\nint kept(a) int a; { return a; }\n",
    "its own macros": "/* a bool */\n#define bool int\n#define true 1\n#define false 0\n",
}


@pytest.mark.parametrize("way", BOOLS)
def test_a_c_program_has_bool_with_a_header_or_without(way):
    code = BOOLS[way] + "bool even(int x) { return x % 2 ? false : true; }"
    test_case, answer = make_c_test([("even(4)", True), ("even(3)", "0")])
    passed, text = judged(CRun(test_case), answer, code)
    assert passed is True, text
    main = '\nint printf(const char *, ...);\nint main(void) { printf("%d", even(4)); }'
    assert run_in_sandbox(code + main >> CRun()).output == "1"


C_FORGERIES = {
    "no check runs": "#define if(...) if (0)\nint sq(int x) { return 1; }",
    "reads itself": """#include <stdio.h>
__attribute__((constructor)) static void forge(void) {
    FILE *own = fopen("/proc/self/exe", "rb");
    for (int c; (c = fgetc(own)) != EOF;) putchar(c);
    const char *names[] = {"main.c", "case.c", "assay_emit.c"};
    for (int i = 0; i < 3; i++) {
        FILE *file = fopen(names[i], "rb");
        for (int c; file && (c = fgetc(file)) != EOF;) putchar(c);
    }
}
int sq(int x) { return 1; }""",
    "its own main": '#undef main\n#include <stdio.h>\nint main(void) { puts("all tests passed"); }',
    "no function": "int sq(int x);",
    "its own sending": "void assay_integer(long long x) {}\nint sq(int x) { return 1; }",
}


@pytest.mark.parametrize("way", C_FORGERIES)
def test_a_forged_answer_in_c_does_not_pass(way):
    test_case, answer = make_c_test([("sq(3)", 9), ("sq(4)", "4 * 4")])
    passed, text = judged(CRun(test_case), answer, C_FORGERIES[way])
    assert passed is False and answer not in text.replace(f"lacks '{answer}'", "")


@pytest.mark.slow(5)
def test_a_cpp_type_that_equals_everything_equals_nothing():
    test_case, answer = make_c_test([("sq(3)", 9), ("name()", '"ann"')])
    code = (
        "struct Any { template <class T> friend bool operator==(const Any &, const T &) { return true; } };\n"
    )
    code += "Any sq(int) { return {}; }\nAny name() { return {}; }"
    assert judged(CppRun(test_case), answer, code)[0] is False
    point = "struct P { int x; bool operator==(const P &o) const { return x == o.x; } };\n"
    point += "P make(int x) { return {x}; }"
    test_case, answer = make_c_test([("make(3)", "P{3}")])  # what only the program can compare
    assert judged(CppRun(test_case), answer, point)[0] is True
    assert judged(CppRun(test_case), answer, point.replace("{x}", "{x + 1}"))[0] is False


def test_statements_of_a_c_header_stand_inside_main_and_its_includes_before():
    header = """#include <limits.h>
int arr[4] = {1, 2, 3, 4};
int *got = firsts(arr, 4);
for (int i = 0; i < 4; i++) { got[i] += 1; }
int limit(void) { return INT_MAX > 3 ? 3 : 0; }
typedef struct { int a; } pair;
struct point { int x; } at = { 6 };
pair one = { .a = 1 };
struct point next(struct point p) { p.x++; return p; }
"""
    test_case, answer = make_c_test(
        [
            ("got[0]", 2),
            ("got[3]", 5),
            ("limit()", 3),
            ("arr[1]", "arr[2] - 1"),
            ("next(at).x", 7),
            ("one.a", 1),
        ],
        header,
    )
    code = "#include <stdlib.h>\nint *firsts(int *a, int n) {\nint *b = malloc(n * sizeof *b);\n"
    code += "for (int i = 0; i < n; i++) b[i] = a[i];\nreturn b; }"
    passed, text = judged(CRun(test_case), answer, code)
    assert passed is True, text


def test_infinity_is_close_to_no_number():
    test_case, answer = make_c_test([("half(3)", 1.5), ("third(1)", "1.0 / 3")])
    code = "double half(double x) { return 1e308 * 10; }\nfloat third(float x) { return 1e38f * 10; }"
    for case in (test_case, str(test_case)):
        assert judged(CRun(case), answer, code)[0] is False
    test_case, answer = make_c_test([("half(3)", "INFINITY"), ("third(1)", "-INFINITY")])
    assert judged(CRun(test_case), answer, code.replace("1e38f", "-1e38f"))[0] is True


@pytest.mark.parametrize("sent", [b"d0x1p+999999", b"d0x1.2.3p1", b"f0x.p1", b"[ } ", b"} "])
def test_c_values_that_the_program_wrote_itself_are_read_without_an_error(sent):
    test_case, _ = make_c_test([("sq(3)", 9)])
    stdout = b"\x1e" + test_case.marker.encode() + b" 0 0 " + sent + b" \x1e"
    assert not c_checks.judge(test_case, [("i", 9)], stdout).passed


C_VALUES = {
    "64 bits without a sign": ("big()", "18446744073709551615ULL", "unsigned long big(void) { return -1; }"),
    "a pointer to anything": ("at()", "NULL", "struct s { int x; };\nstruct s *at(void) { return 0; }"),
    "text of unsigned char": ("name()", '"ab"', 'unsigned char *name(void) { return (void *)"ab"; }'),
    "a function named as one of the library's": ("f(7)", 3, "int div(int a, int b) { return a / b; }\n"
        "int index(int a) { return a; }\nint f(int a) { return div(index(a), 2); }"),
    "a macro named as one of the library's": ("f(-7)", 7, "#include <stdio.h>\n"
        "#define abs(x) ((x) < 0 ? -(x) : (x))\nint f(int a) { return abs(a); }"),
    "a function named as one of the mathematical ones": ("pow(2, 5) + exp(1)", 33,
        "int exp(int a) { return a; }\nint pow(int b, int e) { int r = 1; while (e--) r *= b; return r; }"),
    "a function named as the system's": ("write(3)", 4, "int write(int x) { return x + 1; }"),
    "an octal number": ("mode()", "0644", "int mode(void) { return 420; }"),
    "a byte order mark": ("f()", 3, "\ufeff#include <stdio.h>\r\nint f(void) { \r\n return 3; }\r\n"),
    "the header's function and its variable": ("f(get)", 20, "int f(int (*get)(int)) { return get(1); }"),
}  # fmt: skip


@pytest.mark.parametrize("what", C_VALUES)
def test_right_c_programs_pass(what):
    expression, wanted, code = C_VALUES[what]
    header = "int table[] = {10, 20};\nint get(int i) { return table[i]; }"
    test_case, answer = make_c_test([(expression, wanted)], header)
    passed, text = judged(CRun(test_case), answer, code)
    assert passed is True, text


@pytest.mark.slow(5)
def test_cpp_values_that_are_optional_unordered_or_no_plain_data():
    pairs = [
        ("find(1)", "1"),
        ("find(-1)", "std::nullopt"),
        ("count()", 'std::unordered_map<std::string, int>{{"b", 1}, {"a", 2}, {"zebra", 3}}'),
        ("unit()", "std::complex<double>(0, 1)"),
    ]
    code = """#include <bits/stdc++.h>
#define abs(x) ((x) < 0 ? -(x) : (x))
std::optional<int> find(int x) { if (x < 0) return std::nullopt; return abs(x); }
std::unordered_map<std::string, int> count() {
    std::unordered_map<std::string, int> m;
    m.reserve(100);
    m["zebra"] = 3; m["a"] = 2; m["b"] = 1;
    return m;
}
std::complex<double> unit() { return {0, 1}; }"""
    test_case, answer = make_c_test(pairs)
    passed, text = judged(CppRun(test_case), answer, code)
    assert passed is True, text
    wrong = (
        code.replace("return abs(x)", "return 2")
        .replace('["b"] = 1', '["b"] = 2')
        .replace("{0, 1}", "{1, 0}")
    )
    text = judged(CppRun(test_case), answer, wrong)[1]
    assert "3 of 4 tests failed" in text


def test_a_c_program_that_rounds_what_it_should_give_fails():
    test_case, answer = make_c_test([("half(3)", 1.5)])
    assert judged(CRun(test_case), answer, "int half(int x) { return x / 2; }")[0] is False
    test_case, answer = make_c_test([("half(4)", 2.0)])
    assert judged(CRun(test_case), answer, "int half(int x) { return x / 2; }")[0] is True


APART = "int sq(int); int square(int x) { return x * x; } int sides[] = {9, 16}; int given = sq(5);"


def test_what_a_c_header_has_is_found_without_the_program_but_for_what_needs_it():
    pairs = [
        ("sq(3)", "square(3)"), ("sq(4)", "sides[1]"), ("given", "sq(4) + 9"),
        ("made(1).x", "(struct p){1}.x"),
    ]  # fmt: skip
    test_case, answer = make_c_test(pairs, APART)
    code = "struct p { int x; };\nstruct p made(int x) { struct p one = {x}; return one; }\n"
    assert judged(CRun(test_case), answer, code + "int sq(int x) { return x * x; }")[0] is True
    (known,) = [rights for key, rights in c_checks._known.items() if key[0] == answer]
    assert list(known) == [("i", 9), ("i", 16), None, None]


def test_a_c_header_that_may_be_another_beside_the_program_is_asked_there():
    header = "srand(time(NULL)); int drawn = rand() % 100;"
    test_case, answer = make_c_test(
        [("same(drawn)", "drawn"), ("same(2)", "1 + 1")], "#include <time.h>\n" + header
    )
    assert judged(CRun(test_case), answer, "int same(int x) { return x; }")[0] is True
    (known,) = [rights for key, rights in c_checks._known.items() if key[0] == answer]
    assert list(known) == [None, ("i", 2)]


def test_a_statement_of_a_c_header_that_needs_the_program_takes_what_it_speaks_of_with_it():
    header = "int xs[] = {3, 1, 2}; int other = 5; order(xs, 3);"
    test_case, answer = make_c_test([("least(xs)", "xs[0]"), ("least(&other)", "other")], header)
    code = (
        "void order(int *xs, int n) { xs[0] = 1; xs[1] = 2; xs[2] = 3; }\nint least(int *xs) { return *xs; }"
    )
    assert judged(CRun(test_case), answer, code)[0] is True
    (known,) = [rights for key, rights in c_checks._known.items() if key[0] == answer]
    assert list(known) == [None, ("i", 5)]


def test_what_sends_the_values_of_c_checks_is_compiled_once_where_no_program_is(monkeypatch):
    monkeypatch.setattr(c_emit, "_compiled", {})
    times, make = [], c_emit._made

    async def counted(language, ctx):
        times.append(language)
        return await make(language, ctx)

    monkeypatch.setattr(c_emit, "_made", counted)
    test_case, answer = make_c_test([("sq(3)", 9)])
    for flags in ("-DUNUSED=1", "", ""):
        node = CRun(test_case, gccflags=flags)
        assert judged(node, answer, "int sq(int x) { return x * x; }")[0] is True
    (sender,) = c_emit._compiled.values()
    assert times == ["c"] and sender.name == "assay_emit.o" and sender.content.startswith(b"\x7fELF")
    assert judged(CRun(test_case), answer, "int sq(int x) { return x + x; }")[0] is False


def test_where_it_cannot_be_compiled_its_source_is_built_with_the_program(monkeypatch):
    async def broken(language, ctx):
        raise SandboxError("no second one can be had")

    monkeypatch.setattr(c_emit, "_compiled", {})
    monkeypatch.setattr(c_emit, "_made", broken)
    test_case, answer = make_c_test([("sq(3)", 9)])
    assert judged(CRun(test_case), answer, "int sq(int x) { return x * x; }")[0] is True
    assert not c_emit._compiled and not c_emit._busy
