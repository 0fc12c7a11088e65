"""Right and wrong replies to look_shapes; containment by the angle that an outline makes about a point."""

import math

from ..look_shapes import KINDS, scene


def _count(seed: int) -> dict[str, int]:
    shapes, marks = scene(seed)
    said = {kind.upper(): len([1 for each in shapes if each[0] == kind]) for kind in KINDS}
    for letter, (x, y) in marks.items():
        said[letter] = 0
        for _, corners in shapes:
            angles = [math.atan2(b - y, a - x) for a, b in corners]
            turned = sum(
                (b - a + math.pi) % (2 * math.pi) - math.pi
                for a, b in zip(angles, angles[1:] + angles[:1], strict=True)
            )
            said[letter] += abs(turned) > math.pi
    return said


def _said(counts: dict[str, int], mark: str = "") -> str:
    return "\n".join(
        ["I followed each outline.", *(f"{mark}{name}:{mark} {n}" for name, n in counts.items())]
    )


def right(seed: int) -> list[str]:
    counts = _count(seed)
    return [_said(counts), _said(counts, "**").replace("CIRCLES", "Circles")]


def wrong(seed: int) -> list[str]:
    counts = _count(seed)
    return [
        _said({**counts, "C": counts["C"] + 1}),
        _said({**counts, "SQUARES": counts["SQUARES"] + 1, "PENTAGONS": counts["PENTAGONS"] - 1}),
        _said({name: min(n, 3) if len(name) == 1 else n - 1 for name, n in counts.items()}),
        _said({name: n for name, n in counts.items() if name != "L"}),
        "There are about fifteen outlines.",
    ]
