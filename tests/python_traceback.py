from evaluator import *

DESCRIPTION = "Does the model know what is in an exception: frames, causes, contexts, code without a source?"
TAGS = ["code", "python", "debug"]
DETERMINISTIC = True

question = """
Our bug reports need tracebacks in short. Please write short_traceback(exc) for an exception that was caught.
It returns a string:

- one line for each frame, the outermost first: function:line: code     e.g.  load:17: return json.load(file)
  with the code stripped of blanks. If python can't find the source it's only  function:line
- equal lines directly one after the other (recursion) become one with the number behind, like
  walk:8: walk(child) (x57)
- at the end  Type: message  or just  Type  if the message is empty. Type is the class's __name__, function the name that
  a traceback shows, both without what they are nested in.
- If python would show another exception before this one ("direct cause", "during handling"), that comes first, written
  by the same rules, then a line  -> cause  or  -> context , then this one. And so on if that one has one too.

Lines joined by newlines, no newline at the end.
"""

header = r"""
def catch(f, *args):
    try:
        f(*args)
    except BaseException as error:
        return error

def at(f, offset, code):
    return f"{f.__name__}:{f.__code__.co_firstlineno + offset}: {code}"

def outer(n):
    return inner(n) + 1

def inner(n):
    return   1 // n

def down(n):
    if n == 0:
        raise KeyError("deep")
    down(n - 1)

def chained(how):
    try:
        outer(0)
    except ZeroDivisionError as error:
        if how == "from":
            raise ValueError("bad input\nsecond line") from error
        if how == "none":
            raise ValueError() from None
        raise OSError("later")

def twice():
    try:
        chained("plain")
    except OSError as error:
        raise RuntimeError("at last") from error

def replaced():
    try:
        outer(0)
    except ZeroDivisionError:
        raise ValueError("v") from KeyError("k")

CAUGHT = at(catch, 2, "f(*args)")
DIVISION = "\n".join([at(outer, 1, "return inner(n) + 1"), at(inner, 1, "return   1 // n"),
                      "ZeroDivisionError: integer division or modulo by zero"])
CHAINED = at(chained, 2, "outer(0)") + "\n" + DIVISION

def made():
    exec(compile("\n\nraise LookupError('made')", "<made>", "exec"), {})
"""

test_case, answer = make_python_test(
    [
        ("short_traceback(catch(outer, 0))", r"CAUGHT + '\n' + DIVISION"),
        ("short_traceback(ValueError('never raised'))", "'ValueError: never raised'"),
        ("short_traceback(ValueError())", "'ValueError'"),
        (
            "short_traceback(catch(down, 40))",
            r"""'\n'.join([CAUGHT, at(down, 3, 'down(n - 1)') + ' (x40)', at(down, 2, 'raise KeyError("deep")'),
            "KeyError: 'deep'"])""",
        ),
        (
            "short_traceback(catch(down, 1))",
            r"""'\n'.join([CAUGHT, at(down, 3, 'down(n - 1)'), at(down, 2, 'raise KeyError("deep")'),
            "KeyError: 'deep'"])""",
        ),
        (
            "short_traceback(catch(chained, 'from'))",
            r"""'\n'.join([CHAINED, '-> cause', CAUGHT,
            at(chained, 5, r'raise ValueError("bad input\nsecond line") from error'),
            'ValueError: bad input', 'second line'])""",
        ),
        (
            "short_traceback(catch(chained, 'none'))",
            r"'\n'.join([CAUGHT, at(chained, 7, 'raise ValueError() from None'), 'ValueError'])",
        ),
        (
            "short_traceback(catch(chained, 'plain'))",
            r"""'\n'.join([CHAINED, '-> context', CAUGHT, at(chained, 8, 'raise OSError("later")'),
            'OSError: later'])""",
        ),
        (
            "short_traceback(catch(twice))",
            r"""'\n'.join([CHAINED, '-> context', at(twice, 2, 'chained("plain")'),
            at(chained, 8, 'raise OSError("later")'), 'OSError: later', '-> cause', CAUGHT,
            at(twice, 4, 'raise RuntimeError("at last") from error'), 'RuntimeError: at last'])""",
        ),
        (
            "short_traceback(catch(replaced))",
            r"""'\n'.join(["KeyError: 'k'", '-> cause', CAUGHT,
            at(replaced, 4, 'raise ValueError("v") from KeyError("k")'), 'ValueError: v'])""",
        ),
        (
            "short_traceback(catch(made))",
            r"""'\n'.join([CAUGHT, at(made, 1, made_line), '<module>:3', 'LookupError: made'])""",
        ),
    ],
    header=header
    + r"""
made_line = 'exec(compile("\\n\\nraise LookupError(\'made\')", "<made>", "exec"), {})'
""",
)

TestPythonTraceback = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestPythonTraceback))
