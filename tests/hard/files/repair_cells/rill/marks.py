"""States that can be brought back."""


class Marks:
    def __init__(self):
        self.kept = []

    def is_open(self):
        return bool(self.kept)

    def mark(self, cells):
        self.kept.append(cells.copy())

    def back(self):
        return self.kept.pop()

    def keep(self):
        self.kept.pop()
