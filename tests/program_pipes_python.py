from evaluator import *

DESCRIPTION = "Can the model write shell-like pipes in python that are lazy, endless-proof and reusable?"
TAGS = ["code", "python", "design"]
DETERMINISTIC = True

question = """
I'd like to write my data steps like in the shell. In python, like this:

    range(20) | where(lambda x: x % 3 == 0) | apply(str) | join("-")      # '0-3-6-9-12-15-18'

Please write me these stages:

where(f)         only the items for which f is true
apply(f)         f of each item
take(n)          the first n items
skip(n)          all but the first n
batch(n)         lists of n items, the last may be shorter
join(sep)        an end: str of the items with sep between
collect()        an end: a list
fold(f, start)   an end: f(f(start, first), second) and so on

Anything one can loop over may stand on the left: lists, dicts, sets, strings, files, generators, also endless ones (only
a dict's views have a | of their own and are left out).
Nothing is read before it's needed, and never more than needed: after take(3) nobody asks the source for a fourth item.
A pipeline without an end can be looped over with for. Stages can be put together without an input, with or without an
end, and then used as often as I like:

    odd_squares = where(lambda x: x % 2) | apply(lambda x: x * x)
    [1, 2, 3] | odd_squares | collect()                                   # [1, 9]
"""

header = """
import io, itertools

class Source:
    def __init__(self, n=None):
        self.read, self.n = 0, n
    def __iter__(self):
        while self.n is None or self.read < self.n:
            self.read += 1
            yield self.read

def reads(stage, n=None):
    source = Source(n)
    got = source | stage | collect()
    return got, source.read

def nothing_yet():
    source = Source(5)
    called = []
    line = source | apply(called.append) | where(bool) | batch(2)
    return source.read, list(called), list(line), source.read

def step_by_step():
    source = Source()
    out = []
    for item in source | where(lambda x: x % 2 == 0) | skip(1) | apply(lambda x: -x):
        out.append((item, source.read))
        if len(out) == 2:
            return out

def reused():
    evens = where(lambda x: x % 2 == 0) | skip(1)
    ended = evens | take(2) | batch(2) | collect()
    return [range(n) | ended for n in (3, 9, 9)], [10, 20, 30] | evens | join(',')

def both_ways():
    head = apply(str.strip) | where(bool)
    upper, lower = head | apply(str.upper) | join(''), head | apply(str.lower) | join('')
    return [' a ', '', 'B'] | upper, [' a ', '', 'B'] | lower, [' a ', '', 'B'] | head | collect()
"""

test_case, answer = make_python_test(
    [
        ("range(20) | where(lambda x: x % 3 == 0) | apply(str) | join('-')", "'0-3-6-9-12-15-18'"),
        ("[1, 2.5, None] | join(' ')", "'1 2.5 None'"),
        ("[] | join('-')", "''"),
        ("[] | batch(3) | collect()", "[]"),
        ("'abcdefg' | batch(3) | collect()", "[['a', 'b', 'c'], ['d', 'e', 'f'], ['g']]"),
        ("(1, 2, 3, 4) | batch(2) | collect()", "[[1, 2], [3, 4]]"),
        ("{'a': 1, 'b': 2} | collect()", "['a', 'b']"),
        ("{3} | apply(lambda x: x + 1) | collect()", "[4]"),
        ("io.StringIO('x\\ny\\n') | apply(str.strip) | collect()", "['x', 'y']"),
        ("[3, 4] | fold(lambda a, b: a * 10 + b, 2)", "234"),
        ("[] | fold(lambda a, b: a + b, 'start')", "'start'"),
        ("[0, None, 5, ''] | where(lambda x: x != 5) | collect()", "[0, None, '']"),
        ("[1, 2] | skip(5) | collect()", "[]"),
        ("[1, 2] | take(5) | collect()", "[1, 2]"),
        ("itertools.count() | where(lambda x: x % 7 == 3) | take(3) | collect()", "[3, 10, 17]"),
        ("reads(take(3))", "([1, 2, 3], 3)"),
        ("reads(take(0))", "([], 0)"),
        ("reads(batch(2) | take(2))", "([[1, 2], [3, 4]], 4)"),
        ("reads(skip(2) | take(1))", "([3], 3)"),
        ("reads(take(9), 2)", "([1, 2], 2)"),
        ("nothing_yet()", "(0, [], [], 5)"),
        ("step_by_step()", "[(-4, 4), (-6, 6)]"),
        ("reused()", "([[[2]], [[2, 4]], [[2, 4]]], '20,30')"),
        ("both_ways()", "('AB', 'ab', ['a', 'B'])"),
    ],
    header=header,
)

TestProgramPipesPython = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PythonRun(test_case, time_limit_s=5)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestProgramPipesPython))
