"""Right and wrong replies to look_maze."""

from ..look_maze import maze, near, wanted


def _said(numbers: dict[str, str]) -> str:
    return "I followed the ways.\n\n" + "\n".join(f"{letter}: {number}" for letter, number in numbers.items())


def right(seed: int) -> list[str]:
    bold = "\n".join(f"- **{letter}**: {number}" for letter, number in wanted(seed).items())
    return [_said(wanted(seed)), bold]


def wrong(seed: int) -> list[str]:
    found, numbers = maze(seed), wanted(seed)

    def nearest(letter: str) -> str:
        x, y = found.letters[letter]
        return min(
            found.numbers, key=lambda each: abs(found.numbers[each][0] - x) + abs(found.numbers[each][1] - y)
        )

    first = next(iter(numbers))
    beside = {letter: found.part[near(cell)[0]] for letter, cell in found.letters.items()}
    return [
        _said({letter: nearest(letter) for letter in numbers}),
        _said({**numbers, first: str(int(numbers[first]) % 7 + 1)}),
        _said({letter: number for letter, number in numbers.items() if letter != first}),
        _said(beside) if beside != numbers else _said({}),
    ]
