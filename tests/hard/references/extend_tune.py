"""Right and wrong work on extend_tune: the file of the new tune, and what slips of the eye make of it."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator import Call

from ..extend_tune import beats


def _written(tune: Sequence[str], across: int = 10) -> list[object]:
    text = "\n".join(" ".join(tune[n : n + across]) for n in range(0, len(tune), across))
    command = f"cat > tunes/dusk.txt <<'END'\n{text}\nEND\necho list | python3 carillon.py"
    return [Call("shell", command=command), "The tune is added."]


def _misread(seed: int, count: int) -> list[str]:
    """Some strokes taken for those of another bell."""
    tune = list(beats(seed))
    for n in range(count):
        at, place = (7 * n + 20) % len(tune), n % 4
        bell = "".join(str((int(each) + (3 if k == place else 0)) % 10) for k, each in enumerate(tune[at]))
        tune[at] = bell
    return tune


def right(seed: int) -> list[object]:
    return [_written(beats(seed)), _written(beats(seed), 1)]


def wrong(seed: int) -> list[object]:
    tune = beats(seed)
    return [
        _written(_misread(seed, 1)),
        _written(_misread(seed, 12)),
        _written([beat[1] + beat[0] + beat[3] + beat[2] for beat in tune]),  # left and right exchanged
        _written([beat[::-1] for beat in tune]),
        _written(tune[:-1]),
        [Call("shell", command="ls; cat README.md"), "I cannot read this script."],
    ]
