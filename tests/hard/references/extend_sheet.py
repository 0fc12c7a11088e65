"""Right and wrong work on extend_sheet: the program's own modules extended."""

from __future__ import annotations

from evaluator import Call, Script

from ..extend_sheet import rules_of

PLACES = '''

@dataclass(frozen=True)
class Band:
    """Whole columns (axis 0) or rows (axis 1): two ends, pairs of number and whether it is fixed."""

    axis: int
    one: tuple
    other: tuple

    def is_inside(self):
        return all(1 <= number <= (LAST_COLUMN, LAST_ROW)[self.axis] for number, _ in (self.one, self.other))

    def moved(self, columns, rows):
        away = (columns, rows)[self.axis]
        return Band(self.axis, *((end if end[1] else (end[0] + away, False)) for end in (self.one, self.other)))

    def __str__(self):
        name = str if self.axis else letter
        return ":".join("$" * fixed + name(number) for number, fixed in (self.one, self.other))


def span(place, axis):
    """The first and last row or column."""
    if isinstance(place, Place):
        place = Range(place, place)
    if isinstance(place, Band):
        if place.axis != axis:
            return 1, (LAST_COLUMN, LAST_ROW)[axis]
        numbers = place.one[0], place.other[0]
    else:
        numbers = (place.one.row, place.other.row) if axis else (place.one.column, place.other.column)
    return min(numbers), max(numbers)


def with_span(place, axis, new):
    """The same with another first and last row or column; None stays None."""
    if new is None:
        return None
    old = span(place, axis)

    def number(was):
        return new[0] if was == old[0] else new[1]

    def corner(one, at_end):
        was = one.row if axis else one.column
        to = new[1] if old[0] == old[1] and at_end else number(was)
        if axis:
            return Place(one.column, to, one.column_fixed, one.row_fixed)
        return Place(to, one.row, one.column_fixed, one.row_fixed)

    if isinstance(place, Place):
        return corner(place, False)
    if isinstance(place, Band):
        if place.axis != axis:
            return place
        ends = [new[0], new[1]] if place.one[0] <= place.other[0] else [new[1], new[0]]
        return Band(axis, (ends[0], place.one[1]), (ends[1], place.other[1]))
    return Range(corner(place.one, False), corner(place.other, True))


def stripped(place):
    """Without dollars."""
    if isinstance(place, Band):
        return Band(place.axis, (place.one[0], False), (place.other[0], False))
    if isinstance(place, Range):
        return Range(stripped(place.one), stripped(place.other))
    return Place(place.column, place.row)


def cells(place):
    """The keys of all cells of a place or range, in reading order."""
    columns, rows = span(place, 0), span(place, 1)
    return [
        (column, row)
LOOPS
    ]
'''
EVALUATE = '''
    def meant(self, tree):
        """The place that a tree names, an error, or None."""
        if tree[0] == "place":
            return tree[1]
        if tree[0] == "word":
            return self.sheet.names.get(tree[1], Error("#NAME")) or Error("#REF")
        return None

    def compute(self, tree):
        if tree[0] == "word":
            meant = self.meant(tree)
            return meant if isinstance(meant, Error) else self.compute(("place", meant))
'''
FUNCTIONS = """
def is_error(evaluation, tree):
    return int(isinstance(evaluation.compute(tree), Error))


def if_error(evaluation, tree, other):
    value = evaluation.compute(tree)
    return evaluation.compute(other) if isinstance(value, Error) and value.name != "UNCAUGHT" else value


def errors(evaluation, *trees):
    count = 0
    for tree in trees:
        place = evaluation.meant(tree)
        if place is None or isinstance(place, Error):
            count += is_error(evaluation, tree)
        else:
            count += sum(isinstance(each, Error) for each in evaluation.all_values(place))
    return count


def size(axis):
    def call(evaluation, tree):
        place = evaluation.meant(tree)
        if place is None or isinstance(place, Error):
            value = evaluation.compute(tree)
            return value if isinstance(value, Error) else Error("#VALUE")
        low, high = span(place, axis)
        return high - low + 1

    return call


FUNCTIONS = {
    "ISERR": is_error,
    "IFERR": if_error,
    "ERRORS": errors,
    "ROWS": size(1),
    "COLS": size(0),
"""
COMMANDS = '''
    def change(self, change):
        """Rewrite all references."""
        for key, it in self.sheet.cells.items():
            if isinstance(it, list):
                self.sheet.cells[key] = rewritten(it, change)
        names = self.sheet.names
        for word in names:
            names[word] = change(names[word]) if names[word] else None

    def insert(self, rest):
        axis, at, count = lines_of(rest)
        most = (LAST_COLUMN, LAST_ROW)[axis]
        if any(key[axis] >= at and key[axis] + count > most for key in self.sheet.cells):
            return ["full"]

        def change(place):
            if isinstance(place, Band) and place.axis != axis:
                return place
            low, high = span(place, axis)
            grows = GROWS and not isinstance(place, Place) and high + 1 == at
            if low >= at:
                low += count
            if high >= at or grows:
                high += count
            return None if low > most else with_span(place, axis, (low, min(most, high)))

        self.change(change)
        self.sheet.shift(axis, at, count)
        return ["ok"]

    def delete(self, rest):
        axis, at, count = lines_of(rest)
        if at + count - 1 > (LAST_COLUMN, LAST_ROW)[axis]:
            return ["outside"]

        def change(place):
            if isinstance(place, Band) and place.axis != axis:
                return place
            low, high = span(place, axis)
            low = low if low < at else max(low - count, at)
            high = high if high < at else max(high - count, at - 1)
            return with_span(place, axis, (low, high)) if low <= high else None

        self.change(change)
        for key in [key for key in self.sheet.cells if at <= key[axis] < at + count]:
            del self.sheet.cells[key]
        self.sheet.shift(axis, at, -count)
        return ["ok"]

    def move(self, rest):
        return self.carry(rest, True)

    def copy(self, rest):
        return self.carry(rest, False)

    def carry(self, rest, moves):
        word, cell = rest.split()
        block, to = place_of(word), key(cell)
        columns, rows = to[0] - span(block, 0)[0], to[1] - span(block, 1)[0]
        target = stripped(block).moved(columns, rows)
        if not target.is_inside():
            return ["outside"]
        here, there = set(cells(block)), set(cells(target))
        if moves:
            def change(place):
                lies = set(cells(place))
                if lies <= here:
                    for axis, away in enumerate((columns, rows)):
                        if not isinstance(place, Band) or place.axis == axis:
                            low, high = span(place, axis)
                            place = with_span(place, axis, (low + away, high + away))
                    return place
                return None if lies <= there and LOSES else place

            self.change(change)
        old = dict(self.sheet.cells)
        for each in here | there if moves else there:
            self.sheet.cells.pop(each, None)
        for column, row in here & old.keys():
            it = old[column, row]
            self.sheet.cells[column + columns, row + rows] = it if moves else copied(it, columns, rows)
        return ["ok"]

    def sort(self, rest):
        word, column, *down = rest.split()
        block, column = place_of(word), number(column)
        left, right = span(block, 0)
        top, bottom = span(block, 1)
        if not left <= column <= right:
            return ["outside"]
        values = self.sheet.values()
        full = [row for row in range(top, bottom + 1) if (column, row) in values]

        def rank(row):
            value = values[column, row]
            return 2 if isinstance(value, Error) else int(isinstance(value, str)), value if isinstance(value, int) else str(value)

        order = sorted(full, key=rank, reverse=bool(down))
        order += [row for row in range(top, bottom + 1) if row not in full]
        old = dict(self.sheet.cells)
        for row, was in enumerate(order, top):
            for each in range(left, right + 1):
                self.sheet.cells.pop((each, row), None)
                if (each, was) in old:
                    self.sheet.cells[each, row] = SORTED
        return ["ok"]

    def name(self, rest):
        word, place = rest.split()
        self.sheet.names[word.upper()] = stripped(place_of(place))
        return ["ok"]

    def unname(self, rest):
        self.sheet.names.pop(rest.upper(), None)
        return ["ok"]

    def names(self, _):
        return [f"{word} {place or '#REF'}" for word, place in sorted(self.sheet.names.items())] or ["none"]

    def show(self, rest):
'''
TAIL = '''

def lines_of(rest):
    """Axis, number and count."""
    kind, at, count = rest.split()
    axis = int(kind == "rows")
    return axis, int(at) if axis else number(at), int(count)


def place_of(text):
    return tokens_of(text)[0][1]


def read(text):
'''
SHIFT = '''    def shift(self, axis, at, count):
        """Move the cells from a row or column on."""
        found = {}
        for key, it in self.cells.items():
            if key[axis] >= at:
                key = (key[0], key[1] + count) if axis else (key[0] + count, key[1])
            found[key] = it
        self.cells = found

    def references(self, key):
'''


def _work(seed: int, *changes: tuple[str, str]) -> Script:
    """The program extended, with these mistakes: what is right, what is wrong."""
    rules = rules_of(seed)
    loops = [f"        for {name} in range({name}s[0], {name}s[1] + 1)" for name in ("row", "column")]
    patches = [
        ("places", "\n\ndef letter(", PLACES.replace("LOOPS", "\n".join(loops if rules.by_row else loops[::-1])) + "\n\ndef letter("),
        ("places", "\ndef cells(place):\n    \"\"\"The keys of all cells of a place or range, in reading order.\"\"\"\n    if ", "\ndef old_cells(place):\n    if "),
        ("tokens", "import Place, Range, number", "import Band, Place, Range, number"),
        ("tokens", "|(?P<place>{PLACE})'\n", "|(?P<place>{PLACE})'\n    r\"|(?P<columns>(\\$?)([a-z]):(\\$?)([a-z])(?![a-z0-9_]))|(?P<rows>(\\$?)(\\d+):(\\$?)(\\d+)(?![a-z0-9_]))\"\n"),
        ("tokens", "    rf'\\s*(?:(?P<number>\\d+)|", "    rf'\\s*(?:(?P<number>\\d+(?![\\d:]))|"),
        ("tokens", '        elif kind in ("error"', '        elif kind in ("columns", "rows"):\n            kind, value = "place", band_of(value, int(kind == "rows"))\n        elif kind in ("error"'),
        ("tokens", "def tokens_of(", '''def band_of(text, axis):
    ends = text.split(":")
    found = Band(axis, *((int(end.strip("$")) if axis else number(end.strip("$")), "$" in end) for end in ends))
    if not found.is_inside():
        raise Bad
    return found


def tokens_of('''),
        ("parsing", '"IF": (3, 3)', '"IF": (3, 3), "ISERR": (1, 1), "IFERR": (2, 2), "ERRORS": (1, 99), "ROWS": (1, 1), "COLS": (1, 1)'),
        ("parsing", "        if name not in ARGUMENTS or", "        if name not in ARGUMENTS and len(name) > 2 and name.isalpha() and self.tokens[self.at : self.at + 1] != [(\"sign\", \"(\")]:\n            return (\"word\", name)\n        if name not in ARGUMENTS or"),
        ("evaluate", "\n    def compute(self, tree):\n", EVALUATE),
        ("functions", "from gridy.values", "from gridy.places import span\nfrom gridy.values"),
        ("functions", '        if tree[0] == "place":\n            values = [each for each in evaluation.all_values(tree[1])',
         '        place = evaluation.meant(tree)\n        if place is not None and not isinstance(place, Error):\n            values = [each for each in evaluation.all_values(place)'),
        ("functions", "\nFUNCTIONS = {\n", FUNCTIONS.replace("UNCAUGHT", rules.uncaught)),
        ("sheet", "        self.cells = {}\n", "        self.cells, self.names = {}, {}\n"),
        ("sheet", "        return {each for kind, place in it if", "        it = [(\"place\", self.names.get(value)) if kind == \"name\" else (kind, value) for kind, value in it]\n        return {each for kind, place in it if place is not None and"),
        ("sheet", "    def references(self, key):\n", SHIFT),
        ("commands", "import key, letter", "import LAST_COLUMN, LAST_ROW, Band, Place, cells, key, letter, number, span, stripped, with_span"),
        ("commands", "from gridy.tokens", "from gridy.values import Error\nfrom gridy.tokens"),
        ("commands", "    def copy(self, rest):", "    def old_copy(self, rest):"),
        ("commands", "\n    def show(self, rest):\n", COMMANDS.replace("GROWS", str(rules.grows)).replace("LOSES", str(rules.loses))
         .replace("SORTED", "copied(old[each, was], 0, row - was)" if rules.shifts else "old[each, was]")),
        ("commands", "\ndef read(text):\n", TAIL),
    ]  # fmt: skip
    for old, new in changes:
        assert any(old in patch[2] for patch in patches), old
        patches = [(file, was, text.replace(old, new)) for file, was, text in patches]
    program = f"""
from pathlib import Path
for name, old, new in {patches!r}:
    path = Path("gridy", name + ".py")
    assert path.read_text().count(old) == 1, (name, old)
    path.write_text(path.read_text().replace(old, new))
"""
    return Script(f"python3 - <<'END_OF_PROGRAM'\n{program}\nEND_OF_PROGRAM")


def right(seed: int) -> list[Script]:
    return [_work(seed)]


def wrong(seed: int) -> list[object]:
    rules = rules_of(seed)
    grows, loses = f"grows = {rules.grows} ", f"lies <= there and {rules.loses}"
    sorts = ("copied(old[each, was], 0, row - was)", "old[each, was]")
    return [
        _work(seed, (grows, f"grows = {not rules.grows} ")),
        _work(seed, (loses, loses.replace(str(rules.loses), str(not rules.loses)))),
        _work(seed, sorts if rules.shifts else ("row] = old[each, was]", f"row] = {sorts[0]}")),
        _work(seed, (f'value.name != "{rules.uncaught}"', "True")),
        _work(seed, ("names[word] = change(names[word]) if names[word] else None", "pass")),
        _work(seed, ("self.names.get(value)) if", "None) if")),
        _work(seed, ("else max(high - count, at - 1)", "else high - count")),
        _work(seed, ("reverse=bool(down))\n        order +=", "reverse=False)\n        order = order[::-1] if down else order\n        order +=")),
        _work(seed, ("if lies <= here:", "if lies & here:")),
        _work(seed, ("            return None if low > most else", "            return None if high > most else")),
        [Call("shell", command="cat README.md NEXT.md"), "I would need more time."],
    ]  # fmt: skip
