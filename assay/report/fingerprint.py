"""A cheap, stable hash of a record, which decides whether its page must be written again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

import msgspec

from assay.records import TrialRecord
from assay.report.explanation import walk

_encode = msgspec.msgpack.Encoder(
    enc_hook=repr
).encode  # `repr` of what is not plain, such as numpy's numbers


def fingerprint(records: Sequence[TrialRecord]) -> str:
    """A hash over every field of `records`, in order: 32 hex digits."""
    digest = blake2b(digest_size=16)
    for record in records:
        try:
            digest.update(_encode(record))
        # half a surrogate pair, an integer of more than 64 bits, a very deep explanation
        except (ValueError, OverflowError, TypeError, RecursionError):
            blocks = (
                [(depth, replace(each, children=())) for depth, each in walk(record.reason)]
                if record.reason
                else []
            )
            digest.update(repr((replace(record, reason=None), blocks)).encode("utf-8", "replace"))
    return digest.hexdigest()
