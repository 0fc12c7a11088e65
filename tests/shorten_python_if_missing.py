from evaluator import *

DESCRIPTION = (
    "Can the model shorten code full of 'if it is not in the dict yet' without changing what it does?"
)
TAGS = ["code", "python", "refactoring"]
DETERMINISTIC = True

original = """
def summarize(orders, rates, load):
    result = {}
    for customer, currency, amount, note in orders:
        if currency not in rates:
            rates[currency] = load(currency)  # asks a server, slow
        rate = rates[currency]
        if customer not in result:
            result[customer] = {}
        if "first" not in result[customer]:
            result[customer]["first"] = currency
        if "sum" not in result[customer]:
            result[customer]["sum"] = 0
        result[customer]["sum"] = result[customer]["sum"] + amount * rate
        if "counts" not in result[customer]:
            result[customer]["counts"] = {}
        if currency not in result[customer]["counts"]:
            result[customer]["counts"][currency] = 0
        result[customer]["counts"][currency] = result[customer]["counts"][currency] + 1
        if "notes" not in result[customer]:
            result[customer]["notes"] = []
        if note is not None:
            result[customer]["notes"].append(note)
    return result
"""

question = (
    """
can you make this shorter? all these ifs hurt my eyes, half as long would be nice. But it has to do exactly the same:
plain dicts come out, nothing but dicts (one caller checks with type()), rates gets filled as it does now, and load is
never called when it's not needed.
"""
    + original
)

header = (
    original.replace("def summarize", "def as_before")
    + """
def both(orders, rates=None):
    rates = {"EUR": 1, "free": 0} if rates is None else rates
    seen = []
    for f in (as_before, summarize):
        asked, own = [], dict(rates)
        def load(currency):
            asked.append(currency)
            return len(currency)
        result = f(list(orders), own, load)
        seen.append((list(result), result, asked, own))
    return seen[0] == seen[1]

def types():
    result = summarize([("a", "EUR", 1, "n")], {}, lambda currency: 2)
    inner = result["a"]
    return [type(x).__name__ for x in (result, inner, inner["counts"], inner["notes"])]

def is_missing():
    result = summarize([("a", "EUR", 1, None)], {"EUR": 1}, None)
    try:
        result["b"]
    except KeyError:
        return len(result), "EUR" in result["a"]["counts"], "USD" in result["a"]["counts"]

def own_objects():
    result = summarize([("a", "EUR", 1, "n"), ("b", "EUR", 1, "m")], {"EUR": 1}, None)
    return result["a"]["notes"], result["b"]["notes"]
"""
)

test_case, answer = make_python_test(
    [
        ("both([])", True),
        ("both([('a', 'EUR', 5, None)])", True),
        (
            "both([('a', 'USD', 5, 'x'), ('a', 'USD', 6, None), ('b', 'USD', 0, ''), ('a', 'EUR', 1, 'y')])",
            True,
        ),
        ("both([('a', 'free', 5, ''), ('a', 'free', 7, 0), ('', '', 2.5, []), ('', '', 2, None)])", True),
        (
            "both([('b', 'A', 1, 1), ('a', 'BB', 2, 2), ('b', 'BB', 3, 3), (None, 'A', 4, 4)], {'A': 2})",
            True,
        ),
        ("both([('a', '', 1, 1), ('a', 'x', 1, 1)], {})", True),
        ("types()", ["dict", "dict", "dict", "list"]),
        ("is_missing()", "(1, True, False)"),
        ("own_objects()", "(['n'], ['m'])"),
    ],
    header=header,
)


def size(code):
    """Nodes of the syntax tree: comments, layout, docstrings and the length of names do not count."""
    import ast

    tree = ast.parse(code)
    nodes = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            nodes -= 2
        nodes += not isinstance(node, (ast.Load, ast.Store))
    return nodes


def is_short(code):
    return size(code) <= 0.7 * size(original), f"{size(code)} nodes, it was {size(original)}"


TestShortenPythonIfMissing = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> (PyFunc(is_short) & (PythonRun(test_case) >> SubstringEvaluator(answer)))
)

if __name__ == "__main__":
    print(run_test(TestShortenPythonIfMissing))
