"""A cheap, stable hash of a record: what decides whether its page must be written again."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from dataclasses import fields
from hashlib import blake2b
from operator import attrgetter
from typing import Any

from assay.records import Block, TrialRecord
from assay.report.explanation import walk

# marshal's version 2 has no back references: equal values give equal bytes, whoever made them.
_MARSHAL = 2
# These are put into plain types; and no page shows replies but by the steps that asked.
_OTHERS = ("reason", "usage", "outcome", "cause", "tags", "replies")
_facts = attrgetter(*(each.name for each in fields(TrialRecord) if each.name not in _OTHERS))
_usage = attrgetter("usage.input_tokens", "usage.output_tokens", "usage.reasoning_tokens")
_block = attrgetter(*(each.name for each in fields(Block) if each.name not in ("children", "cause")))


def fingerprint(records: Sequence[TrialRecord]) -> str:
    """A hash over every field of `records`, in order: 32 hex digits."""
    digest = blake2b(digest_size=16)
    for record in records:
        blocks = record.reason and [(depth, *_block(each)) for depth, each in walk(record.reason)]
        plain = (record.outcome.value, str(record.cause), tuple(record.tags), _usage(record))
        its: Any = (_facts(record), plain, blocks)
        try:
            data = marshal.dumps(its, _MARSHAL)
        except ValueError:  # something is not of a plain type: a suite's numbers are often numpy's
            data = repr(its).encode("utf-8", "replace")
        digest.update(data)
    return digest.hexdigest()
