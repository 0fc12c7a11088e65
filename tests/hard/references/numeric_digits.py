"""Right and wrong results for numeric_digits."""

from ..numeric_digits import wanted


def _said(numbers: dict[str, int], form: str = "{}") -> str:
    return "Step by step.\n\n" + "\n".join(
        f"{name}: {form.format(number)}" for name, number in numbers.items()
    )


def right(seed: int) -> list[str]:
    return [_said(wanted(seed)), _said(wanted(seed), "**{:,}**")]


def wrong(seed: int) -> list[str]:
    numbers = wanted(seed)
    swapped = {**numbers, "Q1": int(str(numbers["Q1"])[::-1]) + 1}
    return [
        _said({**numbers, "Q3": numbers["Q3"] + 1}),
        _said({**numbers, "Q7": -numbers["Q7"] or 1}),
        _said(swapped),
        _said(numbers, "{:.12e}"),
        _said({name: number for name, number in numbers.items() if name != "Q5"}),
        "These numbers are too long.",
    ]
