"""Right and wrong replies to look_dials."""

from ..look_dials import Dial, dials


def _said(values: dict[str, float]) -> str:
    return "I measured the angles.\n\n" + "\n".join(f"{name}: {value:.5g}" for name, value in values.items())


def _read(seed: int, off: float = 0.0) -> dict[str, float]:
    return {name: dial.value(dial.at + off) for name, dial in dials(seed).items()}


def _linear(dial: Dial) -> float:
    return dial.marks[0] + dial.at * (dial.marks[-1] - dial.marks[0])


def right(seed: int) -> list[str]:
    rough = "\n".join(f"**{name}**: about {value:.5g}" for name, value in _read(seed, -0.018).items())
    return [_said(_read(seed)), _said(_read(seed, 0.018)), rough]


def wrong(seed: int) -> list[str]:
    its = dials(seed)
    return [
        _said(_read(seed, 0.03)),
        _said(
            {
                name: dial.value(1 - dial.at) if dial.way < 0 else dial.value(dial.at)
                for name, dial in its.items()
            }
        ),
        _said({name: _linear(dial) for name, dial in its.items()}),
        _said({name: dial.value(dial.red) for name, dial in its.items()}),
        _said({name: value for name, value in _read(seed).items() if name != "K"}),
    ]
