"""What is shown of the book."""

from . import accounts, dates, money


def entry_line(entry, locale):
    note = f" {entry['note']}" if entry["note"] else ""
    void = " (void)" if entry["void"] else ""
    return f"#{entry['number']} {entry['day']} {entry['from']} > {entry['to']} {money.show(entry['cents'], locale)}{note}{void}"


def by_day(data):
    return sorted(data["entries"], key=lambda entry: (entry["day"], entry["number"]))


def statement(data, name, locale):
    """The entries of an account that count, by day, each with the balance after it."""
    accounts.get(data, name)
    total, lines = 0, []
    for entry in by_day(data):
        if entry["void"] or name not in (entry["from"], entry["to"]):
            continue
        change = entry["cents"] if entry["to"] == name else -entry["cents"]
        other = entry["from"] if entry["to"] == name else entry["to"]
        total += change
        lines.append(f"{entry['day']} #{entry['number']} {other} {money.show(change, locale)} = {money.show(total, locale)}")
    return lines or ["no entries"]


def report(data, month, locale):
    """What each account had by kind at the end of a month, and how it changed in it."""
    end, lines = dates.last_day(month), []
    for kind in accounts.KINDS:
        names = sorted(name for name, account in data["accounts"].items() if account["kind"] == kind)
        total = change = 0
        for name in names:
            now, before = accounts.balance(data, name, end), accounts.balance(data, name, month)
            if now or before:
                lines.append(f"{name} {money.show(now, locale)} ({money.show(now - before, locale)})")
            total, change = total + now, change + now - before
        lines.append(f"= {kind} {money.show(total, locale)} ({money.show(change, locale)})")
    return lines


def csv(data, name):
    """The entries of an account for other programs: cents as a plain number."""
    accounts.get(data, name)
    lines = ["day,number,other,cents,note"]
    for entry in by_day(data):
        if not entry["void"] and name in (entry["from"], entry["to"]):
            inward = entry["to"] == name
            note = entry["note"].replace('"', '""')
            cells = (entry["day"], entry["number"], entry["from" if inward else "to"], entry["cents"] if inward else -entry["cents"], f'"{note}"')
            lines.append(",".join(map(str, cells)))
    return lines


def find(data, cents, locale):
    """All entries of an amount, also void ones."""
    return [entry_line(entry, locale) for entry in by_day(data) if entry["cents"] == cents] or ["no entries"]
