def nothing(messages):
    return ""


SAMPLES = """```python
class Samples:
    def __init__(self, decode, count):
        self.decode = decode  # slow
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, key):
        if isinstance(key, slice):
            return [self.decode(i) for i in range(*key.indices(self.count))]
        return self.decode(range(self.count)[key])
```"""

BY_HAND = """        index = operator.index(key)
        if index < 0:
            index += self.count
        if not 0 <= index < self.count:
            raise IndexError("sample index out of range")
        return self.decode(index)
"""

RIGHT = {
    "TestWhatIsSliceStop": [
        "What you leave out is `None`; `slice.indices(length)` turns a slice into real numbers.\n\n"
        + SAMPLES,
        SAMPLES.replace("class Samples", "import operator\n\n\nclass Samples").replace(
            "        return self.decode(range(self.count)[key])\n", BY_HAND
        ),
        SAMPLES.replace("range(self.count)[key]", "key").replace(
            "        return self.decode(key)",
            "        if key < 0:\n            key += self.count\n        if key < 0 or key >= len(self):\n"
            "            raise IndexError(key)\n        return self.decode(key)",
        ),
    ]
}

WRONG = {
    "TestWhatIsSliceStop": [
        nothing,
        # None is understood, the rest is not
        SAMPLES.replace(
            "range(*key.indices(self.count))",
            "range(key.start or 0, self.count if key.stop is None else key.stop, key.step or 1)",
        ),
        SAMPLES.replace("range(self.count)[key]", "key"),  # a loop that never ends, and -1
        SAMPLES.replace("range(self.count)[key]", "key % self.count"),
        # decodes everything
        SAMPLES.replace(
            "[self.decode(i) for i in range(*key.indices(self.count))]",
            "[self.decode(i) for i in range(self.count)][key]",
        ),
        "```python\n# slice.stop is None, use key.indices(len(self))\nclass Samples(list):\n"
        "    def __init__(self, decode, count):\n        super().__init__(range(count))\n```",
    ]
}
