"""A cheap, stable hash of a record: what decides whether its page must be written again."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from dataclasses import fields
from hashlib import blake2b
from operator import attrgetter
from typing import Any

from assay.records import Block, TrialRecord

# marshal's version 2 has no back references: equal values give equal bytes, whoever made them.
_MARSHAL = 2
_MAPPINGS = ("metrics", "versions", "judges", "extra", "conditions", "parameters", "about", "rescored")
_PLAIN = tuple(
    each.name
    for each in fields(TrialRecord)
    # no page shows replies but by the steps that asked
    if each.name not in (*_MAPPINGS, "reason", "usage", "outcome", "cause", "tags", "replies")
)
_plain_fields, _mappings = attrgetter(*_PLAIN), attrgetter(*_MAPPINGS)


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
    if value is None or isinstance(value, (bool, bytes)):
        return value
    for kind in (str, int, float):  # their subclasses too: numpy's numbers, enumerations
        if isinstance(value, kind):
            return kind(value)
    if hasattr(value, "items"):
        return tuple((str(key), _plain(each)) for key, each in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(_plain(each) for each in value)
    return repr(value)


def fingerprint(records: Sequence[TrialRecord]) -> str:
    """A hash over every field of `records`, in order: 32 hex digits."""
    digest = blake2b(digest_size=16)
    for record in records:
        usage = record.usage
        rest = (
            record.outcome.value,
            str(record.cause),
            tuple(record.tags),
            None if record.reason is None else _blocks(record.reason),
            (usage.input_tokens, usage.output_tokens, usage.reasoning_tokens),
        )
        try:
            named = tuple([tuple(each.items()) for each in _mappings(record)])
            data = marshal.dumps((_plain_fields(record), named, rest), _MARSHAL)
        except ValueError:  # something in it is not of a plain type
            plain = (_plain(_plain_fields(record)), _plain(_mappings(record)), _plain(rest))
            data = marshal.dumps(plain, _MARSHAL)
        digest.update(data)
    return digest.hexdigest()
