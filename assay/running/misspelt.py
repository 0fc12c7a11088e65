"""A model's name that is nearly one of those with saved results: some servers answer any name, and what was
misspelt would be a model of its own in every table."""

from __future__ import annotations

import re
from collections.abc import Iterable

PARTS = re.compile(r"[^\W\d_]+|[\W\d_]+")  # letters, and whatever is between them
MOST = 2  # letters that differ


def meant(model: str, recorded: Iterable[str]) -> str:
    """The recorded model that a new one may be a misspelling of; '' if there is none. Only letters may
    differ, one in each three of a word: versions differ by a digit, and on purpose.

    >>> meant("my/larg", ["my/large"]), meant("my/llama-3-8b", ["my/lama-3-8b", "other/llama-3-8b"])
    ('my/large', 'my/lama-3-8b')
    >>> [meant(each, ["my/large"]) for each in ("my//large", "my/large/", "my/large+")]
    ['my/large', 'my/large', 'my/large']
    >>> meant("o/gpt-5", ["o/gpt-4o", "o/gpt-4"]), meant("o/gpt-4o", ["o/gpt-4"]), meant("o/mini", ["o/nano"])
    ('', '', '')
    """
    known = {each.partition("+")[0]: each for each in recorded}
    name = model.partition("+")[0]
    if (tidy := re.sub("/+", "/", model).rstrip("/+")) != model and tidy in known:
        return known[tidy]
    if name in known:
        return ""
    provider, _, rest = name.partition("/")
    near = {
        each: off
        for each in known
        if each.partition("/")[0] == provider and (off := _differ(rest, each.partition("/")[2]))
    }
    return min(near, key=lambda each: (near[each], each), default="")


def sections_meant(
    sections: Iterable[str], running: Iterable[str], recorded: Iterable[str]
) -> dict[str, str]:
    """Those of `hparams.models` that no model has, `running` or `recorded`, but nearly one that is `running`:
    section -> that model.

    >>> sections_meant(["my/lagre", "lareg", "large", "my/small", "my/larg"], ["my/large"], ["my/larg"])
    {'my/lagre': 'my/large', 'lareg': 'my/large'}
    """
    bare = {f"/{each.partition('/')[2]}": each for each in running}  # a section may leave out the provider
    known, others = {**bare, **{each: each for each in bare.values()}}, set(recorded)
    found = {name: meant(name if "/" in name else f"/{name}", known) for name in sections}
    return {name: known[other] for name, other in found.items() if other and name not in others}


def _differ(one: str, other: str) -> int:
    """The number of letters that two names differ by; 0 if they differ by more, or by something else."""
    parts, others = PARTS.findall(one), PARTS.findall(other)
    if len(parts) != len(others):
        return 0
    total = 0
    for a, b in zip(parts, others, strict=True):
        if a == b:
            continue
        words = a[0].isalpha() and b[0].isalpha() and abs(len(a) - len(b)) <= MOST
        if not words or (off := _edits(a, b)) > max(len(a), len(b)) // 3:
            return 0
        total += off
    return total if total <= MOST else 0


def _edits(one: str, other: str) -> int:
    """How many letters to put in, leave out, replace or swap with the next one.

    >>> _edits("large", "larg"), _edits("gpt", "gtp"), _edits("sonnet", "sonet"), _edits("mini", "nano")
    (1, 1, 1, 3)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, a in enumerate(one, 1):
        before, last, row = row, before, [at]
        for to, b in enumerate(other, 1):
            row.append(min(before[to] + 1, row[-1] + 1, before[to - 1] + (a != b)))
            if at > 1 and to > 1 and (a, b) == (other[to - 2], one[at - 2]):
                row[-1] = min(row[-1], last[to - 2] + 1)
    return row[-1]
