"""Pictures read back, for references that look at what is drawn."""

from __future__ import annotations

import struct
import zlib


class Pixels:
    """The pixels of a picture as `Canvas` writes it."""

    def __init__(self, png: bytes) -> None:
        self.wide = 3 * struct.unpack(">I", png[16:20])[0] + 1  # a byte before each row
        at, data = 8, b""
        while at < len(png):
            size = struct.unpack(">I", png[at : at + 4])[0]
            if png[at + 4 : at + 8] == b"IDAT":
                data += png[at + 8 : at + 8 + size]
            at += size + 12
        self.rows = zlib.decompress(data)

    def colour(self, x: float, y: float) -> str:
        """The colour at a point, as #rrggbb."""
        at = int(y) * self.wide + 1 + 3 * int(x)
        return "#" + self.rows[at : at + 3].hex()

    def is_dark(self, x: float, y: float) -> bool:
        """Whether a point is nearly black."""
        at = int(y) * self.wide + 1 + 3 * int(x)
        return max(self.rows[at : at + 3]) < 90
