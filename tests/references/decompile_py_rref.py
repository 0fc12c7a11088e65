def nothing(messages):
    return ""


SOURCE = """```python
def rref(rows, mod):
    grid = [[x % mod for x in row] for row in rows]
    pivots = []
    top = 0
    for col in range(len(grid[0]) if grid else 0):
        for r in range(top, len(grid)):
            if grid[r][col]:
                break
        else:
            continue
        grid[top], grid[r] = grid[r], grid[top]
        inverse = pow(grid[top][col], -1, mod)
        grid[top] = [x * inverse % mod for x in grid[top]]
        for r, row in enumerate(grid):
            factor = row[col]
            if r != top and factor:
                grid[r] = [(a - factor * b) % mod for a, b in zip(row, grid[top])]
        pivots.append(col)
        top += 1
    free = sorted(set(range(len(grid[0]))) - set(pivots), reverse=True) if top else None
    return grid[:top], pivots, free
```"""

RIGHT = {
    "TestDecompilePyRref": [
        f"It is Gauss-Jordan elimination modulo a prime.\n\n{SOURCE}",
        """The function returns the nonzero rows, the pivot columns, and the free columns from the right:

```python
def rref(rows, mod):
    m = []
    for row in rows:
        m.append([value % mod for value in row])
    done, pivots = 0, []
    width = len(m[0]) if m else 0
    for col in range(width):
        candidates = [i for i in range(done, len(m)) if m[i][col] != 0]
        if not candidates:
            continue
        i = candidates[0]
        m[done], m[i] = m[i], m[done]
        factor = pow(m[done][col], mod - 2, mod)  # Fermat
        m[done] = [value * factor % mod for value in m[done]]
        for k in range(len(m)):
            if k == done:
                continue
            times = m[k][col]
            for c in range(width):
                m[k][c] = (m[k][c] - times * m[done][c]) % mod
        pivots.append(col)
        done += 1
    if not done:
        return [], [], None
    return m[:done], pivots, [c for c in reversed(range(width)) if c not in pivots]
```""",
    ]
}

WRONG = {
    "TestDecompilePyRref": [
        nothing,
        SOURCE.replace("[[x % mod for x in row] for row in rows]", "rows"),
        SOURCE.replace(", reverse=True", ""),
        SOURCE.replace(" if top else None", ""),
        SOURCE.replace("return grid[:top]", "return grid"),
        SOURCE.replace("r != top and", "r > top and"),  # an echelon form, not reduced
        SOURCE.replace("x * inverse % mod", "x // inverse"),
        """```python
from fractions import Fraction
def rref(rows, mod):
    # row reduction with pivots and free columns
    return [[Fraction(x, mod) for x in row] for row in rows], [], None
```""",
    ]
}
