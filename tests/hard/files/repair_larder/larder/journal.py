"""What undo needs: how everything was before each command that changed something."""

from dataclasses import replace


class Journal:
    def __init__(self, shelf, holds):
        self.shelf, self.holds = shelf, holds
        self.past = []

    def state(self):
        lots = [replace(lot) for lot in self.shelf.lots]
        holds = {who: dict(its) for who, its in self.holds.by_who.items()}
        return self.shelf.last, lots, holds

    def note(self, before):
        """Remember how it was, if it is no longer so."""
        if before != self.state():
            self.past.append(before)

    def undo(self):
        if not self.past:
            return False
        self.shelf.last, self.shelf.lots, self.holds.by_who = self.past.pop()
        return True
