"""Right and wrong replies to look_crowd."""

from ..look_crowd import TASK


def _said(numbers: dict[str, int], mark: str = "") -> str:
    lines = "\n".join(f"{mark}{name}{mark}: {n}" for name, n in numbers.items())
    return f"I counted them in strips.\n\n{lines}"


def right(seed: int) -> list[str]:
    numbers = TASK.wanted(seed)
    lower = {name.capitalize(): n for name, n in numbers.items()}
    return [_said(numbers), _said(lower, "**")]


def wrong(seed: int) -> list[str]:
    numbers = TASK.wanted(seed)
    most = max(numbers, key=lambda name: numbers[name])
    # a reader who takes pentagons for circles
    round_ = {
        name: numbers[name] + numbers[name.replace("CIRCLES", "PENTAGONS")] if "CIRCLES" in name else n
        for name, n in numbers.items()
    }
    return [
        _said({**numbers, most: numbers[most] - 1}),
        _said({**numbers, "RED SQUARES": numbers["RED SQUARES"] + 1}),
        _said({name: 5 * round(n / 5) for name, n in numbers.items()} | {"BLUE CIRCLES": 0}),
        _said({name: 0 if "PENTAGONS" in name else n for name, n in round_.items()}),
        "There are about 350 figures.",
    ]
