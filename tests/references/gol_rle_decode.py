def nothing(messages):
    return ""


DECODE = r"""```python
import re

import numpy as np


def decode(text):
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    size = re.match(r"x\s*=\s*(\d+)\s*,\s*y\s*=\s*(\d+)", lines[0])
    width, height = int(size[1]), int(size[2])
    array = np.zeros((height, width), dtype=np.uint8)
    body = "".join(lines[1:]).split("!")[0]
    x = y = 0
    for count, tag in re.findall(r"(\d*)\s*([bo$])", body):
        n = int(count or 1)
        if tag == "$":
            y += n
            x = 0
        else:
            if tag == "o":
                array[y, x:x + n] = 1
            x += n
    return array
```"""

RIGHT = {
    "TestGolRleDecode": [
        DECODE,
        r"""The pattern, character by character:

```python
import numpy as np

def decode(text):
    header = None
    data = ""
    for line in text.splitlines():
        line = line.strip()
        if not line or line[0] == "#":
            continue
        if header is None:
            header = dict(part.replace(" ", "").split("=") for part in line.split(",") if "=" in part)
        else:
            data += line
            if "!" in line:
                break
    grid = np.zeros((int(header["y"]), int(header["x"])), np.uint8)
    row, col, num = 0, 0, ""
    for ch in data:
        if ch.isdigit():
            num += ch
        elif ch == "!":
            break
        elif ch in "bo$":
            k = int(num) if num else 1
            num = ""
            if ch == "$":
                row, col = row + k, 0
                continue
            for _ in range(k):
                if ch == "o":
                    grid[row][col] = 1
                col += 1
    return grid
```""",
    ]
}

WRONG = {
    "TestGolRleDecode": [
        nothing,
        DECODE.replace("y += n", "y += 1"),  # 3$ is one row
        DECODE.replace('.split("!")[0]', ""),  # reads on behind the end
        DECODE.replace("np.zeros((height, width)", "np.zeros((width, height)"),
        DECODE.replace("dtype=np.uint8", "dtype=int"),
        DECODE.replace('if line and not line.startswith("#")', "if line"),
        DECODE.replace(r"x\s*=\s*(\d+)\s*,\s*y\s*=\s*(\d+)", r"x = (\d+), y = (\d+)"),
        "```python\nimport numpy as np\n\ndef decode(text):\n    # bob$2bo$3o!\n"
        "    return np.array([[0, 1, 0], [0, 0, 1], [1, 1, 1]], dtype=np.uint8)\n```",
    ]
}
