"""Right and wrong replies to exact_rewrite; the right one is worked out anew from the prompt's rules."""

from __future__ import annotations

from collections.abc import Callable

from ..exact_rewrite import system


def _run(seed: int, *, passed_over: bool = True, backwards: bool = True, rightmost: bool = True) -> str:
    text, rules = system(seed)
    shown, last = [], None
    for k in range(1, 121):
        numbers = sorted(range(len(rules)), reverse=backwards and k % 2 == 0)
        usable = [n for n in numbers if rules[n][0] in text and not (passed_over and n == last)]
        if usable:
            last = usable[0]
            left, right = rules[last]
            places = [i for i in range(len(text)) if text.startswith(left, i)]
            at = places[-1] if rightmost and last % 2 == 1 else places[0]
            text = text[:at] + right + text[at + len(left) :]
        else:
            last, text = None, text[1:] + text[0]
        text = text[: len(text) - 5] if len(text) > 26 else text
        text = text[::-1] if k % 10 == 0 else text
        shown += [text] if k in (40, 80, 120) else []
    return f"I rewrote it step by step.\n\nString: {' '.join(shown)}"


def right(seed: int) -> list[str]:
    return [_run(seed), _run(seed).replace("String: ", "**String:** ")]


def wrong(seed: int) -> list[str]:
    turned: list[Callable[[], str]] = [
        lambda: _run(seed, passed_over=False),
        lambda: _run(seed, backwards=False),
        lambda: _run(seed, rightmost=False),
    ]
    good = _run(seed)
    return [
        *(make() for make in turned),
        good[:-1],
        good.rpartition(" ")[0],
        "I cannot do that without a computer.",
    ]
