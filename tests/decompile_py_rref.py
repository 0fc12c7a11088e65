from evaluator import *

DESCRIPTION = "Can the model read a row reduction over a finite field, with its oddities, out of bytecode?"
TAGS = ["code", "python", "bytecode", "algorithm"]
DETERMINISTIC = True

question = """
Can you decompile this for me? It's the output of dis.dis(rref) in python 3.11, the function was def rref(rows, mod),
mod is always a prime. I'd like readable python that returns exactly the same thing for every matrix of ints, also for
odd ones (it doesn't matter what it does inside). dis doesn't say it: KW_NAMES 8 is ('reverse',).

              0 MAKE_CELL                1 (mod)
              2 MAKE_CELL                9 (factor)
              4 MAKE_CELL               10 (inverse)

  1           6 RESUME                   0

  2           8 LOAD_CLOSURE             1 (mod)
             10 BUILD_TUPLE              1
             12 LOAD_CONST               1 (<code object <listcomp> at 0x7f3c, file "old.py", line 2>)
             14 MAKE_FUNCTION            8 (closure)
             16 LOAD_FAST                0 (rows)
             18 GET_ITER
             20 PRECALL                  0
             24 CALL                     0
             34 STORE_FAST               2 (grid)

  3          36 BUILD_LIST               0
             38 STORE_FAST               3 (pivots)

  4          40 LOAD_CONST               2 (0)
             42 STORE_FAST               4 (top)

  5          44 LOAD_GLOBAL              1 (NULL + range)
             56 LOAD_FAST                2 (grid)
             58 POP_JUMP_FORWARD_IF_FALSE    21 (to 102)
             60 LOAD_GLOBAL              3 (NULL + len)
             72 LOAD_FAST                2 (grid)
             74 LOAD_CONST               2 (0)
             76 BINARY_SUBSCR
             86 PRECALL                  1
             90 CALL                     1
            100 JUMP_FORWARD             1 (to 104)
        >>  102 LOAD_CONST               2 (0)
        >>  104 PRECALL                  1
            108 CALL                     1
            118 GET_ITER
        >>  120 FOR_ITER               228 (to 578)
            122 STORE_FAST               5 (col)

  6         124 LOAD_GLOBAL              1 (NULL + range)
            136 LOAD_FAST                4 (top)
            138 LOAD_GLOBAL              3 (NULL + len)
            150 LOAD_FAST                2 (grid)
            152 PRECALL                  1
            156 CALL                     1
            166 PRECALL                  2
            170 CALL                     2
            180 GET_ITER
        >>  182 FOR_ITER                18 (to 220)
            184 STORE_FAST               6 (r)

  7         186 LOAD_FAST                2 (grid)
            188 LOAD_FAST                6 (r)
            190 BINARY_SUBSCR
            200 LOAD_FAST                5 (col)
            202 BINARY_SUBSCR
            212 POP_JUMP_FORWARD_IF_FALSE     2 (to 218)

  8         214 POP_TOP
            216 JUMP_FORWARD             2 (to 222)

  7     >>  218 JUMP_BACKWARD           19 (to 182)

 10     >>  220 JUMP_BACKWARD           51 (to 120)

 11     >>  222 LOAD_FAST                2 (grid)
            224 LOAD_FAST                6 (r)
            226 BINARY_SUBSCR
            236 LOAD_FAST                2 (grid)
            238 LOAD_FAST                4 (top)
            240 BINARY_SUBSCR
            250 SWAP                     2
            252 LOAD_FAST                2 (grid)
            254 LOAD_FAST                4 (top)
            256 STORE_SUBSCR
            260 LOAD_FAST                2 (grid)
            262 LOAD_FAST                6 (r)
            264 STORE_SUBSCR

 12         268 LOAD_GLOBAL              5 (NULL + pow)
            280 LOAD_FAST                2 (grid)
            282 LOAD_FAST                4 (top)
            284 BINARY_SUBSCR
            294 LOAD_FAST                5 (col)
            296 BINARY_SUBSCR
            306 LOAD_CONST               3 (-1)
            308 LOAD_DEREF               1 (mod)
            310 PRECALL                  3
            314 CALL                     3
            324 STORE_DEREF             10 (inverse)

 13         326 LOAD_CLOSURE            10 (inverse)
            328 LOAD_CLOSURE             1 (mod)
            330 BUILD_TUPLE              2
            332 LOAD_CONST               4 (<code object <listcomp> at 0x7f3c, file "old.py", line 13>)
            334 MAKE_FUNCTION            8 (closure)
            336 LOAD_FAST                2 (grid)
            338 LOAD_FAST                4 (top)
            340 BINARY_SUBSCR
            350 GET_ITER
            352 PRECALL                  0
            356 CALL                     0
            366 LOAD_FAST                2 (grid)
            368 LOAD_FAST                4 (top)
            370 STORE_SUBSCR

 14         374 LOAD_GLOBAL              7 (NULL + enumerate)
            386 LOAD_FAST                2 (grid)
            388 PRECALL                  1
            392 CALL                     1
            402 GET_ITER
        >>  404 FOR_ITER                59 (to 524)
            406 UNPACK_SEQUENCE          2
            410 STORE_FAST               6 (r)
            412 STORE_FAST               7 (row)

 15         414 LOAD_FAST                7 (row)
            416 LOAD_FAST                5 (col)
            418 BINARY_SUBSCR
            428 STORE_DEREF              9 (factor)

 16         430 LOAD_FAST                6 (r)
            432 LOAD_FAST                4 (top)
            434 COMPARE_OP               3 (!=)
            440 POP_JUMP_FORWARD_IF_FALSE    40 (to 522)
            442 LOAD_DEREF               9 (factor)
            444 POP_JUMP_FORWARD_IF_FALSE    38 (to 522)

 17         446 LOAD_CLOSURE             9 (factor)
            448 LOAD_CLOSURE             1 (mod)
            450 BUILD_TUPLE              2
            452 LOAD_CONST               5 (<code object <listcomp> at 0x7f3c, file "old.py", line 17>)
            454 MAKE_FUNCTION            8 (closure)
            456 LOAD_GLOBAL              9 (NULL + zip)
            468 LOAD_FAST                7 (row)
            470 LOAD_FAST                2 (grid)
            472 LOAD_FAST                4 (top)
            474 BINARY_SUBSCR
            484 PRECALL                  2
            488 CALL                     2
            498 GET_ITER
            500 PRECALL                  0
            504 CALL                     0
            514 LOAD_FAST                2 (grid)
            516 LOAD_FAST                6 (r)
            518 STORE_SUBSCR
        >>  522 JUMP_BACKWARD           60 (to 404)

 18     >>  524 LOAD_FAST                3 (pivots)
            526 LOAD_METHOD              5 (append)
            548 LOAD_FAST                5 (col)
            550 PRECALL                  1
            554 CALL                     1
            564 POP_TOP

 19         566 LOAD_FAST                4 (top)
            568 LOAD_CONST               6 (1)
            570 BINARY_OP               13 (+=)
            574 STORE_FAST               4 (top)
            576 JUMP_BACKWARD          229 (to 120)

 20     >>  578 LOAD_FAST                4 (top)
            580 POP_JUMP_FORWARD_IF_FALSE    78 (to 738)
            582 LOAD_GLOBAL             13 (NULL + sorted)
            594 LOAD_GLOBAL             15 (NULL + set)
            606 LOAD_GLOBAL              1 (NULL + range)
            618 LOAD_GLOBAL              3 (NULL + len)
            630 LOAD_FAST                2 (grid)
            632 LOAD_CONST               2 (0)
            634 BINARY_SUBSCR
            644 PRECALL                  1
            648 CALL                     1
            658 PRECALL                  1
            662 CALL                     1
            672 PRECALL                  1
            676 CALL                     1
            686 LOAD_GLOBAL             15 (NULL + set)
            698 LOAD_FAST                3 (pivots)
            700 PRECALL                  1
            704 CALL                     1
            714 BINARY_OP               10 (-)
            718 LOAD_CONST               7 (True)
            720 KW_NAMES                 8
            722 PRECALL                  2
            726 CALL                     2
            736 JUMP_FORWARD             1 (to 740)
        >>  738 LOAD_CONST               0 (None)
        >>  740 STORE_FAST               8 (free)

 21         742 LOAD_FAST                2 (grid)
            744 LOAD_CONST               0 (None)
            746 LOAD_FAST                4 (top)
            748 BUILD_SLICE              2
            750 BINARY_SUBSCR
            760 LOAD_FAST                3 (pivots)
            762 LOAD_FAST                8 (free)
            764 BUILD_TUPLE              3
            766 RETURN_VALUE

Disassembly of <code object <listcomp> at 0x7f3c, file "old.py", line 2>:
              0 COPY_FREE_VARS           1

  2           2 RESUME                   0
              4 BUILD_LIST               0
              6 LOAD_FAST                0 (.0)
        >>    8 FOR_ITER                16 (to 42)
             10 STORE_FAST               1 (row)
             12 LOAD_CLOSURE             2 (mod)
             14 BUILD_TUPLE              1
             16 LOAD_CONST               0 (<code object <listcomp> at 0x7f3c, file "old.py", line 2>)
             18 MAKE_FUNCTION            8 (closure)
             20 LOAD_FAST                1 (row)
             22 GET_ITER
             24 PRECALL                  0
             28 CALL                     0
             38 LIST_APPEND              2
             40 JUMP_BACKWARD           17 (to 8)
        >>   42 RETURN_VALUE

Disassembly of <code object <listcomp> at 0x7f3c, file "old.py", line 2>:
              0 COPY_FREE_VARS           1

  2           2 RESUME                   0
              4 BUILD_LIST               0
              6 LOAD_FAST                0 (.0)
        >>    8 FOR_ITER                 7 (to 24)
             10 STORE_FAST               1 (x)
             12 LOAD_FAST                1 (x)
             14 LOAD_DEREF               2 (mod)
             16 BINARY_OP                6 (%)
             20 LIST_APPEND              2
             22 JUMP_BACKWARD            8 (to 8)
        >>   24 RETURN_VALUE

Disassembly of <code object <listcomp> at 0x7f3c, file "old.py", line 13>:
              0 COPY_FREE_VARS           2

 13           2 RESUME                   0
              4 BUILD_LIST               0
              6 LOAD_FAST                0 (.0)
        >>    8 FOR_ITER                10 (to 30)
             10 STORE_FAST               1 (x)
             12 LOAD_FAST                1 (x)
             14 LOAD_DEREF               2 (inverse)
             16 BINARY_OP                5 (*)
             20 LOAD_DEREF               3 (mod)
             22 BINARY_OP                6 (%)
             26 LIST_APPEND              2
             28 JUMP_BACKWARD           11 (to 8)
        >>   30 RETURN_VALUE

Disassembly of <code object <listcomp> at 0x7f3c, file "old.py", line 17>:
              0 COPY_FREE_VARS           2

 17           2 RESUME                   0
              4 BUILD_LIST               0
              6 LOAD_FAST                0 (.0)
        >>    8 FOR_ITER                16 (to 42)
             10 UNPACK_SEQUENCE          2
             14 STORE_FAST               1 (a)
             16 STORE_FAST               2 (b)
             18 LOAD_FAST                1 (a)
             20 LOAD_DEREF               3 (factor)
             22 LOAD_FAST                2 (b)
             24 BINARY_OP                5 (*)
             28 BINARY_OP               10 (-)
             32 LOAD_DEREF               4 (mod)
             34 BINARY_OP                6 (%)
             38 LIST_APPEND              2
             40 JUMP_BACKWARD           17 (to 8)
        >>   42 RETURN_VALUE
"""

header = """
def unchanged(rows, mod):
    before = [list(row) for row in rows]
    rref(rows, mod)
    return [list(row) for row in rows] == before
"""

test_case, answer = make_python_test(
    [
        ("rref([], 7)", "([], [], None)"),
        ("rref([[]], 5)", "([], [], None)"),
        ("rref([[0, 0], [0, 0]], 3)", "([], [], None)"),
        ("rref([[0, 7], [14, 21]], 7)", "([], [], None)"),
        ("rref([[2, 4, 6]], 11)", "([[1, 2, 3]], [0], [2, 1])"),
        ("rref([[1, 2], [3, 4]], 5)", "([[1, 0], [0, 1]], [0, 1], [])"),
        ("rref([[1, 2], [2, 4]], 5)", "([[1, 2]], [0], [1])"),
        ("rref([[0, 3, 1], [0, 6, 2], [4, 0, 5]], 13)", "([[1, 0, 11], [0, 1, 9]], [0, 1], [2])"),
        (
            "rref([[1, 1, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]], 2)",
            "([[1, 1, 0, 1, 1], [0, 0, 1, 1, 1]], [0, 2], [4, 3, 1])",
        ),
        ("rref([[3], [5], [0]], 101)", "([[1]], [0], [])"),
        (
            "rref([[-1, 5, 9, 22], [8, -40, 3, 1], [7, -35, 12, 23], [2, 2, 2, 2]], 97)",
            "([[1, 0, 0, 55], [0, 1, 0, 29], [0, 0, 1, 14]], [0, 1, 2], [3])",
        ),
        (
            "rref([[0, 0, 6, 3, 2], [0, 0, 0, 5, 10], [0, 8, 1, 1, 1]], 1009)",
            "([[0, 1, 0, 0, 42], [0, 0, 1, 0, 672], [0, 0, 0, 1, 2]], [1, 2, 3], [4, 0])",
        ),
        ("rref([(12, 30), (5, 5), (1, 0)], 31)", "([[1, 0], [0, 1]], [0, 1], [])"),
        ("unchanged([[0, 9], [4, 5]], 3)", "True"),
    ],
    header=header,
)

TestDecompilePyRref = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestDecompilePyRref))
