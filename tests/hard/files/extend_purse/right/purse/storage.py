"""The book as one line of text, and back.

Version 1 had no users, no kinds, no numbers and no groups: {"version": 1, "accounts": [names], "entries": [[day, from, to, amount, note], ...]}, the
amounts as text in locale de. Version 2 had no currencies; `export` writes it as long as there is none.
"""

import json

from . import locales, money
from .errors import Refused
from .state import empty


def export(data):
    if data["currencies"]:
        return json.dumps({"version": 3, **data}, sort_keys=True, separators=(",", ":"))
    old = {name: value for name, value in data.items() if name != "currencies"}
    old["accounts"] = {name: without(account, "currency") for name, account in data["accounts"].items()}
    old["entries"] = [without(entry, "arrives", "fixed") for entry in data["entries"]]
    return json.dumps({"version": 2, **old}, sort_keys=True, separators=(",", ":"))


def without(found, *names):
    return {name: value for name, value in found.items() if name not in names}


def read(text):
    """A book from such a line."""
    try:
        found = json.loads(text)
        version = found.pop("version")
        if version == 1:
            return from_1(found)
        if version == 2:
            return from_2(found)
        if version == 3:
            return from_3(found)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Refused("that cannot be read") from None
    raise Refused(f"version {version} is not known")


def from_1(found):
    data = empty()
    for name in found["accounts"]:
        data["accounts"][name] = {"kind": "asset", "closed": False, "currency": money.BASE}
    for day, source, target, amount, note in found["entries"]:
        cents = locales.read(amount, "de", 2)
        data["entries"].append(
            {"number": data["next"], "day": day, "from": source, "to": target, "cents": cents, "arrives": cents, "fixed": False, "note": note, "void": False, "group": None}
        )
        data["next"] += 1
    return data


def from_2(found):
    if set(found) != set(empty()) - {"currencies"}:
        raise ValueError
    found["currencies"] = {}
    for account in found["accounts"].values():
        account["currency"] = money.BASE
    for entry in found["entries"]:
        entry["arrives"], entry["fixed"] = entry["cents"], False
    return found


def from_3(found):
    if set(found) != set(empty()):
        raise ValueError
    return found
