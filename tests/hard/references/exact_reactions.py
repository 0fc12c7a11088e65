"""Right and wrong replies to exact_reactions."""

from __future__ import annotations

from dataclasses import replace

from ..exact_reactions import Task, task_of


def molecules(count: int, kind: str) -> str:
    """So many at a side of a reaction."""
    return f" + {count} {kind}" if count > 1 else f" + {kind}" if count else ""


def reactions(task: Task) -> list[str]:
    """What is left of larger and smaller ones (l, s), or the traces t of those that cancelled out, turns waiting results (a, b, c)
    into z with a note (aa, bb, cc), and notes of another outcome into debts (aw, bw, cw), which wait again when they have taken a z."""
    z = task.z
    return [
        f"{task.x} -> h{molecules(task.a, 'l')}{molecules(task.greater[0], 'a')}{molecules(task.equal[0], 'b')}",
        f"{task.y} -> {(molecules(task.b, 's') + molecules(task.less, 'c')).removeprefix(' + ')}",
        f"{task.leader} -> {(molecules(task.c, 's') + molecules(task.greater[1], 'a') + molecules(task.equal[1], 'b')).removeprefix(' + ')}",
        "2 h -> c",
        "l + s -> t",
        "t + l -> l",
        "t + s -> s",
        f"l + a -> l + aa + {z}",
        f"t + b -> t + bb + {z}",
        f"s + c -> s + cc + {z}",
        *(f"{witness} + {note} -> {witness} + {note[0]}w" for witness, note in NOTES),
        *(f"{each}w + {z} -> {each}" for each in "abc"),
    ]


NOTES = [("l", "bb"), ("l", "cc"), ("t", "aa"), ("t", "cc"), ("s", "aa"), ("s", "bb")]


def _reply(lines: list[str]) -> str:
    return "What is left decides.\n\n```\n" + "\n".join(lines) + "\n```\n"


def right(seed: int) -> list[str]:
    lines = reactions(task_of(seed))
    return [_reply(lines), _reply([line.replace("aa", "A1").replace("bb", "B1") for line in lines[::-1]])]


def wrong(seed: int) -> list[str]:
    task = task_of(seed)
    lines = reactions(task)
    return [
        _reply([line for line in lines if line != "t + l -> l"]),  # traces are taken for a draw
        _reply([line for line in lines if not line.startswith("bw ")]),
        _reply([line for line in lines if "-> s + bw" not in line]),  # right in most orders
        _reply(reactions(replace(task, c=task.c - 1))),
        _reply([line.replace("2 h", "h") for line in lines]),
        _reply([*lines, "A9 -> B9", "B9 -> C9"]),
        "The order of reactions is not known, so it cannot be done.",
    ]
