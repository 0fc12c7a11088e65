from evaluator import *

DESCRIPTION = "Can the model turn the disassembly of a small python function back into source?"
TAGS = ["code", "python", "bytecode"]
DETERMINISTIC = True

question = """
I lost the source of a function and only have this, from dis.dis on python 3.11. It was def f(items, limit=3) with a
list of strings. Can you write me the function back? Same behaviour is enough, it needn't be word for word.

  1           0 RESUME                   0

  2           2 BUILD_MAP                0
              4 STORE_FAST               2 (best)

  3           6 LOAD_GLOBAL              1 (NULL + enumerate)
             18 LOAD_FAST                0 (items)
             20 PRECALL                  1
             24 CALL                     1
             34 GET_ITER
        >>   36 FOR_ITER               100 (to 238)
             38 UNPACK_SEQUENCE          2
             42 STORE_FAST               3 (index)
             44 STORE_FAST               4 (word)

  4          46 LOAD_FAST                4 (word)
             48 POP_JUMP_FORWARD_IF_FALSE    26 (to 102)
             50 LOAD_FAST                4 (word)
             52 LOAD_CONST               1 (0)
             54 BINARY_SUBSCR
             64 LOAD_METHOD              1 (lower)
             86 PRECALL                  0
             90 CALL                     0
            100 JUMP_FORWARD             1 (to 104)
        >>  102 LOAD_CONST               2 ('-')
        >>  104 STORE_FAST               5 (key)

  5         106 LOAD_GLOBAL              5 (NULL + len)
            118 LOAD_FAST                4 (word)
            120 PRECALL                  1
            124 CALL                     1
            134 LOAD_FAST                1 (limit)
            136 COMPARE_OP               4 (>)
            142 POP_JUMP_FORWARD_IF_FALSE    10 (to 164)
            144 LOAD_FAST                5 (key)
            146 LOAD_FAST                2 (best)
            148 CONTAINS_OP              1
            150 POP_JUMP_FORWARD_IF_FALSE     6 (to 164)

  6         152 LOAD_FAST                3 (index)
            154 LOAD_FAST                2 (best)
            156 LOAD_FAST                5 (key)
            158 STORE_SUBSCR
            162 JUMP_BACKWARD           64 (to 36)

  7     >>  164 LOAD_FAST                5 (key)
            166 LOAD_FAST                2 (best)
            168 CONTAINS_OP              0
            170 POP_JUMP_FORWARD_IF_FALSE    32 (to 236)

  8         172 LOAD_FAST                2 (best)
            174 LOAD_FAST                5 (key)
            176 COPY                     2
            178 COPY                     2
            180 BINARY_SUBSCR
            190 LOAD_GLOBAL              5 (NULL + len)
            202 LOAD_FAST                4 (word)
            204 PRECALL                  1
            208 CALL                     1
            218 LOAD_CONST               3 (2)
            220 BINARY_OP                5 (*)
            224 BINARY_OP               13 (+=)
            228 SWAP                     3
            230 SWAP                     2
            232 STORE_SUBSCR
        >>  236 JUMP_BACKWARD          101 (to 36)

  9     >>  238 LOAD_GLOBAL              7 (NULL + sorted)
            250 LOAD_FAST                2 (best)
            252 LOAD_METHOD              4 (items)
            274 PRECALL                  0
            278 CALL                     0
            288 LOAD_CONST               4 (True)
            290 KW_NAMES                 5
            292 PRECALL                  2
            296 CALL                     2
            306 RETURN_VALUE
"""

test_case, answer = make_python_test(
    [
        ("f([])", "[]"),
        ("f(['pear', 'plum', 'apple', 'fig'])", "[('p', 8), ('a', 2)]"),
        ("f(['fig', 'Grape', 'GO', 'gooseberry'])", "[('g', 25)]"),
        ("f(['', 'Apple', '', 'a'])", "[('a', 3)]"),
        ("f(['', ''], -1)", "[('-', 0)]"),
        ("f(['x', '', 'y', ''], limit=-5)", "[('y', 2), ('x', 0), ('-', 1)]"),
        ("f(['ab', 'ac', 'b'], 1)", "[('a', 4)]"),
        ("f(['kiwi', 'kiwi', 'Kiwi'], 4)", "[]"),
        ("f(['kiwis', 'k', 'Lemon', 'l', 'lime'])", "[('l', 12), ('k', 2)]"),
    ]
)

TestDecompilePySimple = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestDecompilePySimple))
