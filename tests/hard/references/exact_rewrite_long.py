"""Right and wrong replies to exact_rewrite_long."""

from ..exact_rewrite import Ways, course
from ..exact_rewrite_long import ASKED, puzzle


def _said(strings: dict[int, str]) -> str:
    return "\n".join(f"Step {step}: {text}" for step, text in strings.items())


def _by(seed: int, ways: Ways) -> dict[int, str]:
    start, rules, _ = puzzle(seed)
    strings, _ = course(start, rules, ways, ASKED[-1])
    return {step: strings[step - 1] for step in ASKED}


def right(seed: int) -> list[str]:
    strings = puzzle(seed)[2]
    return [_said(strings), "- " + _said(strings).replace(": ", ": `").replace("\n", "`\n- ") + "`"]


def wrong(seed: int) -> list[str]:
    strings = puzzle(seed)[2]
    return [
        _said(_by(seed, Ways(alternates=False))),
        _said(_by(seed, Ways(rightmost=False))),
        _said(_by(seed, Ways(passes_over=False))),
        _said({**strings, ASKED[-1]: strings[ASKED[-1]][::-1] + "a"}),
        _said({ASKED[0]: strings[ASKED[0]]}),
        "I lost count.",
    ]
