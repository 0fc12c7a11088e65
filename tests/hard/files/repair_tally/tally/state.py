"""What the book holds at a moment; nothing in it is ever changed in place."""
from dataclasses import dataclass
from datetime import date

from .words import Bad


@dataclass(frozen=True)
class Entry:
    number: int
    day: date
    legs: tuple  # of (name, cents)
    note: str = ""
    tags: frozenset = frozenset()  #+

    def touches(self, top):
        return any(under(top, name) for name, _ in self.legs)

    def sum(self, top):
        """What it adds to an account and all under it."""
        return sum(cents for name, cents in self.legs if under(top, name))


@dataclass(frozen=True)
class State:
    floors: dict  # the open accounts, and their floors or None
    entries: dict  # by number

    def names(self):
        return sorted(self.floors, key=order)

    def touching(self, top):
        found = [entry for entry in self.entries.values() if entry.touches(top)]
        return sorted(found, key=place)

    def total(self, top, until=date.max):
        return sum(entry.sum(top) for entry in self.entries.values() if entry.day <= until)

    def need(self, *names):
        for name in names:
            if name not in self.floors:
                raise Bad(f"no account {name}")

    def check(self):
        """Raise Bad for the first floor that is broken."""
        for name in self.names():
            floor, total, sums = self.floors[name], 0, {}
            for entry in self.touching(name):
                sums[entry.day] = sums.get(entry.day, 0) + entry.sum(name)
            for day in sums:
                total += sums[day]
                if floor is not None and total < floor:
                    raise Bad(f"floor {name} {day.isoformat()}")


def place(entry):
    return entry.day, entry.number


def order(name):
    return name.split("/")


def under(top, name):
    return name == top or name.startswith(top + "/")


def moved(name, old, new):
    """The name that it has when the account `old` is called `new`."""
    return new + name[len(old):] if under(old, name) else name


def opened(floors, name):
    """The accounts, with this one and those above it open."""
    parts = name.split("/")
    return {**{"/".join(parts[:n]): None for n in range(1, len(parts) + 1)}, **floors}
