def nothing(messages):
    return ""


STEP = '{"wrong_step": 3, "right_side": "(1 - 2/m)**n", "variance": 0.775308}'

MERGE = """```python
def merge(a, b, n1, n2, k, randrange):
    a, b = list(a), list(b)
    c = []
    while len(c) < k and (a or b):
        if randrange(n1 + n2) < n1:
            c.append(a.pop(randrange(len(a))))
            n1 -= 1
        else:
            c.append(b.pop(randrange(len(b))))
            n2 -= 1
    return c
```"""

RIGHT = {
    "TestFindBugInPaperSlots": [
        f"Each key must miss both slots, which has probability 1 - 2/m.\n\n```json\n{STEP}\n```",
        '{"wrong_step": 3, "right_side": "p2 = ((m - 2) / m) ^ n", "variance": 0.7753}',
        '{"variance": "0.77531", "right_side": "pow(1 - 2 / m, n)", "wrong_step": "3"}',
    ],
    "TestFindBugInPaperMerge": [
        "Theorem 2 is wrong: what has been taken from a stream is no longer there, so n1 and n2 must shrink.\n\n"
        + MERGE,
        # how many of each first, then which
        """```python
def merge(a, b, n1, n2, k, randrange):
    size = min(k, n1 + n2)
    items = list(range(n1 + n2))
    from_a = 0
    for i in range(size):
        j = i + randrange(len(items) - i)
        items[i], items[j] = items[j], items[i]
        from_a += items[i] < n1

    def some(pool, count):
        pool = list(pool)
        return [pool.pop(randrange(len(pool))) for _ in range(count)]

    return some(a, from_a) + some(b, size - from_a)
```""",
    ],
}

WRONG = {
    "TestFindBugInPaperSlots": [
        nothing,
        STEP.replace('"wrong_step": 3', '"wrong_step": 6'),
        # the right step, the old formula
        STEP.replace("(1 - 2/m)**n", "(1 - 1/m)**(2*n)").replace("0.775308", "1.067958"),
        STEP.replace("0.775308", "0.972089"),  # the limit for n = m
        STEP.replace("(1 - 2/m)**n", "(1 - 1/m)**n * (1 - 1/(m-1))**(n-1)"),
        '{"wrong_step": [1, 2, 3, 4, 5, 6], "right_side": "(1 - 2/m)**n", "variance": 0.775308}',
    ],
    "TestFindBugInPaperMerge": [
        nothing,
        # as in the paper
        """The theorem is right.
```python
def merge(a, b, n1, n2, k, randrange):
    a, b, c = list(a), list(b), []
    while len(c) < k and (a or b):
        r = randrange(n1 + n2)
        source = a if not b or (a and r < n1) else b
        c.append(source.pop(randrange(len(source))))
    return c
```""",
        MERGE.replace("            n2 -= 1\n", ""),
        # weighs by what is left of the samples, not of the streams
        MERGE.replace("randrange(n1 + n2) < n1", "randrange(len(a) + len(b)) < len(a)"),
        MERGE.replace("a.pop(randrange(len(a)))", "a.pop()").replace("n1 -= 1", "n1 -= 0  # n1 must shrink"),
        "```python\ndef merge(a, b, n1, n2, k, randrange):\n    # n1 and n2 must be decremented\n    return (a + b)[:k]\n```",
    ],
}
