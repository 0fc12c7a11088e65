from evaluator import *

DESCRIPTION = "Can the model compute hundreds of digits of a square root with bare integers?"
TAGS = ["code", "python", "math"]
DETERMINISTIC = True

question = """
Write me a python function sqrt_digits(n, k): n is a whole number >= 0, k >= 1, and I want sqrt(n) as a string with
exactly k digits after the point, cut off, not rounded. k may be several hundred, so floats won't do. I'm not
allowed to import anything, no math, no decimal, no fractions.
"""

root_of_two = (
    "1.4142135623730950488016887242096980785696718753769480731766797379907324784621070388503875343276415"
    "7273501384623091229702492483605585073721264412149709993583141322266592750559275579995050115278206"
)

test_case, answer = make_python_test(
    [
        ("sqrt_digits(2, 5)", "'1.41421'"),
        (f"sqrt_digits(2, {len(root_of_two) - 2})", repr(root_of_two)),
        ("sqrt_digits(0, 3)", "'0.000'"),
        ("sqrt_digits(1, 1)", "'1.0'"),
        ("sqrt_digits(144, 4)", "'12.0000'"),
        ("sqrt_digits(99, 2)", "'9.94'"),
        ("sqrt_digits(10**40 + 1, 22)", "'1' + '0' * 20 + '.' + '0' * 20 + '49'"),
        ("sqrt_digits(10**30 - 1, 3)", "'9' * 15 + '.999'"),
        ("len(sqrt_digits(3, 900))", "902"),
        ("sqrt_digits(3, 900)[-8:]", "'79013880'"),
    ]
)

imports_something = RegexEvaluator(r"(?m)^\s*(import\s+\w|from\s+[\w.]+\s+import\b)|__import__|importlib")

TestProgramSqrt = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> (~imports_something & (PythonRun(test_case) >> SubstringEvaluator(answer)))
)

if __name__ == "__main__":
    print(run_test(TestProgramSqrt))
