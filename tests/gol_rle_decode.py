from evaluator import *

DESCRIPTION = "Can the model decode a Game of Life pattern in RLE into a numpy array, loose files included?"
TAGS = ["code", "python", "numpy", "format"]
REQUIRES = ["python:numpy"]
DETERMINISTIC = True

question = """
I collected patterns for the game of life as .rle files, like this one:

#N Glider
#C found by someone
x = 3, y = 3, rule = B3/S23
bob$2bo$3o!

Please write decode(text) that gives me a numpy uint8 array, 1 for live and 0 for dead, with y rows and x columns like in
the header. b is dead, o alive, $ ends a row, a number in front repeats it (also 3$). Some files leave out dead cells at
the ends of rows or whole dead rows at the end, break lines anywhere between two items (never between a number and its
letter), have no "rule", no spaces in the header, or things behind the ! that don't belong to the pattern. None has
cells outside of what the header says.
"""

header = r"""
import numpy as np

def rows(text):
    array = decode(text)
    assert isinstance(array, np.ndarray) and array.dtype == np.uint8, repr(array)
    return ["".join(".O"[cell] for cell in row) for row in array.tolist()]

GUN = '''#N Gosper glider gun
#O somebody, 1970
#r 23/3
x = 36, y = 9, rule = B3/S23
24bo11b$22bobo11b$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o14b$2o8b
o3bob2o4bobo11b$10bo5bo7bo11b$11bo3bo20b$12b2o!
'''
"""

test_case, answer = make_python_test(
    [
        (r"rows('#N Glider\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n')", [".O.", "..O", "OOO"]),
        (r"rows('x=4,y=2\no$bo!')", ["O...", ".O.."]),
        (r"rows('x = 2, y = 5\n2o2$bo!')", ["OO", "..", ".O", "..", ".."]),
        (r"rows('x = 3, y = 4\n$o3$!')", ["...", "O..", "...", "..."]),
        (r"rows('x = 3, y = 2\n!')", ["...", "..."]),
        (r"rows('x = 3, y = 1\n3b!')", ["..."]),
        (r"rows('x = 12, y = 1, rule = B3/S23\n10bo\no!')", ["..........OO"]),
        (r"rows('x = 3, y = 2\nb\no b\n$\n 2b o!\n')", [".O.", "..O"]),
        (r"rows('x = 3, y = 1\nobo!\n#C o$o$o\n2o$bob hello\n')", ["O.O"]),
        (r"rows('#C x = 9, y = 9\n#CXRLE Pos=0,0\nx = 2, y = 1, rule = Life\nbo!')", [".O"]),
        (r"rows('x = 2, y = 2\r\no$\r\nbo!\r\n')", ["O.", ".O"]),
        (r"rows('#r 23/3\nx = 2, y = 1,rule=B3/S23\nbo!')", [".O"]),
        ("[row.count('O') for row in rows(GUN)]", [1, 2, 6, 6, 6, 8, 3, 2, 2]),
        ("decode(GUN).shape", (9, 36)),
        ("rows(GUN)[5]", "'OO........O...O.OO....O.O...........'"),
        (r"decode('x = 0, y = 0\n!').shape", (0, 0)),
    ],
    header=header,
)

TestGolRleDecode = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestGolRleDecode))
