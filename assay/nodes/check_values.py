"""Python values as plain data, and whether two of them are equal, without running anything of either.

A value leaves the process that made it as JSON: what equals everything in there cannot say so in data.
Standard library only, Python 3.9 or later: the sandbox gets this file as well.
"""

from __future__ import annotations

import base64
import copyreg
import enum
import hashlib
import json
import math
import struct
import types
from array import array
from collections import ChainMap, UserDict, deque
from datetime import datetime, timezone
from pathlib import PurePath
from typing import Any

DEPTH = 60  # of what is nested deeper nothing is said
UTC = timezone.utc  # noqa: UP017 - Python 3.9 has no datetime.UTC
MOST_DIMENSIONS = 64  # of an array, as numpy has it
LARGE = 20_000  # numbers of an array from which on only their hash is sent

# A tree is None, a bool, an int, a float, a string, or a list that begins with one of these words:
#   int HEX | f32 X | complex RE IM | ratio P Q | bytes BASE64 | list [..] | tuple [..] | deque [..] |
#   set [..] | dict [[k, v]..] | range [..] | slice [..] | array SHAPE KIND [..] | numbers SHAPE HASH |
#   name NAME | object NAME TREE | opaque NAME | hash HASH [NUMBERS]
Tree = Any


def encode(value: Any, depth: int = 0) -> Tree:
    """A value as a tree. What cannot be told faithfully is `opaque`, which equals nothing."""
    if depth > DEPTH:
        return ["opaque", "nested too deeply"]
    if value is None or value is True or value is False:
        return value
    if isinstance(value, int):
        number = int(value)
        return number if abs(number) < 1 << 60 else ["int", hex(number)]
    if isinstance(value, float):
        return float(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, complex):
        return ["complex", value.real, value.imag]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return ["bytes", base64.b64encode(bytes(value)).decode()]
    if isinstance(value, (list, tuple, deque)):
        kind = "list" if isinstance(value, list) else "tuple" if isinstance(value, tuple) else "deque"
        return [kind, [encode(each, depth + 1) for each in value]]
    some: Any = value
    if isinstance(value, (set, frozenset, type({}.keys()), type({}.items()))):
        return ["set", [encode(item, depth + 1) for item in some]]
    if isinstance(value, dict):
        return ["dict", [[encode(key, depth + 1), encode(item, depth + 1)] for key, item in value.items()]]
    if isinstance(value, range):
        sizes: list[Any] = [len(value), *value[:1], *([value.step] if len(value) > 1 else [])]
        return ["range", [encode(each, depth + 1) for each in sizes]]
    if isinstance(value, slice):
        return ["slice", [encode(each, depth + 1) for each in (value.start, value.stop, value.step)]]
    return _other(value, depth)


_MAPPINGS = (types.MappingProxyType, UserDict, ChainMap)  # equal a dict that has the same in it


def _name(thing: Any) -> str:
    """The same for a class of the test's header with the program and without."""
    name = str(getattr(thing, "__qualname__", type(thing).__qualname__))
    return f"{getattr(thing, '__module__', '')}.{name.replace('_assay_checks.<locals>.', '')}"


def _other(value: Any, depth: int) -> Tree:
    kind = type(value)
    if isinstance(value, _MAPPINGS):
        return encode(dict(value), depth)
    if isinstance(value, PurePath):  # what it is made of differs by how it was made
        return ["object", "pathlib.PurePath", str(value)]
    if isinstance(value, datetime) and value.utcoffset() is not None:  # the same time in any zone
        return ["object", "datetime", value.astimezone(UTC).replace(fold=0).isoformat()]
    if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)):
        return ["name", value.__name__ if isinstance(value, types.ModuleType) else _name(value)]
    try:
        if hasattr(kind, "dtype") and hasattr(kind, "shape"):
            return _array(value, depth)
        if hasattr(kind, "as_integer_ratio"):  # Fraction, Decimal
            if hasattr(kind, "is_finite") and not value.is_finite():
                return float(value)  # Decimal("Infinity") has no ratio
            return ["ratio", *(hex(part) for part in value.as_integer_ratio())]
        if isinstance(value, enum.Enum):
            return ["object", _name(kind), encode(value.value, depth + 1)]
        parts = _reduced(value)
    except Exception:  # noqa: BLE001 - whatever a program's object does, its value cannot be told then
        return ["opaque", _name(kind)]
    return ["object", _name(kind), encode(parts, depth + 1)]


def _reduced(value: Any) -> tuple[Any, ...]:
    """What pickle would keep of an object: nothing is executed to compare it."""
    if type(value) in copyreg.dispatch_table:
        reduced = copyreg.dispatch_table[type(value)](value)
    else:
        reduced = value.__reduce_ex__(2)
    if not isinstance(reduced, tuple):
        return (reduced,)
    made, state, items, pairs = (*reduced[1:], None, None, None, None)[:4]
    return (reduced[0], made, state, list(items or ()), list(pairs or ()))


def _array(value: Any, depth: int) -> Tree:
    import numpy

    if hasattr(value, "detach"):  # torch
        value = value.detach().cpu()
        value = value.float() if str(value.dtype) == "torch.bfloat16" else value
    made = numpy.asarray(value)
    kind = made.dtype.kind
    short = (kind == "f" and made.dtype.itemsize < 8) or ("float" in made.dtype.name and kind == "V")
    shape = list(made.shape)
    if kind == "c" and made.dtype.itemsize < 16:
        made = made.astype(numpy.complex128)
    elif short:
        made = made.astype(numpy.float64)  # numbers of 16 or 32 bits, exactly
    elif kind in "Mm":
        made = made.astype(str)
    elif kind == "f" and made.dtype.itemsize > 8:
        made = made.astype(numpy.float64)
    if not shape:
        got = encode(made.item(), depth + 1)
        return ["f32", got] if short and isinstance(got, float) else got
    if made.size > LARGE and kind in "iubf":
        exact = kind in "iu" and made.size and int(abs(made.astype(numpy.float64)).max()) > 1 << 53
        plain = numpy.ascontiguousarray(made if exact else made.astype(numpy.float64) + 0.0)
        return ["numbers", shape, hashlib.sha256(plain.tobytes()).hexdigest()]
    return [
        "array",
        shape,
        "f32" if short else "",
        [encode(each, depth + 1) for each in made.ravel().tolist()],
    ]


def canon(tree: Tree) -> str:
    """The same text for equal trees: 1, 1.0 and True are one number, a set has no order."""
    if tree is None or isinstance(tree, str):
        return json.dumps(tree)
    if isinstance(tree, (bool, int)):
        return f"#{int(tree):x}"
    if isinstance(tree, float):
        if tree != tree or tree in (float("inf"), float("-inf")):
            return f"#{tree}"
        above, below = tree.as_integer_ratio()
        return f"#{above:x}" + (f"/{below:x}" if below != 1 else "")
    kind, *parts = tree
    if kind == "int":
        return f"#{int(parts[0], 16):x}"
    if kind == "ratio":
        above, below = (int(part, 16) for part in parts)
        return f"#{above:x}" + (f"/{below:x}" if below != 1 else "")
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
    if kind == "list":
        return "[" + ",".join(map(canon, parts[0])) + "]"
    if kind == "tuple":
        return "(" + ",".join(map(canon, parts[0])) + ")"
    if kind in ("deque", "range", "slice"):
        return f"<{kind} " + ",".join(map(canon, parts[0])) + ">"
    if kind == "object":
        return f"<{json.dumps(parts[0])} {canon(parts[1])}>"
    if kind == "opaque":
        raise ValueError("it has no value that could be told")
    return f"<{kind} {json.dumps(parts)}>"


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
    except (ValueError, RecursionError):
        return ["opaque", "too long"]


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
    """An array's shape as it was sent. ValueError for what is none: a program may have sent texts, to be
    multiplied, or very many dimensions."""
    if len(sent) > MOST_DIMENSIONS or any(type(each) is not int or not 0 <= each < 1 << 40 for each in sent):
        raise ValueError("not a shape")
    return list(sent)


def has_objects(tree: Tree) -> bool:
    """Whether a tree holds objects of classes that Python's own types do not explain."""
    if not isinstance(tree, list):
        return False
    return tree[:1] in (["object"], ["opaque"]) or any(map(has_objects, tree))


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


def shown(value: Any, length: int = 500) -> str:
    """For people: the repr, or why there is none."""
    try:
        return repr(value)[:length]
    except BaseException as error:  # noqa: BLE001 - a program's own
        return f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
