def nothing(messages):
    return ""


FIXED = r"""```python
import re

TOKEN = re.compile(r'''
    (?P<skip>\s+|\#[^\n]*)
  | (?P<token>
        (?:\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?
      | [A-Za-z_]\w*
      | '(?:[^']|'')*'
      | <=|>=|!=
      | [-+*/(),<>=]
    )
''', re.VERBOSE)


def tokenize(text):
    tokens = []
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"unexpected {text[at]!r} at {at}")
        if match["token"]:
            tokens.append(match["token"])
        at = match.end()
    return tokens
```"""

RIGHT = {
    "TestFixTokenizer": [
        "The first alternative that fits wins, so longer ones must stand first; and `findall` jumps over what nothing "
        f"fits.\n\n{FIXED}",
        r"""```python
def tokenize(text):
    out, i, n = [], 0, len(text)
    while i < n:
        c, start = text[i], i
        if c.isspace():
            i += 1
            continue
        if c == "#":
            while i < n and text[i] != "\n":
                i += 1
            continue
        if c == "'":
            i += 1
            while True:
                if i >= n:
                    raise ValueError("string not closed")
                if text[i] != "'":
                    i += 1
                elif text[i + 1:i + 2] == "'":
                    i += 2
                else:
                    break
            i += 1
        elif c.isalpha() or c == "_":
            while i < n and (text[i].isalnum() or text[i] == "_"):
                i += 1
        elif c.isdigit() or (c == "." and text[i + 1:i + 2].isdigit()):
            while i < n and text[i].isdigit():
                i += 1
            if i + 1 < n and text[i] == "." and text[i + 1].isdigit():
                i += 1
                while i < n and text[i].isdigit():
                    i += 1
            if i < n and text[i] in "eE":
                j = i + 1
                if j < n and text[j] in "+-":
                    j += 1
                if j < n and text[j].isdigit():
                    while j < n and text[j].isdigit():
                        j += 1
                    i = j
        elif text[i:i + 2] in ("<=", ">=", "!="):
            i += 2
        elif c in "<>=+-*/(),":
            i += 1
        else:
            raise ValueError("cannot read " + repr(c))
        out.append(text[start:i])
    return out
```""",
    ]
}

WRONG = {
    "TestFixTokenizer": [
        nothing,
        # the order mended, but still silent
        r"""```python
import re

TOKEN = re.compile(
    r"(?:\d*\.\d+|\d+)(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|'(?:[^']|'')*'|!=|<=|>=|[<>=]|[-+*/(),]|#.*"
)

def tokenize(text):
    return [token for token in TOKEN.findall(text) if token[0] != "#"]
```""",
        FIXED.replace("'(?:[^']|'')*'", "'[^']*'"),  # the quote inside still tears the string
        FIXED.replace("(?:[eE][+-]?\\d+)?", ""),
        # the single ones before the double ones
        FIXED.replace("| <=|>=|!=\n      | [-+*/(),<>=]", "| [-+*/(),<>=]\n      | <=|>=|!="),
        FIXED.replace("[^']|''", r"[^'\n]|''"),
        FIXED.replace("raise ValueError", "print").replace("at = match.end()", "at = match.end() if match else at + 1")
        .replace('if match["token"]', 'if match and match["token"]'),
        "```python\n# put <= before <, and 1.5 before 1\ndef tokenize(text):\n    return text.split()\n```",
    ]
}  # fmt: skip
