def nothing(messages):
    return ""


JPEG = r"""```python
import math
import struct

ZIGZAG = sorted(range(64), key=lambda i: (i // 8 + i % 8, i // 8 if (i // 8 + i % 8) % 2 else i % 8))

LUMA = [16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56,
        14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
        49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99]

# the standard tables of luminance: how many codes of each length, and their symbols
DC = ([0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], list(range(12)))
AC = ([0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d], bytes.fromhex(
    "01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a"
    "3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a929394"
    "95969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8"
    "e9eaf1f2f3f4f5f6f7f8f9fa"))

COS = [[math.cos((2 * x + 1) * u * math.pi / 16) * (math.sqrt(1 / 8) if u == 0 else 0.5) for x in range(8)]
       for u in range(8)]


def codes(table):
    counts, symbols = table
    code, at, result = 0, 0, {}
    for length, count in enumerate(counts, 1):
        for symbol in symbols[at:at + count]:
            result[symbol] = (code, length)
            code += 1
        at += count
        code <<= 1
    return result


def dct(block):
    rows = [[sum(COS[u][x] * row[x] for x in range(8)) for u in range(8)] for row in block]
    return [sum(COS[v][y] * rows[y][u] for y in range(8)) for v in range(8) for u in range(8)]


class Bits:
    def __init__(self):
        self.out, self.buffer, self.count = bytearray(), 0, 0

    def put(self, value, length):
        self.buffer = self.buffer << length | value
        self.count += length
        while self.count >= 8:
            self.count -= 8
            byte = self.buffer >> self.count & 255
            self.out.append(byte)
            if byte == 255:
                self.out.append(0)
        self.buffer &= (1 << self.count) - 1

    def amplitude(self, value):
        size = abs(value).bit_length()
        return size, value if value > 0 else value + (1 << size) - 1


def save_jpeg(path, rows):
    height, width = len(rows), len(rows[0])
    quant = [max(1, (q * 20 + 50) // 100) for q in LUMA]  # quality 90

    def segment(marker, data):
        return struct.pack(">BBH", 255, marker, len(data) + 2) + data

    out = b"\xff\xd8" + segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0")
    out += segment(0xDB, b"\0" + bytes(quant[i] for i in ZIGZAG))
    out += segment(0xC0, struct.pack(">BHHB", 8, height, width, 3) + bytes([1, 17, 0, 2, 17, 0, 3, 17, 0]))
    for kind, table in ((0, DC), (16, AC)):
        out += segment(0xC4, bytes([kind, *table[0], *table[1]]))
    out += segment(0xDA, bytes([3, 1, 0, 2, 0, 3, 0, 0, 63, 0]))

    dc_codes, ac_codes, bits, previous = codes(DC), codes(AC), Bits(), [0, 0, 0]

    def to_ycc(pixel):
        r, g, b = pixel
        y = 0.299 * r + 0.587 * g + 0.114 * b
        return y - 128, (b - y) * 0.564, (r - y) * 0.713

    ycc = [[to_ycc(pixel) for pixel in row] for row in rows]
    for top in range(0, height, 8):
        for left in range(0, width, 8):
            for part in range(3):
                block = [[ycc[min(y, height - 1)][min(x, width - 1)][part] for x in range(left, left + 8)]
                         for y in range(top, top + 8)]
                values = dct(block)
                levels = [round(values[i] / quant[i]) for i in ZIGZAG]
                size, amplitude = bits.amplitude(levels[0] - previous[part])
                previous[part] = levels[0]
                bits.put(*dc_codes[size])
                bits.put(amplitude, size)
                zeros = 0
                last = max((i for i in range(1, 64) if levels[i]), default=0)
                for level in levels[1:last + 1]:
                    if level == 0:
                        zeros += 1
                        continue
                    while zeros > 15:
                        bits.put(*ac_codes[0xF0])
                        zeros -= 16
                    size, amplitude = bits.amplitude(level)
                    bits.put(*ac_codes[zeros << 4 | size])
                    bits.put(amplitude, size)
                    zeros = 0
                if last < 63:
                    bits.put(*ac_codes[0])
    bits.put(127, 7)
    with open(path, "wb") as file:
        file.write(out + bytes(bits.out) + b"\xff\xd9")
```"""

FLAT = r"""Huffman codes may all be equally long, which is simpler and still small enough, since most of a block is
zero. Colours are kept as RGB, an Adobe marker says so.

```python
import math


def save_jpeg(path, rows, step=6):
    h, w = len(rows), len(rows[0])
    order = []
    for s in range(15):
        diagonal = [(s - i, i) for i in range(8) if 0 <= s - i < 8]
        order += diagonal if s % 2 == 0 else diagonal[::-1]
    basis = [[(0.5 if u else 8 ** -0.5) * math.cos(math.pi * u * (2 * x + 1) / 16) for x in range(8)] for u in range(8)]
    dc_symbols = list(range(12))
    ac_symbols = [0x00, 0xF0] + [run * 16 + size for run in range(16) for size in range(1, 11)]

    stream = []

    def emit(value, length):
        if length:
            stream.append(format(value, f"0{length}b"))

    def emit_number(code, length, value):
        size = abs(value).bit_length()
        emit(code, length)
        emit(value if value >= 0 else value + 2 ** size - 1, size)

    before = [0, 0, 0]
    for by in range((h + 7) // 8):
        for bx in range((w + 7) // 8):
            for c in range(3):
                tile = [[rows[min(by * 8 + j, h - 1)][min(bx * 8 + i, w - 1)][c] - 128 for i in range(8)] for j in range(8)]
                half = [[sum(basis[u][i] * line[i] for i in range(8)) for u in range(8)] for line in tile]
                q = [round(sum(basis[v][j] * half[j][u] for j in range(8)) / step) for v, u in order]
                diff = q[0] - before[c]
                before[c] = q[0]
                emit_number(dc_symbols.index(abs(diff).bit_length()), 4, diff)
                while q and q[-1] == 0:
                    q.pop()
                run = 0
                for value in q[1:]:
                    if value == 0:
                        run += 1
                        continue
                    while run >= 16:
                        emit(ac_symbols.index(0xF0), 8)
                        run -= 16
                    emit_number(ac_symbols.index(run * 16 + abs(value).bit_length()), 8, value)
                    run = 0
                if len(q) < 64:
                    emit(ac_symbols.index(0), 8)

    text = "".join(stream)
    text += "1" * (-len(text) % 8)
    body = bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8)).replace(b"\xff", b"\xff\x00")

    def marker(code, payload):
        return bytes([0xFF, code]) + (len(payload) + 2).to_bytes(2, "big") + bytes(payload)

    with open(path, "wb") as f:
        f.write(b"\xff\xd8")
        f.write(marker(0xEE, b"Adobe\0\x64\0\0\0\0\0"))
        f.write(marker(0xDB, [0] + [step] * 64))
        f.write(marker(0xC0, [8, h >> 8, h & 255, w >> 8, w & 255, 3, 82, 17, 0, 71, 17, 0, 66, 17, 0]))
        f.write(marker(0xC4, [0x00] + [0, 0, 0, 12] + [0] * 12 + dc_symbols))
        f.write(marker(0xC4, [0x10] + [0] * 7 + [len(ac_symbols)] + [0] * 8 + ac_symbols))
        f.write(marker(0xDA, [3, 82, 0, 71, 0, 66, 0, 0, 63, 0]))
        f.write(body)
        f.write(b"\xff\xd9")
```"""

RIGHT = {"TestPythonJpeg": [JPEG, FLAT]}

WRONG = {
    "TestPythonJpeg": [
        nothing,
        # a bitmap that only calls itself JPEG
        r"""```python
import struct


def save_jpeg(path, rows):
    h, w = len(rows), len(rows[0])
    pad = b"\0" * (-3 * w % 4)
    data = b"".join(b"".join(bytes((b, g, r)) for r, g, b in row) + pad for row in reversed(rows))
    with open(path, "wb") as f:  # JPEG
        f.write(b"BM" + struct.pack("<IIIIiiHHIIiiII", 54 + len(data), 0, 54, 40, w, h, 1, 24, 0, 0, 0, 0, 0, 0))
        f.write(data)
```""",
        "```python\nfrom PIL import Image\n\ndef save_jpeg(path, rows):\n"
        "    image = Image.new('RGB', (len(rows[0]), len(rows)))\n"
        "    image.putdata([pixel for row in rows for pixel in row])\n    image.save(path, 'JPEG')\n```",
        JPEG.replace("            if byte == 255:\n                self.out.append(0)\n", ""),  # no stuffing
        JPEG.replace("for i in ZIGZAG]\n                size", "for i in range(64)]\n                size"),
        JPEG.replace("previous[part] = levels[0]", "pass"),  # the DC of each block is not a difference
        JPEG.replace("min(y, height - 1)", "y").replace("min(x, width - 1)", "x"),  # multiples of 8 only
        JPEG.replace("(b - y) * 0.564, (r - y) * 0.713", "0, 0"),  # grey
        FLAT.replace("step=6", "step=60"),  # mud
    ]
}
