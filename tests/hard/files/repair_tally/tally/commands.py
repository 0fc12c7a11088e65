"""The commands. Each returns the lines that it prints."""
from dataclasses import replace
from datetime import date
from fractions import Fraction  #+

from .journal import Journal
from .state import Entry, moved, opened, place, under
from .words import Bad, parsed, shown
from .words import months_after  #+


class Tally:
    def __init__(self):
        self.journal = Journal()

    @property
    def state(self):
        return self.journal.state

    def do(self, line):
        line = line.strip(" ")
        if not line or line[0] == "#":
            return []
        try:
            command, words = parsed(line)
            return getattr(self, f"do_{command}")(*words)
        except Bad as bad:
            return [f"error: {bad}"]

    def do_open(self, name):
        if name in self.state.floors:
            raise Bad(f"open {name}")
        self.journal.change("open", opened(self.state.floors, name))
        return ["ok"]

    def do_close(self, name):
        self.state.need(name)
        if any(under(name, each) for each in self.state.floors if each != name):
            raise Bad("has accounts")
        if self.state.total(name):
            raise Bad("not empty")
        self.journal.change("close", {each: floor for each, floor in self.state.floors.items() if each != name})
        return ["ok"]

    def do_floor(self, name, floor):
        self.state.need(name)
        self.journal.change("floor", {**self.state.floors, name: floor})
        return ["ok"]

    def do_accounts(self):
        return [
            f"{name} {shown(self.state.total(name))}" + ("" if floor is None else f" floor {shown(floor)}")
            for name in self.state.names()
            for floor in [self.state.floors[name]]
        ] or ["none"]

    def enter(self, command, made):
        """New entries: their days, legs and note."""
        first = self.journal.last + 1
        entries = [Entry(number, *each) for number, each in enumerate(made, first)]
        self.journal.change(command, entries={**self.state.entries, **{entry.number: entry for entry in entries}})
        self.journal.last += len(entries)
        return [f"entry {first}" if len(entries) == 1 else f"entries {first}-{self.journal.last}"]

    def pair(self, source, target):
        self.state.need(source, target)
        if source == target:
            raise Bad("same")

    def do_move(self, day, source, target, cents, note=""):
        self.pair(source, target)
        return self.enter("move", [(day, ((source, -cents), (target, cents)), note)])

    def do_split(self, day, source, cents, *words):  #+
        names, weights = words[::2], words[1::2]  #+
        self.state.need(source, *names)  #+
        if source in names:  #+
            raise Bad("same")  #+
        whole = sum(weights)  #+
        shares = [cents * weight // whole for weight in weights]  #+
        by_rest = sorted(range(len(names)), key=lambda n: -(cents * weights[n] % whole))  #+
        for n in by_rest[: cents - sum(shares)]:  #+
            shares[n] += 1  #+
        return self.enter("split", [(day, ((source, -cents), *zip(names, shares)))])  #+

    def do_every(self, day, months, count, source, target, cents, note=""):  #+
        self.pair(source, target)  #+
        legs = (source, -cents), (target, cents)  #+
        return self.enter("every", [(months_after(day, months * n), legs, note) for n in range(count)])  #+

    def need_entry(self, number):
        if number not in self.state.entries:
            raise Bad(f"no entry {number}")
        return self.state.entries[number]

    def do_void(self, number):
        for name, _ in self.need_entry(number).legs:
            if name not in self.state.floors:
                raise Bad(f"closed {name}")
        self.journal.change("void", entries={n: each for n, each in self.state.entries.items() if n != number})
        return ["ok"]

    def renamed(self, old, new):
        return {
            number: replace(entry, legs=tuple((moved(name, old, new), cents) for name, cents in entry.legs))
            for number, entry in self.state.entries.items()
        }

    def do_rename(self, old, new):
        self.state.need(old)
        if under(old, new):
            raise Bad("under")
        if new in self.state.floors or self.state.touching(new):
            raise Bad(f"used {new}")
        floors = {moved(name, old, new): floor for name, floor in self.state.floors.items()}
        self.journal.change("rename", opened(floors, new), self.renamed(old, new))
        return ["ok"]

    def do_merge(self, old, new):  #+
        self.state.need(old, new)  #+
        if under(old, new) or under(new, old):  #+
            raise Bad("under")  #+
        floors = {name: floor for name, floor in self.state.floors.items() if not under(old, name)}  #+
        for name in self.state.floors:  #+
            if under(old, name):  #+
                both = [self.state.floors[name], floors.get(moved(name, old, new))]  #+
                floors[moved(name, old, new)] = max((each for each in both if each is not None), default=None)  #+
        self.journal.change("merge", floors, self.renamed(old, new))  #+
        return ["ok"]  #+

    def do_balance(self, name, *day):
        self.state.need(name)
        return [shown(self.state.total(name, *day))]

    def line(self, entry, cents):
        tags = [f"+{tag}" for tag in sorted(entry.tags)]  #+
        return " ".join([str(entry.number), entry.day.isoformat(), shown(cents), *tags, *[entry.note] * bool(entry.note)])  #+
        return " ".join([str(entry.number), entry.day.isoformat(), shown(cents), *[entry.note] * bool(entry.note)])  #-

    def do_list(self, name, *days):
        self.state.need(name)
        if len(days) == 2 and days[1] < days[0]:
            raise Bad("days")
        start, end = [*days, date.max][:2] if days else (date.min, date.max)
        found = [self.line(each, each.sum(name)) for each in self.state.touching(name) if start <= each.day <= end]
        return found or ["none"]

    def do_undo(self):
        return [f"undone {self.journal.undo()}"]

    def do_redo(self):  #+
        return [f"redone {self.journal.redo()}"]  #+

    def do_begin(self):  #+
        self.journal.begin()  #+
        return [f"open {len(self.journal.groups)}"]  #+

    def do_commit(self):  #+
        self.journal.commit()  #+
        return [f"open {len(self.journal.groups)}"]  #+

    def do_cancel(self):  #+
        self.journal.cancel()  #+
        return [f"open {len(self.journal.groups)}"]  #+

    def do_save(self, word):  #+
        self.journal.saved[word] = self.state  #+
        return ["ok"]  #+

    def do_back(self, word):  #+
        if word not in self.journal.saved:  #+
            raise Bad(f"no save {word}")  #+
        saved = self.journal.saved[word]  #+
        self.journal.change("back", saved.floors, saved.entries)  #+
        return ["ok"]  #+

    def do_seal(self, day):  #+
        if self.journal.groups:  #+
            raise Bad("group")  #+
        if self.journal.seal and day <= self.journal.seal:  #+
            raise Bad(f"sealed {self.journal.seal.isoformat()}")  #+
        self.journal.seal = day  #+
        return ["ok"]  #+

    def do_tag(self, number, word):  #+
        entry = self.need_entry(number)  #+
        self.journal.change("tag", entries={**self.state.entries, number: replace(entry, tags=entry.tags | {word})})  #+
        return ["ok"]  #+

    def do_untag(self, number, word):  #+
        entry = self.need_entry(number)  #+
        if word not in entry.tags:  #+
            raise Bad(f"no tag {word}")  #+
        self.journal.change("untag", entries={**self.state.entries, number: replace(entry, tags=entry.tags - {word})})  #+
        return ["ok"]  #+

    def chosen(self, wanted):  #+
        entries = sorted(filter(wanted, self.state.entries.values()), key=place)  #+
        return [self.line(each, sum(max(0, cents) for _, cents in each.legs)) for each in entries] or ["none"]  #+

    def do_tagged(self, word):  #+
        return self.chosen(lambda entry: word in entry.tags)  #+

    def do_find(self, text):  #+
        return self.chosen(lambda entry: text in entry.note)  #+

    def do_interest(self, name, percent, start, end):  #+
        self.state.need(name)  #+
        if end < start:  #+
            raise Bad("days")  #+
        found = Fraction(0)  #+
        for entry in self.state.touching(name):  #+
            if entry.day <= end:  #+
                found += entry.sum(name) * (years(end.toordinal()) - years(max(start, entry.day).toordinal() - 1))  #+
        return [shown(round(found * percent / 100))]  #+

    def do_table(self, start, end):  #+
        if end < start:  #+
            raise Bad("days")  #+
        found = []  #+
        for name in self.state.names():  #+
            entries = self.state.touching(name)  #+
            before = sum(entry.sum(name) for entry in entries if entry.day < start)  #+
            sums = [entry.sum(name) for entry in entries if start <= entry.day <= end]  #+
            came, went = sum(each for each in sums if each > 0), -sum(each for each in sums if each < 0)  #+
            found.append(" ".join([name, *map(shown, [before, came, went, before + came - went])]))  #+
        return found or ["none"]  #+

    def do_by(self, name, period):  #+
        self.state.need(name)  #+
        sums = {}  #+
        for entry in self.state.touching(name):  #+
            year, week, _ = entry.day.isocalendar()  #+
            key = f"{year:04}-W{week:02}" if period == "week" else entry.day.isoformat()[: 7 if period == "month" else 4]  #+
            sums[key] = sums.get(key, 0) + entry.sum(name)  #+
        return [f"{key} {shown(cents)}" for key, cents in sums.items()] or ["none"]  #+


def years(last):  #+
    """How long the days from 1 to this one are together, each a part of its own year."""  #+
    if not last:  #+
        return Fraction(0)  #+
    day = date.fromordinal(last)  #+
    full = day.year - 1  #+
    length = 366 if day.year % 4 == 0 and (day.year % 100 or day.year % 400 == 0) else 365  #+
    return full + Fraction(day.timetuple().tm_yday, length)  #+
