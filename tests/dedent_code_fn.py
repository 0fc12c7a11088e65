from evaluator import *

DESCRIPTION = "Can the model write a dedent function that minds tabs, blank lines and edges?"
TAGS = ["code", "python"]
DETERMINISTIC = True

question = """
for our docs generator I need a python function dedent_code(text). people paste snippets from somewhere deep
inside a class and I want them flush left. so:
- tabs in the indentation go to the next multiple of 4 columns (only leading tabs, leave others alone)
- take away the indentation that all non-blank lines share
- lines with only whitespace become empty
- blank lines at the very start and very end are dropped
- return the lines joined with newlines, no newline at the end
"""

test_case, answer = make_python_test(
    [
        (r"dedent_code('    a\n      b\n    c')", r"'a\n  b\nc'"),
        (r"dedent_code('  x = 1\n\n   \n  y = 2\n')", r"'x = 1\n\n\ny = 2'"),
        (r"dedent_code('\n\n    if a:\n        b()\n\n')", r"'if a:\n    b()'"),
        (r"dedent_code('\tif a:\n\t\tb\t= 1\n    c')", r"'if a:\n    b\t= 1\nc'"),
        (r"dedent_code('  \tone\n    two')", r"'one\ntwo'"),
        (r"dedent_code('      deep\n  shallow')", r"'    deep\nshallow'"),
        (r"dedent_code('flush\n    in')", r"'flush\n    in'"),
        (r"dedent_code('')", "''"),
        (r"dedent_code('  \n\t\n ')", "''"),
        (r"dedent_code('    one')", "'one'"),
        (r"dedent_code('    a  \n     b')", r"'a  \n b'"),
    ]
)

TestDedentCode = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestDedentCode))
