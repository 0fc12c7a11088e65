"""Right and wrong programs for reverse_ribbon. The format is inferred from the samples alone, by trying what the prompt allows."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from ..reverse_ribbon import COMMON, samples

PROGRAM = """import sys

highest, number_high, chained, key, step, code, move, unary, first_k, more_rule, less_rule, row_length, raw_rows, distance_first, shortest, order = {values}


class Reader:
    def __init__(self, raw):
        plain = []
        for n, byte in enumerate(raw):
            other = (raw[n - 1] if n else key) if chained else (key + n * step) % 256
            plain.append(byte ^ other)
        self.bits = [byte >> (7 - n if highest else n) & 1 for byte in plain for n in range(8)]
        self.at = 0

    def bit(self):
        self.at += 1
        return self.bits[self.at - 1]

    def number(self, width):
        bits = [self.bit() for _ in range(width)]
        if not number_high:
            bits.reverse()
        value = 0
        for each in bits:
            value = 2 * value + each
        return value

    def count(self):
        if code == "gamma":
            zeros = 0
            while not self.bit():
                zeros += 1
            value = 1
            for _ in range(zeros):
                value = 2 * value + self.bit()
            return value - 1
        if code == "fibonacci":
            a, b, total, last = 1, 2, 0, 0
            while True:
                here = self.bit()
                if here and last:
                    return total - 1
                total += here * a
                a, b, last = b, a + b, here
        width, follows = int(code[0]), int(code[1])
        value = shift = 0
        while True:
            more = self.bit()
            value |= self.number(width) << shift
            shift += width
            if more != follows:
                return value


def unpack(raw, order):
    reader = Reader(raw)
    size = reader.count()
    items, k, low_before = list(order), first_k, False
    text, row, last = [], 0, None

    def place():
        nonlocal k, low_before
        high = 0
        while reader.bit() == unary:
            high += 1
        r = high << k | reader.number(k)
        item = items.pop(r)
        items.insert({{"front": 0, "half": r // 2, "before": max(0, r - 1)}}[move], item)
        more = [high >= 1, high >= 2, r >= 3 << k >> 1][more_rule]
        less = [r == 0, 2 * r < 1 << k, high == 0 and low_before][less_rule]
        low_before = high == 0
        k = min(5, k + 1) if more else max(0, k - 1) if less else k
        return item

    while len(text) < size:
        item = place()
        if item == "copy":
            counts = [reader.count(), reader.count()]
            distance, length = counts if distance_first else counts[::-1]
            for _ in range(length + shortest):
                text.append(text[-distance - 1])
            row, last = 0, None
            continue
        sign = chr(reader.number(7)) if item == "raw" else item
        text.append(sign)
        if item == "raw" and not raw_rows:
            row, last = 0, None
            continue
        row = row + 1 if sign == last else 1
        last = sign
        if row == row_length:
            text += [sign] * reader.count()
            row, last = 0, None
    return "".join(text)


for line in sys.stdin:
    print("|" + unpack(bytes.fromhex(line.strip()), order) + "|")
"""
NAMES = (
    "highest", "number_high", "chained", "key", "step", "code", "move", "unary", "first_k", "more_rule", "less_rule", "row_length", "raw_rows",
    "distance_first", "shortest", "order",
)  # fmt: skip
CODES = ("gamma", "fibonacci", *(f"{g}{bit}" for g in (2, 3, 4) for bit in (0, 1)))
EMPTY = {"gamma": "1", "fibonacci": "11"}


def _program(values: dict[str, Any]) -> str:
    return PROGRAM.format(values=repr(tuple(values[name] for name in NAMES)))


def _bits(code: str, its: dict[str, Any]) -> str:
    raw, out = bytes.fromhex(code), ""
    for n, byte in enumerate(raw):
        byte ^= (raw[n - 1] if n else its["key"]) if its["chained"] else (its["key"] + n * its["step"]) % 256
        out += f"{byte:08b}" if its["highest"] else f"{byte:08b}"[::-1]
    return out


class _Reader:
    """Bits and what may be read from them; IndexError at their end."""

    def __init__(self, bits: str, its: dict[str, Any]) -> None:
        self.bits, self.its, self.at = bits, its, 0

    def take(self, n: int) -> str:
        self.at += n
        if self.at > len(self.bits):
            raise IndexError
        return self.bits[self.at - n : self.at]

    def number(self, n: int) -> int:
        found = self.take(n)
        return int((found if self.its["number_high"] else found[::-1]) or "0", 2)

    def count(self) -> int:
        if self.its["code"] == "gamma":
            zeros = 0
            while self.take(1) == "0":
                zeros += 1
            return int("1" + self.take(zeros), 2) - 1
        if self.its["code"] == "fibonacci":
            row, found = [1, 2], self.take(2)
            while not found.endswith("11"):
                found += self.take(1)
                row.append(row[-1] + row[-2])
            return sum(n for n, bit in zip(row, found[:-1], strict=False) if bit == "1") - 1
        groups, follows = [], self.its["code"][1]
        more = follows
        while more == follows:
            more = self.take(1)
            groups.append(self.number(int(self.its["code"][0])))
        return sum(n << int(self.its["code"][0]) * place for place, n in enumerate(groups))

    def ended(self) -> bool:
        """Whether there are only zeros, less than a byte of them."""
        return len(self.bits) - self.at < 8 and "1" not in self.bits[self.at :]


def _fits(code: str, text: str, its: dict[str, Any], meaning: dict[int, str]) -> bool:
    """Whether a sample can be read so; adds to the meaning of cells of the list."""
    reader, cells, k, low, at = _Reader(_bits(code, its), its), list(range(34)), its["first_k"], False, 0
    row, last = 0, ""
    if reader.count() != len(text):
        return False
    while at < len(text):
        high = 0
        while reader.take(1) == str(its["unary"]):
            high += 1
        place = (high << k) + reader.number(k)
        if place > 33:
            return False
        cell = cells.pop(place)
        cells.insert({"front": 0, "half": place // 2, "before": max(0, place - 1)}[its["move"]], cell)
        more = (high >= 1, high >= 2, place >= 3 * 2**k // 2)[its["more_rule"]]
        less = (place == 0, 2 * place < 2**k, high == 0 and low)[its["less_rule"]]
        low, k = high == 0, min(5, k + 1) if more else max(0, k - 1) if less else k
        sign = text[at]
        item = meaning.get(cell)
        if item is None:
            if sign not in COMMON or sign in meaning.values():
                return False
            meaning[cell] = item = sign
        if item == "copy":
            one, two = reader.count(), reader.count()
            distance, length = (one, two) if its["distance_first"] else (two, one)
            for _ in range(length + its["shortest"]):
                if at - distance < 1 or text[at - distance - 1] != text[at : at + 1]:
                    return False
                at += 1
            row, last = 0, ""
            continue
        if sign != (chr(reader.number(7)) if item == "raw" else item):
            return False
        at += 1
        if item == "raw" and not its["raw_rows"]:
            row, last = 0, ""
            continue
        row, last = (row + 1 if sign == last else 1), sign
        if row == its["row_length"]:
            many = reader.count()
            if text[at : at + many] != sign * many:
                return False
            at, row, last = at + many, 0, ""
    return reader.ended()


def _can_be(code: str, text: str, its: dict[str, Any], meaning: dict[int, str]) -> bool:
    try:
        return _fits(code, text, its, meaning)
    except IndexError:
        return False


def _has_length(code: str, text: str, its: dict[str, Any]) -> bool:
    try:
        return _Reader(_bits(code, its), its).count() == len(text)
    except IndexError:
        return False


def _outside(given: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """How bytes and counts may be: the empty text gives the key, lengths and the zeros at the end decide the rest."""
    (empty, _), *others = given
    found = []
    for highest, number_high, code in product((True, False), (True, False), CODES):
        bits = EMPTY.get(code) or str(1 - int(code[1])) + "0" * int(code[0])
        bits = bits.ljust(8, "0")
        key = int(empty, 16) ^ int(bits if highest else bits[::-1], 2)
        for step in range(-1, 256):
            its = {
                "highest": highest,
                "number_high": number_high,
                "code": code,
                "key": key,
                "chained": step < 0,
                "step": step,
            }
            if all(_has_length(packed, text, its) for packed, text in others):
                found.append(its)
    return found


@cache
def inferred(seed: int) -> tuple[tuple[tuple[str, Any], ...], ...]:
    """All formats that fit the samples."""
    given = samples(seed)
    plain = [
        (code, text) for code, text in given if len(set(text)) == len(text) > 0 and set(text) <= set(COMMON)
    ]
    plain.sort(key=lambda each: len(each[1]))
    others = [each for each in given if each not in plain and each[1]]
    ways = []
    for outside in _outside(given):
        for move, unary, first_k, more, less in product(
            ("front", "half", "before"), (0, 1), range(6), range(3), range(3)
        ):
            its = outside | {
                "move": move,
                "unary": unary,
                "first_k": first_k,
                "more_rule": more,
                "less_rule": less,
            }
            its |= {"row_length": 9, "raw_rows": False, "distance_first": True, "shortest": 9}
            meaning: dict[int, str] = {}
            if all(_can_be(code, text, its, meaning) for code, text in plain):
                ways.append((its, meaning))
    found = []
    for its, meaning in ways:
        rest = [cell for cell in range(34) if cell not in meaning]
        for cells, row, raw_rows, first, shortest in product(
            (rest, rest[::-1]), (2, 3), (True, False), (True, False), (2, 3, 4, 5)
        ):
            full = meaning | dict(zip(cells, ("raw", "copy"), strict=True))
            its = its | {
                "row_length": row,
                "raw_rows": raw_rows,
                "distance_first": first,
                "shortest": shortest,
            }
            if all(_can_be(code, text, its, full) for code, text in others):
                found.append(its | {"order": tuple(full[cell] for cell in range(34))})
    return tuple(tuple(each.items()) for each in found)


def right(seed: int) -> list[str]:
    (only,) = inferred(seed)
    return [f"The samples leave one format.\n\n```python\n{_program(dict(only))}```"]


def wrong(seed: int) -> list[str]:
    its = dict(inferred(seed)[0])
    order = its["order"]
    changed = [
        {"less_rule": (its["less_rule"] + 1) % 3},
        {"more_rule": (its["more_rule"] + 1) % 3},
        {"row_length": 5 - its["row_length"]},
        {"raw_rows": not its["raw_rows"]},
        {"order": (*order[:-2], order[-1], order[-2])},
        {"move": "front" if its["move"] != "front" else "half"},
    ]
    return [f"```python\n{_program(its | each)}```" for each in changed] + ["```python\nprint(input())\n```"]
