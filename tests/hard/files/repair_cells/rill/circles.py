"""What is being brought up to date, and circles in it."""


class Circle(Exception):
    """The way has come back to the cell `first`."""

    def __init__(self, first):
        super().__init__(first)
        self.first = first


class Way:
    """The cells that are being brought up to date, each needed by the one before."""

    def __init__(self):
        self.names = []

    def enter(self, name):
        if name in self.names:
            raise Circle(name)
        self.names.append(name)

    def leave(self):
        self.names.pop()
