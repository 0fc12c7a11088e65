from evaluator import *

DESCRIPTION = "Can the model write a regex that takes the first five words off a line, and only them?"
TAGS = ["code", "python", "regex"]
DETERMINISTIC = True

question = """
our log exporter puts five words of junk in front of every line and the config only lets me set a regex. What it does
is new = re.sub(PATTERN, "", line), one line at a time, no newline in it. I need the PATTERN that takes away the first
5 words. A word is anything between blanks (so also don't or 3.5 or [x]), blanks are any number of spaces and tabs,
there can be some at the start of the line too. The blanks before, between and right behind the 5 words go as well.
A line with exactly 5 words becomes empty, a line with fewer must stay exactly like it was. Everything behind stays as
it is. Give me one python line: PATTERN = r"..."
"""

header = r"""
import re

def cut(line):
    return re.sub(PATTERN, "", line)
"""

test_case, answer = make_python_test(
    [
        ("cut('a b c d e the rest')", "'the rest'"),
        ("cut('one two three four five')", "''"),
        ("cut('one two three four')", "'one two three four'"),
        ("cut('one two three four ')", "'one two three four '"),
        ("cut('longword')", "'longword'"),
        ("cut('')", "''"),
        ("cut('      ')", "'      '"),
        (r"cut(' \t a  b\tc \t d     e   f  g ')", "'f  g '"),
        ("cut('a b c d e   ')", "''"),
        (r"cut('[x] don\'t 3.5 -- (e) ünder, 7%')", "'ünder, 7%'"),
        ("cut('1 2 3 4 5 6 7 8 9 10 11 12')", "'6 7 8 9 10 11 12'"),
        ("cut('ab cd ef gh ij')", "''"),
        ("cut('ab cd ef gh ijkl mn')", "'mn'"),
        ("cut(' ab cd ef ghijkl')", "' ab cd ef ghijkl'"),
        ("cut('w ' * 3 + 'x' * 3000)", "'w ' * 3 + 'x' * 3000"),
    ],
    header=header,
)


def with_import(line):
    return "import re\n" + line


TestRegexRemoveFiveWords = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PyFunc(with_import)
    >> PythonRun(test_case)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestRegexRemoveFiveWords))
