"""Right and wrong replies to look_numerals: sums carried digit by digit."""

from ..look_numerals import TASK


def _sums(seed: int, order: str = "0123") -> dict[str, int]:
    """The sums of the rows; `order` says which digit is read as the thousands, the hundreds, the tens and the units."""
    found = {}
    for name, numbers in TASK.sheet(seed).items():
        read = [f"{number:04}" for number in numbers]
        digits, carry = "", 0
        for place in reversed(order):
            carry, digit = divmod(carry + sum(int(each[int(place)]) for each in read), 10)
            digits = f"{digit}{digits}"
        found[name] = int(f"{carry}{digits}")
    return found


def _said(sums: dict[str, int], mark: str = "", form: str = "") -> str:
    return "Row by row:\n\n" + "\n".join(
        f"{mark}{name}{mark}: {number:{form}}" for name, number in sums.items()
    )


def right(seed: int) -> list[str]:
    sums = _sums(seed)
    return [_said(sums), _said(sums, "**", ",")]


def wrong(seed: int) -> list[str]:
    sums = _sums(seed)
    return [
        _said({**sums, "C": sums["C"] + 100}),
        _said(_sums(seed, "1032")),  # left and right of the staff taken for each other
        _said(_sums(seed, "2301")),  # top and bottom
        _said({name: number for name, number in sums.items() if name != "A"}),
        "I cannot read this script.",
    ]
