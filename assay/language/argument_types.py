"""Arguments that cannot be meant are refused where the test is written, before a model fails by them."""

from __future__ import annotations

import functools
import numbers
from collections.abc import Callable
from typing import Any

from assay.errors import NodeError

COLLECTIONS = (list, tuple, set, frozenset, dict, type)


def _whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) or (isinstance(value, float) and value.is_integer())


# the annotation of a field: what it means in words, and whether a value can be meant by it
KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "str": ("one text", lambda value: not isinstance(value, COLLECTIONS)),
    "int": ("a whole number", lambda value: _whole(value) and not isinstance(value, bool)),
    "float": ("a number", lambda value: isinstance(value, numbers.Real) and not isinstance(value, bool)),
    "bool": ("True or False", lambda value: isinstance(value, numbers.Integral) and value in (0, 1)),
}


# values of exactly these types need no closer look, which would cost a run of many tests time
USUAL: dict[str, tuple[type, ...]] = {"str": (str,), "int": (int,), "float": (float, int)}


@functools.cache
def _fields(kind: type) -> tuple[tuple[str, str, frozenset[type]], ...]:
    """The fields of Assay's own classes above `kind`, with their annotations and usual types; a user's are
    his own."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        ours = each.__module__.startswith("assay.language.")
        for name, said in vars(each).get("__annotations__", {}).items():
            found[name] = str(said) if ours else ""
    checked = ((name, said, said.removesuffix(" | None")) for name, said in found.items())
    return tuple(
        (name, said, frozenset(USUAL[plain] + (type(None),) * (plain != said)))
        for name, said, plain in checked
        if plain in USUAL
    )


def fault_of(annotation: str, value: Any) -> str:
    """What a value must be by its annotation, such as "int | None"; '' if it is that or nobody can tell."""
    kind = annotation.removesuffix(" | None")
    if kind not in KINDS or (value is None and kind != annotation):
        return ""
    words, holds = KINDS[kind]
    return "" if holds(value) else f"must be {words}, not {value!r:.60}"


def check_arguments(node: Any) -> None:
    """Raises NodeError naming the node and the argument, for a value of a kind that it cannot be."""
    kind: type = type(node)
    held = vars(node)
    for name, annotation, usual in _fields(kind):
        value = held[name] if name in held else getattr(node, name)
        if type(value) in usual:
            continue
        column = isinstance(value, str) and "<" in value  # of Rows, whose values come later
        if (fault := fault_of(annotation, value)) and not column:
            made, hint = kind.__name__, ""
            if node.is_judge and isinstance(value, (list, tuple, set, frozenset)):
                hint = f"; for any of several write {made}(a) | {made}(b), for all of them &"
            raise NodeError(f"{made}: {name} {fault}{hint}")
