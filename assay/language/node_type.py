"""What Python's operators say where >> & | ~ are meant, or where a class stands in place of a node."""

from __future__ import annotations

from abc import ABCMeta
from typing import TYPE_CHECKING, Any, NoReturn

from assay.errors import NotANode


class Joined:
    """Of `Node` and of `Rows`: `"a question" > LLMRun()` raises TypeError, as `and`, `or` and `not` do."""

    __slots__ = ()

    if not TYPE_CHECKING:  # a type checker shall find the mistake

        def _has_no_order(self, other: object) -> NoReturn:
            raise TypeError("write >> to join the parts of a test, not > or <")

        __lt__ = __gt__ = __le__ = __ge__ = _has_no_order

    def __bool__(self) -> bool:
        raise TypeError("a part of a test has no truth value; combine parts with >> & | ~, not and/or/not")


class NodeType(ABCMeta):
    """Of `Node`: `"a question" >> LLMRun` raises NotANode, as `LLMRun & x`, `x | LLMRun`, `~LLMRun` and
    `LLMRun > x` do.

    `LLMRun | None` stays a type. An ABCMeta, so that an author's node may be an ABC too.
    """

    # many nodes are looked at, and none is registered by `register`
    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__

    if not TYPE_CHECKING:  # a type checker shall find the mistake

        def _refused(cls, *other: object) -> NoReturn:
            raise no_node(cls)

        __rshift__ = __rrshift__ = __and__ = __rand__ = __invert__ = _refused
        __lt__ = __gt__ = __le__ = __ge__ = _refused

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

    _, *given = inspect.signature(kind.__init__).parameters.values()  # type: ignore[misc]
    named = (each for each in given if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD))
    must = ", ".join(each.name for each in named if each.default is each.empty)
    return NotANode(kind, f"{kind.__name__}({must})")
