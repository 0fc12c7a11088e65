"""Pictures in messages: their type is read from their first bytes, never from a name."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import replace

from assay.errors import Refused
from assay.records import IMAGE_TYPES, Message, image_suffix

# How servers say that a model sees no pictures; not what they say of a picture that is too large
SEES_NONE = re.compile(
    r"(?:image|picture|vision|multi-?modal)[^.]{0,60}(?:not|n't|only) (?:support|enabl|allow|accept|avail)"
    r"|(?:not|n't) (?:support|accept|take|allow|see|have)[^.]{0,40}(?:image|picture|vision|multi-?modal)"
    r"|not a (?:multi-?modal|vision)|unknown variant `?image|no endpoints found that support image"
    r"|content['\"]? must be a string|at most 0 image|missing data required for image",
    re.IGNORECASE,
)


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


def shown_by_tools(messages: Sequence[Message]) -> bool:
    """Whether results of tools have pictures."""
    return any(message.images for message in messages if message.role == "tool")


def without_pictures(messages: Sequence[Message]) -> tuple[Message, ...]:
    """For a model that sees none: results of tools say that theirs were left out. A picture that the test
    asks about is no such thing."""
    return tuple(
        replace(
            message, images=(), content=f"{message.content}\n[a picture was left out: this model sees none]"
        )
        if message.role == "tool" and message.images
        else message
        for message in messages
    )
