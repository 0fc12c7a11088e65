def nothing(messages):
    return ""


STRIDED = """```python
import numpy as np
from numpy.lib.stride_tricks import as_strided


def blocks(a, k, step):
    height, width = a.shape
    if k < 1 or step < 1 or k > height or k > width:
        raise ValueError("no block fits")
    down, right = a.strides
    shape = ((height - k) // step + 1, (width - k) // step + 1, k, k)
    return as_strided(a, shape, (down * step, right * step, down, right), writeable=False)


def toeplitz(v, m):
    n = len(v)
    stride = v.strides[0]
    return as_strided(v[n - m:], (n - m + 1, m), (-stride, stride), writeable=False)
```"""

RIGHT = {
    "TestStridedTrick": [
        f"Steps of the original's own strides work for every layout:\n\n{STRIDED}",
        """```python
import numpy as np


def blocks(a, k, step):
    if min(k, step) < 1 or k > min(a.shape):
        raise ValueError(f"blocks of {k} every {step} in {a.shape}?")
    return np.lib.stride_tricks.sliding_window_view(a, (k, k))[::step, ::step]


def toeplitz(v, m):
    return np.lib.stride_tricks.sliding_window_view(v, m)[::-1]
```""",
    ]
}

WRONG = {
    "TestStridedTrick": [
        nothing,
        STRIDED.replace("down, right = a.strides", "down, right = a.shape[1] * a.itemsize, a.itemsize"),
        STRIDED.replace(", writeable=False", ""),
        STRIDED.replace("(height - k) // step + 1", "height // step"),
        STRIDED.replace("-stride, stride", "stride, stride"),  # the rows the wrong way round
        STRIDED.replace("or k > height or k > width", ""),
        # right values, but copies
        """```python
import numpy as np


def blocks(a, k, step):
    if k < 1 or step < 1 or k > min(a.shape):
        raise ValueError("no block fits")
    i = np.arange(0, a.shape[0] - k + 1, step)[:, None] + np.arange(k)
    j = np.arange(0, a.shape[1] - k + 1, step)[:, None] + np.arange(k)
    view = a[i[:, None, :, None], j[None, :, None, :]]
    view.flags.writeable = False
    return view


def toeplitz(v, m):
    n = len(v)
    view = v[n - m - np.arange(n - m + 1)[:, None] + np.arange(m)]
    view.flags.writeable = False
    return view
```""",
        "```python\nfrom numpy.lib.stride_tricks import as_strided, sliding_window_view\n\n"
        "blocks = toeplitz = as_strided\n```",
    ]
}
