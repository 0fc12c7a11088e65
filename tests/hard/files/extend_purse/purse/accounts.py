"""Accounts."""

import re

from .errors import Refused

KINDS = ("asset", "income", "expense")


def get(data, name, open_only=False):
    if name not in data["accounts"]:
        raise Refused(f"no account {name}")
    account = data["accounts"][name]
    if open_only and account["closed"]:
        raise Refused(f"{name} is closed")
    return account


def check_new(data, name):
    if not re.fullmatch(r"[a-z][a-z0-9.-]*", name):
        raise Refused(f"{name} is no name")
    if name in data["accounts"]:
        raise Refused(f"there is {name} already")


def add(data, name, kind):
    check_new(data, name)
    if kind not in KINDS:
        raise Refused(f"{kind} is no kind")
    data["accounts"][name] = {"kind": kind, "closed": False}


def rename(data, old, new):
    """The account and all its entries."""
    get(data, old)
    check_new(data, new)
    data["accounts"] = {new if name == old else name: account for name, account in data["accounts"].items()}
    for entry in data["entries"]:
        for side in ("from", "to"):
            if entry[side] == old:
                entry[side] = new


def merge(data, old, new):
    """All entries of the account go to another one of the same kind, and it is gone. Entries between both are void."""
    if old == new:
        raise Refused("that is the same account")
    one, other = get(data, old), get(data, new, open_only=True)
    if one["kind"] != other["kind"]:
        raise Refused("they are of different kinds")
    for entry in data["entries"]:
        for side in ("from", "to"):
            if entry[side] == old:
                entry[side] = new
        if entry["from"] == entry["to"]:
            entry["void"] = True
    del data["accounts"][old]


def balance(data, name, until="9999-12-31"):
    """What is on an account at the end of a day."""
    total = 0
    for entry in data["entries"]:
        if not entry["void"] and entry["day"] <= until:
            if entry["to"] == name:
                total += entry["cents"]
            if entry["from"] == name:
                total -= entry["cents"]
    return total


def close(data, name):
    account = get(data, name, open_only=True)
    if balance(data, name):
        raise Refused(f"{name} is not empty")
    account["closed"] = True
