"""The commands."""

from . import accounts, dates, entries, locales, money, reports, roles, splitting, state, storage
from .errors import Refused
from .history import History

CHANGES = ("user", "limit", "lock", "unlock", "merge", "import", "close", "open", "rename", "post", "split", "repeat", "void", "currency", "rate", "drop", "convert")


class Session:
    """A book, who works on it, and how amounts are written. The last two are not part of the book and are not undone."""

    def __init__(self):
        self.data, self.user, self.locale = state.empty(), "root", "en"
        self.history = History()

    def run(self, line):
        """What a command prints."""
        name, _, rest = line.strip().partition(" ")
        method = getattr(self, f"do_{name}", None)
        try:
            if method is None:
                raise Refused(f"no command {name}")
            roles.check(name, self.me["role"])
            before = state.copied(self.data)
            try:
                said = method(rest.strip())
            except Refused:
                self.data = before
                raise
            if name in CHANGES:
                self.history.note(before, self.user, line.strip())
            return [said] if isinstance(said, str) else said
        except Refused as why:
            return [f"error: {why}"]

    @property
    def me(self):
        return self.data["users"].get(self.user) or {"role": "viewer", "limit": None}

    @staticmethod
    def words(rest, least, most=None):
        found = rest.split()
        if not least <= len(found) <= (most or least):
            raise Refused("wrong number of words")
        return found

    # who, and how

    def do_as(self, rest):
        (name,) = self.words(rest, 1)
        if name not in self.data["users"]:
            raise Refused(f"no user {name}")
        self.user = name
        return "ok"

    def do_user(self, rest):
        name, role = self.words(rest, 2)
        if role not in roles.ROLES:
            raise Refused(f"no role {role}")
        if name == "root":
            raise Refused("root stays admin")
        old = self.data["users"].get(name, {"limit": None})
        self.data["users"][name] = {"role": role, "limit": old["limit"]}
        return "ok"

    def do_limit(self, rest):
        name, amount = self.words(rest, 2)
        if name not in self.data["users"]:
            raise Refused(f"no user {name}")
        self.data["users"][name]["limit"] = None if amount == "none" else money.read(self.data, amount, self.locale)
        return "ok"

    def do_locale(self, rest):
        (name,) = self.words(rest, 1)
        self.locale = locales.known(name)
        return "ok"

    # accounts

    def do_open(self, rest):
        name, *more = self.words(rest, 1, 3)
        accounts.add(self.data, name, more[0] if more else "asset", *more[1:])
        return "ok"

    def do_close(self, rest):
        accounts.close(self.data, *self.words(rest, 1))
        return "ok"

    def do_rename(self, rest):
        accounts.rename(self.data, *self.words(rest, 2))
        return "ok"

    def do_merge(self, rest):
        accounts.merge(self.data, *self.words(rest, 2))
        return "ok"

    # entries

    def do_post(self, rest):
        words = rest.split(None, 4)
        day, source, target, amount = self.words(" ".join(words[:4]), 4)
        amount, equals, second = amount.partition("=")
        code = money.currency_of(self.data, source)
        cents = money.read(self.data, amount, self.locale, code)
        arrives = money.read(self.data, second, self.locale, money.currency_of(self.data, target)) if equals else None
        number = entries.add(self.data, dates.day(day), source, target, cents, words[4] if len(words) > 4 else "", arrives=arrives)
        roles.check_limit(self.data, self.me, cents, code, day)
        return f"#{number}"

    def do_split(self, rest):
        day, source, amount, *parts = self.words(rest, 4, 99)
        code = money.currency_of(self.data, source)
        cents = money.read(self.data, amount, self.locale, code)
        targets, weights = [], []
        for part in parts:
            target, colon, weight = part.partition(":")
            if not colon or not weight.isdecimal() or not int(weight):
                raise Refused(f"{part} is no part")
            targets.append(target)
            weights.append(int(weight))
        group = self.data["next"]
        numbers = []
        for target, share in zip(targets, splitting.divide(cents, weights)):
            if share:
                numbers.append(entries.add(self.data, dates.day(day), source, target, share, "", group))
        if not numbers:
            raise Refused("an amount must be above 0")
        roles.check_limit(self.data, self.me, cents, code, day)
        return " ".join(f"#{number}" for number in numbers)

    def do_repeat(self, rest):
        number, day = self.words(rest, 2)
        entry = entries.get(self.data, number)
        new = entries.add(self.data, dates.day(day), entry["from"], entry["to"], entry["cents"], entry["note"],
                          arrives=entry["arrives"] if entry["fixed"] else None)
        roles.check_limit(self.data, self.me, entry["cents"], money.currency_of(self.data, entry["from"]), day)
        return f"#{new}"

    def do_void(self, rest):
        entries.void(self.data, *self.words(rest, 1))
        return "ok"

    # months

    def do_lock(self, rest):
        month = dates.month(*self.words(rest, 1))
        if month in self.data["locked"]:
            raise Refused(f"{month} is locked")
        self.data["locked"] = sorted([*self.data["locked"], month])
        return "ok"

    def do_unlock(self, rest):
        month = dates.month(*self.words(rest, 1))
        if month not in self.data["locked"]:
            raise Refused(f"{month} is not locked")
        self.data["locked"].remove(month)
        return "ok"

    # currencies

    def do_currency(self, rest):
        money.add(self.data, *self.words(rest, 2))
        return "ok"

    def do_rate(self, rest):
        day, code, number = self.words(rest, 3)
        following = money.set_rate(self.data, dates.day(day), code, number, self.locale)
        entries.convert_anew(self.data, code, day, following)
        return "ok"

    def do_convert(self, rest):
        entries.convert_account(self.data, *self.words(rest, 2))
        return "ok"

    def do_drop(self, rest):
        money.drop(self.data, *self.words(rest, 1))
        return "ok"

    def do_rates(self, rest):
        (code,) = self.words(rest, 1)
        money.check_code(self.data, code)
        if code == money.BASE:
            raise Refused(f"{code} is {code}")
        rates = self.data["currencies"][code]["rates"]
        return [f"{day} {money.show_rate(rates[day], self.locale)}" for day in sorted(rates)] or ["no rates"]

    # back and forth

    def do_undo(self, rest):
        self.words(rest, 0)
        self.data, line = self.history.undo(self.data, self.user, self.me["role"])
        return f"undone: {line}"

    def do_redo(self, rest):
        self.words(rest, 0)
        self.data, line = self.history.redo(self.data, self.user, self.me["role"])
        return f"done again: {line}"

    def do_log(self, rest):
        self.words(rest, 0)
        return self.history.lines() or ["nothing"]

    # looking

    def do_balance(self, rest):
        name, *more = self.words(rest, 1, 2)
        accounts.get(self.data, name)
        until = dates.day(more[0]) if more else "9999-12-31"
        return money.show(self.data, accounts.balance(self.data, name, until), self.locale, money.currency_of(self.data, name))

    def do_statement(self, rest):
        return reports.statement(self.data, *self.words(rest, 1), self.locale)

    def do_report(self, rest):
        return reports.report(self.data, dates.month(*self.words(rest, 1)), self.locale)

    def do_entries(self, rest):
        self.words(rest, 0)
        return [reports.entry_line(self.data, entry, self.locale) for entry in reports.by_day(self.data)] or ["no entries"]

    def do_find(self, rest):
        amount, *more = self.words(rest, 1, 2)
        code = more[0] if more else money.BASE
        money.check_code(self.data, code)
        return reports.find(self.data, money.read(self.data, amount, self.locale, code), code, self.locale)

    def do_csv(self, rest):
        return reports.csv(self.data, *self.words(rest, 1))

    def do_export(self, rest):
        self.words(rest, 0)
        return storage.export(self.data)

    def do_import(self, rest):
        self.data = storage.read(rest)
        return "ok"
