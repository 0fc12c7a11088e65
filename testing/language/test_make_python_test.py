"""make_python_test: checks of a Python program, judged outside the sandbox."""

import json
import math
from collections import ChainMap, UserDict
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType

import numpy
import pytest

from assay.errors import NodeError
from assay.language import checks
from assay.language.check_encode import encode
from assay.language.check_values import _kind, hashed, same
from assay.language.header_parts import _parts, needed_header
from assay.language.inside_library import json_tools
from assay.report.tree import tree
from evaluator import PythonRun, SubstringEvaluator, make_c_test, make_python_test
from testing.language.pipeline import judged, run_in_sandbox

FLIP = [("flip('a bc d')", "'d bc a'"), ("flip('')", "''"), ("1 + 1", 2), ("flip('x')", repr("x"))]
RIGHT = "def flip(s):\n    return ' '.join(reversed(s.split()))\n"


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


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        (RIGHT, "all tests passed"),
        ("def flip(s): return s", "test 1 failed: flip('a bc d') is 'a bc d', should be 'd bc a'; it was "),
        (RIGHT + "import atexit, os\natexit.register(os._exit, 3)", "all tests passed"),
    ],
)
def test_people_see_what_the_token_means(code, verdict):
    test_case, answer = make_python_test(FLIP)
    ran = run_in_sandbox(code >> PythonRun(test_case) >> SubstringEvaluator(answer))
    assert verdict in ran.text and answer not in ran.text
    explained = "\n".join(map(str, tree(code >> PythonRun(test_case) >> SubstringEvaluator(answer))))
    assert "all tests passed" in explained and answer not in explained


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
    with pytest.raises(NodeError, match="header is not valid Python"):
        make_python_test([("1", 1)], header="def")


def test_the_answer_stands_nowhere_in_the_test_case():
    for make, pairs in ((make_python_test, FLIP), (make_c_test, [("f(1)", 2)])):
        test_case, answer = make(pairs)
        assert answer not in test_case
        assert make(pairs) == (test_case, answer)  # the same each time: results can be compared
        assert make([*pairs, ("f(3)", 4)])[1] != answer


@pytest.mark.parametrize("pairs", [[], [("f(1)",)], [("f(", 1)], [("del x", 1)], [("f(1)", "1 +")], [(1, 2)]])
def test_what_is_no_test_is_refused_when_it_is_made(pairs):
    with pytest.raises(NodeError, match="make_python_test"):
        make_python_test(pairs)


FORGERIES = {
    "no checks are left": "import builtins\nbuiltins.enumerate = lambda *a: []\nbuiltins.len = lambda x: 0",
    "equals all": "class Any:\n    def __eq__(self, o): return True\n    def __ne__(self, o): return 0\n"
    "Any.__module__ = 'collections'\ndef f(x): return Any()",
    "a subclass": "class Any(int):\n    def __eq__(self, other): return True\ndef f(x): return Any(7)",
    "its own file": """
import sys
def f(x):
    print(open(__file__).read(), sys._getframe(1).f_code.co_consts)
""",
    "all that it can read": """
import gc, glob, os, sys
def f(x):
    frame = sys._getframe()
    while frame:
        print(frame.f_locals, frame.f_globals, frame.f_code.co_consts)
        frame = frame.f_back
    for path in ["/proc/self/cmdline", "/proc/self/environ", *glob.glob("*"), *glob.glob("/tmp/*")]:
        try:
            print(open(path, errors="replace").read())
        except OSError:
            pass
    print([each for each in gc.get_objects() if isinstance(each, (str, dict, tuple))])
""",
    "true for every value": """
import gc, json
def f(x):
    for each in gc.get_objects():
        if type(each).__name__ == "Report":
            checks = [{"number": n, "got": True, "claim": True, "wanted": True} for n in range(9)]
            each.send({"all": checks})
    import os
    os._exit(0)
""",
    "its own equality": """
import sys
sys.modules['__main__'].__dict__['_assay_same'] = lambda *a: True
def f(x):
    return 0
""",
}


@pytest.mark.parametrize("way", FORGERIES)
def test_a_forged_answer_does_not_pass(way):
    test_case, answer = make_python_test(
        [("f(1)", 4), ("f(2)", "square(4)")], header="def square(x): return x * x"
    )
    passed, text = judged(PythonRun(test_case), answer, FORGERIES[way])
    assert passed is False and answer not in text.replace(f"lacks '{answer}'", "")


EQUAL = [
    ("P(1, 2)", "(1, 2)", "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int"),
    ("Level.HIGH", "3", "from enum import IntEnum\nclass Level(IntEnum):\n    HIGH = 3"),
    ("np.float32(0.1), np.int64(3), np.bool_(True)", "(0.1, 3, True)", "import numpy as np"),
    ("np.arange(6).reshape(2, 3)", "[[0, 1, 2], [3, 4, 5]]", "import numpy as np"),
    ("{1: {2, 3}, 'a': b'x'}", "{'a': bytearray(b'x'), 1.0: frozenset([3, 2])}", ""),
    (
        "Fraction(1, 2), Decimal('0.5'), 2 + 0j",
        "(0.5, 0.5, 2)",
        "from fractions import *\nfrom decimal import *",
    ),
    (
        "datetime(2024, 2, 29)",
        "__import__('datetime').datetime(2024, 2, 29)",
        "from datetime import datetime",
    ),
    ("[x for x in range(30000)]", "list(range(30000))", ""),
    ("np.arange(10**5)", "np.arange(10**5) * 1.0", "import numpy as np"),
]


UNEQUAL = [
    ("np.array([])", 3, "import numpy as np"),
    ("np.array([])", [1, 2], "import numpy as np"),
    ("np.zeros(1)", [0, 0, 0], "import numpy as np"),
    ("np.zeros((1, 3))", "[0, 0, 0]", "import numpy as np"),
    ("[1, 2]", (1, 2), ""),
    ("'1'", 1, ""),
    ("None", 0, ""),
    ("{1: 2}", {1: 3}, ""),
    ("[x for x in range(30000)]", "list(range(30001))", ""),
]


@pytest.mark.parametrize(("pairs", "equal"), [(EQUAL, True), (UNEQUAL, False)])
def test_values_are_equal_as_python_has_it_but_never_by_broadcasting(pairs, equal):
    for gives, wanted, code in pairs:
        names: dict[str, object] = {}
        exec(code, names)
        got = json.loads(json.dumps(encode(eval(gives, names))))
        wanted = encode(eval(wanted, names) if isinstance(wanted, str) else wanted)
        assert same(got, wanted) is equal, (gives, wanted)
        if _kind(got) == "list":  # as what is too long to be sent
            assert same(hashed(got), wanted) is equal


@pytest.mark.parametrize(
    "said",
    [
        ["array", [3], "", [1]],
        ["list"],
        ["hash", 1],
        ["ratio", "1"],
        [[]] * 3,
        ["int", "x"],
        {"a": 1},
        ["opaque"],
    ],
)
def test_data_that_makes_no_sense_equals_nothing(said):
    for wanted in (3, [1, 2], None, {"a": 1}):
        assert same(said, encode(wanted)) is False
    nested = []
    for _ in range(5000):
        nested = ["list", [nested]]
    assert same(nested, encode([1])) is False


def test_lengths_that_a_program_sends_are_numbers_and_few():
    for shape in (["a", 10**15], [10**15, "a"], [1] * 100_000, [-1], [True]):
        assert same(["array", shape, "", [1]], ["list", [1]]) is False
        assert same(["set", [["array", shape, "", [1]]]], ["set", [1]]) is False


def nested(levels, last, kind=list):
    value = [last]
    for number in range(levels):
        value = {number: value} if kind is dict else kind([value, number])
    return value


@pytest.mark.parametrize("kind", [list, tuple, dict])
def test_what_is_nested_deeply_is_compared_to_its_end(kind):
    for levels in (60, 61, 130, 5_000):
        one = encode(nested(levels, 5, kind), hashed)
        assert same(one, encode(nested(levels, 5.0, kind), hashed)) and same(one, hashed(one))
        assert not same(one, encode(nested(levels, 6, kind), hashed))
        assert not same(one, encode(nested(levels + 1, 5, kind), hashed))


DEEP = "def deep(n, last):\n    value = [last]\n    for _ in range(n): value = [value]\n    return value"


OWN_WORD = """
class Same(list):
    def __eq__(self, other): return True
def size(): return 1
def f():
    value = Same()
    for _ in range(70): value = Same([value])
    return value
"""


def test_a_program_is_not_asked_whether_what_is_nested_deeply_is_equal():
    pairs = [("f()", "deep(200, size())")]
    test_case, answer = make_python_test(pairs, DEEP)
    right = f"{DEEP}\ndef size(): return 3\ndef f(): return deep(200, 3)"
    passed, text = judged(PythonRun(test_case), answer, right)
    assert passed is True, text
    assert judged(PythonRun(test_case), answer, right.replace("200, 3", "200, 4"))[0] is False
    assert judged(PythonRun(test_case), answer, OWN_WORD)[0] is False


@pytest.mark.slow(6)
def test_what_holds_itself_equals_nothing_and_says_so():
    endless = "def f():\n    value = []\n    value.append(value)\n    return value\ndef same(): return f()"
    for wanted in ("[[]]", "f()"):
        test_case, answer = make_python_test([("f()", wanted)])
        passed, text = judged(PythonRun(test_case), answer, endless)
        assert passed is False and "f() cannot be compared: the value is nested too deeply" in text


def test_structures_leave_the_sandbox_as_they_are():
    pairs = [
        ("P(1, 2)", "(1, 2)"),
        ("Level.HIGH", 3),
        ("[{1: {2, 3}}, b'x', 1 << 70, math.inf, range(3), 'é\\udc80']", None),
        ("list(range(30000))", "list(range(30000))"),
    ]
    pairs[2] = (pairs[2][0], pairs[2][0].replace("math.inf", "float('inf')"))
    code = "import math\nfrom typing import NamedTuple\nfrom enum import IntEnum\n"
    code += "class P(NamedTuple):\n    x: int\n    y: int\n"
    test_case, answer = make_python_test(pairs)
    passed, text = judged(PythonRun(test_case), answer, code + "class Level(IntEnum):\n    HIGH = 3")
    assert passed is True, text


def test_what_is_wanted_may_need_the_program_or_be_the_authors_own_class():
    header = """
import random
from dataclasses import dataclass
from unittest.mock import ANY
SEED = random.random()

@dataclass
class Point:
    x: int

class Near:
    def __init__(self, x): self.x = x
    def __eq__(self, other): return abs(other - self.x) < 0.01
"""
    pairs = [
        ("double(3)", "double(1) * 3"),  # of the program alone
        ("double(SEED)", "2 * SEED"),  # another number at each start
        ("Box(1)", "Box(1)"),
        ("point(1, Point)", "Point(2)"),
        ("double(1.001)", "Near(2)"),
        ("[double(1), object()]", "[2, ANY]"),
    ]
    code = "def double(x): return 2 * x\nclass Box:\n    def __init__(self, x): self.x = x\n"
    code += "    def __eq__(self, other): return self.x == other.x\ndef point(x, kind): return kind(2 * x)"
    test_case, answer = make_python_test(pairs[:5], header)
    passed, text = judged(PythonRun(test_case), answer, code)
    assert passed is True, text
    assert judged(PythonRun(test_case), answer, code.replace("2 * x", "3 * x"))[0] is False


@pytest.mark.parametrize(
    "guard",
    [
        "import unittest; unittest.main()",
        "import sys; sys.exit(1)",
        "n = int(input())",
        "import sys; print(sys.argv[1])",
    ],
)
def test_the_programs_own_main_does_not_run(guard):
    test_case, answer = make_python_test(FLIP)
    code = f"{RIGHT}\nif __name__ == '__main__':\n    {guard}\n"
    assert judged(PythonRun(test_case), answer, code)[0] is True
    assert judged(PythonRun("print(flip('b a'))"), "a b", code)[0] is True


def test_a_question_may_be_several_lines_and_use_what_others_have_made():
    pairs = [
        ("x = make(2)\nfor i in range(2):\n    x = x + [i]\nanswer = x", [2, 0, 1]),
        ("shared = make(5)\nshared.append(6)", [5, 6]),
        ("    shared.append(7)\n    len(shared)", 3),
        ("count += 1", 2),
        ("count", 2),
    ]
    test_case, answer = make_python_test(pairs, header="count = 1")
    passed, text = judged(PythonRun(test_case), answer, "def make(x): return [x]")
    assert passed is True, text


def test_the_program_sees_what_the_header_defines_and_it_does_not():
    header = "def parse(text): return text.split()\nLIMIT = 3"
    test_case, answer = make_python_test([("merge('a b')", ["a", "b", 5])], header)
    code = "LIMIT = 5\ndef merge(text): return parse(text) + [LIMIT]"
    assert judged(PythonRun(test_case), answer, code)[0] is True


def test_a_test_case_put_together_with_more_code_still_checks():
    test_case, answer = make_python_test([("f(X)", 4), ("g", 1)])
    code = "def f(x): return x * x"
    assert judged(PythonRun("X = 2\ng = 1\n" + test_case), answer, code)[0] is True
    assert judged(PythonRun(f"X = 2\ng = 1\n{test_case}"), answer, code)[0] is True
    assert judged(PythonRun("X = 3\ng = 1\n" + test_case), answer, code)[0] is False


@pytest.mark.parametrize(
    ("got", "wanted"),
    [
        (MappingProxyType({"a": 1}), {"a": 1}),
        (ChainMap({"a": 1}), {"a": 1}),
        (UserDict(a=1), {"a": 1}),
        (Path("a") / "b", Path("a/b")),
        (datetime(2024, 1, 1, 1, tzinfo=timezone(timedelta(hours=1))), datetime(2024, 1, 1, tzinfo=UTC)),
        (numpy.arange(30_000), list(range(30_000))),
        (numpy.ones((200, 200), "f4"), ((1,) * 200,) * 200),
    ],
)
def test_standard_values_are_equal_however_they_were_made(got, wanted):
    assert same(encode(got), encode(wanted)) and same(encode(got), hashed(encode(wanted)))
    assert not same(encode(got), hashed(encode([wanted])))


def test_a_decimal_may_be_infinite():
    assert same(encode(Decimal("-Infinity")), encode(-math.inf))
    assert not same(encode(Decimal("NaN")), encode(3))


def test_a_header_s_function_may_count_in_a_variable_of_the_header():
    header = "calls = 0\ndef hook():\n    global calls\n    calls += 1\n"
    test_case, answer = make_python_test([("twice(2)", 4), ("calls", 1)], header)
    code = "def twice(x):\n    hook()\n    return 2 * x"
    passed, text = judged(PythonRun(test_case), answer, code)
    assert passed is True, text
    assert judged(PythonRun(test_case), answer, code.replace("hook()", "pass"))[0] is False


CLASSES = """
from dataclasses import dataclass
from enum import Enum

class Colour(Enum):
    RED = 1
    BLUE = 2

@dataclass
class Box:
    w: int
    h: int

class Odd(Exception):
    pass

class Clock:
    def now(self):
        return 5
"""


def test_a_class_that_the_program_says_again_is_the_header_s():
    header = CLASSES + "def caught():\n    try:\n        fail()\n    except Odd:\n        return True\n"
    pairs = [
        ("flip(Colour.RED)", "Colour.BLUE"),
        ("area(Box(2, 3))", 6),
        ("double(Box(1, 2))", "Box(2, 4)"),
        ("caught()", True),
        ("read(Clock())", 5),
    ]
    code = (
        CLASSES.replace("return 5", "return 7")
        + """
NEXT = {Colour.RED: Colour.BLUE, Colour.BLUE: Colour.RED}
def flip(colour): return NEXT[colour]
def area(box):
    match box:
        case Box(w, h): return w * h
def double(box): return Box(2 * box.w, 2 * box.h)
def fail(): raise Odd
def read(clock): return clock.now()
"""
    )
    test_case, answer = make_python_test(pairs, header)
    passed, text = judged(PythonRun(test_case), answer, code)
    assert passed is True, text
    assert "area(Box(2, 3)) is 5" in judged(PythonRun(test_case), answer, code.replace("w * h", "w + h"))[1]


def test_what_is_wanted_may_be_said_in_what_the_question_has_made():
    pairs = [("s = Stack()", "s"), ("s.push(3)", None), ("match s.pop():\n case x:\n  r = x", 3)]
    code = "class Stack(list):\n    push = list.append"
    passed, text = judged(PythonRun(make_python_test(pairs)[0]), make_python_test(pairs)[1], code)
    assert passed is True, text


def test_a_question_may_say_answer_and_end_in_a_statement():
    pairs = [
        ("[3, 1, 2]\norder(answer)", "[1, 2, 3]"),
        ("0\nx = 4\nanswer = x + 1", 5),
        ("try:\n    order(None)\n    r = 'no'\nexcept AttributeError:\n    r = 'yes'", "'yes'"),
    ]
    test_case, answer = make_python_test(pairs)
    passed, text = judged(PythonRun(test_case), answer, "def order(x): x.sort()")
    assert passed is True, text


def test_many_checks_of_a_program_that_prints_more_than_is_kept_are_still_read():
    test_case, answer = make_python_test([(f"f({i})", f"'\u00e9' * 480 + '{i}'") for i in range(40)])
    code = "def f(i):\n    print('debug' * 60_000)\n    return '\u00e9' * 480 + str(i)"
    passed, text = judged(PythonRun(test_case), answer, code)
    assert passed is True, text[-500:]


@pytest.mark.parametrize(
    "guard",
    [
        "if __name__ == '__main__' and len(sys.argv) < 5: main()",
        "try:\n    if __name__ == '__main__':\n        main()\nexcept KeyboardInterrupt:\n    pass",
        "if (\n    __name__ ==\n    '__main__'\n):\n    main()",
        "if __name__ in ('__main__',): main()",
        "if __name__ != '__main__':\n    pass\nelse:\n    main()",
    ],
)
def test_a_main_guard_of_any_form_does_not_run_beside_a_test_case(guard):
    code = f"import sys\ndef main(): sys.exit(3)\ndef twice(x): return 2 * x\n{guard}\n"
    assert judged(PythonRun("print('val', twice(2))"), "val 4", code)[0] is True


FORGED_FRAMES = """
import os, sys
frame = sys._getframe()
while "report" not in frame.f_locals:
    frame = frame.f_back
report = frame.f_locals["report"]
all_ones = [{"number": n, "got": 1, "wanted": 1, "claim": True} for n in range(9)]
report.send({"all": all_ones})
os._exit(0)
"""


NUMPY = ("python:numpy",)


def test_random_numbers_of_the_header_are_summed_up_outside_too():
    header = (
        "import random\nimport numpy as np\nxs = [random.random() for _ in range(5)]\nys = np.random.rand(5)"
    )
    test_case, answer = make_python_test([("total(xs)", "sum(xs)"), ("total(ys)", "sum(ys)")], header)
    code = "import random\nrandom.seed(4)\ndef total(xs): return sum(xs)"
    passed, text = judged(PythonRun(test_case), answer, code, NUMPY)
    assert passed is True, text
    assert judged(PythonRun(test_case), answer, FORGED_FRAMES)[0] is False


@pytest.mark.parametrize("made", ["default_rng()", "default_rng(None)", "Generator(numpy.random.PCG64())"])
def test_numbers_of_numpys_generators_without_a_seed_are_summed_up_outside_too(made):
    header = "import numpy\nfrom numpy.random import *\n" + f"x, y = {made}.random(3), {made}.random(3)"
    test_case, answer = make_python_test([("total(x)", "x.sum()"), ("(x == y).any()", False)], header)
    code = """
from numpy.random import default_rng
total, one, two = sum, default_rng().random(), default_rng().random()
def total(xs):
    assert default_rng().random() not in (one, two, *xs)
    return sum(xs)
"""
    passed, text = judged(PythonRun(test_case), answer, code, NUMPY)
    assert passed is True, text
    assert judged(PythonRun(test_case), answer, FORGED_FRAMES)[0] is False
    forged = FORGED_FRAMES.replace('"got": 1, "wanted": 1', '"got": n and False, "wanted": n and False')
    assert judged(PythonRun(test_case), answer, forged)[0] is False


def test_random_numbers_behind_a_part_of_the_header_that_needs_the_program_may_differ():
    header = "import random\nfirst = size()\nxs = [random.random() for _ in range(first)]"
    header += "\nfor _ in range(first): random.random()\ny = random.random()"
    test_case, answer = make_python_test([("total(xs)", "sum(xs)"), ("total([y])", "y")], header)
    code = "def size(): return 5\ndef total(xs): return sum(xs)"
    passed, text = judged(PythonRun(test_case), answer, code)
    assert passed is True, text


SEES = """
import gc, types
def f(x):
    names = {g.__name__ for g in gc.get_objects() if isinstance(g, types.FunctionType)}
    texts = [t for t in gc.get_objects() if isinstance(t, str)]
    return [word for word in WORDS if word in names or any("def " + word in text for text in texts)]
"""


HEADER_WITH_RESULTS = """
import math
from functools import lru_cache

@lru_cache(maxsize=None)
def deepest(n):
    return n

def answer_of(n):
    return [deepest(n)] * 0

NUMBERS = [1, 2]
RESULTS, shift = [answer_of(n) for n in NUMBERS], 3

def asked(n):
    return f(n + math.floor(0.5) + base)

base = 0
"""


def test_what_only_the_expected_values_use_is_not_in_the_process_with_the_program():
    pairs = [("asked(NUMBERS[0])", "answer_of(1)"), ("f(2)", "RESULTS[1]")]
    test_case, answer = make_python_test(pairs, HEADER_WITH_RESULTS)
    code = f"WORDS = 'deep' + 'est', 'ans' + 'wer_of'\n{SEES}"
    passed, text = judged(PythonRun(test_case), answer, code)
    assert passed is True, text
    seen = judged(PythonRun(test_case), answer, code.replace("'ans' +", "'ask' + 'ed', 'ans' +"))[1]
    assert "['asked']" in seen


def left_out(header, question, program=""):
    """The names that a header defines and a program's process does not get."""
    kept = needed_header(header, [f"return {question}"], program)
    return {name for part in _parts(header) for name in part.binds} - {
        name for part in _parts(kept) for name in part.binds
    }


@pytest.mark.parametrize(
    ("header", "question", "program", "left"),
    [
        ("def a(x): return b(x)\ndef b(x): return x\ndef c(x): return a(x)", "a(1)", "", {"c"}),
        ("def a(x): return x", "f(1)", "def f(x): return a(x)", set()),
        ("def a(x): return x\nA = {'way': a}", "f(1)", "", {"a", "A"}),
        ("def a(x): return x\nA = {'way': a}", "f(A)", "", set()),
        ("def a(x): return x", "getattr(f(1), 'a')", "", set()),
        ("def a(x): return x", "getattr(f(1), name)", "", set()),
        ("def a(x): return x\ndef b(): return globals()", "b()", "", set()),
        ("def a(x): return x\ndef b(): return globals()", "f(1)", "", {"a", "b"}),
        ("class A:\n    x = 1\nclass B(A): pass", "f(A)", "", {"B"}),
        ("class A:\n    x = 1\nclass B(A): pass", "A.__subclasses__()", "", set()),
        ("class A:\n    x = print(1)", "f(1)", "", set()),
        ("@note\ndef a(x): return x", "f(1)", "", set()),
        ("def a(x=print()): return x", "f(1)", "", set()),
        ("global sleep\ndef sleep(x): pass", "f(1)", "", set()),
        ("def a(x):\n    global n\n    n = x\nA = a(1)", "f(1)", "", set()),
        ("def a(x): return x\nA = a(1)", "f(1)", "", {"a", "A"}),
        ("def a(x): return sorted(x)\nC = [2, 1]\nA = a(C)", "f(C)", "", {"a", "A"}),
        ("def a(x): x.sort()\nC = [2, 1]\nA = a(C)", "f(C)", "", set()),
        ("def a(x): x[0] = 1\nC = [2, 1]\nA = a(C)", "f(C)", "", set()),
        ("import random\nA = random.random()", "f(1)", "", set()),
        ("A = open('a', 'w')", "f(1)", "", set()),
        ("A = other(1)", "f(1)", "", set()),
        ("def a(x): return x\nC = []\nC.append(a(1))", "f(1)", "", set()),
        ("def a(x): return x\nfor i in range(3): a(i)", "f(1)", "", set()),
        ("A = 1; B = 2", "f(B)", "", set()),
        ("A = 1; B = 2", "f(1)", "", {"A", "B"}),
        ("a = lambda x: x * x", "f(1)", "", {"a"}),
        ("if True:\n    def a(x): return b(x)\ndef b(x): return x", "f(1)", "", set()),
    ],
)
def test_what_is_left_out_of_a_header(header, question, program, left):
    assert left_out(header, question, program) == left
    assert needed_header(header, ["f("], program) == header


def test_a_wanted_value_that_ends_its_process_leaves_the_others_as_they_are():
    header = "import os\ndef stop(): os._exit(0)"
    test_case, answer = make_python_test(
        [("f(2)", "max(2, 1)"), ("f(3)", "stop()"), ("f(4)", "max(4, 1)")], header
    )
    text = judged(PythonRun(test_case), answer, "def f(x): return 0")[1]
    (known,) = [rights for key, rights in checks._known.items() if key[0] == answer]
    assert [right.missing for right in known] == [False, True, False]
    assert "f(2) is 0, should be 2" in text


def test_what_could_not_be_found_out_in_time_is_an_error(monkeypatch):
    monkeypatch.setattr(checks, "WANTED_TIME_LIMIT_S", 0.5)
    test_case, answer = make_python_test([("f(2)", "slow()")], "import time\ndef slow(): time.sleep(9)")
    with pytest.raises(NodeError, match="could not be computed"):
        judged(PythonRun(test_case), answer, "def f(x): return 0")


def test_files_of_the_program_stand_in_for_nothing_that_the_checks_use():
    names = ("json", "re", "enum", "binascii", "base64", "copyreg", "hashlib", "array", "math", "collections")
    shadows = "\n".join(f"open('{name}.py', 'w').write('raise SystemExit(0)')" for name in names)
    code = f"{shadows}\ndef data(n): return [b'\\xff' * n, {{1.5}}, range(3), slice(n)]\n"
    long = "def right(n): return [b'\\xff' * n, {1.5}, range(3), slice(n)]"
    test_case, answer = make_python_test([("data(2)", "right(2)"), ("data(90_000)", "right(90_000)")], long)
    assert judged(PythonRun(test_case), answer, code)[0] is True
    assert judged(PythonRun(test_case), answer, code.replace("1.5", "2.5"))[0] is False


def test_the_checks_import_nothing_that_a_program_would_have_to_wait_for():
    code = "import sys\nprint(sorted(sys.modules.keys() & {'json', 're', 'enum', 'hashlib', 'typing'}))\n"
    test_case, answer = make_python_test([("[1.5, 'a', (2,), {3}, None]", "[1.5, 'a', (2,), {3}, None]")])
    plain, checked = (run_in_sandbox(code >> node) for node in (PythonRun(), PythonRun(test_case)))
    assert answer in checked.output and checked.output.splitlines()[0] == plain.output.splitlines()[0]


def test_json_is_read_and_written_as_the_standard_library_does():
    loads, dumps = json_tools()
    values = [
        None,
        True,
        False,
        0,
        -1,
        1 << 59,
        0.1,
        -2.5e300,
        "",
        'a\x1e\n"\\\ud800é',
        [],
        {},
        [[{"a": [1]}]],
    ]
    for value in [*values, values, {"all": values}]:
        assert dumps(value) == json.dumps(value) and loads(json.dumps(value)) == value
    assert dumps(float("inf")) == "Infinity" and loads('{"a": [-Infinity]}') == {"a": [float("-inf")]}
