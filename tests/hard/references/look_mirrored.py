"""Right and wrong replies to look_mirrored."""

from ..look_mirrored import TASK


def _over(seed: int) -> list[str]:
    return [name for name, field in TASK.sheet(seed).items() if field.mirrored]


def _said(places: list[str], number: int | None = None) -> str:
    return f"Field by field:\n\nNUMBER: {number or len(places)}\nMIRRORED: {' '.join(places)}"


def right(seed: int) -> list[str]:
    places = _over(seed)
    return [
        _said(places),
        f"- **Number:** {len(places)}\n- **Mirrored:** {', '.join(sorted(places)).lower()}",
    ]


def wrong(seed: int) -> list[str]:
    places, sheet = _over(seed), TASK.sheet(seed)
    extra = next(name for name in sheet if name not in places)
    # a reader who takes signs that stand on their heads for mirrored ones
    upside = [name for name, field in sheet.items() if 90 < field.turn < 270]
    return [
        _said(places[:-1]),
        _said([*places, extra]),
        _said([extra, *places[1:]]),
        _said(upside),
        _said(places, len(places) + 1),
        "No sign is mirrored.",
    ]
