"""The commands."""

from .cells import Cells
from .engine import Engine
from .formulas import is_name, parsed
from .log import Log
from .marks import Marks
from .renaming import is_mentioned, rename
from .watches import Watches

REPORTED = ("set", "del", "rename", "freeze", "thaw", "back", "keep")


class Rill:
    def __init__(self):
        self.cells = Cells()
        self.log = Log()
        self.engine = Engine(self.log)
        self.marks = Marks()
        self.watches = Watches()

    def value(self, name):
        return self.engine.read(self.cells, name)

    def do(self, words):
        """The lines that a command prints."""
        if not words:
            return []
        command, *rest = words
        answer = getattr(self, f"do_{command}")(*rest)
        if answer is True:
            answers = ["ok"]
            if command in REPORTED and not self.marks.is_open():
                answers += self.watches.changes(self.value)
            return answers
        return ["no" if answer is False else answer]

    def do_set(self, name, *words):
        try:
            formula = parsed(words)
        except ValueError:
            return False
        if not is_name(name):
            return False
        cell = self.cells.find(name)
        if cell is None:
            self.cells.make(name, formula)
        elif cell.formula == formula:
            return True
        elif cell.frozen:
            cell.formula, cell.another = formula, True
        else:
            cell.formula, cell.value, cell.reads = formula, None, []
        self.engine.touch()
        return True

    def do_del(self, name):
        if self.cells.find(name) is None:
            return False
        del self.cells.by_name[name]
        self.engine.touch()
        return True

    def do_rename(self, old, new):
        if self.cells.find(old) is None or self.cells.find(new) is not None or not is_name(new):
            return False
        if is_mentioned(self.cells, new):
            return False
        rename(self.cells, old, new)
        self.watches.rename(old, new)
        self.engine.touch()
        return True

    def do_freeze(self, name):
        cell = self.cells.find(name)
        if cell is None or cell.frozen:
            return False
        self.value(name)
        cell.frozen = True
        self.engine.touch()
        return True

    def do_thaw(self, name):
        cell = self.cells.find(name)
        if cell is None or not cell.frozen:
            return False
        cell.frozen = False
        if cell.another:
            cell.value, cell.reads, cell.another = None, [], False
        self.engine.touch()
        return True

    def do_mark(self):
        self.marks.mark(self.cells)
        return True

    def do_back(self):
        if not self.marks.is_open():
            return False
        self.cells = self.marks.back()
        self.engine.touch()
        return True

    def do_keep(self):
        if not self.marks.is_open():
            return False
        self.marks.keep()
        return True

    def do_watch(self, name):
        return self.watches.show(name, self.value(name))

    def do_unwatch(self, name):
        return self.watches.shown.pop(name, None) is not None

    def do_get(self, name):
        return f"{name} = {self.value(name)}"

    def do_reads(self, name):
        cell = self.cells.find(name)
        if cell is None:
            return False
        self.value(name)
        return " ".join(what for what, _ in cell.reads) or "-"

    def do_log(self):
        return self.log.show()
