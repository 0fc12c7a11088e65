def nothing(messages):
    return ""


FIXED = """```python
def all_files(folder, path=""):
    found = []
    for name, content in sorted(folder.items()):
        here = path + name
        if isinstance(content, dict):
            found.extend(all_files(content, here + "/"))
        else:
            found.append(here)
    return found
```"""

RIGHT = {
    "TestFixAppendVsExtend": [
        f"`append` adds the inner list as one element; `extend` adds its elements:\n\n{FIXED}",
        """You could also make it a generator:

```python
def _walk(folder, path):
    for name, content in sorted(folder.items()):
        if isinstance(content, dict):
            yield from _walk(content, f"{path}{name}/")
        else:
            yield path + name


def all_files(folder, path=""):
    return list(_walk(folder, path))


if __name__ == "__main__":
    print(all_files({"a": 1, "b": {"c": 2}}))
```""",
    ]
}

WRONG = {
    "TestFixAppendVsExtend": [
        nothing,
        FIXED.replace("extend", "append") + "\nThis is what you want: extend.",
        # takes a file name apart into letters
        FIXED.replace("found.append(here)", "found.extend(here)"),
        # a default list that lives on between calls
        FIXED.replace('path=""):\n    found = []', 'path="", found=[]):'),
        "```python\n# ['a.txt', 'src/lib/x.h', 'src/main.c']\nprint(['a.txt', 'src/lib/x.h', 'src/main.c'])\n```",
    ]
}
