"""Test programs from pairs: the answer is printed if every check holds, and only then."""

import pytest

from assay.errors import NodeError
from evaluator import CppRun, CRun, PythonRun, SubstringEvaluator, make_c_test, make_python_test
from testing.nodes.pipeline import run_in_sandbox

FLIP = [("flip('a bc d')", "'d bc a'"), ("flip('')", "''"), ("1 + 1", 2), ("flip('x')", repr("x"))]
RIGHT = "def flip(s):\n    return ' '.join(reversed(s.split()))\n"


def judged(node, answer, code):
    ran = run_in_sandbox(code >> node >> SubstringEvaluator(answer))
    return ran.output, ran.text


def test_a_right_program_gets_the_answer():
    test_case, answer = make_python_test(FLIP)
    assert judged(PythonRun(test_case), answer, RIGHT)[0] is True
    assert (
        judged(PythonRun(test_case), answer, RIGHT + "print = len = type = None\nclass builtins: pass")[0]
        is True
    )


@pytest.mark.parametrize(
    "name", ["same", "wanted", "got", "text", "say", "failed", "checks", "number", "expected"]
)
def test_a_function_may_have_any_name(name):
    test_case, answer = make_python_test([(f"{name}(2)", 4), (f"{name}(3)", f"{name}(2) + 2")])
    assert judged(PythonRun(test_case), answer, f"def {name}(x): return 2 * x")[0] is True


@pytest.mark.parametrize(
    "code",
    [
        "def flip(s): return s",
        "",
        "import sys\nsys.exit(0)",
        "def flip(s): raise SystemExit(0)",
        "def flip(s): import os; os._exit(0)",
        "class Any:\n    def __eq__(self, other): return True\ndef flip(s): return Any()",
        "from unittest.mock import ANY\ndef flip(s): return ANY",
        "print('all tests passed')",
    ],
)
def test_a_wrong_or_hostile_program_does_not(code):
    test_case, answer = make_python_test(FLIP)
    assert judged(PythonRun(test_case), answer, code)[0] is False


def test_every_failed_check_says_what_it_gave():
    test_case, answer = make_python_test([("f(1)", 2), ("f(2)", 2), ("g()", 1)])
    text = judged(PythonRun(test_case), answer, "def f(x): return x")[1]
    assert "test 1 failed: f(1) is 1, should be 2" in text
    assert "test 3 failed: g() raised NameError" in text and "2 of 3 tests failed" in text


def test_the_header_runs_first_and_values_may_be_any():
    test_case, answer = make_python_test(
        [("f(X)", [1, (2, None), {"a": 1.5}]), ("P(1)", "P(1)")],
        header="X = 2\nfrom collections import namedtuple\nP = namedtuple('P', 'x')",
    )
    assert judged(PythonRun(test_case), answer, "def f(x): return [1, (x, None), {'a': 1.5}]")[0] is True


HEADER = """
import math as m, time

TEXT = '''one
two'''

def helper(x):
    global limit
    limit = x
    return f'''{x}
{TEXT}'''
"""


def test_the_header_hides_no_name_of_the_program():
    test_case, answer = make_python_test(
        [
            ("f()", (2, 8)),
            ("TEXT", "'one\\ntwo'"),
            ("helper(m.floor(5.5))", "'5\\none\\ntwo'"),
            ("f()", (5, 8)),
        ],
        header=HEADER,
    )
    code = "import cmath as m\nfrom time import time\nlimit = 2\n"
    code += "def helper(): return 8 if m.phase(time() + 0j) == 0 else 0\ndef f(): return limit, helper()"
    assert judged(PythonRun(test_case), answer, code)[0] is True
    assert judged(PythonRun(test_case), answer, code.replace("8 if", "9 if"))[0] is False
    with pytest.raises(NodeError, match="header is no Python"):
        make_python_test([("1", 1)], header="def")


def test_the_answer_stands_nowhere_in_the_test_case():
    for make, pairs in ((make_python_test, FLIP), (make_c_test, [("f(1)", 2)])):
        test_case, answer = make(pairs)
        assert answer not in test_case
        assert make(pairs) == (test_case, answer)  # the same each time: results can be compared
        assert make([*pairs, ("f(3)", 4)])[1] != answer


@pytest.mark.parametrize("pairs", [[], [("f(1)",)], [("f(", 1)], [("x = 1", 1)], [("f(1)", "1 +")], [(1, 2)]])
def test_what_is_no_test_is_refused_when_it_is_made(pairs):
    with pytest.raises(NodeError, match="make_python_test"):
        make_python_test(pairs)


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


@pytest.mark.parametrize("node", [CRun, CppRun])
def test_c_and_cpp(node):
    test_case, answer = make_c_test(
        C_CHECKS, header="#define N 7", extra_methods="int twice(int x) { return 2 * x; }"
    )
    assert judged(node(test_case), answer, C)[0] is True
    passed, text = judged(node(test_case), answer, C.replace("x * x", "x + x"))
    assert passed is False
    assert "test 1 failed: sq(3) is 6, should be 9" in text and "2 of 9 tests failed" in text
    assert judged(node(test_case), answer, C.replace("return x * x", "__builtin_exit(0)"))[0] is False


def test_cpp_strings_and_vectors():
    test_case, answer = make_c_test([("s()", '"abc"'), ("v()", "std::vector<int>({1, 2})")])
    code = '#include <string>\n#include <vector>\nstd::string s() { return "abc"; }\n'
    code += "std::vector<int> v() { return {1, 2}; }"
    assert judged(CppRun(test_case), answer, code)[0] is True


def test_c_values_that_have_no_literal_are_refused():
    with pytest.raises(NodeError, match="C source"):
        make_c_test([("f()", [1])])
