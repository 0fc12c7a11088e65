def nothing(messages):
    return ""


TABLE = """```python
def _make_table():
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0xEDB88320 if crc & 1 else crc >> 1
        table.append(crc)
    return table


_TABLE = _make_table()


def crc32(data, start=0):
    crc = start ^ 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF
```"""

RIGHT = {
    "TestImplementCRC32": [
        f"A table makes it faster; the two inversions cancel when you continue:\n\n{TABLE}",
        """Without a table, which saves a kilobyte of memory:

```python
POLYNOMIAL = 0x04C11DB7


def crc32(data, start=0):
    '''The CRC-32 that is known
    from zlib and binascii.'''
    register = int(f"{~start & 0xFFFFFFFF:032b}"[::-1], 2)
    for value in data:
        register ^= int(f"{value:08b}"[::-1], 2) << 24
        for _ in range(8):
            high = register & 0x80000000
            register = (register << 1) & 0xFFFFFFFF
            if high:
                register ^= POLYNOMIAL
    return ~int(f"{register:032b}"[::-1], 2) & 0xFFFFFFFF


# crc32(b"123456789") == 0xCBF43926
```""",
    ]
}

WRONG = {
    "TestImplementCRC32": [
        nothing,
        "```python\nimport zlib\n\ndef crc32(data, start=0):\n    return zlib.crc32(data, start)\n```",
        TABLE.replace("0xEDB88320", "0x04C11DB7"),  # the polynomial the wrong way round
        TABLE.replace("start ^ 0xFFFFFFFF", "0xFFFFFFFF"),  # cannot be continued
        TABLE.replace("return crc ^ 0xFFFFFFFF", "return ~crc"),  # a negative number
        "```python\n# crc32(b'123456789') == 0xCBF43926\ndef crc32(data, start=0):\n    return 0xCBF43926\n```",
    ]
}
