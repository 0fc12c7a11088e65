"""Entries: an amount goes from one account to another on a day."""

from . import accounts, dates, money
from .errors import Refused


def check_open(data, day):
    """Refuse a day of a locked month."""
    if dates.month_of(day) in data["locked"]:
        raise Refused(f"{dates.month_of(day)} is locked")


def add(data, day, source, target, cents, note, group=None, arrives=None):
    """A new entry; its number."""
    check_open(data, day)
    accounts.get(data, source, open_only=True)
    accounts.get(data, target, open_only=True)
    if source == target:
        raise Refused("that is the same account")
    if cents <= 0:
        raise Refused("an amount must be above 0")
    one, other = money.currency_of(data, source), money.currency_of(data, target)
    fixed = arrives is not None
    if fixed and one == other:
        raise Refused("the same currency")
    if not fixed:
        arrives = money.convert(data, cents, one, other, day)
    if arrives <= 0:
        raise Refused("an amount must be above 0")
    number = data["next"]
    data["next"] += 1
    data["entries"].append(
        {"number": number, "day": day, "from": source, "to": target, "cents": cents, "note": note, "void": False, "group": group,
         "arrives": arrives, "fixed": fixed}
    )
    return number


def convert_anew(data, code, first, following):
    """What arrives is what the rates of a currency now say, from a day up to the day before another one."""
    before = {name: accounts.balance(data, name) for name, account in data["accounts"].items() if account["closed"]}
    for entry in data["entries"]:
        one, other = (money.currency_of(data, entry[side]) for side in ("from", "to"))
        if entry["void"] or entry["fixed"] or one == other or code not in (one, other) or not first <= entry["day"] < following:
            continue
        entry["arrives"] = money.convert(data, entry["cents"], one, other, entry["day"])
        if entry["arrives"] <= 0:
            raise Refused("an amount must be above 0")
    for name in sorted(before):
        if accounts.balance(data, name) != before[name]:
            raise Refused(f"{name} is closed")


def convert_account(data, name, code):
    """Another currency for an account and for its side of all entries."""
    account = accounts.get(data, name, open_only=True)
    money.check_code(data, code)
    old = account["currency"]
    if old == code:
        raise Refused("the same currency")
    for entry in data["entries"]:
        source, target = entry["from"] == name, entry["to"] == name
        if not (source or target):
            continue
        if not entry["void"]:
            check_open(data, entry["day"])
        other = money.currency_of(data, entry["to" if source else "from"])
        if other == code:
            entry["cents"] = entry["arrives"] = entry["arrives" if source else "cents"]
            entry["fixed"] = False
            continue
        side = "cents" if source else "arrives"
        amount = money.convert(data, entry[side], old, code, entry["day"])
        if amount <= 0:
            raise Refused("an amount must be above 0")
        entry[side], entry["fixed"] = amount, not (source and target)
        if source and target:
            entry["arrives"] = amount
    account["currency"] = code


def get(data, text):
    for entry in data["entries"]:
        if f"{entry['number']}" == text.removeprefix("#"):
            return entry
    raise Refused(f"no entry {text}")


def void(data, text):
    """An entry does not count any more, nor do those of the same split."""
    entry = get(data, text)
    if entry["void"]:
        raise Refused("it is void already")
    for each in data["entries"]:
        if each is entry or (entry["group"] is not None and each["group"] == entry["group"]):
            check_open(data, each["day"])
            each["void"] = True
