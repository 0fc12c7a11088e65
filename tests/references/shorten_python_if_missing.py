def nothing(messages):
    return ""


SHORT = """```python
def summarize(orders, rates, load):
    result = {}
    for customer, currency, amount, note in orders:
        if currency not in rates:
            rates[currency] = load(currency)  # asks a server, slow
        entry = result.setdefault(customer, {"first": currency, "sum": 0, "counts": {}, "notes": []})
        entry["sum"] += amount * rates[currency]
        entry["counts"][currency] = entry["counts"].get(currency, 0) + 1
        if note is not None:
            entry["notes"].append(note)
    return result
```"""

LONG = """def summarize(orders, rates, load):
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

RIGHT = {
    "TestShortenPythonIfMissing": [
        f"`setdefault` makes a customer's entry in one go. For the rate it would call `load` each time.\n\n{SHORT}",
        '''```python
def summarize(orders, rates, load):
    """Sums, counts and notes of each customer."""
    result = {}
    for customer, currency, amount, note in orders:
        if currency not in rates:
            rates[currency] = load(currency)
        if customer not in result:
            result[customer] = dict(first=currency, sum=0, counts={}, notes=[])
        r = result[customer]
        r["sum"] += amount * rates[currency]
        r["counts"].setdefault(currency, 0)
        r["counts"][currency] += 1
        r["notes"] += [note] if note is not None else []
    return result
```''',
    ]
}

WRONG = {
    "TestShortenPythonIfMissing": [
        nothing,
        # asks the server every time
        SHORT.replace(
            "if currency not in rates:\n            rates[currency] = load(currency)", "rates.setdefault(currency, load(currency))"
        ),
        # a rate of 0 is asked for again
        SHORT.replace("if currency not in rates:", "if not rates.get(currency):"),
        SHORT.replace("if note is not None:", "if note:"),  # empty notes count too
        SHORT.replace("result = {}", "from collections import defaultdict\n    result = defaultdict(dict)"),
        SHORT.replace('"counts": {}', '"counts": __import__("collections").Counter()'),
        # one list for all
        SHORT.replace('"notes": []', '"notes": notes').replace("result = {}", "result, notes = {}, []"),
        # the code as it was, said to be shorter
        f"Here it is, shorter:\n\n```python\n{LONG}```",
    ]
}  # fmt: skip
