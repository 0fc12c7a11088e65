"""Right and wrong replies to look_wires: a walk along the wires, and walks that take a wrong turn."""

from ..look_wires import LETTERS, PINS, STAGES, stages


def _walk(seed: int, backwards: bool = True, dots: bool = True) -> dict[str, list[int]]:
    """From each letter to all numbers. Without `backwards` ways that turn round are missed; without `dots`
    the second wire of a junction is."""
    found = stages(seed)
    said = {}
    for row, letter in enumerate(LETTERS):
        seen, todo = set(), [(STAGES, row)]
        while todo:
            column, here = todo.pop()
            if (column, here) in seen:
                continue
            seen.add((column, here))
            if column:
                for ins, outs in found[column - 1]:
                    if here in outs:
                        todo += [(column - 1, each) for each in (ins if dots else ins[:1])]
                        todo += [(column, each) for each in outs if backwards]
            if column < STAGES and backwards:
                for ins, outs in found[column]:
                    if here in ins:
                        todo += [(column, each) for each in ins] + [(column + 1, each) for each in outs]
        said[letter] = sorted(each + 1 for column, each in seen if column == 0)
    return said


def _said(pins: dict[str, list[int]], mark: str = "") -> str:
    return "I traced each wire.\n\n" + "\n".join(
        f"{mark}{letter}{mark}: {', '.join(map(str, numbers))}" for letter, numbers in pins.items()
    )


def right(seed: int) -> list[str]:
    pins = _walk(seed)
    return [_said(pins), _said(pins, "**")]


def wrong(seed: int) -> list[str]:
    pins = _walk(seed)
    swapped = dict(pins)
    other = next(each for each in LETTERS if pins[each] != pins["A"])
    swapped["A"], swapped[other] = swapped[other], swapped["A"]
    return [
        _said(swapped),
        _said(_walk(seed, backwards=False, dots=False)),
        _said({**pins, "N": sorted({*range(1, PINS + 1)} - {*pins["N"]})}),
        _said({each: pins[each] for each in LETTERS[:-1]}),
        "There are too many crossings to be sure.",
    ]
