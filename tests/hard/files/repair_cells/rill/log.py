"""What has been worked out."""


class Log:
    def __init__(self):
        self.names = []

    def add(self, name):
        self.names.append(name)

    def show(self):
        names, self.names = self.names, []
        return " ".join(names) or "-"
