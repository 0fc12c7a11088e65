"""The data of cells' pages, many in a file, and one page under all of their names.

A page opened from a file may not read its neighbours, but it may run scripts that it names. So each data file
is a call of one function with strings of ASCII JSON, and cannot be anything else. A cell's data are in the
file named by the first digits of its number, so its page needs no list. The search of the index reads all of
them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from assay.files import replace_file, replacing
from assay.report.sanitise import visible

NUMBER = 10  # hex digits at the end of a page's name
STAMP = 32
TRIALS = 128  # in a file, roughly at most: a browser reads all of it to show one
# The ASCII JSON of what `visible` shows by name, and pairs of surrogates, which it leaves alone.
_ODD = re.compile(
    r"\\(?:[bfr]|u(?:00[0189]|007f|00ad|061c|180e|200[bef]|202[a-e]|206|feff|fff[9ab]|d[89a-f]))"
)


def number_of(page: str) -> str:
    """
    >>> number_of("print-hello-testprinthello-etc-passwd-9f8c346614.html")
    '9f8c346614'
    """
    return page.removesuffix(".html")[-NUMBER:]


def digits_for(trials: int) -> int:
    """The number of digits of a number that name its file, so that each file has few of `trials`.

    >>> digits_for(0), digits_for(2048), digits_for(2049), digits_for(100_000)
    (1, 1, 2, 3)
    """
    digits = 1
    while trials > TRIALS * 16**digits and digits < 5:
        digits += 1
    return digits


def packed(data: Any) -> str:
    """`data` as ASCII JSON, with control, bidirectional, invisible and unpaired characters shown by name."""
    text = _dumps(data)
    return _dumps(_visible(data)) if _ODD.search(text) else text


_slowly = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def _dumps(data: Any) -> str:
    try:
        text = msgspec.json.encode(data).decode("ascii")
    except ValueError:  # not ASCII, or half a surrogate pair
        return _slowly(data)
    return _slowly(data) if "\x7f" in text else text


def _visible(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {key: _visible(each) for key, each in value.items()}
    return [_visible(each) for each in value] if isinstance(value, (list, tuple)) else value


def data_file(cells: Iterable[str], stamp: str = "") -> bytes:
    """The content of a data file with the lines of these `cells`. `stamp`: STAMP hex digits, a hash of what
    they were made from."""
    said = ",\n".join(cells)
    return f"//{stamp}\nassayCells({{\n{said}\n}});\n".encode("ascii")


def line_of(page: str, data: str) -> str:
    """A page's packed data as JSON in a script's single quotes: a browser parses one cell of a file and
    skips the others."""
    quoted = data.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{number_of(page)}':'{quoted}'"


def lines_in(path: Path) -> dict[str, str]:
    """The lines of a data file's cells, by number."""
    lines = path.read_text("ascii").split("\n")[2:-2]
    return {line[1 : 1 + NUMBER]: line.removesuffix(",") for line in lines}


def stamp_of(path: Path) -> str:
    """The stamp of a file; '' if it has none."""
    try:
        with path.open("rb", buffering=0) as file:
            return file.read(len("//") + STAMP)[2:].decode("ascii", "replace")
    except OSError:
        return ""


def spread(folder: Path, names: Iterable[str], content: bytes) -> None:
    """Make each of `names` in `folder` a file with `content`: hard links to one file if the file system
    allows, else copies. Correct files are left alone."""
    there = {entry.name: entry.inode() for entry in os.scandir(folder)}
    right: dict[int, bool] = {}
    base = ""
    for name in names:
        path, inode = f"{folder}/{name}", there.get(name)
        if inode is not None and inode not in right:
            right[inode] = _holds(path, content)
        if inode is not None and right[inode]:
            base = base or path
        elif not base or not _link(base, path, inode is not None):
            replace_file(Path(path), content)  # the first file, or no further link is possible
            base = path


def _holds(path: str, content: bytes) -> bool:
    try:
        return Path(path).read_bytes() == content
    except OSError:
        return False


def _link(base: str, path: str, there: bool) -> bool:
    """Make `path` another name of the file `base`, replacing in one step what is `there`. Returns whether
    that worked."""
    try:
        if there:
            with replacing(Path(path)) as part:
                os.link(base, part)
        else:
            os.link(base, path)  # thousands of them: a Path of each would take as long as the links
    except OSError:
        return False
    return True
