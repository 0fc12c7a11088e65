"""Right and wrong replies to exact_marbles: trees of switches, drawn by a program."""

from __future__ import annotations

from dataclasses import replace

from ..exact_marbles import STATES, WIDTH, Task, task_of

MIDDLE = 9


class Drawing:
    """A board that grows downwards."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], str] = {}

    def put(self, row: int, column: int, sign: str) -> None:
        old = self.cells.setdefault((row, column), sign)
        assert old == sign, (row, column, old, sign)

    def path(self, row: int, column: int, sign: str, steps: int) -> None:
        for k in range(steps):
            self.put(row + k, column + (k if sign == "\\" else -k), sign)

    def tree(self, row: int) -> None:
        """From the middle to eight columns in 7 rows."""
        self.put(row, MIDDLE, "a")
        for side in (-1, 1):
            self.path(row + 1, MIDDLE + side, "/" if side < 0 else "\\", 3)
            middle = MIDDLE + 4 * side
            self.put(row + 4, middle, "b")
            for way in (-1, 1):
                self.path(row + 5, middle + way, "/" if way < 0 else "\\", 1)
                self.put(row + 6, middle + 2 * way, "c")

    def flips(self, row: int, task: Task, nexts: tuple[int, ...]) -> None:
        """Each way knows its switches, so that it knows where a change of one leads."""
        for state, new in enumerate(nexts):
            now, then = code(task, state), code(task, new)
            changes = [k for k in range(3) if (now ^ then) >> (2 - k) & 1]
            for number, k in enumerate(changes):
                at, column = row + 4 * number + 2 * (now % 2), leaf(now)
                right = now >> (2 - k) & 1
                self.put(at, column, "ABC"[k])
                self.put(at + 1, column + (1 if right else -1), "/" if right else "\\")

    def rows(self, height: int) -> list[str]:
        return [
            "".join(self.cells.get((row, column), ".") for column in range(WIDTH)) for row in range(height)
        ]


def leaf(number: int) -> int:
    return MIDDLE - 7 + 2 * number


def code(task: Task, state: int) -> int:
    """The switches of a state: those that lead to its column."""
    return (task.columns[state] - leaf(0)) // 2


def board(task: Task) -> list[str]:
    """A tree for P, whose ways go to the right and down at the side; a tree for Q; the tree that both come out of."""
    drawing = Drawing()
    drawing.tree(0)
    drawing.flips(7, task, task.nexts[0])
    for number in range(8):
        drawing.path(19, leaf(number), "\\", WIDTH - 1 - leaf(number))
    drawing.path(19, 0, "\\", 9)
    drawing.tree(28)
    drawing.flips(35, task, task.nexts[1])
    for number in range(8):
        column = leaf(number)
        drawing.path(47, column, "\\" if column < MIDDLE else "/", abs(column - MIDDLE))
    drawing.path(47, WIDTH - 1, "/", 9)
    drawing.tree(56)
    start = code(task, 0)
    return ["start: " + " ".join("abc"[k] for k in range(3) if start >> (2 - k) & 1), *drawing.rows(63)]


def _reply(lines: list[str]) -> str:
    return "Two trees change the state, a third one shows it.\n\n```\n" + "\n".join(lines) + "\n```\n"


def right(seed: int) -> list[str]:
    lines = board(task_of(seed))
    swap = str.maketrans("aAcC", "cCaA")
    other = [lines[0].replace("start", "Start"), *(line.translate(swap) for line in lines[1:])]
    other[0] = "start: " + ", ".join(each.translate(swap) for each in lines[0].split()[1:])
    return [_reply(lines), "```\nstart:\n...\n```\nThe whole:\n" + _reply(other)]


def wrong(seed: int) -> list[str]:
    task = task_of(seed)
    lines = board(task)
    p, q = task.nexts
    changed = next(k for k, line in enumerate(lines) if "A" in line or "B" in line or "C" in line)
    return [
        _reply(["start: " + " ".join({*"abc"} - {*lines[0].split()}), *lines[1:]]),
        _reply([line.lower() if k == changed else line for k, line in enumerate(lines)]),
        _reply(board(replace(task, nexts=(p, (*q[:-1], (q[-1] + 1) % STATES))))),
        _reply(board(replace(task, nexts=(q, p)))),
        _reply([lines[0], *(line[1:] + "." for line in lines[1:])]),
        _reply([lines[0], *(line[:-1] for line in lines[1:])]),
        _reply([lines[0], "." * WIDTH, "." * WIDTH, *lines[1:]]),
        "I would need to see the board.",
    ]
