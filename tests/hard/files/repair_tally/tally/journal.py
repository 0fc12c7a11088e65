"""The state, and how one goes back to earlier ones."""
from datetime import date  #+

from .state import State
from .words import Bad


class Journal:
    def __init__(self):
        self.state, self.last = State({}, {}), 0
        self.past = []  # commands that can be undone, and the states before them
        self.future = []  # what can be redone, and the states after it  #+
        self.groups = []  # how many could be undone when a group began, and the state then  #+
        self.saved = {}  #+
        self.seal = None  # the last day of which no entry may come or go  #+

    def change(self, command, floors=None, entries=None):
        """Go on to a state, if it is another one and no floor is broken in it."""
        state = State(self.state.floors if floors is None else floors, self.state.entries if entries is None else entries)
        if state == self.state:
            return
        state.check()  #-
        self.guard(state)  #+
        if not self.groups:  #+
            state.check()  #+
        self.past.append((command, self.state))
        self.future.clear()  #+
        self.state = state

    def guard(self, state):  #+
        """Raise Bad if an entry of a sealed day would come or go."""  #+
        others = self.state.entries.keys() ^ state.entries.keys()  #+
        days = [(self.state.entries.get(number) or state.entries[number]).day for number in others]  #+
        if self.seal and min(days, default=date.max) <= self.seal and days:  #+
            raise Bad(f"sealed {min(days).isoformat()}")  #+

    def undo(self):
        if not self.past:  #-
        if len(self.past) <= (self.groups[-1][0] if self.groups else 0):  #+
            raise Bad("nothing")
        command, before = self.past.pop()  #-
        command, before = self.past[-1]  #+
        self.guard(before)  #+
        self.past.pop()  #+
        self.future.append((command, self.state))  #+
        self.state = before
        return command

    def redo(self):  #+
        if not self.future:  #+
            raise Bad("nothing")  #+
        command, after = self.future[-1]  #+
        self.guard(after)  #+
        self.future.pop()  #+
        self.past.append((command, self.state))  #+
        self.state = after  #+
        return command  #+

    def begin(self):  #+
        self.groups.append((len(self.past), self.state))  #+
        self.future.clear()  #+

    def commit(self):  #+
        if not self.groups:  #+
            raise Bad("no group")  #+
        if len(self.groups) == 1:  #+
            self.state.check()  #+
        start, before = self.groups.pop()  #+
        del self.past[start:]  #+
        if before != self.state:  #+
            self.past.append(("commit", before))  #+
        self.future.clear()  #+

    def cancel(self):  #+
        if not self.groups:  #+
            raise Bad("no group")  #+
        start, self.state = self.groups.pop()  #+
        del self.past[start:]  #+
        self.future.clear()  #+
