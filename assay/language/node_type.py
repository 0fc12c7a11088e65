"""The class of node classes, whose operators say what is missing where a class stands in place of a node."""

from __future__ import annotations

from abc import ABCMeta
from typing import TYPE_CHECKING, Any, NoReturn

from assay.errors import NotANode


class NodeType(ABCMeta):
    """Of `Node`: `"a question" >> LLMRun` raises NotANode, as `LLMRun & x`, `x | LLMRun` and `~LLMRun` do.

    `LLMRun | None` stays a type. An ABCMeta, so that an author's node may be an ABC too.
    """

    # many nodes are looked at, and none is registered by `register`
    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__

    if not TYPE_CHECKING:  # a type checker shall find the mistake

        def _refused(cls, *other: object) -> NoReturn:
            raise no_node(cls)

        __rshift__ = __rrshift__ = __and__ = __rand__ = __invert__ = _refused

        def __or__(cls, other: object) -> Any:
            return cls._refused() if _is_operand(other) else super().__or__(other)

        def __ror__(cls, other: object) -> Any:
            return cls._refused() if _is_operand(other) else super().__ror__(other)


def _is_operand(other: object) -> bool:
    """Whether it is a node, or a text that would become one."""
    return isinstance(other, str) or isinstance(type(other), NodeType)


def no_node(kind: NodeType) -> NotANode:
    """The error for a class in place of a node, with the call that makes one."""
    import inspect  # not at the top: it is slow to import

    given = inspect.signature(kind).parameters.values()
    named = (each for each in given if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD))
    must = ", ".join(each.name for each in named if each.default is each.empty)
    return NotANode(kind, f"{kind.__name__}({must})")
