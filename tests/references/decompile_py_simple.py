def nothing(messages):
    return ""


SOURCE = """```python
def f(items, limit=3):
    best = {}
    for index, word in enumerate(items):
        key = word[0].lower() if word else '-'
        if len(word) > limit and key not in best:
            best[key] = index
        elif key in best:
            best[key] += len(word) * 2
    return sorted(best.items(), reverse=True)
```"""

RIGHT = {
    "TestDecompilePySimple": [
        f"`CONTAINS_OP 1` is `not in`, and `BINARY_OP 13` is `+=`:\n\n{SOURCE}",
        """```python
def f(items, limit=3):
    d = {}
    for i in range(len(items)):
        w = items[i]
        k = w[:1].lower() or "-"
        if k in d:
            d[k] = d[k] + 2 * len(w)
        elif len(w) > limit:
            d[k] = i
    pairs = list(d.items())
    pairs.sort()
    pairs.reverse()
    return pairs


print(f(["pear", "plum"]))
```""",
    ]
}

WRONG = {
    "TestDecompilePySimple": [
        nothing,
        SOURCE.replace(", reverse=True", ""),
        SOURCE.replace("len(word) * 2", "len(word)"),
        SOURCE.replace("> limit", ">= limit"),
        SOURCE.replace("elif key in best", "else"),
        SOURCE.replace(".lower() if word else '-'", ".lower()"),
    ]
}
