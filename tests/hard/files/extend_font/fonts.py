"""Fonts, read from their files."""

from pathlib import Path


class Fault(Exception):
    """What is wrong with a command or a font."""


class Font:
    def __init__(self, path):
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        lines = [line for line in lines if line and not line.startswith(";")]
        head = lines[0].split() if lines else []
        if len(head) != 2 or not head[1].isdigit() or int(head[1]) < 1:
            raise Fault("the first line is not SIGNS HEIGHT")
        self.signs, self.high = head[0], int(head[1])
        rows = lines[1:]
        if len(set(self.signs)) != len(self.signs):
            raise Fault("a sign stands twice")
        if len(rows) != self.high * len(self.signs):
            raise Fault("{} rows for {} signs".format(len(rows), len(self.signs)))
        if len({len(row) for row in rows}) != 1 or set("".join(rows)) - set("#."):
            raise Fault("rows must be equally long, of # and .")
        self.wide = len(rows[0])
        self.forms = {sign: rows[n * self.high : (n + 1) * self.high] for n, sign in enumerate(self.signs)}

    def form(self, sign):
        """The rows of a sign, or of a frame."""
        edge, middle = "#" * self.wide, ("#" + "." * self.wide)[: self.wide - 1] + "#"
        return self.forms.get(sign, [edge, *[middle] * (self.high - 2), edge][: self.high])

    def rows(self, text):
        """The rows of a text."""
        return [".".join(row) for row in zip(*map(self.form, text))]


def names():
    """The names of all fonts."""
    return sorted(path.stem for path in Path("fonts").glob("*.txt"))


def font(name):
    """The font of a name."""
    if name not in names():
        raise Fault("no font " + name)
    return Font(Path("fonts") / (name + ".txt"))
