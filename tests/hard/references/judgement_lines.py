"""Right and wrong replies to judgement_lines. Whether a line follows is asked backwards here: from the line to what it may come from."""

from __future__ import annotations

from collections.abc import Collection

from ..judgement_lines import GIVEN, LINES, derivation

BACK = str.maketrans("bca", "abc")


def _from_one(line: str, above: Collection[str]) -> bool:
    """Whether it follows from a single line by rules 1 to 8."""
    size = len(line)
    for n in range(size):
        before, after = line[:n], line[n:]
        if after[:3] == "bca" and before.count("c") % 2 == 0 and before + "ab" + after[3:] in above:
            return True
        if after[:1] == "c" and (size - n - 1) % 3 == 0 and before + "bb" + after[1:] in above:
            return True
        if n and line[n] == line[n - 1] and line.count(line[n]) == 4 and before + after[1:] in above:
            return True
        k = size - n
        if after + before in above and (after + before).count("a") == k % size and n != 0:
            return True
        if size % 2 == 0 and n == size // 2:
            around = {before[-1], after[0]}
            if any(before + each + after in above for each in "abc" if each not in around):
                return True
    if line[0] != line[-1] and line[::-1] in above:
        return True
    if size % 2 and line.translate(BACK) in above:
        return True
    return line + line[:2] in above


def _from_two(line: str, above: Collection[str], halves: bool = True) -> bool:
    """Whether it follows from two lines by rules 9 to 12."""
    size = len(line)
    for s in above:
        if line.startswith(s[:-1]) and s[-1] + line[len(s) - 1 :] in above:
            return True
        same_odd = len(s) == size and s[::2] == line[::2]
        if same_odd and any(len(t) == size and t[1::2] == line[1::2] for t in above):
            return True
        half = len(s) // 2
        if halves and len(s) % 2 == 0 and line.startswith(s[:half]):
            rest = line[half:]
            if any(len(t) == 2 * len(rest) and t.endswith(rest) for t in above):
                return True
        for n in range(len(s) - 1):
            inner = line[n : size - (len(s) - n - 2)]
            if (
                s[n : n + 2] == "ca"
                and 2 * len(inner) < len(s)
                and inner in above
                and s[:n] + inner + s[n + 2 :] == line
            ):
                return True
    return False


def _unfounded(seed: int, *, two: bool = True, halves: bool = True) -> list[int]:
    """The numbers of the lines that follow from nothing; a hurried reader may forget rules."""
    lines, _ = derivation(seed)
    return [
        n + 1
        for n in range(GIVEN, LINES)
        if not _from_one(lines[n], set(lines[:n]))
        and not (two and _from_two(lines[n], set(lines[:n]), halves))
    ]


def _said(numbers: list[int], line: str = "Wrong: {}") -> str:
    return "I looked for what each line may come from.\n\n" + line.format(", ".join(map(str, numbers)))


def right(seed: int) -> list[str]:
    numbers = _unfounded(seed)
    return [_said(numbers), _said(numbers[::-1], "**Wrong:** lines {}.")]


def wrong(seed: int) -> list[str]:
    numbers = _unfounded(seed)
    others = [n for n in range(GIVEN + 1, LINES + 1) if n not in numbers]
    return [
        _said(_unfounded(seed, halves=False)),
        _said(_unfounded(seed, two=False)),
        _said(numbers[1:]),
        _said([*numbers, others[-1]]),
        _said(others),
        "All lines follow.",
    ]
