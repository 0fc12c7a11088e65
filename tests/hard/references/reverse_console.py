"""Right and wrong programs for reverse_console. The processor is inferred from the samples: whatever a program needs is tried, and what
does not print the same is dropped."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from ..reverse_console import CHOICES, KINDS, NAMES, ONES, lessons

PROGRAM = """import sys

c = {chosen}
names = {names}
kinds = {kinds}
ones = {ones}


def amount(byte):
    if c["far"] == "twos":
        return byte - 256 if byte > 127 else byte
    if c["far"] == "sign":
        return 128 - byte if byte > 127 else byte
    return byte // 2 if byte % 2 == 0 else -(byte + 1) // 2


def run(code):
    r, memory, flag, at, stack, out = [0] * 4, [0] * 16, 0, 0, [], []
    calls = stack if c["stack"] == "same" else []
    for _ in range(1000):
        begin, byte = at, code[at]
        at += 1
        high, low = byte >> 4, byte & 15
        op, fields = (high, low) if c["code"] == "high" else (low, high)
        x, y = (fields >> 2, fields & 3) if c["x"] == "high" else (fields & 3, fields >> 2)
        name = names[op]
        if name in ("const", "jump", "loop"):
            second = code[at]
            at += 1
            to = (begin if c["from"] == "jump" else at) + amount(second)
        a, b = r[x], r[y]
        if name == "stop":
            return out
        elif name == "const":
            r[x] = {{"plain": second, "inverted": 255 - second, "exchanged": second // 16 + second % 16 * 16}}[c["const"]]
        elif name == "copy":
            r[x] = b
        elif name == "add":
            r[x] = (a + b) % 256
            if c["add"] == "carry":
                flag = a + b > 255
        elif name == "sub":
            result = a - b if c["sub"] == "x-y" else b - a
            r[x] = result % 256
            if c["sub flag"] != "stays":
                flag = result < 0 if c["sub flag"] == "below" else result == 0
        elif name == "mul":
            if c["mul"] == "upper":
                r[y] = a * b // 256
            r[x] = a * b % 256
        elif name == "div":
            if b:
                if c["div"] == "remainder":
                    r[y] = a % b
                r[x] = a // b
            elif c["by zero"] != "nothing":
                r[x] = int(c["by zero"])
        elif name == "shift":
            come = int(bool(flag)) if c["shift in"] == "flag" else 0
            if c["shift"] == "left":
                flag, r[x] = a >> 7, (2 * a + come) % 256
            else:
                flag, r[x] = a & 1, a // 2 + 128 * come
        elif name == "compare":
            signed = (a ^ 128) < (b ^ 128)
            flag = {{"less": a < b, "at most": a <= b, "equal": a == b, "signed": signed}}[c["compare"]]
        elif name == "jump":
            kind = kinds[x]
            if kind == "call":
                calls.append(at)
            if kind in ("always", "call") or bool(flag) == (kind == "on"):
                at = to
        elif name == "loop":
            if c["loop"] == "decrease first":
                r[x] = (a - 1) % 256
                if r[x]:
                    at = to
            elif a:
                r[x] = a - 1
                at = to
        elif name in ("load", "store"):
            place = b - 1 if c[name] == "decrease" else b
            r[y] = {{"increase": b + 1, "decrease": b - 1, "stays": b}}[c[name]] % 256
            if name == "load":
                r[x] = memory[place % 16]
            else:
                memory[place % 16] = a
        elif name == "print":
            out.append(a)
        elif name == "one":
            kind = ones[y]
            if kind == "push":
                stack.append(a)
            elif kind == "pop":
                r[x] = stack.pop() if stack else 0
            else:
                r[x] = 255 - a if kind == "invert" else (a + 1) % 256
        elif not calls:
            return out
        else:
            at = calls.pop()


def true(shown):
    code = []
    for n, byte in enumerate(shown):
        if c["guise"] == "xor address":
            code.append(byte ^ n)
        elif c["guise"] == "xor before":
            code.append(byte ^ shown[n - 1] if n else byte)
        elif c["guise"] == "plus address":
            code.append((byte - n) % 256)
        else:
            code.append((byte - code[-1]) % 256 if n else byte)
    return code


for line in sys.stdin:
    print(*run(true(bytes.fromhex(line))))
"""
Known = dict[Any, str]
TABLES = {"name": NAMES, "kind": KINDS, "one": ONES}


class _Needed(Exception):
    """Something that is not known yet."""


def _value(known: Known, key: Any) -> str:
    if key not in known:
        raise _Needed(key)
    return known[key]


def _plain(shown: bytes, guise: str) -> bytes:
    """The true bytes."""
    if guise.startswith("xor"):
        others = range(len(shown)) if guise == "xor address" else b"\0" + shown
        return bytes(a ^ b for a, b in zip(shown, others, strict=False))
    total, out = 0, bytearray()
    for at, byte in enumerate(shown):
        total = (byte - (at if guise == "plus address" else total)) % 256
        out.append(total)
    return bytes(out)


def _fits(shown: bytes, wanted: list[int], known: Known) -> bool:
    """Whether a program prints what it should, as far as known; asks for what it needs."""
    code = _plain(shown, _value(known, "guise"))
    r, memory, flag, at, out = [0] * 4, [0] * 16, False, 0, 0
    stack: list[int] = []
    own: list[int] = []
    for _ in range(400):
        if not 0 <= at < len(code):
            return False
        begin, byte = at, code[at]
        at += 1
        op, fields = divmod(byte, 16) if _value(known, "code") == "high" else divmod(byte, 16)[::-1]
        x, y = divmod(fields, 4) if _value(known, "x") == "high" else divmod(fields, 4)[::-1]
        name = _value(known, ("name", op))
        second = 0
        if name in ("const", "jump", "loop"):
            if at == len(code):
                return False
            second = code[at]
            at += 1
        goes = False
        if name == "stop":
            return out == len(wanted)
        if name == "const":
            way = _value(known, "const")
            r[x] = (
                second
                if way == "plain"
                else 255 - second
                if way == "inverted"
                else second // 16 + second % 16 * 16
            )
        elif name == "copy":
            r[x] = r[y]
        elif name == "add":
            if _value(known, "add") == "carry":
                flag = r[x] + r[y] > 255
            r[x] = (r[x] + r[y]) % 256
        elif name == "sub":
            result = (r[x] - r[y]) * (1 if _value(known, "sub") == "x-y" else -1)
            way = _value(known, "sub flag")
            flag = flag if way == "stays" else result < 0 if way == "below" else not result
            r[x] = result % 256
        elif name == "mul":
            product = r[x] * r[y]
            if _value(known, "mul") == "upper":
                r[y] = product // 256
            r[x] = product % 256
        elif name == "div":
            if r[y]:
                a, b = r[x], r[y]
                if _value(known, "div") == "remainder":
                    r[y] = a % b
                r[x] = a // b
            elif _value(known, "by zero") != "nothing":
                r[x] = int(known["by zero"])
        elif name == "shift":
            left, old = _value(known, "shift") == "left", r[x]
            come = flag and _value(known, "shift in") == "flag"
            r[x] = (old * 2 + come) % 256 if left else old // 2 + 128 * come
            flag = bool(old & (128 if left else 1))
        elif name == "compare":
            a, b = r[x], r[y]
            way = _value(known, "compare")
            if way == "signed":
                flag = (a - 256 if a > 127 else a) < (b - 256 if b > 127 else b)
            else:
                flag = a == b if way == "equal" else a < b + (way == "at most")
        elif name == "jump":
            kind = _value(known, ("kind", x))
            goes = kind in ("always", "call") or flag == (kind == "on")
            if kind == "call":
                (stack if _value(known, "stack") == "same" else own).append(at)
        elif name == "loop":
            if _value(known, "loop") == "decrease first":
                r[x] = (r[x] - 1) % 256
                goes = r[x] != 0
            elif r[x]:
                r[x] -= 1
                goes = True
        elif name in ("load", "store"):
            way, value = _value(known, name), r[x]
            r[y] = (r[y] - (way == "decrease")) % 256
            place = r[y] % 16
            r[y] = (r[y] + (way == "increase")) % 256
            if name == "load":
                r[x] = memory[place]
            else:
                memory[place] = value
        elif name == "print":
            if wanted[out : out + 1] != [r[x]]:
                return False
            out += 1
        elif name == "one":
            way = _value(known, ("one", y))
            if way == "push":
                stack.append(r[x])
            elif way == "pop":
                r[x] = stack.pop() if stack else 0
            else:
                r[x] = 255 - r[x] if way == "invert" else (r[x] + 1) % 256
        elif name == "return":
            its = stack if _value(known, "stack") == "same" else own
            if not its:
                return out == len(wanted)
            at = its.pop()
        if goes:
            way = _value(known, "far")
            if way == "order":
                far = second // 2 if second % 2 == 0 else -(second + 1) // 2
            else:
                far = second if second < 128 else second - 256 if way == "twos" else 128 - second
            at = (begin if _value(known, "from") == "jump" else at) + far
    return False


def _ways(code: bytes, wanted: list[int], known: Known) -> Iterator[Known]:
    """What is known after a sample, in every way that fits."""
    try:
        if _fits(code, wanted, known):
            yield known
        return
    except _Needed as need:
        (key,) = need.args
    if isinstance(key, str):
        options = list(CHOICES[key])
    else:
        taken = {value for other, value in known.items() if other[0] == key[0] and not isinstance(other, str)}
        options = [each for each in TABLES[key[0]] if each not in taken]
    for option in options:
        yield from _ways(code, wanted, {**known, key: option})


def solutions(seed: int) -> Iterator[Known]:
    """All processors that print what the samples print."""
    todo = [(bytes.fromhex(code), [int(each) for each in said.split()]) for code, said in lessons(seed)]

    def search(known: Known, at: int) -> Iterator[Known]:
        if at == len(todo):
            yield known
            return
        for each in _ways(*todo[at], known):
            yield from search(each, at + 1)

    # The shortest program can hardly do anything but set, print and stop.
    for guise, high in product(CHOICES["guise"], CHOICES["code"]):
        first, _, second, third = (
            byte >> 4 if high == "high" else byte & 15 for byte in _plain(todo[0][0], guise)
        )
        names = {("name", first): "const", ("name", second): "print", ("name", third): "stop"}
        if len(names) == 3:
            yield from search({"guise": guise, "code": high, **names}, 0)


@cache
def inferred(seed: int) -> tuple[dict[str, str], list[str], list[str], list[str]]:
    """The first processor that fits."""
    known = next(solutions(seed))
    chosen = {name: known.get(name, CHOICES[name][0]) for name in CHOICES}
    tables = []
    for table, size in (("name", 16), ("kind", 4), ("one", 4)):
        rest = [each for each in TABLES[table] if each not in {known.get((table, n)) for n in range(size)}]
        tables.append([known.get((table, n)) or rest.pop() for n in range(size)])
    return chosen, *tables


def _program(chosen: dict[str, str], names: list[str], kinds: list[str], ones: list[str]) -> str:
    program = PROGRAM.format(chosen=repr(chosen), names=names, kinds=kinds, ones=ones)
    return f"The samples leave one processor.\n\n```python\n{program}```"


def right(seed: int) -> list[str]:
    return [_program(*inferred(seed))]


def wrong(seed: int) -> list[str]:
    chosen, names, kinds, ones = inferred(seed)

    def other(name: str) -> str:
        at = CHOICES[name].index(chosen[name])
        return _program({**chosen, name: CHOICES[name][at - 1]}, names, kinds, ones)

    return [
        *map(other, ("shift in", "load", "stack", "sub flag", "by zero", "mul")),
        _program(chosen, names, kinds, [ones[n] for n in (1, 0, 2, 3)]),
        "```python\nprint(input())\n```",
    ]
