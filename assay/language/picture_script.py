"""Runs apart from the host: decodes the picture on stdin with Pillow and says whether it is one.

`python3 -I -c SOURCE FORMAT`: FORMAT is the only one that may be read, '' for any that Pillow can. A line of
JSON on stdout: {"fault": ...}, {"as_is": true, ...}, or {"as_is": false, ...} and after it the picture as PNG
or JPEG, made smaller where a provider would not take it. Standard library and Pillow only.
"""

from __future__ import annotations

import io
import json
import sys
import warnings
from typing import Any

NO_PILLOW = 4
SENT = ("PNG", "JPEG", "GIF", "WEBP")  # what providers take
MAX_PIXELS = 50_000_000
MAX_SIDE = 2000  # pixels; of more, one provider or another refuses the picture
MAX_SENT = 3_500_000  # bytes, before base64
MAX_MADE = 700_000  # bytes of a picture made here; stdout holds no more than 1 MB


def limit() -> None:
    """For where no sandbox limits memory and time."""
    import resource

    for what, most in ((resource.RLIMIT_AS, 2 << 30), (resource.RLIMIT_CPU, 10), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(what, (most, most))


def judged(data: bytes, formats: Any) -> tuple[dict[str, Any], bytes]:
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=formats) as image:
        width, height = image.size
        if width * height > MAX_PIXELS:
            return {"fault": f"a picture of {width} x {height} pixels is too large"}, b""
        image.load()
        facts = {"format": image.format, "width": width, "height": height}
        still = not getattr(image, "is_animated", False)  # some providers refuse what moves
        if image.format in SENT and still and max(width, height) <= MAX_SIDE and len(data) <= MAX_SENT:
            return {**facts, "as_is": True}, b""
        return {**facts, "as_is": False}, made(image)


def made(image: Any) -> bytes:
    """As PNG where that is small enough, else as JPEG, smaller until it is."""
    image = image.convert(
        "RGBA" if image.mode in ("LA", "PA", "RGBA") or "transparency" in image.info else "RGB"
    )
    side = MAX_SIDE
    while True:
        image.thumbnail((side, side))
        for kind in ("PNG", "JPEG"):
            out = io.BytesIO()
            if kind == "PNG":
                image.save(out, "PNG")
            else:
                image.convert("RGB").save(out, "JPEG", quality=88)
            if out.tell() <= MAX_MADE:
                return out.getvalue()
        side = side * 2 // 3


def main() -> None:
    formats = [each for each in sys.argv[1:2] if each] or None
    if formats:
        limit()
    try:
        from PIL import Image
    except ImportError:
        sys.exit(NO_PILLOW)
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    warnings.simplefilter("ignore")
    try:
        facts, picture = judged(sys.stdin.buffer.read(), formats)
    except MemoryError:
        facts, picture = {"fault": "decoding it takes too much memory"}, b""
    except Exception as error:  # noqa: BLE001 - any plug-in may raise anything
        unknown = type(error).__name__ == "UnidentifiedImageError"  # whose words hold an address
        facts, picture = {"fault": "of no known format" if unknown else str(error)[:300] or "broken"}, b""
    sys.stdout.buffer.write(json.dumps(facts).encode() + b"\n" + picture)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
