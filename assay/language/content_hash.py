"""A hash of what a test holds: its texts and numbers, with those of its row, and the pictures and files that
it names, wherever these come from.

Code is not in it: the fingerprint of the test's file has that, and values that functions use may change while
tests run. Nor are folders, so that a test is the same in every checkout.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path, PurePath
from typing import Any

from assay.language.dsl import Node, field_names

PLAIN = (type(None), bool, int, float, complex, str, bytes)
MOST = 5000  # files of a folder


def content_hash(test: Node) -> str:
    """8 hex digits."""
    return hashlib.sha256(_told(test).encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _told(value: Any) -> str:
    kind = type(value)
    if kind in PLAIN:
        return repr(value)
    if isinstance(value, set | frozenset):
        return f"set({','.join(sorted(map(_told, value)))})"
    name = getattr(value, "__qualname__", "") or kind.__qualname__
    return f"{name}({','.join(map(_told, parts_of(value, kind)))})"


def parts_of(value: Any, kind: type) -> Iterator[Any]:
    if (names := field_names(kind)) is not None:
        yield from (getattr(value, name, None) for name in names)
    elif isinstance(value, Node):  # of a class that is no dataclass; other values may be what it counts
        yield from (each for each in vars(value).values() if isinstance(each, str | bytes | PurePath | Node))
    elif isinstance(value, tuple | list):
        yield from value
    elif isinstance(value, Mapping):
        for each in value.items():
            yield from each
    elif isinstance(value, str):  # a test case
        yield str(value)
    elif isinstance(value, PurePath):
        yield at(value)
    elif isinstance(value, partial):
        yield from (value.func, value.args, value.keywords)
    elif isinstance(value, re.Pattern):
        yield value.pattern


def at(path: PurePath) -> str:
    """The name of a file and a hash of its content, or those of the files below a folder."""
    try:
        if not os.path.isdir(path):  # noqa: PTH112
            return f"{path.name} {_of_file(str(path))}"
        found = (each for each in sorted(Path(path).rglob("*")) if "__pycache__" not in each.parts)
        names = (f"{each.relative_to(path)} {_of_file(str(each))}" for each in found if each.is_file())
        return "\n".join(each for each, _ in zip(names, range(MOST), strict=False))
    except OSError:
        return path.name


def _of_file(path: str) -> str:
    its = os.stat(path)  # noqa: PTH116
    return _read(path, its.st_mtime_ns, its.st_size)


@functools.lru_cache(100_000)
def _read(path: str, changed_ns: int, size: int) -> str:
    """A file is read once, until it is changed."""
    with open(path, "rb") as file:  # noqa: PTH123
        return hashlib.file_digest(file, "sha256").hexdigest()
