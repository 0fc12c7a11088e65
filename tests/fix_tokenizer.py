from evaluator import *

DESCRIPTION = "Can the model see why a tokenizer's regex loses and tears tokens, and mend it?"
TAGS = ["code", "python", "debug", "regex"]
DETERMINISTIC = True

question = r"""
The tokenizer of our little filter language loses things. For example price>=1.5 comes out as price > = 1 5, Total as
otal, and from 'o''neil' I get two strings. Please fix it:

import re

TOKEN = re.compile(r"\d+|\d*\.\d+|[a-z_]\w*|'[^']*'|<|>|=|!=|<=|>=|[-+*/(),]|#.*")

def tokenize(text):
    return [token for token in TOKEN.findall(text) if token[0] != "#"]

It should be like this:
- tokens are the pieces of the text just as they stand there, in a list, blanks and newlines between them are dropped
- numbers like 12, 1.5, .5 or 2e10, 1.5E-3 (a minus in front is a token of its own; nobody writes 1. or 2e or 1.5.5)
- names begin with a letter or _, then letters, digits, _ (only a-z, A-Z; a name doesn't follow right behind a number)
- strings in single quotes, two quotes in a row inside are one quote that belongs to the string; they may hold anything,
  newlines too
- the operators are < > = != <= >= + - * / ( ) ,
- # begins a comment up to the end of the line, unless it's in a string
- anything else (like $, a lonely ! or a string that isn't closed) is a ValueError, at the moment it's dropped silently
"""

header = """
def refuses(text):
    try:
        return f"no error but {tokenize(text)}"
    except ValueError:
        return True
"""

test_case, answer = make_python_test(
    [
        ("tokenize('price>=1.5')", ["price", ">=", "1.5"]),
        ("tokenize('Total != .5 + x_1')", ["Total", "!=", ".5", "+", "x_1"]),
        ("tokenize('2e10-1.5E-3*7e+2')", ["2e10", "-", "1.5E-3", "*", "7e+2"]),
        ("tokenize('a<b<=c>d=e')", ["a", "<", "b", "<=", "c", ">", "d", "=", "e"]),
        ("tokenize('a<-1')", ["a", "<", "-", "1"]),
        ("tokenize('''name='o''neil' and x''')", "['name', '=', \"'o''neil'\", 'and', 'x']"),
        ("tokenize(\"''\")", "[\"''\"]"),
        ("tokenize(\"''''\")", "[\"''''\"]"),
        ("tokenize(\"'a' 'b'\")", "[\"'a'\", \"'b'\"]"),
        ("tokenize(\"'a # b' # c 'd\")", "[\"'a # b'\"]"),
        (r"""tokenize("x # one $ !\ny#two\n")""", ["x", "y"]),
        (r"""tokenize("'two\nlines $'")""", r"""["'two\nlines $'"]"""),
        (r"tokenize(' \t\n ')", []),
        ("tokenize('')", []),
        ("tokenize('max(a,12)/_b')", ["max", "(", "a", ",", "12", ")", "/", "_b"]),
        ("tokenize('Ab3 e5 x1e5')", ["Ab3", "e5", "x1e5"]),
        ("refuses('a $ b')", True),
        ("refuses('!')", True),
        ("refuses('a ! = b')", True),
        ('refuses("x = \'open")', True),
        ("refuses(\"'a''\")", True),
        ("refuses('a.b')", True),
        ("refuses('x = \"y\"')", True),
        ("refuses('a && b')", True),
    ],
    header=header,
)

TestFixTokenizer = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestFixTokenizer))
