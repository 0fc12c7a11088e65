from evaluator import *

DESCRIPTION = "Does the model recognise uuencoded lines without their header, and know what they are?"
TAGS = ["encoding", "code", "python"]
DETERMINISTIC = True

question = r"""
What kind of encoding is this? It was in the middle of an old mail, with nothing around it, and a base64 decoder only says
invalid character.

M1F5R<GD@=&EM971A8FQE+"!W:6YT97(Z(&1E<&%R=',@,#8Z,3`L(#`Y.C0P
M(&%N9"`Q-SHU-2!D86EL>3L@;F\@9F5R<GD@;VX@,2!*86YU87)Y+B!":6-Y
28VQE<R!T<F%V96P@9G)E92X*

Please name it in a line of its own, as ENCODING: name, and give me a python function decode(text) that gets such lines (there
are more of them, also with other content) as one string and returns the bytes.
"""

lines = "\n".join(question.split("\n")[4:7])

test_case, answer = make_python_test(
    [
        ("decode(LINES)[:16]", repr(b"Ferry timetable,")),
        ("len(decode(LINES))", "108"),
        ("decode('')", "b''"),
        ("bytes(decode('#0V%T'))", "b'Cat'"),
        ("bytes(decode('!00``\\n'))", "b'A'"),
        ("bytes(decode('\"0D(`'))", "b'BB'"),
        ("bytes(decode(packed(bytes(range(256)) * 3)))", "bytes(range(256)) * 3"),
        ("bytes(decode(packed(bytes(91)) + chr(10)))", "bytes(91)"),
    ],
    header=f"""
LINES = {lines!r}

def packed(data):
    import binascii
    pieces = [data[at : at + 45] for at in range(0, len(data), 45)]
    return "".join(binascii.b2a_uu(piece, backtick=True).decode() for piece in pieces)
""",
)

names_it = RegexEvaluator(
    r"(?m)^\W*ENCODING\W*:[\s*_`'\"(]*(the |a )?(classic |traditional |unix |standard )?(uu|unix[- ]to[- ]unix)",
    ignore_case=True,
)

TestIdentifyUuencode = (
    question
    >> LLMRun()
    >> (names_it & (ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)))
)

if __name__ == "__main__":
    print(run_test(TestIdentifyUuencode))
