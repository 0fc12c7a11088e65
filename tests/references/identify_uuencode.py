def nothing(messages):
    return ""


LIBRARY = """That is uuencoded data: each line starts with its length (M is 45 bytes), and the backtick stands for zero.

ENCODING: uuencode

```python
import binascii


def decode(text):
    return b"".join(binascii.a2b_uu(line) for line in text.splitlines() if line.strip())
```

The `begin 644 name` and `end` lines are missing."""

BY_HAND = """**ENCODING:** UUEncoding (Unix-to-Unix encoding)

Every character holds six bits, offset by 32:

```python
def decode(text):
    out = bytearray()
    for line in text.split("\\n"):
        if not line:
            continue
        size, *values = [(ord(c) - 32) & 63 for c in line]
        values += [0] * (-len(values) % 4)
        part = bytearray()
        for i in range(0, len(values), 4):
            a, b, c, d = values[i:i + 4]
            part += bytes([a << 2 & 255 | b >> 4, b << 4 & 255 | c >> 2, c << 6 & 255 | d])
        out += part[:size]
    return bytes(out)
```"""

RIGHT = {"TestIdentifyUuencode": [LIBRARY, BY_HAND]}

WRONG = {
    "TestIdentifyUuencode": [
        nothing,
        LIBRARY.replace("ENCODING: uuencode", "ENCODING: xxencode"),
        # the first idea, with the right word in passing
        "It is not uuencode, which would begin with `begin`.\n\nENCODING: base85\n\n"
        "```python\nimport base64\ndef decode(text):\n    return base64.a85decode(text)\n```",
        # the right name, and a decoder that knows nothing of the lengths
        BY_HAND.replace("[:size]", ""),
        BY_HAND.replace("& 63", ""),  # the backtick is 64 then
        BY_HAND.replace("c << 6 & 255 | d", "c << 6 & 255"),
        "ENCODING: uuencode\n\nUse the command `uudecode`, from the package sharutils.\n```bash\nuudecode mail.txt\n```",
        "```python\nimport binascii\ndef decode(text):\n    # ENCODING\n    return binascii.a2b_uu(text)\n```\nENCODING: base64",
    ]
}
