from evaluator import *

DESCRIPTION = "Can the model recover a generator with a closure and exceptions from its bytecode?"
TAGS = ["code", "python", "bytecode"]
DETERMINISTIC = True

question = """
The repository of an old tool is gone, all I have is a .pyc and what dis.dis of python 3.11 says about its main
function, f(lines, sep=':'). Please write me source for it that behaves the same, down to the corner cases (names and
layout don't matter).

              0 MAKE_CELL                1 (sep)
              2 MAKE_CELL                6 (groups)
              4 MAKE_CELL                7 (put)

  1           6 RETURN_GENERATOR
              8 POP_TOP
             10 RESUME                   0

  2          12 BUILD_MAP                0
             14 STORE_DEREF              6 (groups)

  4          16 LOAD_CLOSURE             6 (groups)
             18 BUILD_TUPLE              1
             20 LOAD_CONST               1 (<code object put at 0x7f3c, file "old.py", line 4>)
             22 MAKE_FUNCTION            8 (closure)
             24 STORE_DEREF              7 (put)

 14          26 LOAD_CLOSURE             7 (put)
             28 LOAD_CLOSURE             1 (sep)
             30 BUILD_TUPLE              2
             32 LOAD_CONST               2 (<code object <listcomp> at 0x7f3c, file "old.py", line 14>)
             34 MAKE_FUNCTION            8 (closure)
             36 LOAD_FAST                0 (lines)
             38 GET_ITER
             40 PRECALL                  0
             44 CALL                     0
             54 STORE_FAST               2 (odd)

 15          56 LOAD_GLOBAL              1 (NULL + max)
             68 LOAD_CONST               3 (<code object <genexpr> at 0x7f3c, file "old.py", line 15>)
             70 MAKE_FUNCTION            0
             72 LOAD_DEREF               6 (groups)
             74 GET_ITER
             76 PRECALL                  0
             80 CALL                     0
             90 LOAD_CONST               4 (0)
             92 KW_NAMES                 5
             94 PRECALL                  2
             98 CALL                     2
            108 STORE_FAST               3 (width)

 16         110 LOAD_DEREF               6 (groups)
            112 LOAD_METHOD              1 (items)
            134 PRECALL                  0
            138 CALL                     0
            148 GET_ITER
        >>  150 FOR_ITER                80 (to 312)
            152 UNPACK_SEQUENCE          2
            156 STORE_FAST               4 (key)
            158 STORE_FAST               5 (values)

 17         160 LOAD_GLOBAL              5 (NULL + len)
            172 LOAD_FAST                5 (values)
            174 PRECALL                  1
            178 CALL                     1
            188 LOAD_CONST               6 (1)
            190 COMPARE_OP               4 (>)
            196 POP_JUMP_FORWARD_IF_FALSE    23 (to 244)

 18         198 LOAD_FAST                4 (key)
            200 LOAD_CONST               7 ('>')
            202 LOAD_FAST                3 (width)
            204 FORMAT_VALUE             0
            206 BUILD_STRING             2
            208 FORMAT_VALUE             4 (with format)
            210 LOAD_DEREF               1 (sep)
            212 FORMAT_VALUE             0
            214 LOAD_FAST                5 (values)
            216 LOAD_CONST               6 (1)
            218 LOAD_CONST               0 (None)
            220 BUILD_SLICE              2
            222 BINARY_SUBSCR
            232 FORMAT_VALUE             2 (repr)
            234 BUILD_STRING             3
            236 YIELD_VALUE
            238 RESUME                   1
            240 POP_TOP
            242 JUMP_BACKWARD           47 (to 150)

 19     >>  244 LOAD_FAST                4 (key)
            246 POP_JUMP_FORWARD_IF_FALSE    31 (to 310)

 20         248 LOAD_FAST                4 (key)
            250 LOAD_METHOD              3 (upper)
            272 PRECALL                  0
            276 CALL                     0
            286 LOAD_FAST                5 (values)
            288 LOAD_CONST               4 (0)
            290 BINARY_SUBSCR
            300 BINARY_OP                5 (*)
            304 YIELD_VALUE
            306 RESUME                   1
            308 POP_TOP
        >>  310 JUMP_BACKWARD           81 (to 150)

 21     >>  312 LOAD_GLOBAL              9 (NULL + reversed)
            324 LOAD_FAST                2 (odd)
            326 PRECALL                  1
            330 CALL                     1
            340 GET_YIELD_FROM_ITER
            342 LOAD_CONST               0 (None)
        >>  344 SEND                     3 (to 352)
            346 YIELD_VALUE
            348 RESUME                   2
            350 JUMP_BACKWARD_NO_INTERRUPT     4 (to 344)
        >>  352 POP_TOP
            354 LOAD_CONST               0 (None)
            356 RETURN_VALUE

Disassembly of <code object put at 0x7f3c, file "old.py", line 4>:
              0 COPY_FREE_VARS           1

  4           2 RESUME                   0

  5           4 NOP

  6           6 LOAD_DEREF               2 (groups)
              8 LOAD_FAST                0 (key)
             10 BINARY_SUBSCR
             20 LOAD_METHOD              0 (append)
             42 LOAD_GLOBAL              3 (NULL + int)
             54 LOAD_FAST                1 (value)
             56 PRECALL                  1
             60 CALL                     1
             70 LOAD_CONST               1 (2)
             72 BINARY_OP                2 (//)
             76 PRECALL                  1
             80 CALL                     1
             90 POP_TOP
             92 JUMP_FORWARD            81 (to 256)
        >>   94 PUSH_EXC_INFO

  7          96 LOAD_GLOBAL              4 (KeyError)
            108 CHECK_EXC_MATCH
            110 POP_JUMP_FORWARD_IF_FALSE    22 (to 156)
            112 POP_TOP

  8         114 LOAD_GLOBAL              7 (NULL + len)
            126 LOAD_FAST                1 (value)
            128 PRECALL                  1
            132 CALL                     1
            142 BUILD_LIST               1
            144 LOAD_DEREF               2 (groups)
            146 LOAD_FAST                0 (key)
            148 STORE_SUBSCR
            152 POP_EXCEPT
            154 JUMP_FORWARD            50 (to 256)

  9     >>  156 LOAD_GLOBAL              8 (ValueError)
            168 CHECK_EXC_MATCH
            170 POP_JUMP_FORWARD_IF_FALSE    38 (to 248)
            172 POP_TOP

 10         174 LOAD_DEREF               2 (groups)
            176 LOAD_FAST                0 (key)
            178 COPY                     2
            180 COPY                     2
            182 BINARY_SUBSCR
            192 LOAD_FAST                1 (value)
            194 LOAD_METHOD              5 (split)
            216 PRECALL                  0
            220 CALL                     0
            230 BINARY_OP               13 (+=)
            234 SWAP                     3
            236 SWAP                     2
            238 STORE_SUBSCR

 11         242 POP_EXCEPT
            244 LOAD_CONST               2 (False)
            246 RETURN_VALUE

  9     >>  248 RERAISE                  0
        >>  250 COPY                     3
            252 POP_EXCEPT
            254 RERAISE                  1

 12     >>  256 LOAD_CONST               3 (True)
            258 RETURN_VALUE
ExceptionTable:
  6 to 90 -> 94 [0]
  94 to 150 -> 250 [1] lasti
  156 to 240 -> 250 [1] lasti
  248 to 248 -> 250 [1] lasti

Disassembly of <code object <listcomp> at 0x7f3c, file "old.py", line 14>:
              0 COPY_FREE_VARS           2

 14           2 RESUME                   0
              4 BUILD_LIST               0
              6 LOAD_FAST                0 (.0)
        >>    8 FOR_ITER                37 (to 84)
             10 STORE_FAST               1 (line)
             12 PUSH_NULL
             14 LOAD_DEREF               2 (put)
             16 LOAD_FAST                1 (line)
             18 LOAD_METHOD              0 (partition)
             40 LOAD_DEREF               3 (sep)
             42 PRECALL                  1
             46 CALL                     1
             56 LOAD_CONST               0 (None)
             58 LOAD_CONST               0 (None)
             60 LOAD_CONST               1 (2)
             62 BUILD_SLICE              3
             64 BINARY_SUBSCR
             74 CALL_FUNCTION_EX         0
             76 POP_JUMP_BACKWARD_IF_TRUE    35 (to 8)
             78 LOAD_FAST                1 (line)
             80 LIST_APPEND              2
             82 JUMP_BACKWARD           38 (to 8)
        >>   84 RETURN_VALUE

Disassembly of <code object <genexpr> at 0x7f3c, file "old.py", line 15>:
 15           0 RETURN_GENERATOR
              2 POP_TOP
              4 RESUME                   0
              6 LOAD_FAST                0 (.0)
        >>    8 FOR_ITER                19 (to 48)
             10 STORE_FAST               1 (key)
             12 LOAD_GLOBAL              1 (NULL + len)
             24 LOAD_FAST                1 (key)
             26 PRECALL                  1
             30 CALL                     1
             40 YIELD_VALUE
             42 RESUME                   1
             44 POP_TOP
             46 JUMP_BACKWARD           20 (to 8)
        >>   48 LOAD_CONST               0 (None)
             50 RETURN_VALUE
"""

test_case, answer = make_python_test(
    [
        ("list(f([]))", "[]"),
        ("list(f(['a:7']))", "['A']"),
        ("list(f(['ab:4', 'ab:9', 'ab:-3', 'longer:x', 'longer: 10 ']))", "['    ab:[4, -2]', 'longer:[5]']"),
        ("list(f(['a:1', 'a:x y', 'a:z', 'b']))", "[\"a:['x', 'y', 'z']\", '', 'a:z', 'a:x y']"),
        ("list(f(['x', 'y', 'x', 'x']))", "['', '', 'x', 'x']"),
        ("list(f([':', ':7', 'k:']))", "[' :[3]', '']"),
        ("list(f([':']))", "[]"),
        ("list(f(['k=1=2', 'k=30', 'q=5', 'k=4=5'], '='))", "[\"k=[15, '4=5']\", 'Q', 'k=4=5']"),
        ("list(f(['n::m', 'n::9', 'n::w', 'p'], '::'))", "[\"n::[4, 'w']\", '', 'n::w']"),
        ("list(f(['t:0', 't:1_000', 't:-7', 't:1.5', 'u:abc']))", "[\"t:[500, -4, '1.5']\", 'UUU', 't:1.5']"),
        ("list(f(['e:', 'e:', 'e:5']))", "['e:[2]', 'e:']"),
        ("list(f(['a->1', 'a->-1', 'bb->ccc'], '->'))", "[' a->[-1]', 'BBBBBB']"),
        ("next(f(['ab:4', 'ab:9']))", "'ab:[4]'"),
    ]
)

TestDecompilePyMid = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestDecompilePyMid))
