"""Whether two of Python's values are equal, as plain data, without running anything of either.

Standard library only, Python 3.9 or later: the sandbox gets this file as well, for values that are too long
to be sent.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import struct
from array import array
from collections import deque
from typing import Any

from assay.language.check_encode import LARGE, TOO_DEEP

Tree = Any  # check_encode says what it is
MOST_DIMENSIONS = 64  # of an array, as numpy has it
EDGES = {"list": "[]", "tuple": "()", **{kind: (f"<{kind} ", ">") for kind in ("deque", "range", "slice")}}


def canon(tree: Tree) -> str:
    """The same text for equal trees: 1, 1.0 and True are one number, a set has no order."""
    if tree is None or isinstance(tree, str):
        return json.dumps(tree)
    if isinstance(tree, (bool, int)):
        return f"#{int(tree):x}"
    if isinstance(tree, float):
        if tree != tree or tree in (float("inf"), float("-inf")):
            return f"#{tree}"
        return _ratio(*tree.as_integer_ratio())
    kind, *parts = tree
    if kind == "int":
        return f"#{int(parts[0], 16):x}"
    if kind == "ratio":
        return _ratio(*(int(part, 16) for part in parts))
    if kind == "f32":
        return canon(parts[0])
    if kind == "complex":
        real, imaginary = map(canon, parts)
        return real if imaginary == "#0" else f"{real}+{imaginary}j"
    if kind == "array":
        return _nested(_shape(parts[0]), [canon(each) for each in parts[2]])
    if kind == "set":
        return "{" + ",".join(sorted(map(canon, parts[0]))) + "}"
    if kind == "dict":
        return "{" + ",".join(sorted(f"{canon(key)}:{canon(value)}" for key, value in parts[0])) + ":}"
    if kind in EDGES:
        opens, closes = EDGES[kind]
        return opens + ",".join(map(canon, parts[0])) + closes
    if kind == "object":
        return f"<{json.dumps(parts[0])} {canon(parts[1])}>"
    if kind == "opaque":
        raise ValueError(parts[0])
    return f"<{kind} {json.dumps(parts)}>"


def _ratio(above: int, below: int) -> str:
    return f"#{above:x}" + (f"/{below:x}" if below != 1 else "")


def _nested(shape: list[int], parts: list[str]) -> str:
    """An array's text is that of the nested list with the same numbers."""
    for size in reversed(shape[1:]):
        parts = ["[" + ",".join(parts[at : at + size]) + "]" for at in range(0, len(parts), size or 1)]
    return "[" + ",".join(parts) + "]"


def hashed(tree: Tree) -> Tree:
    """A tree that is too long to be sent, as what tells whether it equals another one."""
    try:
        numbers = _numbers(tree) if _kind(tree) in ("list", "tuple") else None
        return ["hash", hashlib.sha256(canon(tree).encode()).hexdigest(), *([numbers] if numbers else [])]
    except (ValueError, RecursionError) as error:
        return ["opaque", TOO_DEEP if error.args == (TOO_DEEP,) else "too long"]


def too_deep(tree: Tree) -> bool:
    """Whether a value cannot be compared because it has no end, or as good as none."""
    try:
        return bool(hashed(tree) == ["opaque", TOO_DEEP])
    except (TypeError, KeyError, IndexError, AttributeError, OverflowError):  # makes no sense
        return False


def same(got: Tree, wanted: Tree) -> bool:
    """Whether two trees are equal as Python has it, but for shapes: an array equals only what has its shape.

    Never raises: what makes no sense equals nothing.
    """
    try:
        return _same(got, wanted)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError):
        return False


def _kind(tree: Tree) -> str:
    return tree[0] if isinstance(tree, list) else ""


def _same(got: Tree, wanted: Tree) -> bool:
    kinds = _kind(got), _kind(wanted)
    if "numbers" in kinds and kinds[0] != kinds[1]:
        return bool(_numbers(got) == _numbers(wanted))
    if "hash" in kinds:
        (one, other) = (tree if _kind(tree) == "hash" else hashed(tree) for tree in (got, wanted))
        return bool(one == other)
    if "array" in kinds:
        (shape, some), (other_shape, others) = _flat(got), _flat(wanted)
        return shape == other_shape and len(some) == len(others) and all(map(_same, some, others))
    if "f32" in kinds and kinds != ("f32", "f32"):
        return bool(_rounded(got) == _rounded(wanted))
    if kinds in (("list", "list"), ("tuple", "tuple"), ("deque", "deque")):
        return len(got[1]) == len(wanted[1]) and all(map(_same, got[1], wanted[1]))
    if kinds == ("dict", "dict"):
        values = {canon(key): value for key, value in got[1]}
        return len(values) == len(wanted[1]) and all(
            canon(key) in values and _same(values[canon(key)], value) for key, value in wanted[1]
        )
    if kinds == ("object", "object"):
        return bool(got[1] == wanted[1]) and _same(got[2], wanted[2])
    return bool(canon(got) == canon(wanted))


def _numbers(tree: Tree) -> Tree:
    """What a large array of the same shape and numbers would be sent as; None if it is not like one."""
    if _kind(tree) == "numbers":
        return tree
    if _kind(tree) == "hash":
        return tree[2] if len(tree) > 2 else None
    try:
        shape, items = _flat(tree)
        items = [each[1] if _kind(each) == "f32" else each for each in items]
        if len(items) <= LARGE or not all(isinstance(each, (bool, int, float)) for each in items):
            return None
        exact = all(isinstance(each, int) for each in items) and max(map(abs, items)) > 1 << 53
        plain = array("q", items) if exact else array("d", [float(each) + 0.0 for each in items])
    except (ValueError, TypeError, IndexError, OverflowError, RecursionError):
        return None
    return ["numbers", shape, hashlib.sha256(plain.tobytes()).hexdigest()]


def _rounded(tree: Tree) -> Any:
    """A Python number beside one of 32 bits is rounded as numpy and jax do it."""
    number = tree[1] if _kind(tree) == "f32" else tree
    if not isinstance(number, float):
        return canon(tree)
    return canon(struct.unpack("f", struct.pack("f", number))[0])


def _flat(tree: Tree) -> tuple[list[int], list[Tree]]:
    """The shape and the items of an array, of nested lists or tuples, or of a single value."""
    if _kind(tree) == "array":
        shape = _shape(tree[1])
        if math.prod(shape) != len(tree[3]):
            raise ValueError("not an array")
        return shape, tree[3]
    if _kind(tree) not in ("list", "tuple"):
        return [], [tree]
    parts = [_flat(each) for each in tree[1]]
    shapes = [shape for shape, _ in parts]
    if any(shape != shapes[0] for shape in shapes):
        raise ValueError("ragged")
    return [len(parts), *(shapes[0] if shapes else [])], [item for _, items in parts for item in items]


def _shape(sent: Any) -> list[int]:
    """An array's shape as it was sent. ValueError for anything else: a program may have sent texts, to be
    multiplied, or very many dimensions."""
    if len(sent) > MOST_DIMENSIONS or any(type(each) is not int or not 0 <= each < 1 << 40 for each in sent):
        raise ValueError("not a shape")
    return list(sent)


def decode(tree: Tree) -> Any:
    """The value that plain data stands for. ValueError for objects: nothing is executed for a tree."""
    if not isinstance(tree, list):
        return tree
    kind, *parts = tree
    if kind in ("int", "ratio"):
        from fractions import Fraction

        numbers = [int(part, 16) for part in parts]
        return numbers[0] if kind == "int" else Fraction(*numbers)
    if kind == "f32":
        return parts[0]
    if kind == "complex":
        return complex(*parts)
    if kind == "bytes":
        return base64.b64decode(parts[0])
    if kind in ("list", "tuple", "deque", "set"):
        makers: dict[str, Any] = {"list": list, "tuple": tuple, "deque": deque, "set": set}
        return makers[kind](decode(each) for each in parts[0])
    if kind == "dict":
        return {decode(key): decode(value) for key, value in parts[0]}
    if kind == "array":
        import numpy

        return numpy.array([decode(each) for each in parts[2]]).reshape(parts[0])
    raise ValueError(f"cannot make a {kind}")
