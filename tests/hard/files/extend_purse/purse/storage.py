"""The book as one line of text, and back.

Version 1 had no users, no kinds, no numbers and no groups: {"version": 1, "accounts": [names], "entries": [[day, from, to, amount, note], ...]}, the
amounts as text in locale de. Version 2 is what `export` writes.
"""

import json

from . import locales
from .errors import Refused
from .state import empty


def export(data):
    return json.dumps({"version": 2, **data}, sort_keys=True, separators=(",", ":"))


def read(text):
    """A book from such a line."""
    try:
        found = json.loads(text)
        version = found.pop("version")
        if version == 1:
            return from_1(found)
        if version == 2:
            return from_2(found)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Refused("that cannot be read") from None
    raise Refused(f"version {version} is not known")


def from_1(found):
    data = empty()
    for name in found["accounts"]:
        data["accounts"][name] = {"kind": "asset", "closed": False}
    for day, source, target, amount, note in found["entries"]:
        data["entries"].append(
            {"number": data["next"], "day": day, "from": source, "to": target, "cents": locales.read(amount, "de", 2), "note": note, "void": False, "group": None}
        )
        data["next"] += 1
    return data


def from_2(found):
    if set(found) != set(empty()):
        raise ValueError
    return found
