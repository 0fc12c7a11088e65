"""A hash of what a test asks and checks, whatever its name is and wherever it is written.

By it two records are known to be of the same test, run from a file and from a notebook, say. It would rather
miss some of these than take two tests for one: where a part of an expression cannot be told from another of
the same name, there is no hash.
"""

from __future__ import annotations

import hashlib
from typing import Any

from assay.language.content_hash import content_hash
from assay.language.dsl import Node
from assay.language.telling import Look, Unknown, told

_last: list[Any] = []  # a test and what _hashed found


def expression_hash(test: Node) -> str:
    """16 hex digits; '' if there is none, as for a test with a node of the author's own."""
    return _hashed(test)[0]


def version_hash(test: Node) -> str:
    """8 hex digits for a version of a test without a file of its own. Unlike `expression_hash` it is always
    the same while tests run, tells nodes of the author's own by their code, and is never missing."""
    digest, lasts = _hashed(test)
    if lasts:
        return digest[:8]
    try:
        return _digest(test, Look(lasting=True))[:8]
    except Exception:  # noqa: BLE001 - the author's code, or too much of it
        return content_hash(test)


def _hashed(test: Node) -> tuple[str, bool]:
    """The hash of an expression, and whether it is the same while tests run: it has no functions. That of
    the last test is kept, since a record has both hashes."""
    if _last and _last[0] is test:
        return _last[1], _last[2]
    look = Look()
    try:
        found = _digest(test, look)[:16], not look.functions
    except (Unknown, RecursionError, ValueError):  # a variable around a function may have no value yet
        found = "", False
    _last[:] = (test, *found) if found[1] else ()
    return found


def _digest(test: Node, look: Look) -> str:
    return hashlib.sha256(told(test, look).encode("utf-8", "surrogatepass")).hexdigest()
