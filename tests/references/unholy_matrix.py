def nothing(messages):
    return ""


PROFILE = """```python
def count_fillings(rows):
    MOD = 10 ** 9 + 7
    if not rows or not rows[0]:
        return 1
    if len(rows[0]) > len(rows):
        rows = ["".join(column) for column in zip(*rows)]
    width = len(rows[0])
    full = (1 << (width + 1)) - 1
    states = {0: 1}  # the last width + 1 fields as bits, the newest lowest
    for y, row in enumerate(rows):
        for x, field in enumerate(row):
            following = {}
            for state, count in states.items():
                for value in (0, 1):
                    if field not in (".", str(value)):
                        continue
                    if x and y:
                        left, above, corner = state & 1, state >> (width - 1) & 1, state >> width & 1
                        if left == above == corner == value:
                            continue
                    new = (state << 1 | value) & full
                    following[new] = (following.get(new, 0) + count) % MOD
            states = following
    return sum(states.values()) % MOD
```"""

CUTS = """```python
from functools import lru_cache


def best_cuts(matrix, k):
    height, width = len(matrix), len(matrix[0])
    sums = [[0] * (width + 1) for _ in range(height + 1)]
    for y in range(height):
        for x in range(width):
            sums[y + 1][x + 1] = matrix[y][x] + sums[y][x + 1] + sums[y + 1][x] - sums[y][x]

    @lru_cache(maxsize=None)
    def worth(top, left, bottom, right, pieces):
        if pieces > (bottom - top) * (right - left):
            return None
        if pieces == 1:
            return sums[bottom][right] - sums[top][right] - sums[bottom][left] + sums[top][left]
        best = None
        for part in range(1, pieces):
            for y in range(top + 1, bottom):
                a, b = worth(top, left, y, right, part), worth(y, left, bottom, right, pieces - part)
                if a is not None and b is not None and (best is None or min(a, b) > best):
                    best = min(a, b)
            for x in range(left + 1, right):
                a, b = worth(top, left, bottom, x, part), worth(top, x, bottom, right, pieces - part)
                if a is not None and b is not None and (best is None or min(a, b) > best):
                    best = min(a, b)
        return best

    return worth(0, 0, height, width, k)
```"""

RIGHT = {
    "TestUnholyMatrixFillings": [
        f"A broken profile along the shorter side:\n\n{PROFILE}",
        """Row by row: two neighbouring rows fit if no two neighbouring columns are the same in both.

```python
def count_fillings(rows):
    M = 10 ** 9 + 7
    if not rows or rows[0] == "":
        return 1
    if len(rows) < len(rows[0]):
        rows = list(zip(*rows))
    w = len(rows[0])
    masks = range(1 << w)
    pairs = (1 << (w - 1)) - 1

    def bad(a, b):
        ones = a & b
        zeros = ~a & ~b & ((1 << w) - 1)
        return (ones & ones >> 1 | zeros & zeros >> 1) & pairs

    fits = [[b for b in masks if not bad(a, b)] for a in masks]

    def allowed(row):
        fixed = sum(1 << i for i, c in enumerate(row) if c != ".")
        ones = sum(1 << i for i, c in enumerate(row) if c == "1")
        return [m & fixed == ones for m in masks]

    ok = allowed(rows[0])
    ways = [int(ok[m]) for m in masks]
    for row in rows[1:]:
        ok = allowed(row)
        nxt = [0] * len(ways)
        for a, n in enumerate(ways):
            if n:
                for b in fits[a]:
                    nxt[b] += n
        ways = [nxt[m] % M if ok[m] else 0 for m in masks]
    return sum(ways) % M
```""",
    ],
    "TestUnholyMatrixCuts": [
        CUTS,
        """Bottom up, over rectangles by size; each keeps a list of the best worth for 1, 2, ... pieces.

```python
def best_cuts(matrix, k):
    h, w = len(matrix), len(matrix[0])
    NEG = float("-inf")
    best = {}
    for dh in range(1, h + 1):
        for dw in range(1, w + 1):
            for y in range(h - dh + 1):
                for x in range(w - dw + 1):
                    total = sum(sum(row[x:x + dw]) for row in matrix[y:y + dh])
                    here = [NEG, total] + [NEG] * (k - 1)
                    halves = [((y, x, c, dw), (y + c, x, dh - c, dw)) for c in range(1, dh)]
                    halves += [((y, x, dh, c), (y, x + c, dh, dw - c)) for c in range(1, dw)]
                    for one, two in halves:
                        a, b = best[one], best[two]
                        for i in range(1, k):
                            if a[i] == NEG:
                                break
                            for j in range(1, k - i + 1):
                                value = a[i] if a[i] < b[j] else b[j]
                                if value > here[i + j]:
                                    here[i + j] = value
                    best[y, x, dh, dw] = here
    answer = best[0, 0, h, w][k]
    return None if answer == NEG else answer
```""",
    ],
}

WRONG = {
    "TestUnholyMatrixFillings": [
        nothing,
        PROFILE.replace("if x and y:", "if y:"),  # squares that go around the edge
        PROFILE.replace("(1 << (width + 1)) - 1", "(1 << width) - 1"),  # forgets the corner
        PROFILE.replace("following.get(new, 0) + count", "count"),
        # tries them all
        """```python
from itertools import product

def count_fillings(rows):
    if sum(row.count(".") for row in rows) > 18:
        raise ValueError("too many free fields")
    free = [(y, x) for y, row in enumerate(rows) for x, c in enumerate(row) if c == "."]
    count = 0
    for values in product("01", repeat=len(free)):
        cells = [list(row) for row in rows]
        for (y, x), v in zip(free, values):
            cells[y][x] = v
        count += all(len({cells[y][x], cells[y][x + 1], cells[y + 1][x], cells[y + 1][x + 1]}) > 1
                     for y in range(len(rows) - 1) for x in range(len(rows[0]) - 1))
    return count % (10 ** 9 + 7)
```""",
        "```python\ndef count_fillings(rows):\n    # dynamic programming, modulo 10**9 + 7\n    return 14\n```",
    ],
    "TestUnholyMatrixCuts": [
        nothing,
        # always the best next cut, then the worst piece again
        """```python
def best_cuts(matrix, k):
    pieces = [matrix]
    def total(m):
        return sum(map(sum, m))
    def splits(m):
        for y in range(1, len(m)):
            yield m[:y], m[y:]
        for x in range(1, len(m[0])):
            yield [r[:x] for r in m], [r[x:] for r in m]
    while len(pieces) < k:
        options = [(min(total(a), total(b)), i, a, b) for i, m in enumerate(pieces) for a, b in splits(m)]
        if not options:
            return None
        _, i, a, b = max(options, key=lambda option: option[0])
        pieces[i:i + 1] = [a, b]
    return min(map(total, pieces))
```""",
        CUTS.replace("return None\n", "return 0\n", 1),
        CUTS.replace("range(1, pieces)", "(1, pieces - 1)"),  # only ever one piece off
        CUTS.replace("min(a, b)", "max(a, b)"),
        CUTS.replace("for x in range(left + 1, right)", "for x in ()"),  # only between rows
        "```python\ndef best_cuts(matrix, k):\n    # min of the pieces, max over the cuts\n    return None\n```",
    ],
}
