from evaluator import *

DESCRIPTION = "Does the model know what a slice holds when its ends are left out or negative?"
TAGS = ["knowledge", "code", "python", "debug"]
DETERMINISTIC = True

question = """
samples[2:10:1] works, but samples[2:10] says "'NoneType' object cannot be interpreted as an integer", and samples[-5:] too.
what is slice.stop if I didn't write one?? Can you make it behave just like a list would (also for single numbers, at the
moment a for loop over it never ends), but still decode only what was asked for? Just the class.

class Samples:
    def __init__(self, decode, count):
        self.decode = decode  # slow
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, key):
        if isinstance(key, slice):
            return [self.decode(i) for i in range(key.start, key.stop, key.step)]
        return self.decode(key)
"""

header = """
import itertools, random

def agrees():
    rng = random.Random(5)
    for count in (0, 1, 2, 7):
        ours, plain = Samples(lambda i: i * i, count), [i * i for i in range(count)]
        for _ in range(400):
            parts = [rng.choice([None, *range(-10, 11)]) for _ in range(3)]
            key = slice(parts[0], parts[1], parts[2] or None)
            if list(ours[key]) != plain[key]:
                return count, key, ours[key]
    return 'agrees'

def outcome(fn):
    try:
        return fn()
    except Exception as error:
        return type(error).__name__

decoded = []
def decode(i):
    if not 0 <= i < 100:
        raise AssertionError(f"decodes {i}")
    decoded.append(i)
    return i + 1000

def asked(key):
    decoded.clear()
    got = Samples(decode, 100)[key]
    return got, sorted(decoded)
"""

test_case, answer = make_python_test(
    [
        ("agrees()", "'agrees'"),
        ("asked(slice(98, None))", "([1098, 1099], [98, 99])"),
        ("asked(slice(None, 2))", "([1000, 1001], [0, 1])"),
        ("asked(-1)", "(1099, [99])"),
        ("asked(-100)", "(1000, [0])"),
        ("outcome(lambda: asked(100))", "'IndexError'"),
        ("outcome(lambda: asked(-101))", "'IndexError'"),
        ("outcome(lambda: Samples(decode, 0)[0])", "'IndexError'"),
        ("outcome(lambda: Samples(decode, 9)[::0])", "'ValueError'"),
        ("outcome(lambda: Samples(decode, 9)['a'])", "'TypeError'"),
        ("list(itertools.islice(Samples(decode, 4), 9))", "[1000, 1001, 1002, 1003]"),
        ("len(Samples(decode, 4))", "4"),
    ],
    header=header,
)

TestWhatIsSliceStop = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestWhatIsSliceStop))
