"""Right and wrong work on reverse_records: a decoder that takes the format as a table."""

from __future__ import annotations

import json

from evaluator import Script

from ..reverse_records import LETTERS, WORDS, format_of

DECODER = """
import datetime, sys
def check(body):
    if KIND == "sum":
        return sum(body) % 256
    value = BEGIN if KIND == "crc" else 0
    for byte in body:
        value ^= byte
        if KIND == "crc":
            for _ in range(8):
                value <<= 1
                if value > 255:
                    value = value & 255 ^ POLYNOMIAL
    return value
def bits_of(body):
    text = "".join(format(byte, "08b") if HIGH else format(byte, "08b")[::-1] for byte in body)
    return iter(text)
def number(bits, count):
    digits = "".join(next(bits) for _ in range(count))
    return int(digits if HIGH else digits[::-1], 2) if digits else 0
def decode(line):
    raw = bytes.fromhex(line)
    before = bytes([KEY]) + raw
    body = [byte ^ (before[n] if CHAIN else KEY) for n, byte in enumerate(raw)]
    if CHECKS and check(body[:-1]) != body[-1]:
        return "damaged"
    bits = bits_of(body[:-1])
    there = [number(bits, 1) if optional else 1 for *_, optional in FIELDS]
    said = []
    for (name, kind, count, signed, step, start, _), is_there in zip(FIELDS, there):
        if not is_there:
            continue
        value = number(bits, count)
        if kind == "text":
            value = '"' + "".join(LETTERS[number(bits, 5)] for _ in range(value)) + '"'
        elif kind == "day":
            value = datetime.date.fromisoformat(EPOCH) + datetime.timedelta(value)
        elif kind == "word":
            value = WORDS[name][value]
        else:
            if signed == "zigzag":
                value = value // 2 if value % 2 == 0 else -(value // 2) - 1
            elif signed and value >= 2 ** (count - 1):
                value -= 2 ** count
            value = (value + start) * step
            value = str(round(value)) if step == int(step) else format(round(value, 2), ".2f")
        said.append(f"{name}={value}")
    return " ".join(said)
for line in sys.stdin:
    print(decode(line.strip()))
"""


def _written(seed: int, **other: object) -> Script:
    made = format_of(seed)
    values = {
        "FIELDS": [[f.name, f.kind, f.bits, f.signed, f.step, f.start, f.optional] for f in made.fields],
        "HIGH": made.highest_first, "KIND": made.check, "POLYNOMIAL": made.polynomial, "BEGIN": made.begin,
        "CHAIN": made.change == "chain", "KEY": made.key, "EPOCH": made.epoch.isoformat(), "CHECKS": True,
        "WORDS": WORDS, "LETTERS": LETTERS, **other,
    }  # fmt: skip
    head = "\n".join(f"{name} = {value!r}" for name, value in values.items())
    return Script(f"cat > decode.py <<'END_OF_PROGRAM'\n{head}\n{DECODER}END_OF_PROGRAM\n")


def right(seed: int) -> list[Script]:
    return [_written(seed)]


def wrong(seed: int) -> list[object]:
    made = format_of(seed)
    fields = [[f.name, f.kind, f.bits, f.signed, f.step, f.start, f.optional] for f in made.fields]
    plain = [[*each[:3], "two" if each[3] else "", *each[4:]] for each in json.loads(json.dumps(fields))]
    turned = [[*each[:3], {"two": "zigzag", "zigzag": "two"}.get(each[3], ""), *each[4:]] for each in fields]
    wide = [each if each[1] != "word" else [each[0], each[1], each[2] + 1, *each[3:]] for each in fields]
    return [
        _written(seed, CHECKS=False),
        _written(seed, FIELDS=turned if plain == fields else plain),
        _written(seed, FIELDS=wide),
        _written(seed, HIGH=not made.highest_first),
        "The format cannot be found out.",
    ]
