"""Records packed bit by bit, known only from samples: a decoder that holds on hidden ones."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, partial
from typing import Any

from evaluator import *

from .cases import Cases

DESCRIPTION = (
    "Can an agent find out how records are packed bit by bit from samples, and write a decoder that holds?"
)
TAGS = ["hard", "code", "python", "agent"]

SAMPLES, HIDDEN, DAMAGED = 70, 240, 0.12
QUESTION = """A station sends records as rows of bytes; the program that packed them is lost. samples.txt has records that were sent, in hexadecimal digits,
and what they mean. Write decode.py: it reads lines of hexadecimal digits from stdin and prints for each what stands behind "->" in
samples.txt for such a record, fields and form alike. It is tried on other records of the same kind with `python3 decode.py`, and passes if every line is
right.

What is known:
- The first bits of a record say which fields there are; a field that is missing is not packed at all, and its name is not printed. Otherwise
  fields are packed one directly behind the other, in the order in which they are printed, and all records have the same fields otherwise.
- Bytes are filled either from their highest bit or from their lowest one; a number's bits follow each other the same way (highest first, or lowest
  first). What is left of the last byte of the fields is filled with zeros.
- A number takes a fixed count of bits. It may be signed (two's complement, or zigzag: 0, -1, 1, -2, 2 ...), may count in steps (as 0.25), and may
  begin elsewhere than at 0. A day is a number of days since some day. A word from a list is its place in the list. A text is its
  length, then five bits for each letter.
- The last byte is a check over all bytes before it: their sum, their exclusive or, or a CRC of eight bits (any polynomial that is in
  use, beginning with 0 or 255, not reflected, nothing added at the end). A record whose check is wrong is "damaged".
- At the end all bytes, the check as well, were changed: each exclusive or a fixed byte, or each exclusive or the byte before it as sent (the
  first one exclusive or a fixed byte).
- A number with a fraction is printed with two places.
"""
WORDS = {
    "state": ("idle", "run", "stop", "fault", "wait"),
    "side": ("north", "east", "south", "west"),
    "mode": ("auto", "manual", "test"),
}
POLYNOMIALS = (0x07, 0x31, 0x9B, 0x1D)
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Field:
    """`kind`: number, day, word or text. A number is (raw + start) * step, raw in `bits` bits, maybe signed."""

    name: str
    kind: str
    bits: int
    signed: str = ""  # "", two or zigzag
    step: float = 1.0
    start: int = 0
    optional: bool = False


@dataclass(frozen=True)
class Format:
    """How the records of a seed are packed."""

    fields: tuple[Field, ...]
    highest_first: bool
    check: str  # sum, xor or crc
    polynomial: int
    begin: int
    change: str  # "", fixed or chain
    key: int
    epoch: date


def format_of(seed: int) -> Format:
    """The format of a seed."""
    chance = random.Random(f"records {seed}")
    numbers = [
        Field("count", "number", chance.randint(9, 13)),
        Field("level", "number", chance.randint(8, 11), chance.choice(["two", "zigzag"])),
        Field(
            "heat",
            "number",
            chance.randint(9, 12),
            "",
            chance.choice([0.25, 0.5, 0.1]),
            -chance.choice([100, 200, 300]),
        ),
        Field(
            "load",
            "number",
            chance.randint(7, 10),
            chance.choice(["two", "zigzag"]),
            chance.choice([0.2, 0.05, 2.0]),
        ),
        Field("port", "number", chance.randint(5, 7), "", 1.0, chance.choice([1, 10])),
    ]
    words = [
        Field(name, "word", 3 if len(WORDS[name]) > 4 else 2) for name in chance.sample(sorted(WORDS), 2)
    ]
    others = [Field("day", "day", chance.randint(13, 15)), Field("note", "text", chance.choice([3, 4]))]
    fields = [*chance.sample(numbers, 4), *words, *others]
    chance.shuffle(fields)
    optional = set(chance.sample(range(len(fields)), 3))
    made = (Field(**{**vars(each), "optional": n in optional}) for n, each in enumerate(fields))
    return Format(
        tuple(made), chance.random() < 0.5, chance.choice(["sum", "xor", "crc"]), chance.choice(POLYNOMIALS), chance.choice([0, 255]),
        chance.choice(["fixed", "chain"]), chance.randint(1, 255), date(chance.choice([1980, 1990, 2000]), 1, 1),
    )  # fmt: skip


def checked(body: Sequence[int], made: Format) -> int:
    """The check over the bytes."""
    value = 0 if made.check != "crc" else made.begin
    for byte in body:
        if made.check == "sum":
            value = (value + byte) & 255
        else:
            value ^= byte
            for _ in range(8 if made.check == "crc" else 0):
                value = ((value << 1) ^ (made.polynomial if value & 128 else 0)) & 255
    return value


def packed(values: Mapping[str, int | str | None], made: Format) -> str:
    """A record as sent, in hexadecimal digits. `values`: raw numbers, texts, and None for what is missing."""
    parts: list[tuple[int, int]] = [
        (1, int(values[each.name] is not None)) for each in made.fields if each.optional
    ]
    for each in made.fields:
        value = values[each.name]
        if isinstance(value, str):
            parts += [(each.bits, len(value)), *((5, LETTERS.index(letter)) for letter in value)]
        elif value is not None:
            raw = value if each.signed != "zigzag" else (value << 1 if value >= 0 else (-value << 1) - 1)
            parts.append((each.bits, raw & ((1 << each.bits) - 1)))
    bits = [
        number >> (count - 1 - n if made.highest_first else n) & 1
        for count, number in parts
        for n in range(count)
    ]
    bits += [0] * (-len(bits) % 8)
    body = []
    for at in range(0, len(bits), 8):
        eight = bits[at : at + 8] if made.highest_first else bits[at : at + 8][::-1]
        body.append(int("".join(map(str, eight)), 2))
    return sent([*body, checked(body, made)], made)


def sent(body: list[int], made: Format) -> str:
    """The bytes with the last change."""
    out: list[int] = []
    for byte in body:
        out.append(byte ^ (made.key if made.change == "fixed" or not out else out[-1]))
    return bytes(out).hex()


def shown(values: Mapping[str, int | str | None], made: Format) -> str:
    """What a record means."""
    said = []
    for each in made.fields:
        value = values[each.name]
        if isinstance(value, str):
            said.append(f'{each.name}="{value}"')
        elif value is not None and each.kind == "day":
            said.append(f"{each.name}={made.epoch + timedelta(days=value)}")
        elif value is not None and each.kind == "word":
            said.append(f"{each.name}={WORDS[each.name][value]}")
        elif value is not None:
            number = round((value + each.start) * each.step, 2)
            said.append(
                f"{each.name}={number:.2f}" if each.step != int(each.step) else f"{each.name}={int(number)}"
            )
    return " ".join(said)


def record(made: Format, chance: random.Random) -> dict[str, int | str | None]:
    """Random values."""
    found: dict[str, int | str | None] = {}
    for each in made.fields:
        half = 1 << each.bits - 1
        if each.optional and chance.random() < 0.4:
            found[each.name] = None
        elif each.kind == "text":
            found[each.name] = "".join(chance.choices(LETTERS, k=chance.randint(0, (1 << each.bits) - 1)))
        elif each.kind == "word":
            found[each.name] = chance.randrange(len(WORDS[each.name]))
        else:
            low, high = (-half, half - 1) if each.signed else (0, 2 * half - 1)
            close = chance.random() < 0.4  # small numbers are usual
            found[each.name] = (
                max(low, min(high, chance.randint(-20, 20))) if close else chance.randint(low, high)
            )
    return found


@cache
def lines(seed: int) -> list[tuple[str, str]]:
    """Records as sent and what they mean: first the samples, then the hidden ones."""
    made, chance = format_of(seed), random.Random(f"records lines {seed}")
    found: list[tuple[str, str]] = []
    while len(found) < SAMPLES + HIDDEN:
        values = record(made, chance)
        text, meaning = packed(values, made), shown(values, made)
        if chance.random() < DAMAGED:
            raw = bytearray.fromhex(text)
            raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
            text, meaning = raw.hex(), "damaged"
            if decodes(text, made):  # the change of a chained byte may hit two that cancel out
                continue
        found.append((text, meaning))
    return found


def decodes(text: str, made: Format) -> bool:
    """Whether the check holds."""
    raw = list(bytes.fromhex(text))
    body = [
        byte ^ (made.key if made.change == "fixed" or not n else raw[n - 1]) for n, byte in enumerate(raw)
    ]
    return checked(body[:-1], made) == body[-1]


def files_of(seed: int) -> dict[str, str]:
    """samples.txt."""
    return {"samples.txt": "".join(f"{text} -> {meaning}\n" for text, meaning in lines(seed)[:SAMPLES])}


def cases(seed: int) -> list[tuple[str, Any]]:
    """The hidden records, in twelve inputs."""
    rest, size = lines(seed)[SAMPLES:], HIDDEN // 12
    parts = [rest[at : at + size] for at in range(0, HIDDEN, size)]
    return [
        ("".join(f"{text}\n" for text, _ in part), "\n".join(meaning for _, meaning in part))
        for part in parts
    ]


def build(seed: int) -> Node:
    """The test of a seed."""
    work = Files(partial(files_of, seed)) >> QUESTION >> AgentRun([Shell(), Python()], max_turns=40)
    return work >> Cases("python3 decode.py", partial(cases, seed), files=["decode.py"])
