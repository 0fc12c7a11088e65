"""Right and wrong replies to look_maze."""

from ..look_maze import TASK, Mazes


def _said(numbers: dict[str, str]) -> str:
    return "I followed the ways.\n\n" + "\n".join(f"{letter}: {number}" for letter, number in numbers.items())


def right(seed: int, task: Mazes = TASK) -> list[str]:
    bold = "\n".join(f"- **{letter}**: {number}" for letter, number in task.wanted(seed).items())
    return [_said(task.wanted(seed)), bold]


def wrong(seed: int, task: Mazes = TASK) -> list[str]:
    found, numbers = task.maze(seed), task.wanted(seed)

    def nearest(letter: str) -> str:
        x, y = found.letters[letter]
        return min(
            found.numbers, key=lambda each: abs(found.numbers[each][0] - x) + abs(found.numbers[each][1] - y)
        )

    first = next(iter(numbers))
    beside = {letter: found.part[task.near(cell)[0]] for letter, cell in found.letters.items()}
    return [
        _said({letter: nearest(letter) for letter in numbers}),
        _said({**numbers, first: str(int(numbers[first]) % task.doors + 1)}),
        _said({letter: number for letter, number in numbers.items() if letter != first}),
        _said(beside) if beside != numbers else _said({}),
    ]
