"""Right and wrong unpackers for reverse_squeeze."""

from ..reverse_squeeze import format_of

PROGRAM = """
import sys

def unpack(data):
    out = bytearray()
    at, latest = 0, 0
    while at < len(data):
        flags = data[at]
        at += 1
        for i in range(8):
            if at >= len(data):
                break
            if flags >> FLAG_PLACE & 1 != FLAG_OF_COPY:
                out.append((data[at] - SHIFT) % 256)
                at += 1
                continue
            number = int.from_bytes(data[at:at + 2], "ORDER")
            at += 2
            length, field = SPLIT
            if length == 15:
                while data[at] == 255:
                    length += 255
                    at += 1
                length += data[at]
                at += 1
            length += 3
            if field == MIRROR:
                for k in range(length):
                    out.append(out[-1 - 2 * k])
                continue
            if field != SAME:
                latest = field
            for _ in range(length):
                out.append(out[-latest])
    return out.decode("ascii")

for line in sys.stdin:
    if line.strip():
        print(unpack(bytes.fromhex(line.strip())))
"""


def _program(seed: int) -> str:
    form = format_of(seed)
    values = {
        "FLAG_PLACE": "(7 - i)" if form.first_flag_high else "i",
        "FLAG_OF_COPY": form.flag_of_copy,
        "SHIFT": form.shift,
        "ORDER": "little" if form.little else "big",
        "SPLIT": "(number >> 12, number & 4095)" if form.length_high else "(number & 15, number >> 4)",
        "MIRROR": form.mirror,
        "SAME": form.same,
    }
    program = PROGRAM
    for name, value in values.items():
        program = program.replace(name, str(value))
    return program


def _reply(program: str) -> str:
    return f"Here it is.\n\n```python{program}```"


def right(seed: int) -> list[str]:
    return [_reply(_program(seed))]


def wrong(seed: int) -> list[str]:
    program = _program(seed)
    slips = [
        ("while data[at] == 255:", "if data[at] == 255:"),
        ("            for _ in range(length):\n                out.append(out[-latest])",
         "            start = len(out) - latest\n            out += out[start:start + length]"),
        ("                continue\n            if field !=",
         "                latest = length\n                continue\n            if field !="),
        ("if length == 15:", "if length >= 14:"),
        ("for i in range(8):", "for i in range(7):"),
    ]  # fmt: skip
    assert all(old in program for old, _ in slips)
    return [_reply(program.replace(old, new)) for old, new in slips]
