def nothing(messages):
    return ""


SOURCE = """```python
def f(lines, sep=':'):
    groups = {}

    def put(key, value):
        try:
            groups[key].append(int(value) // 2)
        except KeyError:
            groups[key] = [len(value)]
        except ValueError:
            groups[key] += value.split()
            return False
        return True

    odd = [line for line in lines if not put(*line.partition(sep)[::2])]
    width = max((len(key) for key in groups), default=0)
    for key, values in groups.items():
        if len(values) > 1:
            yield f"{key:>{width}}{sep}{values[1:]!r}"
        elif key:
            yield key.upper() * values[0]
    yield from reversed(odd)
```"""

RIGHT = {
    "TestDecompilePyMid": [
        f"`put` is a closure over `groups`; the function itself is a generator:\n\n{SOURCE}\n\nI kept its names.",
        # without a closure, without an exception for the first value
        """```python
def f(lines, sep=":"):
    table, rejected = {}, []
    for line in lines:
        name, _, rest = line.partition(sep)
        if name not in table:
            table[name] = [len(rest)]
            continue
        try:
            number = int(rest)
        except ValueError:
            table[name].extend(rest.split())
            rejected.insert(0, line)
        else:
            table[name].append(number // 2)
    width = max(map(len, table), default=0)
    for name in table:
        first, *others = table[name]
        if others:
            yield name.rjust(width) + sep + repr(others)
        elif name != "":
            yield first * name.upper()
    for line in rejected:
        yield line
```""",
    ]
}

WRONG = {
    "TestDecompilePyMid": [
        nothing,
        SOURCE.replace("groups[key] = [len(value)]", "groups[key] = [value]"),
        # int() before the look into the dict: a first value that is no number is an error then
        SOURCE.replace(
            "groups[key].append(int(value) // 2)", "n = int(value) // 2\n            groups[key].append(n)"
        ),
        SOURCE.replace("[::2]", "[:2]"),
        SOURCE.replace("reversed(odd)", "odd"),
        SOURCE.replace("+= value.split()", "+= [value]"),
        SOURCE.replace("{key:>{width}}", "{key:<{width}}"),
        "The code object `put` catches KeyError and ValueError, the rest is a generator.\n"
        "```python\ndef f(lines, sep=':'):\n    yield from reversed(lines)\n```",
    ]
}
