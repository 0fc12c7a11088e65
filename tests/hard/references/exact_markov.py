"""Right and wrong replies to exact_markov."""

from ..exact_markov import Task, task_of


def rules(task: Task) -> list[str]:
    """Digits become strokes i behind a comma; A's strokes add B (i) to the result (r), A's commas shift B; then the result is
    divided by the target base again and again, from the left, with what is left over carried across a comma."""
    p, q, letters = task.base, task.target, task.letters
    return [
        *(f"#{letters[n]} -> ,{'i' * n}#" for n in range(p)),
        f"#{task.sign} -> ~#",
        f"# -> {'r' * task.plus}|",
        "ri -> ir",
        ")i -> ir)",
        ")r -> r)",
        "), -> ,)",
        ")| -> |",
        ",}i -> i,}",
        "}r -> r}",
        "}, -> ,}",
        "}| -> |",
        "i~ -> ~)",
        ",~ -> ~,}",
        "i ->",
        "~ -> /",
        f"/{'r' * q} -> I/",
        "/, -> ,/",
        *(f"/{'r' * n}| -> <|{letters[n]}" for n in range(q)),
        "I< -> <r",
        ",< -> <,",
        "<,, -> <,",
        "<,| =>",
        "< -> /",
        f"r, -> ,{'r' * p}",
        "-> #",
    ]


def _reply(lines: list[str]) -> str:
    return "Digits become strokes.\n\n```\n" + "\n".join(lines) + "\n```\n"


def right(seed: int) -> list[str]:
    task = task_of(seed)
    lines = rules(task)
    swap = str.maketrans("~#ir", "{^10")
    other = [line.translate(swap) for line in lines]
    return [_reply(lines), "```\na -> b\n```\nNo, rather:\n" + _reply(other)]


def wrong(seed: int) -> list[str]:
    lines = rules(task_of(seed))
    task = task_of(seed)
    return [
        _reply([line for line in lines if not line.startswith("<,, ")]),  # leading zeros are never dropped
        _reply([line for line in lines if line != "ri -> ir"]),
        _reply(
            [line.replace(f"{'r' * task.plus}|", "|") if line.startswith("# ") else line for line in lines]
        ),
        _reply([lines[-2], *lines[:-2], lines[-1]]),  # carries at the wrong time
        _reply([*lines, "{ -> }", "} -> {"]),  # too many
        "It cannot be done with so few rules.",
    ]
