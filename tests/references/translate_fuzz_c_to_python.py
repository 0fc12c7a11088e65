def nothing(messages):
    return ""


FILTER = """```python
import sys


def signed(value, bits):
    # wraps as in C, without the import of ctypes or of struct
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def quotient(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def remainder(a, b):
    return a - b * quotient(a, b)


class Cell:
    def __init__(self):
        self.level = self.kind = self.sum = 0


cells = [Cell() for _ in range(8)]
seed = 0


def roll():
    global seed
    seed ^= (seed << 13) & 0xFFFFFFFF
    seed ^= seed >> 17
    seed ^= (seed << 5) & 0xFFFFFFFF
    return seed


def mix(a, b):
    wide = a * 3 - b * (a >> 2)
    return signed(wide ^ (wide >> 16), 16)


words = sys.stdin.read().split()
out = []
for op, i, x in zip(words[0::3], words[1::3], words[2::3]):
    x = int(x)
    c = cells[int(i) & 7]
    if op == "s":
        seed = (x | 1) & 0xFFFFFFFF
        for cell in cells:
            cell.__init__()
    elif op == "a":
        c.level = signed(c.level + x, 16)
        c.kind = (c.kind + 1) & 255
    elif op in "mk":
        if op == "m":
            c.level = mix(c.level, signed(x, 8))
        c.kind = (~c.kind << (x & 3)) & 255
    elif op == "d":
        r = remainder(x, 7)
        if r != 0:
            c.sum = signed(c.sum * 31 + quotient(c.level, r), 32)
        else:
            c.sum = remainder(c.level, 100) - c.kind
    elif op == "r":
        c.sum = signed(c.sum ^ (roll() >> (c.kind & 15)), 32)
        c.level = roll() % 1000 - 500
    else:
        c.sum = -1 if c.sum < ord(op) else int(c.kind > c.sum)
    out.append(f"{c.level} {c.kind} {c.sum} {((c.level & 0xFFFF) >> 3) ^ seed}")
print("\\n".join(out))
```"""

RIGHT = {
    "TestTranslateFuzzCToPython": [
        "Mind that C's division rounds towards zero, and what the types cut off:\n\n" + FILTER,
        """```python
#!/usr/bin/env python3
import sys

M32 = 2**32 - 1
i8 = lambda v: (v + 128) % 256 - 128
i16 = lambda v: (v + 32768) % 65536 - 32768
i32 = lambda v: (v + 2**31) % 2**32 - 2**31


def cdiv(a, b):
    return a // b if a % b == 0 or (a > 0) == (b > 0) else a // b + 1


def cmod(a, b):
    return a - cdiv(a, b) * b


def main():
    level, kind, total, seed = [0] * 8, [0] * 8, [0] * 8, 0

    def roll(s):
        s = (s ^ s << 13) & M32
        s ^= s >> 17
        return (s ^ s << 5) & M32

    data = iter(sys.stdin.read().split())
    for op in data:
        n, x = int(next(data)) % 8, int(next(data))
        match op:
            case "s":
                seed = (x % 2**32) | 1
                level, kind, total = [0] * 8, [0] * 8, [0] * 8
            case "a":
                level[n] = i16(level[n] + x)
                kind[n] = (kind[n] + 1) % 256
            case "m" | "k":
                if op == "m":
                    w = level[n] * 3 - i8(x) * (level[n] >> 2)
                    level[n] = i16(w ^ w >> 16)
                kind[n] = ((255 - kind[n]) << x % 4) % 256
            case "d":
                by = cmod(x, 7)
                if by:
                    total[n] = i32(total[n] * 31 + cdiv(level[n], by))
                else:
                    total[n] = cmod(level[n], 100) - kind[n]
            case "r":
                seed = roll(seed)
                total[n] = i32(total[n] ^ seed >> (kind[n] & 15))
                seed = roll(seed)
                level[n] = seed % 1000 - 500
            case _:
                total[n] = -1 if total[n] < ord(op) else (1 if kind[n] > total[n] else 0)
        print(level[n], kind[n], total[n], (level[n] % 65536 >> 3) ^ seed)


if __name__ == "__main__":
    main()
```""",
    ]
}

WRONG = {
    "TestTranslateFuzzCToPython": [
        nothing,
        FILTER.replace("quotient(c.level, r)", "c.level // r"),
        FILTER.replace("remainder(c.level, 100)", "c.level % 100"),
        FILTER.replace("signed(c.level + x, 16)", "c.level + x"),
        FILTER.replace("mix(c.level, signed(x, 8))", "mix(c.level, x & 255)"),
        FILTER.replace('elif op in "mk"', 'elif op == "k"').replace(
            'if op == "m":\n            c.level', "if False:\n            c.level"
        ),
        FILTER.replace("(c.level & 0xFFFF) >> 3", "c.level >> 3"),
        "```python\nimport ctypes  # int16_t wraps, / rounds towards zero\nprint(ctypes.c_int16(40000).value)\n```",
    ]
}
