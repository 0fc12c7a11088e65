"""Undo and redo."""

from .errors import Refused
from .state import copied


class History:
    """What the book was before each change, and who made it."""

    def __init__(self):
        self.done, self.undone = [], []

    def note(self, before, user, line):
        """A change was made."""
        self.done.append((before, user, line))
        self.undone.clear()

    def undo(self, data, user, role):
        """The book before the last change, and the line that made it."""
        if not self.done:
            raise Refused("nothing to undo")
        before, who, line = self.done[-1]
        if who != user and role != "admin":
            raise Refused(f"that was {who}")
        self.done.pop()
        self.undone.append((copied(data), who, line))
        return before, line

    def redo(self, data, user, role):
        if not self.undone:
            raise Refused("nothing to redo")
        after, who, line = self.undone[-1]
        if who != user and role != "admin":
            raise Refused(f"that was {who}")
        self.undone.pop()
        self.done.append((copied(data), who, line))
        return after, line

    def lines(self):
        return [f"{who}: {line}" for _, who, line in self.done]
