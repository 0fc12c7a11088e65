"""Right and wrong replies to judgement_table."""

from ..judgement_table import ITEMS, answer


def right(seed: int) -> list[str]:
    chosen = answer(seed)
    return [
        f"I tried each.\n\nTrue: {', '.join(map(str, chosen))}",
        f"**True:** {' '.join(map(str, reversed(chosen)))}.",
    ]


def wrong(seed: int) -> list[str]:
    chosen = answer(seed)
    return [
        f"True: {', '.join(map(str, chosen[1:]))}",
        f"True: {', '.join(str(n) for n in range(1, ITEMS + 1) if n not in chosen)}",
        f"True: {', '.join(map(str, range(1, ITEMS + 1)))}",
        f"All of {chosen} hold.",
    ]
