"""Right and wrong work on extend_states: the file of the new machine, and what slips of the eye make of it."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator import Call

from ..extend_states import LETTERS, drawn, listed


def _written(seed: int, arrows: Mapping[tuple[str, str], str]) -> list[object]:
    text = listed("signal", arrows, drawn(seed).start)
    command = f"cat > machines/signal.txt <<'END'\n{text}END\necho list | python3 relay.py"
    return [Call("shell", command=command), "The machine is added."]


def _swapped(arrows: Mapping[tuple[str, str], str], count: int) -> dict[tuple[str, str], str]:
    """The ends of some pairs of lines that lead to different states, taken for each other."""
    found = dict(arrows)
    names = list(found)
    for one, other in zip(names[::2], names[1::2], strict=True):
        if count and found[one] != found[other]:
            found[one], found[other] = found[other], found[one]
            count -= 1
    return found


def right(seed: int) -> list[object]:
    arrows = drawn(seed).arrows
    return [_written(seed, arrows), _written(seed, dict(sorted(arrows.items())))]


def wrong(seed: int) -> list[object]:
    arrows = drawn(seed).arrows
    (first, to), *_ = arrows.items()
    turned = {(state, "10"[int(given)]): end for (state, given), end in arrows.items()}
    return [
        _written(seed, _swapped(arrows, 1)),
        _written(seed, _swapped(arrows, 8)),
        _written(seed, turned),
        _written(seed, {**arrows, first: LETTERS[LETTERS.index(to) - 1]}),
        [Call("shell", command="ls; cat README.md machines/*"), "The lines cannot be followed."],
    ]
