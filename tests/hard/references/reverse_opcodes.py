"""Right and wrong replies to reverse_opcodes: meanings are crossed out, letter by letter, until each program has one result."""

from __future__ import annotations

from functools import cache

from ..reverse_opcodes import LETTERS, Registers, puzzle

NAMES = ("add", "minus", "bplus", "bfrom", "cplus", "double", "triple", "seven", "ab", "bc", "round", "odd", "order", "top", "mirror", "copy")  # fmt: skip


def _step(name: str, state: Registers) -> Registers:
    r = dict(zip("abc", state, strict=True))
    if name == "add":
        r["a"] += r["b"]
    elif name == "minus":
        r["a"] -= r["c"]
    elif name == "bplus":
        r["b"] += r["c"]
    elif name == "bfrom":
        r["b"] = r["a"] - r["b"]
    elif name == "cplus":
        r["c"] += r["a"]
    elif name == "double":
        r["c"] += r["c"] + 1
    elif name == "triple":
        r["b"] *= 3
    elif name == "seven":
        r["a"] += 7
    elif name == "ab":
        r["a"], r["b"] = r["b"], r["a"]
    elif name == "bc" or (name == "order" and r["b"] > r["c"]):
        r["b"], r["c"] = r["c"], r["b"]
    elif name == "round":
        r["b"], r["c"], r["a"] = r["a"], r["b"], r["c"]
    elif name == "odd" and r["a"] % 2:
        r["b"] += 5
    elif name == "top":
        r["c"] = sorted(state)[2]
    elif name == "mirror":
        r["a"] = 99 - r["a"]
    elif name == "copy":
        r["c"] = r["a"]
    return r["a"] % 100, r["b"] % 100, r["c"] % 100


def _solve(lines: list, meaning: dict[str, str]) -> dict[str, str] | None:
    """Any meaning that fits, by trying the letters of one line after another."""
    if not lines:
        return meaning
    (one, two, before, after), *rest = lines
    for a in [meaning[one]] if one in meaning else [each for each in NAMES if each not in meaning.values()]:
        first = {**meaning, one: a}
        for b in [first[two]] if two in first else [each for each in NAMES if each not in first.values()]:
            if _step(b, _step(a, before)) == after:
                found = _solve(rest, {**first, two: b})
                if found is not None:
                    return found
    return None


@cache
def _ends(seed: int) -> tuple[Registers, ...]:
    traces, programs = puzzle(seed)
    meaning = _solve([line for trace in traces for line in trace], {})
    assert meaning is not None and set(meaning) == set(LETTERS)
    found = []
    for program, begin, _ in programs:
        for letter in program:
            begin = _step(meaning[letter], begin)
        found.append(begin)
    return tuple(found)


def _said(ends: tuple[Registers, ...]) -> str:
    lines = [f"Q{n}: {a} {b} {c}" for n, (a, b, c) in enumerate(ends, 1)]
    return "\n".join(["The letters are clear now.", *lines])


def right(seed: int) -> list[str]:
    lines = [f"- **Q{n}:** A={a}, B={b}, C={c}" for n, (a, b, c) in enumerate(_ends(seed), 1)]
    return [_said(_ends(seed)), "\n".join(lines)]


def wrong(seed: int) -> list[str]:
    a, b, c = _ends(seed)
    return [
        _said((a, b, (c[0], c[1], (c[2] + 1) % 100))),
        _said((a, b)),
        _said((b, c, a)),
        _said((a, b, c)).replace("Q3:", "Q3: 1"),
        "The letters could mean anything.",
    ]
