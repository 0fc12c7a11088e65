"""Python values as plain data, on their way out of the process that made them.

A value leaves that process as JSON: what equals everything in there cannot say so in data. Standard library
only, Python 3.9 or later: the sandbox gets this file as well. There its start is part of what a verdict
costs: so what few values need is imported when one of them comes.
"""

from __future__ import annotations

import sys

from assay.language.inside_library import library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Tree = Any
    Cuts = list[tuple[list[Any], Any]]  # a place in a tree, and the value whose hash is to stand there

DEPTH = 60  # what is nested deeper is told by its hash
MOST_CUTS = 2_000  # a test has no value so many times DEPTH deep; a list that holds itself never ends
TOO_DEEP = "nested too deeply"
LARGE = 20_000  # numbers of an array from which on only their hash is sent

# A tree is None, a bool, an int, a float, a string, or a list that begins with one of these words:
#   int HEX | f32 X | complex RE IM | ratio P Q | bytes BASE64 | list [..] | tuple [..] | deque [..] |
#   set [..] | dict [[k, v]..] | range [..] | slice [..] | array SHAPE KIND [..] | numbers SHAPE HASH |
#   name NAME | object NAME TREE | opaque NAME | hash HASH [NUMBERS]


def is_a(value: Any, module: str, *names: str) -> bool:
    """Whether it is of one of these classes. Where nobody has imported their module, it cannot be."""
    there = sys.modules.get(module)
    return there is not None and isinstance(value, tuple(getattr(there, name, ()) for name in names))


def encode(value: Any, hashed: Callable[[Tree], Tree] | None = None) -> Tree:
    """A value as a tree. What cannot be told faithfully is `opaque`, which equals nothing. `hashed`
    (check_values) makes a hash of what is nested deeper than DEPTH; without it that is opaque."""
    cuts: Cuts = []
    tree, parts = _encode(value, 0, cuts), []
    if hashed is None:
        return tree
    for _, deeper in cuts:  # grows meanwhile
        parts.append(_encode(deeper, 0, cuts))
    for (place, _), part in zip(reversed(cuts), reversed(parts)):  # noqa: B905 - not in Python 3.9
        place[:] = hashed(part)
    return tree


def _encode(value: Any, depth: int, cuts: Cuts) -> Tree:
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
        return ["bytes", library("binascii").b2a_base64(bytes(value), newline=False).decode()]
    if depth > DEPTH:
        place: list[Any] = ["opaque", TOO_DEEP]
        if len(cuts) < MOST_CUTS:
            cuts.append((place, value))
        return place
    if isinstance(value, (list, tuple)) or is_a(value, "_collections", "deque"):
        kind = "list" if isinstance(value, list) else "tuple" if isinstance(value, tuple) else "deque"
        return [kind, [_encode(each, depth + 1, cuts) for each in value]]
    some: Any = value
    if isinstance(value, (set, frozenset, type({}.keys()), type({}.items()))):
        return ["set", [_encode(item, depth + 1, cuts) for item in some]]
    if isinstance(value, dict):
        return [
            "dict",
            [[_encode(key, depth + 1, cuts), _encode(item, depth + 1, cuts)] for key, item in value.items()],
        ]
    if isinstance(value, range):
        sizes: list[Any] = [len(value), *value[:1], *([value.step] if len(value) > 1 else [])]
        return ["range", [_encode(each, depth + 1, cuts) for each in sizes]]
    if isinstance(value, slice):
        return ["slice", [_encode(each, depth + 1, cuts) for each in (value.start, value.stop, value.step)]]
    return _other(value, depth, cuts)


_PROXY, _MODULE = type(type.__dict__), type(sys)
_NAMED = (type, type(encode), type(len), _MODULE)


def _name(thing: Any) -> str:
    """The same for a class of the test's header with the program and without."""
    name = str(getattr(thing, "__qualname__", type(thing).__qualname__))
    return f"{getattr(thing, '__module__', '')}.{name.replace('_assay_checks.<locals>.', '')}"


def _other(value: Any, depth: int, cuts: Cuts) -> Tree:
    kind = type(value)
    if isinstance(value, _PROXY) or is_a(value, "collections", "UserDict", "ChainMap"):  # as the dict in it
        return _encode(dict(value), depth, cuts)
    if is_a(value, "pathlib", "PurePath"):  # what it is made of differs by how it was made
        return ["object", "pathlib.PurePath", str(value)]
    if is_a(value, "datetime", "datetime") and value.utcoffset() is not None:  # the same time in any zone
        utc = sys.modules["datetime"].timezone.utc
        return ["object", "datetime", value.astimezone(utc).replace(fold=0).isoformat()]
    if isinstance(value, _NAMED):
        return ["name", value.__name__ if isinstance(value, _MODULE) else _name(value)]
    try:
        if hasattr(kind, "dtype") and hasattr(kind, "shape"):
            return _array(value, depth, cuts)
        if hasattr(kind, "as_integer_ratio"):  # Fraction, Decimal
            if hasattr(kind, "is_finite") and not value.is_finite():
                return float(value)  # Decimal("Infinity") has no ratio
            return ["ratio", *(hex(part) for part in value.as_integer_ratio())]
        if is_a(value, "enum", "Enum"):
            return ["object", _name(kind), _encode(value.value, depth + 1, cuts)]
        parts = _reduced(value)
    except Exception:  # noqa: BLE001 - whatever a program's object does, its value cannot be told then
        return ["opaque", _name(kind)]
    return ["object", _name(kind), _encode(parts, depth + 1, cuts)]


def _reduced(value: Any) -> tuple[Any, ...]:
    """What pickle would keep of an object: nothing is executed to compare it."""
    special = library("copyreg").dispatch_table.get(type(value))
    reduced = special(value) if special else value.__reduce_ex__(2)
    if not isinstance(reduced, tuple):
        return (reduced,)
    made, state, items, pairs = (*reduced[1:], None, None, None, None)[:4]
    return (reduced[0], made, state, list(items or ()), list(pairs or ()))


def _array(value: Any, depth: int, cuts: Cuts) -> Tree:
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
    elif short or (kind == "f" and made.dtype.itemsize > 8):
        made = made.astype(numpy.float64)  # of 16 or 32 bits, exactly
    elif kind in "Mm":
        made = made.astype(str)
    if not shape:
        got = _encode(made.item(), depth + 1, cuts)
        return ["f32", got] if short and isinstance(got, float) else got
    if made.size > LARGE and kind in "iubf":
        exact = kind in "iu" and made.size and int(abs(made.astype(numpy.float64)).max()) > 1 << 53
        plain = numpy.ascontiguousarray(made if exact else made.astype(numpy.float64) + 0.0)
        return ["numbers", shape, library("hashlib").sha256(plain.tobytes()).hexdigest()]
    return [
        "array",
        shape,
        "f32" if short else "",
        [_encode(each, depth + 1, cuts) for each in made.ravel().tolist()],
    ]


def has_objects(tree: Tree) -> bool:
    """Whether a tree holds objects of classes that Python's own types do not explain."""
    if not isinstance(tree, list):
        return False
    return tree[:1] in (["object"], ["opaque"]) or any(map(has_objects, tree))


def shown(value: Any, length: int = 500) -> str:
    """For people: the repr, or why there is none."""
    try:
        return repr(value)[:length]
    except BaseException as error:  # noqa: BLE001 - a program's own
        return f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
