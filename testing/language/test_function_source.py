"""What of a function of the test can be sent into the sandbox, and what is refused or named."""

import dataclasses
import enum
import functools
from collections import Counter, namedtuple

import pytest

from assay.errors import NodeError
from assay.language.function_source import function_source
from evaluator import LLMRun, PyEvaluator, PyFunc, Setup
from testing.language.pipeline import run_in_sandbox


def decorator(fn):
    @functools.wraps(fn)
    def wrapped():
        return not fn()

    return wrapped


@decorator
def decorated():
    return True


def test_decorators_are_left_out():
    assert function_source(decorated).source.startswith("def decorated")
    assert run_in_sandbox(PyEvaluator(decorated)).output is True


def test_a_lambda_is_refused_when_the_file_is_loaded():
    with pytest.raises(NodeError, match="lambda"):
        PyEvaluator(lambda: True)
    with pytest.raises(NodeError, match="needs a function"):
        Setup("ls")


async def awaits(value):
    return False


def yields(value):
    yield False


@pytest.mark.parametrize("fn", [awaits, yields])
def test_what_would_be_true_whatever_it_does_is_refused_when_the_file_is_loaded(fn):
    with pytest.raises(NodeError, match=r"^test_function_source.py:\d+: \w+: it must be a plain function"):
        PyFunc(fn)


@functools.cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def uses_a_cache():
    return fibonacci(90) == 2880067194370816120


def test_a_function_with_a_cache_is_sent_with_one():
    assert run_in_sandbox(PyEvaluator(uses_a_cache)).output is True


SMALLEST = 3
Pair = namedtuple("Pair", "left right", defaults=[SMALLEST])


@dataclasses.dataclass
class Note:
    words: list[str] = dataclasses.field(default_factory=list)
    least: int = SMALLEST


class Kind(enum.Enum):
    PLAIN = 1


class Tally(Counter):
    LEAST = SMALLEST


def uses_classes(value, least=SMALLEST):
    sizes = (Note().least, Tally.LEAST, least, Pair(1).right)
    return sizes == (3, 3, 3, 3) and Note() == Note() and Kind.PLAIN.value == 1 and Tally("aa")["a"] == 2


def test_classes_and_defaults_are_sent_with_what_they_use():
    assert run_in_sandbox("x" >> PyEvaluator(uses_classes)).output is True


def uses_a_node():
    return TREE


TREE = "q" >> LLMRun()


def uses_nothing_known():
    return undefined_name  # noqa: F821


def two_arguments(a, b):
    return True


async def asynchronous():
    return True


def test_what_cannot_be_sent_is_named():
    outer = 3

    def closure():
        return outer

    for fn, why in (
        (uses_a_node, "TREE"),
        (uses_nothing_known, "undefined_name"),
        (two_arguments, "2 arguments"),
        (asynchronous, "async"),
        (closure, "outer"),
    ):
        with pytest.raises(NodeError, match=why):
            function_source(fn)
