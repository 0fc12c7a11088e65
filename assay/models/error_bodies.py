"""What the body of an HTTP error says, in whatever form a server or a gateway writes it."""

from __future__ import annotations

import html
import json
import re
from typing import Any

MOST = 1000  # characters of a message
READ = 16_384  # characters of a page that are looked at
DEPTH = 4
# Keys under which servers write the message, best first
NAMES = ("message", "detail", "details", "error_description", "msg", "reason", "title", "description")
NESTED = ("error", "errors", "fault")
LISTED = 3
PAGE = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)\b", re.IGNORECASE)
HEADINGS = re.compile(r"<(?:title|h1|h2)\b[^<>]*>([^<]*)", re.IGNORECASE)
UNSHOWN = re.compile(r"<(?:script|style)\b[^<>]*>[^<]*", re.IGNORECASE)
TAG = re.compile(r"<[^<>]*>")


def words_in(body: Any, depth: int = DEPTH) -> str:
    """The message in the JSON of an error; '' if none can be told.

    >>> words_in({"detail": [{"loc": ["body", "model"], "msg": "field required"}]})
    'body.model: field required'
    >>> words_in({"errors": [{"code": 7003, "message": "no route"}, {"message": "see the docs"}]})
    'no route; see the docs'
    """
    if isinstance(body, str):
        return shortened(body)
    if depth and isinstance(body, list):
        return shortened("; ".join(filter(None, (words_in(each, depth - 1) for each in body[:LISTED]))))
    if not depth or not isinstance(body, dict):
        return ""
    its = {name.lower(): value for name, value in body.items()}
    for name in (*NAMES, *NESTED):
        if said := words_in(its.get(name), depth - 1):
            where = its.get("loc")
            place = ".".join(map(str, where[:8])) if isinstance(where, list) else ""
            return shortened(f"{place}: {said}" if place else said)
    return ""


def page_text(page: str) -> str:
    """The title and headings of an HTML page, or else its text; other text as it is.

    >>> page_text("<html><head><title>502 Bad Gateway</title></head><body><h1>No route</h1></body></html>")
    '502 Bad Gateway: No route'
    """
    if not PAGE.match(page):
        return shortened(page)
    page = page if len(page) <= READ else page[:READ].rpartition("<")[0]
    found = dict.fromkeys(" ".join(each.split()) for each in HEADINGS.findall(page))
    text = ": ".join(filter(None, found)) or TAG.sub(" ", UNSHOWN.sub(" ", page))
    return shortened(html.unescape(text))


def shortened(text: str) -> str:
    """A text on one line. A word that would be cut is left out, so that no part of a key remains, which would
    not be recognized."""
    line = " ".join(text[: 4 * MOST].split())
    if len(line) <= MOST and len(text) <= 4 * MOST:
        return line
    return f"{line[:MOST].rpartition(' ')[0]} ...".lstrip()


def body_text(body: Any) -> str:
    """JSON in which no message can be told, as it stands."""
    return shortened(json.dumps(body, ensure_ascii=False)) if body else ""
