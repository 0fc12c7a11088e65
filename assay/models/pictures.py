"""Pictures in messages: their type is read from their first bytes, never from a name."""

from __future__ import annotations

import base64

from assay.errors import Refused
from assay.records import IMAGE_TYPES, image_suffix


def media_type(image: bytes) -> str:
    """
    >>> media_type(b"GIF89a...")
    'image/gif'
    """
    if found := IMAGE_TYPES.get(image_suffix(image)):
        return found
    raise Refused(
        f"an image of {len(image)} bytes is not PNG, JPEG, GIF or WebP; convert it before asking a model"
    )


def base64_text(image: bytes) -> str:
    return base64.b64encode(image).decode("ascii")


def data_url(image: bytes) -> str:
    return f"data:{media_type(image)};base64,{base64_text(image)}"
