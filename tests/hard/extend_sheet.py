"""Rows that come and go, blocks that move, names and whole columns for a spreadsheet, judged by hidden scripts."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from evaluator import *

from .cases import Cases

DESCRIPTION = (
    "Can an agent make a spreadsheet insert, delete, move and sort so that every reference stays right?"
)
TAGS = ["hard", "code", "python", "agent"]

FOLDER = Path(__file__).parent / "files" / "extend_sheet"
SCRIPTS, STEPS = 40, 40
COMMAND = "python3 -m gridy"
QUESTION = """In this folder is gridy, a Python program of several files; README.md says what it does. NEXT.md says what it must do as well from now on.
Build that. Everything in README.md goes on to hold where NEXT.md does not change it. Leave README.md and NEXT.md as they are. The program is
run as `python3 -m gridy` in this folder; scripts that you do not see decide, old ones and new ones, most of them made at random so that all
rules meet, and every line must be right."""
NEXT = """# What gridy must do next

New in formulas:

1. Whole columns (`B:D`, `$B:D`, `C:C`) and whole rows (`2:5`, `2:$5`) are ranges too: all cells of these columns or rows. Either end may be the smaller one. `copy` moves their ends as it moves
   those of other ranges; whole columns have no rows that could be moved, nor the other way round.
2. A name (a word of three or more letters that is not a function; small letters and capitals are the same) stands for the cell or range that `name` gave it. Where a cell or a range may stand, it
   means the same as that cell or range would. A name that has nothing is the error `#NAME`, one that has lost what it had is `#REF`. `set` takes names that do not exist.
   What a formula names so counts for rule 11 of README.md, too.
3. `ISERR(X)` is 1 if X is an error, else 0. `IFERR(X,Y)` is X, and Y if X is an error other than `@UNCAUGHT@`, which it passes on; it hands on an empty cell as IF does.
   `ERRORS(X,...)` is the number of errors: for an argument that is a cell, a range or a name that has one of these, of all that stands there, for any other argument 1 if it is an error.
   `ROWS(X)` and `COLS(X)` are how many rows and columns a cell, a range or a name's range has, whatever stands there; any other X gives its error, or `#VALUE` if it has none.
   What is in brackets is such another argument.
   A range, as ever, is `#VALUE` where it may not stand; the functions in which it may stand are now SUM, MIN, MAX, COUNT, ERRORS, ROWS and COLS.

New commands:

    insert rows ROW N               N empty rows before that row; what stands there and below moves down
    insert columns COLUMN N         N empty columns before that column, likewise
    delete rows ROW N               that row and those after it, N in all; what stands below moves up
    delete columns COLUMN N         likewise
    move RANGE CELL                 move a block so that its upper left cell comes to CELL
    copy RANGE CELL                 copy a block so
    sort RANGE COLUMN [desc]        sort the rows of a block by their values in one of its columns
    name WORD RANGE                 let WORD stand for that from now on, whatever it was before
    unname WORD                     it has nothing from now on
    names                           a line `WORD RANGE` for each name, in the order of the alphabet, `WORD #REF` for one that has lost what it had; `none` if there is none

RANGE is a cell or a range with any two opposite corners; only `name` also takes whole columns and rows, and `$`, which it drops: names print without it, else as they were given, in capitals.
All but `names` print `ok`, or what is said below and then change nothing. ROW, COLUMN and CELL are always on the sheet, N is at least 1.

4. `insert` prints `full` if a cell that is not empty would leave the sheet. In all formulas and names the references go with what they mean: a cell that moves is named by its new place. A range begins and ends with
   what it began and ended with, so it grows if something is inserted between its first and its last row (or column). What is inserted before its first row moves it. What is inserted directly after its
   last row @GROW@; this goes for every range, also one of a single row and one of whole rows, but not for a cell. The same for columns.
5. A cell that would so leave the sheet becomes `#REF`. Of a range the part that leaves is cut off, so that it ends with the sheet's last row or column; it is `#REF` if nothing is left.
6. `delete` prints `outside` if there are not so many rows or columns. A cell that is deleted becomes `#REF` in all formulas and names. A range loses what is deleted of it; it is `#REF` if nothing is left. The sheet goes on to
   have as many rows and columns as before.
7. `insert` and `delete` move references with `$` as well as those without, and each end keeps its `$`. The end of a range that stands first in the formula goes on to stand first, even if it is the greater one. Whole columns
   know nothing of rows, and whole rows nothing of columns.
8. `move` and `copy` print `outside` if the block would not wholly lie on the sheet at its new place. Empty cells are moved and copied as well: what was there before becomes empty. The places may overlap; what counts is how the block was before.
9. `copy` of a block treats each of its formulas as rule 12 of README.md says. Names are not changed by it.
10. `move` leaves empty cells behind where the block does not come to stand itself. In all formulas and names, on the block or not, a cell or range (also of whole columns and rows) that lay wholly on the block goes with it, `$` or not, and keeps its `$`. Others
    stay what they are, in the formulas of the block as well. @OVERWRITTEN@
11. `sort` prints `outside` if COLUMN is not in the block. It goes by the values before it: numbers, then texts by their characters, then errors by their names' characters; with `desc` the other way round. Rows whose cell in that column is empty come last in both cases. Equal ones keep
    their order in both cases. Then each row's contents go to their new row, @SORTED@. Formulas elsewhere and names are not changed.
"""
Key = tuple[int, int]  # column, row
End = tuple[int, bool]  # number, and whether it has a $
Tree = tuple[Any, ...]
UNCAUGHT = ("#REF", "#VALUE", "#NAME", "#DIV")


@dataclass(frozen=True)
class Rules:
    """What a seed decides."""

    last: Key
    by_row: bool
    grows: bool
    uncaught: str
    loses: bool
    shifts: bool

    def put(self, text: str) -> str:
        """README.md or NEXT.md as this seed has it."""
        texts = {
            "LASTCOL": chr(64 + self.last[0]),
            "LASTROW": str(self.last[1]),
            "READING": "row by row" if self.by_row else "column by column",
            "UNCAUGHT": self.uncaught,
            "GROW": "belongs to it, too" if self.grows else "does not belong to it",
            "OVERWRITTEN": "One that lay wholly on the cells to which the block\n    comes, and not wholly on the block, becomes `#REF`."
            if self.loses
            else "That holds also for those that lay on the cells to which the block\n    comes: they then mean what has come there.",
            "SORTED": "formulas as `copy` would change them on the way"
            if self.shifts
            else "formulas as they are, not changed on the way",
        }  # fmt: skip
        for name, value in texts.items():
            text = text.replace(f"@{name}@", value)
        return text


def rules_of(seed: int) -> Rules:
    """The rules of a seed."""
    chance = random.Random(f"sheet {seed}")
    return Rules(
        last=(chance.randint(6, 8), chance.randint(9, 12)),
        by_row=chance.random() < 0.5,
        grows=chance.random() < 0.5,
        uncaught=chance.choice(UNCAUGHT),
        loses=chance.random() < 0.7,
        shifts=chance.random() < 0.7,
    )


def files_of(seed: int) -> Mapping[str, str]:
    """The program as a seed has it."""
    rules = rules_of(seed)
    found = {
        path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8")
        for path in FOLDER.rglob("*.*")
        if path.suffix != ".pyc"
    }
    places = found["gridy/places.py"].replace("= 8, 12", f"= {rules.last[0]}, {rules.last[1]}")
    if not rules.by_row:
        cut = places.index("        for row in range")
        places = places[:cut] + "".join(
            f"        for {name} in range({name}s[0], {name}s[1] + 1)\n" for name in ("column", "row")
        )
        places += "    ]\n"
    return {
        **found,
        "gridy/places.py": places,
        "README.md": rules.put(found["README.md"]),
        "NEXT.md": rules.put(NEXT),
    }


@dataclass(frozen=True)
class Ref:
    """A reference: two ends in each direction, None where it has all."""

    columns: tuple[End, End] | None
    rows: tuple[End, End] | None
    single: bool = False

    def text(self) -> str:
        """As a formula has it."""
        ends = []
        for at in range(1 if self.single else 2):
            column = f"{'$' * self.columns[at][1]}{chr(64 + self.columns[at][0])}" if self.columns else ""
            row = f"{'$' * self.rows[at][1]}{self.rows[at][0]}" if self.rows else ""
            ends.append(column + row)
        return ":".join(ends)

    def spans(self, last: Key) -> tuple[Key, Key]:
        """The first and last column, and the first and last row."""
        both = []
        for ends, most in zip((self.columns, self.rows), last, strict=True):
            numbers = [number for number, _ in ends] if ends else [1, most]
            both.append((min(numbers), max(numbers)))
        return both[0], both[1]


def cell(column: int, row: int, fixed: tuple[bool, bool] = (False, False)) -> Ref:
    """A reference to one cell."""
    return Ref(((column, fixed[0]),) * 2, ((row, fixed[1]),) * 2, True)


@dataclass(frozen=True)
class Error:
    """An error value."""

    name: str


def on_axis(ref: Ref, axis: int, change: Callable[[int, int], tuple[int, int] | None]) -> Ref | None:
    """A reference whose smaller and greater number in one direction are changed."""
    ends = (ref.columns, ref.rows)[axis]
    if ends is None:
        return ref
    numbers = [number for number, _ in ends]
    found = change(min(numbers), max(numbers))
    if found is None:
        return None
    low, high = found if numbers[0] <= numbers[1] else found[::-1]
    new = ((low, ends[0][1]), (high, ends[1][1]))
    return Ref(new, ref.rows, ref.single) if axis == 0 else Ref(ref.columns, new, ref.single)


def references(it: Tree) -> Iterable[Tree]:
    """All references and names of a formula."""
    if it[0] in ("ref", "name"):
        yield it
    for part in it:
        if isinstance(part, tuple):
            yield from references(part)


def said(it: Tree) -> str:
    """A formula as text."""
    kind, *rest = it
    if kind == "ref":
        return str(rest[0].text())
    if kind == "text":
        return f'"{rest[0]}"'
    if kind in ("number", "name", "lost"):
        return str(rest[0])
    if kind == "brackets":
        return f"({said(rest[0])})"
    if kind == "minus":
        return f"-{said(rest[0])}"
    if kind == "call":
        return f"{rest[0]}({','.join(map(said, rest[1:]))})"
    return f"{said(rest[1])}{rest[0]}{said(rest[2])}"


LOST: Tree = ("lost", "#REF")


@dataclass
class Sheet:
    """A sheet whose formulas are trees."""

    rules: Rules
    cells: dict[Key, Any] = field(default_factory=dict)
    names: dict[str, Ref | None] = field(default_factory=dict)

    def rewrite(self, change: Callable[[Ref], Ref | None]) -> None:
        """Change all references of all formulas and names."""
        self.cells = {key: rewritten(it, change) for key, it in self.cells.items()}
        self.names = {word: change(ref) if ref else None for word, ref in self.names.items()}

    def insert(self, axis: int, at: int, count: int) -> str:
        """Empty rows or columns."""
        most = self.rules.last[axis]
        if any(key[axis] >= at and key[axis] + count > most for key in self.cells):
            return "full"

        def ends(ref: Ref, low: int, high: int) -> tuple[int, int] | None:
            low = low + count if low >= at else low
            if high >= at or (self.rules.grows and not ref.single and high == at - 1):
                high += count
            if low > most:
                return None
            return low, min(high, most)

        self.rewrite(lambda ref: on_axis(ref, axis, partial(ends, ref)))
        self.cells = {
            shifted(key, axis, count if key[axis] >= at else 0): it for key, it in self.cells.items()
        }
        return "ok"

    def delete(self, axis: int, at: int, count: int) -> str:
        """Rows or columns that go."""
        if at + count - 1 > self.rules.last[axis]:
            return "outside"

        def ends(low: int, high: int) -> tuple[int, int] | None:
            left = [number for number in range(low, high + 1) if not at <= number < at + count]
            new = [number - count if number >= at else number for number in left]
            return (new[0], new[-1]) if new else None

        self.rewrite(lambda ref: on_axis(ref, axis, ends))
        self.cells = {
            shifted(key, axis, -count if key[axis] >= at else 0): it
            for key, it in self.cells.items()
            if not at <= key[axis] < at + count
        }
        return "ok"

    def block(self, ref: Ref) -> list[Key]:
        """All cells of a reference, row by row or column by column."""
        (left, right), (top, bottom) = ref.spans(self.rules.last)
        keys = [(column, row) for column in range(left, right + 1) for row in range(top, bottom + 1)]
        return sorted(keys, key=lambda key: (key[1], key[0])) if self.rules.by_row else keys

    def carry(self, ref: Ref, to: Key, moves: bool) -> str:
        """Move or copy a block."""
        block = self.block(ref)
        away = to[0] - min(key[0] for key in block), to[1] - min(key[1] for key in block)
        target = {(key[0] + away[0], key[1] + away[1]) for key in block}
        if any(not self.inside(key) for key in target):
            return "outside"
        if moves:
            here = set(block)

            def go(one: Ref) -> Ref | None:
                lies = set(self.block(one))
                if lies <= here:
                    return pushed(pushed(one, 0, away[0]), 1, away[1])
                return None if self.rules.loses and lies <= target else one

            self.rewrite(go)
        contents = {key: self.cells.get(key) for key in block}
        for key in {*(block if moves else ()), *target}:
            self.cells.pop(key, None)
        for key, it in contents.items():
            if it is not None:
                new = it if moves else self.copied(it, *away)
                self.cells[key[0] + away[0], key[1] + away[1]] = new
        return "ok"

    def inside(self, key: Key) -> bool:
        return all(1 <= number <= most for number, most in zip(key, self.rules.last, strict=True))

    def copied(self, it: Any, columns: int, rows: int) -> Any:
        """A content elsewhere."""

        def change(ref: Ref) -> Ref | None:
            new: list[tuple[End, End] | None] = []
            for ends, away, most in zip(
                (ref.columns, ref.rows), (columns, rows), self.rules.last, strict=True
            ):
                if ends is None:
                    new.append(None)
                    continue
                one, two = ((number if fixed else number + away, fixed) for number, fixed in ends)
                if not (1 <= one[0] <= most and 1 <= two[0] <= most):
                    return None
                new.append((one, two))
            return Ref(new[0], new[1], ref.single)

        return rewritten(it, change)

    def sort(self, ref: Ref, column: int, down: bool) -> str:
        """Sort the rows of a block."""
        (left, right), (top, bottom) = ref.spans(self.rules.last)
        if not left <= column <= right:
            return "outside"
        values = Values(self)
        keys = {row: values.at((column, row)) for row in range(top, bottom + 1)}
        full = [row for row in keys if keys[row] is not None]
        full.sort(key=lambda row: sort_key(keys[row]), reverse=down)
        order = full + [row for row in keys if keys[row] is None]
        old = dict(self.cells)
        for new, row in enumerate(order, top):
            for each in range(left, right + 1):
                self.cells.pop((each, new), None)
                if (each, row) in old:
                    it = old[each, row]
                    self.cells[each, new] = self.copied(it, 0, new - row) if self.rules.shifts else it
        return "ok"

    def dump(self) -> list[str]:
        """All cells that are not empty."""
        values, lines = Values(self), []
        for key in sorted(self.cells, key=lambda key: (key[1], key[0])):
            it = self.cells[key]
            content = f" ={said(it)}" if isinstance(it, tuple) else ""
            lines.append(f"{chr(64 + key[0])}{key[1]} {shown(values.at(key))}{content}")
        return lines or ["empty"]

    def known_names(self) -> list[str]:
        """The lines of `names`."""
        return [f"{word} {ref.text() if ref else '#REF'}" for word, ref in sorted(self.names.items())] or [
            "none"
        ]


def bare(ends: tuple[End, End] | None) -> tuple[End, End] | None:
    """Ends without a $."""
    return ((ends[0][0], False), (ends[1][0], False)) if ends else None


def shown(value: Any) -> str:
    """A value as it prints."""
    return value.name if isinstance(value, Error) else "-" if value is None else str(value)


def sort_key(value: Any) -> tuple[int, Any]:
    """Numbers, texts, errors."""
    return (2, value.name) if isinstance(value, Error) else (int(isinstance(value, str)), value)


def shifted(key: Key, axis: int, by: int) -> Key:
    """A key further on."""
    return (key[0] + by, key[1]) if axis == 0 else (key[0], key[1] + by)


def pushed(ref: Ref, axis: int, by: int) -> Ref:
    """A reference further on."""
    found = on_axis(ref, axis, lambda low, high: (low + by, high + by))
    assert found
    return found


def rewritten(it: Any, change: Callable[[Ref], Ref | None]) -> Any:
    """A content whose references are changed."""
    if not isinstance(it, tuple):
        return it
    if it[0] == "ref":
        new = change(it[1])
        return ("ref", new) if new else LOST
    return tuple(rewritten(part, change) for part in it)


class Values:
    """The values of a sheet."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.known: dict[Key, Any] = {}
        self.to: dict[Key, set[Key]] = {}
        for key, it in sheet.cells.items():
            refs = [self.meant(each) for each in references(it)] if isinstance(it, tuple) else []
            self.to[key] = {each for ref in refs if isinstance(ref, Ref) for each in sheet.block(ref)}

    def meant(self, it: Tree) -> Ref | Error:
        """What a reference or a name stands for."""
        if it[0] == "ref":
            return it[1]  # type: ignore[no-any-return]
        if it[1] not in self.sheet.names:
            return Error("#NAME")
        return self.sheet.names[it[1]] or Error("#REF")

    def at(self, key: Key) -> Any:
        """The value of a cell; None if it is empty."""
        if key not in self.known:
            it = self.sheet.cells.get(key)
            if isinstance(it, tuple):
                it = Error("#CYCLE") if self._turns(key) else self.of(it)
                it = 0 if it is None else it
            self.known[key] = it
        return self.known[key]

    def _turns(self, key: Key) -> bool:
        reached: set[Key] = set()
        edge = set(self.to[key])
        while edge - reached:
            reached |= edge
            edge = {each for one in edge for each in self.to.get(one, ())}
        return key in reached

    def _all(self, it: Tree) -> list[Any] | None:
        """All values that stand in what an argument means; None if it means no cells."""
        ref = self.meant(it) if it[0] in ("ref", "name") else None
        return [self.at(key) for key in self.sheet.block(ref)] if isinstance(ref, Ref) else None

    def of(self, it: Tree) -> Any:
        """The value of a formula."""
        kind, *rest = it
        if kind in ("number", "text"):
            return rest[0]
        if kind == "lost":
            return Error("#REF")
        if kind in ("ref", "name"):
            ref = self.meant(it)
            if isinstance(ref, Error):
                return ref
            return self.at(self.sheet.block(ref)[0]) if ref.single else Error("#VALUE")
        if kind == "brackets":
            return self.of(rest[0])
        if kind == "minus":
            return self._operated("-", 0, self.of(rest[0]))
        if kind == "call":
            return self._called(*rest)
        return self._operated(rest[0], self.of(rest[1]), self.of(rest[2]))

    def _operated(self, op: str, a: Any, b: Any) -> Any:
        for each in (a, b):
            if isinstance(each, Error):
                return each
        if op in "+-*/":
            a, b = a or (a if a == "" else 0), b or (b if b == "" else 0)
            if isinstance(a, str) or isinstance(b, str):
                return Error("#VALUE")
            if op == "/":
                return a // b if b else Error("#DIV")
            return {"+": a + b, "-": a - b, "*": a * b}[op]
        if a is None:
            a = "" if isinstance(b, str) else 0
        if b is None:
            b = "" if isinstance(a, str) else 0
        a, b = sort_key(a), sort_key(b)
        return int({"=": a == b, "<>": a != b, "<": a < b, ">": a > b}[op])

    def _called(self, name: str, *arguments: Tree) -> Any:
        if name in ("ROWS", "COLS"):
            it = arguments[0]
            ref = self.meant(it) if it[0] in ("ref", "name") else None
            if isinstance(ref, Ref):
                low, high = ref.spans(self.sheet.rules.last)[name == "ROWS"]
                return high - low + 1
            value = self.of(it)
            return value if isinstance(value, Error) else Error("#VALUE")
        if name == "ERRORS":
            count = 0
            for it in arguments:
                values = self._all(it)
                count += sum(
                    isinstance(each, Error) for each in ([self.of(it)] if values is None else values)
                )
            return count
        if name in ("ISERR", "IFERR"):
            value = self.of(arguments[0])
            failed = isinstance(value, Error)
            if name == "ISERR":
                return int(failed)
            return self.of(arguments[1]) if failed and value.name != self.sheet.rules.uncaught else value
        if name == "IF":
            value = self.of(arguments[0])
            if isinstance(value, Error):
                return value
            return Error("#VALUE") if isinstance(value, str) else self.of(arguments[1 if value else 2])
        numbers: list[int] = []
        for it in arguments:
            values = self._all(it)
            if values is None:
                value = self.of(it)
                values = [Error("#VALUE") if isinstance(value, str) else 0 if value is None else value]
            for value in values:
                if isinstance(value, Error):
                    return value
                if isinstance(value, int):
                    numbers.append(value)
        if not numbers:
            return 0
        return {"SUM": sum, "MIN": min, "MAX": max, "COUNT": len}[name](numbers)  # type: ignore[operator]


# From here on: scripts by chance.
WORDS = ("TOTAL", "PART", "REST")


class Maker:
    """Scripts by chance; most references of a formula look to the left, so that few make a circle."""

    def __init__(self, chance: random.Random, rules: Rules, old: bool) -> None:
        self.chance, self.old, self.sheet = chance, old, Sheet(rules)
        self.columns, self.rows = rules.last
        self.lines: list[str] = []
        self.wanted: list[str] = []

    def say(self, line: str, answer: str | list[str]) -> None:
        """Note a command and what it prints."""
        self.lines.append(line)
        self.wanted += [answer] if isinstance(answer, str) else answer

    def fixed(self) -> tuple[bool, bool]:
        return self.chance.random() < 0.3, self.chance.random() < 0.3

    def near(self, most: int) -> Ref:
        """A cell or a range in the columns up to one."""
        chance = self.chance
        column, row = chance.randint(1, most), chance.randint(1, self.rows)
        if chance.random() < 0.5:
            return cell(column, row, self.fixed())
        return self.area(column, row, most)

    def area(self, column: int, row: int, most: int) -> Ref:
        """A range from a cell on."""
        chance = self.chance
        one, two = self.fixed(), self.fixed()
        columns = [(column, one[0]), (min(most, column + chance.randint(0, 2)), two[0])]
        rows = [(row, one[1]), (min(self.rows, row + chance.randint(0, 4)), two[1])]
        for ends in (columns, rows):
            if chance.random() < 0.25:
                ends.reverse()
        kind = 0.5 if self.old else chance.random()
        if kind < 0.12:
            return Ref((columns[0], columns[1]), None)
        if kind < 0.2:
            return Ref(None, (rows[0], rows[1]))
        return Ref((columns[0], columns[1]), (rows[0], rows[1]))

    def reference(self, most: int) -> Tree:
        chance = self.chance
        if not self.old and chance.random() < 0.12:
            return ("name", chance.choice(WORDS))
        return LOST if chance.random() < 0.02 else ("ref", self.near(most))

    def single(self, most: int) -> Tree:
        chance = self.chance
        if chance.random() < 0.06:
            return self.reference(most)
        return ("ref", cell(chance.randint(1, most), chance.randint(1, self.rows), self.fixed()))

    def part(self, most: int, deep: int = 0) -> Tree:
        """An expression that needs no brackets around it."""
        chance = self.chance
        kind = chance.random()
        if kind < 0.3 or deep > 2:
            return self.single(most)
        if kind < 0.4:
            return (
                ("text", chance.choice("xy")) if chance.random() < 0.15 else ("number", chance.randint(0, 9))
            )
        if kind < 0.5:
            return ("brackets", self.whole(most, deep + 1))
        names = ["SUM", "SUM", "MIN", "MAX", "COUNT", "IF"]
        if not self.old:
            names += ["ISERR", "IFERR", "IFERR", "ERRORS", "ROWS", "COLS"]
        name = chance.choice(names)
        if name == "IFERR" and chance.random() < 0.4:
            over: Tree = ("operator", "/", ("number", 7), ("number", 0))
            area = ("ref", self.area(1, chance.randint(1, self.rows), most))
            return ("call", name, chance.choice([LOST, ("name", "NOBODY"), over, area]), self.single(most))
        if name in ("IF", "IFERR", "ISERR"):
            return (
                "call",
                name,
                *(self.whole(most, deep + 1) for _ in range({"IF": 3, "IFERR": 2, "ISERR": 1}[name])),
            )
        if name in ("ROWS", "COLS"):
            return (
                "call",
                name,
                self.reference(most) if chance.random() < 0.9 else self.part(most, deep + 1),
            )
        count = chance.choice([1, 1, 2])
        return ("call", name, *(self.reference(most) if chance.random() < 0.85 else self.part(most, deep + 1) for _ in range(count)))  # fmt: skip

    def whole(self, most: int, deep: int = 0) -> Tree:
        """An expression."""
        chance = self.chance
        kind = chance.random()
        if kind < 0.5:
            return self.part(most, deep)
        if kind < 0.56:
            return ("minus", self.part(most, deep))
        op = chance.choice(["+", "-", "*", "/", "=", "<>", "<", ">"] if kind < 0.75 else ["+", "-", "*"])
        return ("operator", op, self.part(most, deep), self.part(most, deep))

    def set(self) -> None:
        chance = self.chance
        # Little stands at the far edges, so that there is room to insert.
        column = chance.randint(1, self.columns - (chance.random() < 0.85))
        row = chance.randint(1, self.rows - (3 if chance.random() < 0.85 else 0))
        kind = chance.random()
        if kind > 0.97:
            none = ["1+", "SUM()", "(1", "1=2=3", "A99", "SUM(A1:)"] + ["SUM", "ROWS(A1,A2)", "AB", "B:2"] * (
                not self.old
            )
            self.say(f"set {chr(64 + column)}{row} ={chance.choice(none)}", "syntax")
            return
        it: Any = None
        if column > 1 and kind < 0.6:
            it = self.whole(column - 1 if chance.random() < 0.93 else self.columns)
        elif kind < 0.88:
            it = chance.choice([chance.randint(-9, 30), chance.randint(0, 2)])
        elif kind < 0.95:
            it = chance.choice(["x", "y", "ab"])
        name, text = f"{chr(64 + column)}{row}", "" if it is None else str(it)
        if isinstance(it, tuple):
            text = "=" + said(it)
            if chance.random() < 0.2:
                text = text.lower() if '"' not in text else text
        self.sheet.cells.pop((column, row), None)
        if it is not None:
            self.sheet.cells[column, row] = it
        self.say(f"set {name} {text}".rstrip(), "ok")

    def step(self) -> None:
        """One command."""
        chance, sheet = self.chance, self.sheet
        kinds = ["set", "copy", "dump"] if self.old else ["set", "copy", "insert", "insert", "delete", "move", "move", "sort", "name", "dump"]  # fmt: skip
        kind = chance.choice(kinds)
        here = cell(chance.randint(1, self.columns), chance.randint(1, self.rows))
        to = chance.randint(1, self.columns), chance.randint(1, self.rows)
        there = cell(*to).text()
        if kind == "set":
            self.set()
        elif kind == "dump":
            self.say("dump", sheet.dump())
        elif kind in ("insert", "delete"):
            axis, count = chance.randrange(2), chance.choice([1, 1, 1, 2, 2, 3])
            at = to[axis]
            word = chr(64 + at) if axis == 0 else str(at)
            answer = (sheet.insert if kind == "insert" else sheet.delete)(axis, at, count)
            self.say(f"{kind} {('columns', 'rows')[axis]} {word} {count}", answer)
        elif kind in ("move", "copy"):
            ref = here if self.old or chance.random() < 0.3 else self.plain()
            self.say(f"{kind} {ref.text()} {there}", sheet.carry(ref, to, kind == "move"))
        elif kind == "sort":
            ref, down = self.plain(7), chance.random() < 0.5
            columns = ref.spans(sheet.rules.last)[0]
            column = chance.randint(*columns) if chance.random() < 0.95 else to[0]
            line = f"sort {ref.text()} {chr(64 + column)}" + " desc" * down
            self.say(line, sheet.sort(ref, column, down))
        elif chance.random() < 0.15:
            word = chance.choice(WORDS)
            sheet.names.pop(word, None)
            self.say(f"unname {word}", "ok")
        else:
            word = chance.choice(WORDS)
            given = self.near(max(1, self.columns // 2))
            sheet.names[word] = Ref(bare(given.columns), bare(given.rows), given.single)
            self.say(f"name {chance.choice([word, word.lower()])} {given.text()}", "ok")

    def plain(self, tall: int = 4) -> Ref:
        """A block."""
        chance = self.chance
        columns = [chance.randint(1, self.columns), 0]
        rows = [chance.randint(1, self.rows), 0]
        columns[1] = min(self.columns, columns[0] + chance.randint(0, 3))
        rows[1] = min(self.rows, rows[0] + chance.randint(0, tall))
        if chance.random() < 0.06:
            rows = [1, self.rows]
        if chance.random() < 0.2:
            rows.reverse()
        return Ref(((columns[0], False), (columns[1], False)), ((rows[0], False), (rows[1], False)))

    def script(self) -> tuple[str, str]:
        """A script, and what it prints."""
        for _ in range(22):
            self.set()
        for number in range(STEPS):
            self.step()
            if number % 4 == 3:
                self.set()
                self.set()
            if number % 8 == 7:
                self.say("dump", self.sheet.dump())
                if not self.old:
                    self.say("names", self.sheet.known_names())
        return "\n".join(self.lines) + "\n", "\n".join(self.wanted) + "\n"


def cases(seed: int) -> list[tuple[str, str]]:
    """Scripts, and what they print; every fifth knows nothing new."""
    rules, chance = rules_of(seed), random.Random(f"sheet cases {seed}")
    return [Maker(chance, rules, old=number % 5 == 0).script() for number in range(SCRIPTS)]


def build(seed: int) -> Node:
    """The test of a seed."""
    work = Files(partial(files_of, seed)) >> QUESTION >> AgentRun([Shell(), EditFile()], max_turns=50)
    return work >> Cases(COMMAND, partial(cases, seed), files=["gridy"])
