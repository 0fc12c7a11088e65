def nothing(messages):
    return ""


RIGHT = {
    "TestDedentCode": [
        r"""```python
def dedent_code(text):
    lines = []
    for line in text.split("\n"):
        body = line.lstrip(" \t")
        if not body.strip():
            lines.append("")
            continue
        indent = line[: len(line) - len(body)].expandtabs(4)
        lines.append(indent + body)
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    widths = [len(line) - len(line.lstrip(" ")) for line in lines if line]
    cut = min(widths, default=0)
    return "\n".join(line[cut:] for line in lines)
```""",
        r"""The standard library does half of it:

```python
import re
import textwrap


def dedent_code(text):
    text = re.sub(r"(?m)^[ \t]+", lambda m: m.group().expandtabs(4), text)
    text = textwrap.dedent(text)
    lines = [line if line.strip() else "" for line in text.splitlines()]
    return "\n".join(lines).strip("\n")
```

`textwrap.dedent` only looks at lines that have content.""",
    ]
}

WRONG = {
    "TestDedentCode": [
        nothing,
        # leaves tabs as they are
        """```python
import textwrap

def dedent_code(text):
    return textwrap.dedent(text).strip("\\n")
```""",
        # takes the first line's indentation instead of the smallest
        """```python
def dedent_code(text):
    lines = [line.expandtabs(4) if line.strip() else "" for line in text.strip("\\n").split("\\n")]
    cut = len(lines[0]) - len(lines[0].lstrip())
    return "\\n".join(line[cut:] for line in lines)
```""",
        # flattens everything
        """```python
def dedent_code(text):
    # 'if a:\\n    b()'
    return "\\n".join(line.strip() for line in text.strip().splitlines())
```""",
    ]
}
