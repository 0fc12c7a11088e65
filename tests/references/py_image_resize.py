def nothing(messages):
    return ""


RESIZE = """```python
from pathlib import Path

from PIL import Image, ImageOps

SOURCE, TARGET, SIDE = Path("photos"), Path("small"), 200

written = 0
for path in sorted(SOURCE.rglob("*")):
    if path.suffix.lower() not in {".jpg", ".jpeg", ".png"} or not path.is_file():
        continue
    try:
        with Image.open(path) as image:
            kind = image.format
            small = ImageOps.exif_transpose(image)
            if small.mode == "P":
                small = small.convert("RGBA")
            small.thumbnail((SIDE, SIDE))
    except Exception as error:
        print(f"skipping {path}: {error}")
        continue
    target = TARGET / path.relative_to(SOURCE)
    target.parent.mkdir(parents=True, exist_ok=True)
    small.save(target, format=kind)
    written += 1
print(f"{written} written")
```"""

RIGHT = {
    "TestPyImageResize": [
        RESIZE,
        """This keeps the EXIF of a photo instead of turning its pixels, so a viewer shows it upright:

```python
import io
import os
from PIL import Image

def shrink(src, dst):
    im = Image.open(src)
    im.load()
    w, h = im.size
    scale = min(1.0, 200 / max(w, h))
    size = (max(1, round(w * scale)), max(1, round(h * scale)))
    if im.mode in ("P", "LA") or "transparency" in im.info:
        im = im.convert("RGBA")
    exif = im.getexif()
    out = im if size == im.size else im.resize(size, Image.LANCZOS)
    buf = io.BytesIO()
    if dst.lower().endswith("png"):
        out.save(buf, "PNG")
    else:
        out.convert("RGB").save(buf, "JPEG", quality=88, exif=exif)
    os.makedirs(os.path.dirname(dst), exist_ok=True)
    with open(dst, "wb") as f:
        f.write(buf.getvalue())

count = 0
for folder, _, files in os.walk("photos"):
    for name in files:
        if os.path.splitext(name)[1].lower() in (".jpg", ".jpeg", ".png"):
            src = os.path.join(folder, name)
            dst = os.path.join("small", os.path.relpath(src, "photos"))
            try:
                shrink(src, dst)
                count += 1
            except (OSError, SyntaxError, ValueError) as e:
                print("damaged:", src, e)
print(count, "written")
```""",
    ]
}

WRONG = {
    "TestPyImageResize": [
        nothing,
        RESIZE.replace("ImageOps.exif_transpose(image)", "image.copy()"),
        RESIZE.replace("small.thumbnail((SIDE, SIDE))", "small = small.resize((SIDE, SIDE))"),
        RESIZE.replace('mode == "P"', 'mode != "RGB"').replace('"RGBA"', '"RGB"'),  # no transparency
        RESIZE.replace("path.suffix.lower()", "path.suffix"),
        RESIZE.replace('SOURCE.rglob("*")', 'SOURCE.glob("*")'),  # not the folders
        RESIZE.replace("continue\\n    target", "pass\\n    target").replace(
            "        continue\n    target", "        pass\n    target"
        ),  # goes on with the picture before
        "```python\n# resizes with Pillow, exif_transpose, thumbnail\nprint('8 written')\n```",
    ]
}
