from evaluator import *

DESCRIPTION = "Can the model write a parser and evaluator for a small grammar, exactly as the grammar says?"
TAGS = ["code", "python", "parsing"]
DETERMINISTIC = True

question = """
I have this little grammar for the formulas in our spreadsheet export:

    expr   = term { ("+" | "-") term }
    term   = factor { ("*" | "/") factor }
    factor = "-" factor | power
    power  = atom [ "^" factor ]
    atom   = NUMBER | "(" expr ")" | ("max" | "min") "(" expr { "," expr } ")"

NUMBER is one or more digits, and all values are whole numbers: / is division that rounds toward zero. + - * / group
from the left. Blanks (no tabs) may stand between symbols and at both ends, but not inside a number or name. Write me a python function
evaluate(text) that returns the value, and raises ValueError for any text that the grammar doesn't derive
(I promise no negative exponents, no division by zero, and no more than 100 brackets inside one another). Please don't use eval.
"""

header = """
def rejects(text):
    try:
        evaluate(text)
    except ValueError:
        return True
    return False
"""

test_case, answer = make_python_test(
    [
        ("evaluate('7')", "7"),
        ("evaluate('10 - 3 - 2')", "5"),
        ("evaluate('2+3*4')", "14"),
        ("evaluate('(2+3)*4')", "20"),
        ("evaluate('100/7/2')", "7"),
        ("evaluate('-7/2')", "-3"),
        ("evaluate('7/(0-2)')", "-3"),
        ("evaluate('2^3^2')", "512"),
        ("evaluate('-2^2')", "-4"),
        ("evaluate('(-2)^2')", "4"),
        ("evaluate('--3')", "3"),
        ("evaluate('4--3')", "7"),
        ("evaluate('2*-3')", "-6"),
        ("evaluate('007')", "7"),
        ("evaluate(' max( 1 ,min(9, 4),2 ) ')", "4"),
        ("evaluate('max(5)^2')", "25"),
        ("evaluate('9999999999999999999/3')", "3333333333333333333"),
        ("evaluate('((((1))))')", "1"),
        *(
            (f"rejects({text!r})", "True")
            for text in ["", "   ", "1 2", "1+", "*2", "+2", "(1", "1)", "()", "2**3", "2 ^", "max()", "max(1,)",
                         "max 1", "max", "1.5", "1_000", "ma x(1)", "2(3)", "abs(1)", "1,2", "max(1 2)"]
        ),
    ],
    header=header,
)  # fmt: skip

TestEasyParserGenerator = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestEasyParserGenerator))
