"""What is shown of the book."""

from . import accounts, dates, money


def entry_line(data, entry, locale):
    one, other = (money.currency_of(data, entry[side]) for side in ("from", "to"))
    amount = money.show(data, entry["cents"], locale, one)
    if one != other:
        amount += f" = {money.show(data, entry['arrives'], locale, other)}"
    note = f" {entry['note']}" if entry["note"] else ""
    void = " (void)" if entry["void"] else ""
    return f"#{entry['number']} {entry['day']} {entry['from']} > {entry['to']} {amount}{note}{void}"


def by_day(data):
    return sorted(data["entries"], key=lambda entry: (entry["day"], entry["number"]))


def statement(data, name, locale):
    """The entries of an account that count, by day, each with the balance after it."""
    code = accounts.get(data, name)["currency"]
    total, lines = 0, []
    for entry in by_day(data):
        if entry["void"] or name not in (entry["from"], entry["to"]):
            continue
        change = entry["arrives"] if entry["to"] == name else -entry["cents"]
        other = entry["from"] if entry["to"] == name else entry["to"]
        total += change
        lines.append(f"{entry['day']} #{entry['number']} {other} {money.show(data, change, locale, code)} = {money.show(data, total, locale, code)}")
    return lines or ["no entries"]


def report(data, month, locale):
    """What each account had by kind at the end of a month, and how it changed in it; sums in the base, by the rates of these days."""
    end, lines = dates.last_day(month), []
    begin = dates.day_before(f"{month}-01")
    for kind in accounts.KINDS:
        names = sorted(name for name, account in data["accounts"].items() if account["kind"] == kind)
        sums = {end: 0, begin: 0}
        for name in names:
            code = money.currency_of(data, name)
            now, before = (accounts.balance(data, name, day) for day in (end, begin))
            if now or before:
                lines.append(f"{name} {money.show(data, now, locale, code)} ({money.show(data, now - before, locale, code)})")
            for day, units in ((end, now), (begin, before)):
                if units and money.rate(data, code, day) is None:
                    sums[day] = None
                elif units and sums[day] is not None:
                    sums[day] += money.convert(data, units, code, money.BASE, day)
        total, old = sums[end], sums[begin]
        change = "?" if total is None or old is None else money.show(data, total - old, locale)
        lines.append(f"= {kind} {'?' if total is None else money.show(data, total, locale)} ({change})")
    return lines


def csv(data, name):
    """The entries of an account for other programs: cents as a plain number."""
    code = accounts.get(data, name)["currency"]
    more = code != money.BASE
    lines = ["day,number,other,cents,note" + ",currency" * more]
    for entry in by_day(data):
        if not entry["void"] and name in (entry["from"], entry["to"]):
            inward = entry["to"] == name
            note = entry["note"].replace('"', '""')
            cells = (entry["day"], entry["number"], entry["from" if inward else "to"], entry["arrives"] if inward else -entry["cents"], f'"{note}"')
            lines.append(",".join(map(str, cells)) + f",{code}" * more)
    return lines


def find(data, units, code, locale):
    """All entries that have an amount on one of their sides, also void ones."""
    found = []
    for entry in by_day(data):
        sides = (entry["cents"], money.currency_of(data, entry["from"])), (entry["arrives"], money.currency_of(data, entry["to"]))
        if (units, code) in sides:
            found.append(entry_line(data, entry, locale))
    return found or ["no entries"]
