"""What undo needs: how everything was before each command that changed something."""

from dataclasses import replace

from larder.rules import CANCELS_ALL


class Journal:
    def __init__(self, shelf, holds):
        self.shelf, self.holds = shelf, holds
        self.levels = [([], None)]
        self.undone = []

    def state(self):
        lots = [replace(lot) for lot in self.shelf.lots]
        holds = {who: dict(its) for who, its in self.holds.by_who.items()}
        return self.shelf.last, lots, holds, {name: n for name, n in self.holds.least.items() if n}

    def restore(self, state):
        self.shelf.last, self.shelf.lots, self.holds.by_who, self.holds.least = state

    def note(self, before):
        """Remember how it was, if it is no longer so."""
        if before != self.state():
            self.levels[-1][0].append(before)
            self.undone = []

    def undo(self):
        past = self.levels[-1][0]
        if not past:
            return False
        self.undone.append(self.state())
        self.restore(past.pop())
        return True

    def redo(self):
        if not self.undone:
            return False
        self.levels[-1][0].append(self.state())
        self.restore(self.undone.pop())
        return True

    def begin(self):
        self.levels.append(([], self.state()))
        self.undone = []
        return f"open {len(self.levels) - 1}"

    def commit(self):
        if len(self.levels) == 1:
            return "none"
        self.undone = []
        before = self.levels.pop()[1]
        if before != self.state():
            self.levels[-1][0].append(before)
        return f"open {len(self.levels) - 1}"

    def cancel(self):
        if len(self.levels) == 1:
            return "none"
        self.undone = []
        before = self.levels.pop()[1]
        while CANCELS_ALL and len(self.levels) > 1:
            before = self.levels.pop()[1]
        self.restore(before)
        return f"open {len(self.levels) - 1}"
