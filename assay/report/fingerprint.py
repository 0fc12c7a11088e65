"""A cheap, stable hash of a record: what decides whether its page must be written again."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from assay.records import Block, TrialRecord

# marshal's version 2 has no back references: equal values give equal bytes, whoever made them.
_MARSHAL = 2
_SIMPLE = (str, int, float, bool, type(None))


def _blocks(root: Block) -> list[Any]:
    """Every block's own fields and how many children it has, parents first: the whole tree, flat."""
    out: list[Any] = []
    stack = [root]
    while stack:
        each = stack.pop()
        children = each.children
        out += (
            each.kind, each.title, each.body, each.language, each.role, each.passed, each.data, each.file,
            len(children),
        )  # fmt: skip
        if children:
            stack += children
    return out


def _plain(value: Any) -> Any:
    """Only what marshal takes; a suite's `extra` may hold anything."""
    if not value and isinstance(value, (dict, tuple, list)):
        return ()
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, bytes)):
        return value
    if hasattr(value, "items"):
        return tuple((str(key), _plain(each)) for key, each in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(_plain(each) for each in value)
    return repr(value)


def fingerprint(records: Sequence[TrialRecord], *context: str) -> str:
    """A hash over every field of `records`, in order, and of `context`: 32 hex digits."""
    digest = blake2b(digest_size=16)
    digest.update(marshal.dumps(context, _MARSHAL))
    for record in records:
        fields = dict(record.__dict__)
        reason = fields.pop("reason")
        usage = fields.pop("usage")
        plain = (
            tuple(
                [(key, value if type(value) in _SIMPLE else _plain(value)) for key, value in fields.items()]
            ),
            None if reason is None else _blocks(reason),
            (usage.input_tokens, usage.output_tokens, usage.reasoning_tokens),
        )
        digest.update(marshal.dumps(plain, _MARSHAL))
    return digest.hexdigest()
