def nothing(messages):
    return ""


RIGHT = {
    "TestProgramSqrt": [
        """Scale by 10^(2k), take the integer root with Newton's method, put the point back.

```python
def sqrt_digits(n, k):
    target = n * 10 ** (2 * k)
    root = target
    if target > 1:
        root = 1 << (target.bit_length() + 1) // 2
        while True:
            better = (root + target // root) // 2
            if better >= root:
                break
            root = better
    text = str(root).zfill(k + 1)
    return text[:-k] + "." + text[-k:]
```

This works from any import-free python 3.""",
        """```python
def sqrt_digits(n, k):
    '''The digits one by one, as on paper,
    from the pairs of digits of n.'''
    digits = str(n)
    if len(digits) % 2:
        digits = "0" + digits
    pairs = [int(digits[i:i + 2]) for i in range(0, len(digits), 2)] + [0] * k
    root = rest = 0
    for pair in pairs:
        rest = rest * 100 + pair
        d = 9
        while (20 * root + d) * d > rest:
            d -= 1
        rest -= (20 * root + d) * d
        root = root * 10 + d
    text = str(root).rjust(k + 1, "0")
    return f"{text[:-k]}.{text[-k:]}"

if __name__ == "__main__":
    print(sqrt_digits(2, 50))
```""",
    ]
}

WRONG = {
    "TestProgramSqrt": [
        nothing,
        "```python\ndef sqrt_digits(n, k):\n    return f'{n ** 0.5:.{k}f}'\n```",
        # right, but with the import that was forbidden
        """```python
from math import isqrt

def sqrt_digits(n, k):
    text = str(isqrt(n * 100 ** k)).zfill(k + 1)
    return text[:-k] + "." + text[-k:]
```""",
        # loses the leading zeros of a small root
        """```python
def sqrt_digits(n, k):
    low, high = 0, n * 100 ** k + 1
    while high - low > 1:
        mid = (low + high) // 2
        if mid * mid <= n * 100 ** k:
            low = mid
        else:
            high = mid
    text = str(low)
    return text[:-k] + "." + text[-k:]
```""",
        "```python\n# 1.41421356237309504880168872420969807856967187537694\ndef sqrt_digits(n, k):\n    pass\n```",
    ]
}
