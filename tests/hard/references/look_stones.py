"""Right and wrong replies to look_stones."""

from ..look_stones import BLACK, EMPTY, WHITE, answers_of, parts, position


def _said(answers: dict[str, list[str]]) -> str:
    return "I went through the rows.\n\n" + "\n".join(
        f"{name}: {' '.join(its)}" for name, its in answers.items()
    )


def right(seed: int) -> list[str]:
    answers = answers_of(*position(seed))
    bold = "\n".join(f"- **{name}:** {', '.join(its[::-1])}" for name, its in answers.items())
    return [_said(answers), bold]


def wrong(seed: int) -> list[str]:
    board, move = position(seed)
    answers = answers_of(board, move)
    misread = next(point for point, colour in board.items() if colour == WHITE)
    single = next(iter(max(parts(board, BLACK), key=len)))
    return [
        _said(answers_of({**board, misread: BLACK}, move)),
        _said(answers_of({**board, single: EMPTY}, move)),
        _said({**answers, "ATARI": answers["ATARI"][1:]}),
        _said({**answers, "CAPTURED": [*answers["CAPTURED"], move]}),
        "The board cannot be read.",
    ]
