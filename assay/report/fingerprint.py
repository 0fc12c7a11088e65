"""A cheap, stable hash of a record, which decides whether its page must be written again."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from dataclasses import fields
from hashlib import blake2b
from operator import attrgetter
from typing import Any

from assay.records import Block, TrialRecord, Usage
from assay.report.explanation import walk

# marshal's version 2 has no back references, so equal values give equal bytes.
_MARSHAL = 2
# These are converted to plain types; pages show replies only in the steps that asked.
_OTHERS = ("reason", "usage", "outcome", "cause", "tags", "replies")
_facts = attrgetter(*(each.name for each in fields(TrialRecord) if each.name not in _OTHERS))
_usage = attrgetter(*(f"usage.{each.name}" for each in fields(Usage)))
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
        except ValueError:  # a value is not of a plain type, such as numpy's numbers
            data = repr(its).encode("utf-8", "replace")
        digest.update(data)
    return digest.hexdigest()
