def nothing(messages):
    return ""


FAST = """```python
import numpy as np


def sq_dist(a, b):
    a = a.astype(np.float64)
    b = b.astype(np.float64)
    aa = np.einsum("ij,ij->i", a, a)
    bb = np.einsum("ij,ij->i", b, b)
    out = np.empty((len(a), len(b)), dtype=np.float32)
    for start in range(0, len(a), 256):
        part = slice(start, start + 256)
        d = a[part] @ b.T
        d *= -2
        d += aa[part, None]
        d += bb
        out[part] = np.maximum(d, 0)
    return out
```"""

RIGHT = {
    "TestFasterL2Diff": [
        "|x - y|^2 = |x|^2 + |y|^2 - 2xy, so the work is one matrix product. Far from the origin that cancels badly in "
        f"float32, so in float64 and by pieces:\n\n{FAST}",
        """Distances don't change if all points are moved, so move them to the origin first:

```python
import numpy as np

def sq_dist(a, b):
    if len(a) == 0 or len(b) == 0:
        return np.zeros((len(a), len(b)), np.float32)
    centre = a.mean(axis=0, dtype=np.float64).astype(np.float32)
    a, b = a - centre, b - centre
    result = a @ b.T
    result *= -2
    result += (a * a).sum(1)[:, None]
    result += (b * b).sum(1)[None, :]
    return np.maximum(result, 0, out=result)
```""",
    ]
}

WRONG = {
    "TestFasterL2Diff": [
        nothing,
        # the usual formula in float32: nothing is left of the digits
        "```python\nimport numpy as np\n\ndef sq_dist(a, b):\n"
        "    d = (a * a).sum(1)[:, None] + (b * b).sum(1) - 2 * a @ b.T\n    return np.maximum(d, 0)\n```",
        "```python\nimport numpy as np\n\ndef sq_dist(a, b):\n    out = np.empty((len(a), len(b)), np.float32)\n"
        "    for i, row in enumerate(a):\n        out[i] = ((row - b) ** 2).sum(1)\n    return out\n```",
        # all at once, as it was
        "```python\nimport numpy as np\n\ndef sq_dist(a, b):\n"
        "    return np.square(a[:, None, :] - b[None, :, :]).sum(-1)\n```",
        FAST.replace("np.maximum(d, 0)", "np.sqrt(np.maximum(d, 0))"),
        # moves the caller's points
        "```python\nimport numpy as np\n\ndef sq_dist(a, b):\n    if len(b) == 0:\n"
        "        return np.zeros((len(a), 0), np.float32)\n    c = a.mean(0)\n    a -= c\n    b -= c\n"
        "    return np.maximum((a * a).sum(1)[:, None] + (b * b).sum(1) - 2 * a @ b.T, 0)\n```",
        FAST.replace("dtype=np.float32", "dtype=np.float64"),
    ]
}
