"""Pictures in messages: their type is read from their first bytes, never from a name."""

from __future__ import annotations

import base64

from assay.errors import Refused

MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


def media_type(image: bytes) -> str:
    """
    >>> media_type(b"GIF89a...")
    'image/gif'
    """
    for magic, kind in MAGIC:
        if image.startswith(magic):
            return kind
    if image[:4] == b"RIFF" and image[8:12] == b"WEBP":
        return "image/webp"
    raise Refused(
        f"an image of {len(image)} bytes is not PNG, JPEG, GIF or WebP; convert it before asking a model"
    )


def base64_text(image: bytes) -> str:
    return base64.b64encode(image).decode("ascii")


def data_url(image: bytes) -> str:
    return f"data:{media_type(image)};base64,{base64_text(image)}"
