"""Cells whose changes are reported."""


class Watches:
    """Name -> the value that was shown last."""

    def __init__(self):
        self.shown = {}

    def show(self, name, value):
        self.shown[name] = value
        return f"{name} = {value}"

    def changes(self, value_of):
        for name, before in list(self.shown.items()):
            value = value_of(name)
            if value != before:
                yield self.show(name, value)

    def rename(self, old, new):
        if old in self.shown:
            self.shown = {
                new if name == old else name: value for name, value in self.shown.items() if name != new
            }
