"""A compression of our own, known only from packed texts and what they say."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial

from evaluator import *

from .cases import Cases

DESCRIPTION = "Can the model infer an unknown compression from samples and write its unpacker blind?"
TAGS = ["medium", "code", "python", "bytes"]

WORDS = [
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "hazel",
    "inlet",
    "jolly",
    "kelp",
    "lotus",
    "maple",
    "north",
    "onyx",
    "pearl",
]
PROMPT = """Texts were packed by a program that is lost. These are packed texts in hex, each followed by the text itself:

{samples}

This is known about the program:

- Packed data is a row of items. An item is a single character, or a copy of characters that were written before.
- There are three sorts of copies: from a distance that stands in the item (a copy may overlap what it writes), from the
  distance of the latest copy that had one, and a mirrored copy, which writes the last n characters of the text backwards.
- The shortest copy has 3 characters. The longest has some thousands; long ones have further bytes for their length.
- Flags say which items are copies. Flags that are left over at the end mean nothing.
- The texts are ASCII without line breaks. Distances go up to 4094. Nothing else occurs in other data, and all data is whole.

Everything else can be seen in the samples. Write a Python 3 program, with the standard library only, that unpacks. It reads
lines from standard input, each the hex of one packed text, and prints each text on a line of its own. You cannot run
anything; it is judged by other packed texts of the same program, and all must be right. Reply with the program in one
fenced block."""

Token = tuple[str, int, int]  # copy: ("far", length, distance), ("same", length, 0), ("mirror", length, 0)


@dataclass(frozen=True)
class Format:
    """What a seed decides."""

    first_flag_high: bool  # the flag of the first item is the highest bit of its byte
    flag_of_copy: int
    shift: int  # is added to each single character
    little: bool  # the two bytes of a copy
    length_high: bool  # the length is the high four bits of the copy's sixteen
    same: int  # the distance field that stands for the latest distance
    mirror: int  # the one for a mirrored copy


def format_of(seed: int) -> Format:
    """The format of a seed."""
    chance = random.Random(f"squeeze format {seed}")
    low, high = chance.random() < 0.5, chance.random() < 0.5
    same, mirror = chance.sample([0, 4095], 2)
    return Format(
        low, chance.randrange(2), chance.randrange(3, 100), chance.random() < 0.5, high, same, mirror
    )


def expanded(items: list[str | Token]) -> str:
    """The text of single characters and copies."""
    text, latest = "", 0
    for item in items:
        if isinstance(item, str):
            text += item
            continue
        name, length, distance = item
        if name == "mirror":
            text += text[::-1][:length]
            continue
        latest = distance or latest
        piece = text[-latest:] if latest <= len(text) else ""
        text += (piece * (length // latest + 1))[:length]
    return text


def packed(items: list[str | Token], form: Format) -> str:
    """The hex of items."""
    flat = [each for item in items for each in (item if isinstance(item, str) else [item])]
    out = bytearray()
    for start in range(0, len(flat), 8):
        group = flat[start : start + 8]
        flags, body = 0, bytearray()
        for place, item in enumerate(group):
            copy = not isinstance(item, str)
            bit = 7 - place if form.first_flag_high else place
            flags |= int(copy == form.flag_of_copy) << bit
            if isinstance(item, str):
                body.append((ord(item) + form.shift) % 256)
                continue
            name, length, distance = item
            field = {"far": distance, "same": form.same, "mirror": form.mirror}[name]
            nibble = min(length - 3, 15)
            number = nibble << 12 | field if form.length_high else field << 4 | nibble
            body += number.to_bytes(2, "little" if form.little else "big")
            if nibble == 15:
                rest = length - 18
                body += bytes([255] * (rest // 255) + [rest % 255])
        out += bytes([flags]) + body
    return out.hex()


def samples(seed: int) -> list[list[str | Token]]:
    """Items of the samples; each feature stands alone before it meets others."""
    chance = random.Random(f"squeeze samples {seed}")
    a, b, c, d, e = chance.sample(WORDS, 5)
    long = f"{a} {b} {c} {d} {e}, {e} {c}; "
    return [
        [a[:3]],
        [f"{a} {b} {c}"],
        ["abc", ("far", 3, 3)],
        [f"{a} ", ("far", 5, len(a) + 1), "and ", b],
        ["x", ("far", 6, 1), "y"],
        ["no ", ("far", 16, 3)],
        ["no ", ("far", 17, 3), "."],
        ["no ", ("far", 18, 3), "."],
        ["no ", ("far", 19, 3), "."],
        [f"{b}, {c}: ", ("far", 5, len(c) + len(b) + 4), "1", ("same", 4, 0), "2", ("same", 5, 0)],
        [f"{d} 123", ("mirror", 3, 0), "/", ("mirror", 7, 0)],
        [f"{e}-{a}", ("far", 4, 4), ("mirror", 5, 0), "+", ("same", 9, 0), "!", ("mirror", 3, 0)],
        ["=-", ("far", 272, 2), "|"],
        ["=-", ("far", 273, 2), "|"],
        ["=-", ("far", 274, 2), "|", ("same", 20, 0), "<", ("mirror", 21, 0)],
        [long, ("far", 40, len(long)), "#", ("far", 300, 290 % len(long) + 1), c, ("far", 17, 290), ("same", 3, 0)],
        [long, ("mirror", 18, 0), ("far", 528, 33), "end", ("far", 18, 520), a],
    ]  # fmt: skip


def tokens(chance: random.Random) -> list[str | Token]:
    """Items of a hidden text."""
    items: list[str | Token] = [chance.choice(WORDS)[: chance.randint(3, 5)]]
    size, latest = len(str(items[0])), 0
    if chance.random() < 0.15:  # far enough for large distances
        items.append(filler := "".join(chance.choice(WORDS) + " " for _ in range(100)))
        size += len(filler)
        items.append(("far", 3900 + chance.randrange(300), 1 + chance.randrange(500)))
        size, latest = size + int(items[-1][1]), int(items[-1][2])
    for _ in range(chance.randint(2, 24)):
        what = chance.choice(["plain", "far", "far", "same", "mirror", "close"])
        length = chance.choice(
            [3, 4, 5, 9, 16, 17, 18, 19, 20, 40, 272, 273, 274, 528, chance.randint(3, 30)]
        )
        if what == "same" and latest:
            items.append(("same", length, 0))
        elif what == "mirror":
            length = min(length, size)
            items.append(("mirror", length, 0))
        elif what in ("far", "close"):
            limit = min(size, 4094)
            reach = limit if what == "far" else min(limit, 3)
            latest = chance.choice(
                [reach, chance.randint(1, reach), chance.randint(max(1, reach - 9), reach)]
            )
            items.append(("far", length, latest))
        else:
            items.append(
                word := chance.choice(WORDS)[: chance.randint(1, 5)] + chance.choice(["", " ", "~", "."])
            )
            length = len(word)
        size += length
    return items


def cases(seed: int) -> list[tuple[str, str]]:
    """Hidden texts, many to a case."""
    chance, form = random.Random(f"squeeze cases {seed}"), format_of(seed)
    made = []
    for _ in range(12):
        texts = [tokens(chance) for _ in range(25)]
        given = "".join(packed(each, form) + "\n" for each in texts)
        made.append((given, "\n".join(map(expanded, texts))))
    return made


def build(seed: int) -> Node:
    """The test of a seed."""
    form = format_of(seed)
    shown = "\n".join(f"    {packed(each, form)}\n    {expanded(each)}\n" for each in samples(seed)).rstrip()
    return (
        PROMPT.format(samples=shown)
        >> LLMRun()
        >> ExtractCode(keep_main=True)
        >> MakeFile("solution.py")
        >> Cases("python3 -I solution.py", partial(cases, seed), files=["solution.py"])
    )
