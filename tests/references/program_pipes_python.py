def nothing(messages):
    return ""


PIPES = """```python
from functools import reduce
from itertools import islice


class Stage:
    def __init__(self, function):
        self.function = function

    def __ror__(self, source):
        return self.function(source)

    def __or__(self, other):
        if not isinstance(other, Stage):
            return NotImplemented
        return Stage(lambda source: other.function(self.function(source)))


def where(f):
    return Stage(lambda source: (item for item in source if f(item)))


def apply(f):
    return Stage(lambda source: (f(item) for item in source))


def take(n):
    return Stage(lambda source: islice(source, n))


def skip(n):
    return Stage(lambda source: islice(source, n, None))


def batch(n):
    def lists(source):
        iterator = iter(source)
        while items := list(islice(iterator, n)):
            yield items

    return Stage(lists)


def join(sep):
    return Stage(lambda source: sep.join(map(str, source)))


def collect():
    return Stage(list)


def fold(f, start):
    return Stage(lambda source: reduce(f, source, start))
```"""

RIGHT = {
    "TestProgramPipesPython": [
        f"The right operand's `__ror__` gets whatever stands on the left.\n\n{PIPES}",
        """```python
class Pipe:
    \"\"\"A chain of generator functions, waiting for a source.\"\"\"

    def __init__(self, *steps):
        self.steps = steps

    def __or__(self, other):
        return Pipe(*self.steps, *other.steps)

    def __ror__(self, left):
        value = left
        for step in self.steps:
            value = step(value)
        return value


def stage(make):
    def build(*args):
        return Pipe(lambda source: make(source, *args))
    return build


@stage
def where(source, f):
    for x in source:
        if f(x):
            yield x


@stage
def apply(source, f):
    for x in source:
        yield f(x)


@stage
def take(source, n):
    if n <= 0:
        return
    for count, x in enumerate(source, 1):
        yield x
        if count == n:
            return


@stage
def skip(source, n):
    for i, x in enumerate(source):
        if i >= n:
            yield x


@stage
def batch(source, n):
    part = []
    for x in source:
        part.append(x)
        if len(part) == n:
            yield part
            part = []
    if part:
        yield part


@stage
def join(source, sep):
    return sep.join(str(x) for x in source)


@stage
def collect(source):
    return [*source]


@stage
def fold(source, f, start):
    total = start
    for x in source:
        total = f(total, x)
    return total
```

Use it like this:

```python
print(range(20) | where(lambda x: x % 3 == 0) | join("-"))
```""",
    ]
}
# the second answer holds two blocks of python, so that it is asked for its code once more
RIGHT["TestProgramPipesPython"][1] = [
    RIGHT["TestProgramPipesPython"][1],
    RIGHT["TestProgramPipesPython"][1].split("\n\nUse it")[0],
]

WRONG = {
    "TestProgramPipesPython": [
        nothing,
        # reads one item too many
        PIPES.replace("islice(source, n))", "(x for x, _ in zip(source, range(n))))"),
        # lists everywhere: never comes back from an endless source
        PIPES.replace("(item for item in source if f(item))", "[item for item in source if f(item)]"),
        # a stage that keeps its iterator works once
        PIPES.replace("return Stage(lambda source: islice(source, n, None))",
                      "seen = []\n    return Stage(lambda source: (x for x in source if len(seen) >= n or seen.append(x)))"),
        # forgets the last, shorter batch
        PIPES.replace("while items := list(islice(iterator, n)):",
                      "while len(items := list(islice(iterator, n))) == n:"),
        PIPES.replace("map(str, source)", "source"),
        "```python\n# where, apply, take, skip, batch, join, collect, fold\nprint('0-3-6-9-12-15-18')\n```",
    ]
}  # fmt: skip
