"""
Frames between the agent and the host, and the keyed hash that nobody else can make.

A frame is: length (4 bytes) | keyed hash (16 bytes) | fields; a field is length (4 bytes) | bytes.
"""

from __future__ import annotations

from assay.sandboxes.agent.quick import hashlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

VERSION = b"1"


def pack(fields: Iterable[bytes]) -> bytes:
    """Byte strings as one: each with its length before it."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def unpack(data: bytes) -> list[bytes]:
    """The byte strings that `pack` joined. ValueError if `data` was not made by it."""
    fields, at = [], 0
    while at < len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        if end > len(data):
            raise ValueError("a field is longer than its frame")
        fields.append(data[at + 4 : end])
        at = end
    return fields


class Seal:
    """The keyed hash of one direction's frames. A frame that is replayed or out of order fails."""

    def __init__(self, key: bytes, direction: bytes) -> None:
        self.key, self.direction, self.count = key, direction, 0

    def of(self, body: bytes) -> bytes:
        person = self.direction + self.count.to_bytes(8, "big")
        self.count += 1
        return hashlib.blake2b(body, key=self.key, digest_size=16, person=person).digest()


def pairs(fields: Iterable[bytes]) -> Iterable[tuple[bytes, bytes]]:
    """Two and two together: names and what they stand for."""
    each = iter(fields)
    return zip(each, each)
