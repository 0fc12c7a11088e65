def nothing(messages):
    return ""


APPENDED = """```python
import io
import struct
import zipfile
import zlib

WIDTH, HEIGHT = 48, 32


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


rows = (b"\\0" + bytes((255, 128, 0)) * WIDTH) * HEIGHT
png = b"\\x89PNG\\r\\n\\x1a\\n"
png += chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0))
png += chunk(b"IDAT", zlib.compress(rows))
png += chunk(b"IEND", b"")

archive = io.BytesIO()
with zipfile.ZipFile(archive, "w") as z:
    z.writestr("hint.txt", "under the third bench\\n")
    z.writestr("__main__.py", 'print("Welcome aboard!")\\n')

with open("badge.png", "wb") as out:
    out.write(png + archive.getvalue())
```"""

RIGHT = {
    "TestChangeFiletype": [
        "A PNG is read from its start to IEND, a zip from its end, so the two can simply be joined:\n\n"
        f"{APPENDED}\n\nTry `file badge.png; python3 badge.png`.",
        # a palette, and the archive in a chunk of its own, with what follows as the archive's comment
        """```python
import zipfile, zlib

def chunk(kind, body):
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")

size = (48).to_bytes(4, "big") + (32).to_bytes(4, "big")
head = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", size + bytes([1, 3, 0, 0, 0]))
head += chunk(b"PLTE", bytes([255, 128, 0, 0, 0, 0])) + chunk(b"IDAT", zlib.compress(bytes(7) * 32, 9))
tail = chunk(b"IEND", b"")

with open("badge.png", "wb") as f:
    f.write(head + b"????ziPp")
with zipfile.ZipFile("badge.png", "a", zipfile.ZIP_DEFLATED) as z:
    z.writestr("__main__.py", "print('Welcome aboard!')")
    z.writestr("hint.txt", "under the third bench\\n")
    z.comment = bytes(4 + len(tail))

data = open("badge.png", "rb").read()
body = data[len(head) + 8 : -4 - len(tail)]
with open("badge.png", "wb") as f:
    f.write(head + chunk(b"ziPp", body) + tail)
```""",
    ]
}

WRONG = {
    "TestChangeFiletype": [
        nothing,
        APPENDED.replace("png + archive.getvalue()", "archive.getvalue() + png"),
        APPENDED.replace("png + archive.getvalue()", "png"),
        APPENDED.replace("zlib.crc32(kind + data)", "zlib.crc32(data)"),
        APPENDED.replace(
            '(b"\\0" + bytes((255, 128, 0)) * WIDTH)', "bytes((255, 128, 0)) * WIDTH"
        ),  # no filter bytes
        APPENDED.replace("__main__.py", "main.py"),
        APPENDED.replace("(255, 128, 0)", "(255, 165, 0)"),
        # renaming does not change what a file is
        "```python\nimport zipfile\nwith zipfile.ZipFile('badge.png', 'w') as z:\n"
        "    z.writestr('hint.txt', 'under the third bench\\n')\n"
        "    z.writestr('__main__.py', 'print(\"Welcome aboard!\")')\n```",
    ]
}
