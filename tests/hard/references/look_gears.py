"""Right and wrong replies to look_gears: teeth counted along a circle in the picture, directions from what meshes."""

from __future__ import annotations

import math
import struct
import zlib
from functools import cache

from ..look_gears import GROUND, METALS, TASK, Gear

Said = dict[str, tuple[int, bool]]
TURN = [(math.cos(math.radians(n / 2)), math.sin(math.radians(n / 2))) for n in range(720)]


def _rows(png: bytes) -> tuple[bytes, int]:
    """The bytes of the rows, each with one before it, and their length."""
    width = struct.unpack(">I", png[16:20])[0]
    at, data = 8, b""
    while at < len(png):
        size = struct.unpack(">I", png[at : at + 4])[0]
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + size]
        at += size + 12
    return zlib.decompress(data), 3 * width + 1


def _counted(rows: bytes, wide: int, gear: Gear) -> int:
    """The teeth: the strongest rhythm of metal and ground along a circle; what other things cover does not count."""
    metal, ground = (bytes.fromhex(colour[1:]) for colour in (METALS[gear.train], GROUND))
    far = gear.radius + 0.1 * gear.module
    seen = []
    for n, (cos, sin) in enumerate(TURN):
        at = int(gear.y + far * sin) * wide + 1 + 3 * int(gear.x + far * cos)
        colour = rows[at : at + 3]
        if colour in (metal, ground):
            seen.append((n, 1 if colour == metal else -1))

    def strength(count: int) -> float:
        parts = [(each, TURN[count * n % len(TURN)]) for n, each in seen]
        return math.hypot(
            sum(each * cos for each, (cos, _) in parts), sum(each * sin for each, (_, sin) in parts)
        )

    return max(range(5, 50), key=strength)


@cache
def _seen(seed: int) -> tuple[Said, tuple[str, ...]]:
    """What is seen of each gear, and the gears of the last train."""
    works, names = TASK.works(seed), TASK.names(seed)
    rows, wide = _rows(TASK.picture(seed))
    ways = {0: works.gears[0].clockwise}
    todo = [0]
    while todo:
        one = todo.pop()
        for other, gear in enumerate(works.gears):
            far = math.dist((gear.x, gear.y), (works.gears[one].x, works.gears[one].y))
            if other not in ways and far < gear.reach + works.gears[one].reach:
                ways[other] = not ways[one]
                todo.append(other)
        for belt in works.belts:
            for a, b in ((belt.one, belt.other), (belt.other, belt.one)):
                if a == one and b not in ways:
                    ways[b] = ways[a] != belt.crossed
                    todo.append(b)
    said = {name: (_counted(rows, wide, works.gears[n]), ways[n]) for n, name in enumerate(names)}
    return said, tuple(names[-TASK.each :])


def _reply(said: Said, words: tuple[str, str] = ("CW", "CCW")) -> str:
    lines = (f"{name}: {teeth} {words[0 if way else 1]}" for name, (teeth, way) in sorted(said.items()))
    return "I counted and followed the motion.\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    said, _ = _seen(seed)
    return [_reply(said), _reply(said, ("teeth, clockwise", "teeth, counter-clockwise"))]


def wrong(seed: int) -> list[str]:
    said, last = _seen(seed)
    most = max(said, key=lambda name: said[name][0])
    return [
        _reply({**said, most: (said[most][0] + 1, said[most][1])}),
        _reply({name: (teeth, way != (name in last)) for name, (teeth, way) in said.items()}),
        _reply({name: (teeth, not way) for name, (teeth, way) in said.items()}),
        _reply({name: (teeth + teeth // 20, way) for name, (teeth, way) in said.items() if name != most}),
        "They all turn.",
    ]
