"""Rows of data as tests: one tree of nodes, in which `<column>` stands for a row's value."""

from __future__ import annotations

import contextlib
import copy
import glob
import itertools
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, fields, is_dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from assay.errors import AssayError, NodeError, TestFileError
from assay.few import few
from assay.language.dsl import Node, StringNode, ThenNode, as_node, expression
from assay.language.judge import RegexEvaluator
from assay.language.node_type import Joined
from assay.language.pictures import Image
from assay.results.serialize import number_of
from assay.suites.braces import braced, texts_of
from assay.suites.columns import (
    COLUMN,
    WORD,
    columns_in,
    literally,
    may_be_a_column,
    placeholders,
)
from assay.suites.diagnostics import pointed, shown_path
from assay.suites.questions import INPUT, Question, questions, same_for_all, until_asked
from assay.suites.row_files import READERS, Row, of_csv

Note = Callable[[str], None]
LONGEST = 200  # characters of an id, and of a description taken from the question
ALIKE = 0.8  # of difflib's measure: from here on a name may be a column's, misspelt
Noted = Callable[[str, str], None]  # of a word and the warning about it
SEPARATORS = "Rows reads commas in a .csv file and tabs in a .tsv file"
NAMED = 3  # rows in a message
SHOWN = 60  # characters of a list of rows in an expression
FAR = 3  # folders above, in which a missing file is looked for


KEPT = 300  # characters of a value that every record of the row's test keeps


def _whole(value: Any) -> int:
    """A whole number, which a text may write as pandas does: 2.0. Raises ValueError."""
    with contextlib.suppress(ValueError):
        if isinstance(value, str):
            return int(value)
    value = float(value) if isinstance(value, str) else value
    if (whole := int(value)) != value:
        raise ValueError
    return whole


NUMBERS: Mapping[Any, Callable[[Any], Any]] = {"int": _whole, "float": float, int: _whole, float: float}
SIGNS = re.compile(r"\||\\\w|\.[*+?]")  # of a cell that is meant as a pattern


class RowTest(NamedTuple):
    """The test of one row. `key`: its id; `row`: its numbers and short texts by columns."""

    key: str
    description: str
    test: Node
    row: Row


@dataclass(frozen=True, init=False, eq=False)
class Rows(Joined):
    """One test for each row: `Rows("qa.csv", id="name") >> "What is the capital of <country>?" >> LLMRun() >>
    EqualEvaluator("<capital>")`.

    `source`: a CSV, TSV, JSONL, JSON or Parquet file (relative to the test file), a list of dicts, any
    iterable of dicts (such as a Hugging Face dataset), a pandas DataFrame, or a function that returns one.
    An iterator that can be read only once is read into memory. `id`: the column with the tests' ids; by
    default they are the rows' numbers, from 1. `description`: of each test, with columns; by default the
    file's DESCRIPTION, or the question.

    `<column>` in a text of the tree is replaced by the row's value, and `<<word>>` by the text `<word>`. An
    argument that is only `<column>` becomes a number if the node expects one, and a list or dict if the row
    has one. A value within a longer pattern of RegexEvaluator stands for itself; a pattern may be a column.
    It is an error if there is no such column, or if a word in angle brackets resembles a column and is no tag
    that the text closes; other text in angle brackets stays, with one warning if it is in an argument of an
    evaluator. `{column}` is an error if `<column>` occurs nowhere. The tests are made one by one, on demand.
    Raises TestFileError for a row that cannot be used, and if there is no row.
    """

    source: Any
    id: str | None
    description: str
    test: Node | None
    _place: tuple[str, int]  # where it is written
    _folder: Path  # what a path in it is relative to
    _noted: set[str]  # what was warned of
    _kind: str  # of the source that was given

    def __init__(self, source: Any, *, id: str | None = None, description: str = "") -> None:
        author = sys._getframe(1)
        beside = author.f_globals.get("__file__")
        folder = Path(beside).resolve().parent if beside else Path.cwd()
        if isinstance(source, (str, Path)):
            source = folder / source
            if source.suffix not in READERS:
                raise TestFileError(f"Rows reads {', '.join(READERS)}, not {source.name!r}")
        kind = type(source).__name__
        if not isinstance(source, Path) and not callable(source):
            source = _records(source)
            source = list(source) if iter(source) is source else source
        place = (author.f_code.co_filename, author.f_lineno)
        vars(self).update(
            source=source, id=id, description=description, test=None, _place=place, _folder=folder,
            _noted=set(), _kind=kind,
        )  # fmt: skip

    def __rshift__(self, other: object) -> Rows:
        step = as_node(other)
        if step is None:
            return NotImplemented
        return self.but(test=step if self.test is None else ThenNode(self.test, step))

    def __repr__(self) -> str:
        said = [self._shown(), f"id={self.id!r}" if self.id else ""]
        said.append(f"description={self.description!r}" if self.description else "")
        rows = f"Rows({', '.join(filter(None, said))})"
        return rows if self.test is None else f"{rows} >> {self.test!r}"

    def _shown(self) -> str:
        """The source in an expression: whole if it is short."""
        if isinstance(self.source, Path) or callable(self.source):
            return expression(self.source)
        if not isinstance(self.source, (list, tuple)):
            return f"<{self._kind}>"
        number = len(self.source)
        shown = repr(self.source) if number < SHOWN else ""
        return shown if 0 < len(shown) <= SHOWN else f"<{self._kind} of {number:,} row{'s' * (number != 1)}>"

    def __iter__(self) -> Iterator[RowTest]:
        """The tests, made on demand; what is doubtful is a Python warning at the line of these Rows."""
        file, line = self._place
        return self.tests(lambda text: warnings.warn_explicit(text, UserWarning, file, line))

    def tests(self, note: Note) -> Iterator[RowTest]:
        """The tests, made on demand. `note`: called with each warning, once for these Rows however often
        their tests are made."""
        if self.test is None:
            raise TestFileError(f"Rows of {self._name}: no test follows; write Rows(...) >> ...")

        def once(word: str, text: str) -> None:
            if word not in self._noted:
                self._noted.add(word)
                note(text)

        question = next((each for each in self.test.walk() if isinstance(each, StringNode)), StringNode(""))
        suspects = braced(self.test, self.description)
        asked, steps = list(questions(self.test)), until_asked(self.test)
        empty: dict[int, list[str]] = {}  # row -> columns in its question
        blank: dict[int, list[str]] = {}  # row -> columns in its evaluators, with blanks at their ends
        for number, columns, row in self._rows():
            if suspects and (meant := next((name for name in suspects if name in columns), "")):
                text = suspects[meant]
                raise TestFileError(
                    f"{self._name}: {text} is not replaced by the row's value: write <{meant}>. If the text "
                    f"{text} is meant, give the column {meant!r} another name"
                )
            fill = self._fill(number, columns, row, once)
            test = fill.node(self.test)  # first: its errors say more than a warning about the description
            if fill.blank:
                blank[number] = fill.blank
            if number == 1 and (name := column_as_text(self.test, columns)):
                text = f"an evaluator looks for the text {name!r}, which is the name of a column"
                once("a column as a text", f"{self._name}: {text}; write <{name}> for the row's value")
            if asked and number <= 2 and same_for_all(steps, columns):
                doubt = fill.same_question(asked)
                if number == 2:  # one row alone repeats nothing
                    once("the same question", doubt)
            if names := [name for each in asked for name in fill.empty_in(each)]:
                empty[number] = names
            description = _one_line(fill.text(self.description or question.text))
            kept = {name: cell for name, value in row.items() if (cell := _kept(value)) is not None}
            yield RowTest(fill.id(self.id, number), description, test, kept)
        if empty:
            once("an empty cell", f"{self._name}: {_empty_cells(empty)}")
        if blank:
            once("a blank", f"{self._name}: {_blank_ends(blank)}")

    def same_id(self, key: str) -> str:
        """What to say of an id that two rows have; '' if no two have it. The rows are read again, because no
        run keeps their numbers."""
        numbers = (number for number, each in enumerate(self.ids(), 1) if each == key)
        two = list(itertools.islice(numbers, 2))
        if len(two) < 2:
            return ""
        return (
            f"{self._name}: rows {two[0]} and {two[1]} have the same id {key!r} in column {self.id!r}; "
            "give each row its own, name a column that tells the rows apart, or leave out id= to number them"
        )

    def ids(self) -> Iterator[str]:
        """The ids of the rows' tests."""
        return (self._fill(*each).id(self.id, each[0]) for each in self._rows())

    def column(self, name: str) -> dict[str, Any]:
        """The values of a column by test id: `RIGHT = {"TestCapitals": rows.column("capital")}` in a
        references file."""
        found = {}
        for number, columns, row in self._rows():
            fill = self._fill(number, columns, row)
            found[fill.id(self.id, number)] = str(fill.value(name))
        return found

    def describes(self, description: str) -> Rows:
        """These rows with a test file's DESCRIPTION, unless they have their own."""
        return self if self.description or not description else self.but(description=description)

    def but(self, **parts: Any) -> Rows:
        """A copy with other `parts`."""
        made = copy.copy(self)
        vars(made).update(parts)
        return made

    def pointed(self, text: str) -> str:
        """A message with the line where these Rows are written, if that is in a file."""
        file, line = self._place
        return pointed(file, line, text) if Path(file).is_file() else text

    @property
    def _name(self) -> str:
        return shown_path(self.source) if isinstance(self.source, Path) else self._kind

    def _fill(self, number: int, columns: frozenset[str], row: Row, note: Noted = lambda *_: None) -> _Fill:
        folder = self.source.parent if isinstance(self.source, Path) else self._folder
        return _Fill(columns, row, self._name, number, note, folder)

    def _rows(self) -> Iterator[tuple[int, frozenset[str], Row]]:
        """Number from 1, the column names, and the row."""
        columns: frozenset[str] = frozenset()
        number = 0
        is_csv = isinstance(self.source, Path) and READERS[self.source.suffix] is of_csv  # None: no such cell
        try:
            for number, row in enumerate(self._read(), 1):
                if not isinstance(row, Mapping):
                    raise TestFileError(
                        f"{self._name}: row {number} must be a dict by columns, not {type(row).__name__}"
                    )
                if not all(isinstance(name, str) for name in row):  # of a DataFrame without a header
                    row = {str(name): value for name, value in row.items()}
                if not is_csv and any(map(_is_missing, row.values())):
                    row = {name: "" if _is_missing(value) else value for name, value in row.items()}
                columns |= row.keys()
                yield number, columns, row
            if not number:
                raise TestFileError(f"{self._name} has no rows{self._instead()}")
        except AssayError:
            raise
        except FileNotFoundError as error:
            if not isinstance(self.source, Path):
                raise TestFileError(f"{self._name}: row {number + 1} cannot be read: {error}") from error
            meant = self._meant_file(self.source)
            raise TestFileError(f"{self._name}: there is no such file.{meant}") from error
        except Exception as error:  # an author's own source may raise anything
            said = str(error) if isinstance(error, (OSError, ValueError)) else repr(error)
            raise TestFileError(f"{self._name}: row {number + 1} cannot be read: {said}") from error

    def _meant_file(self, missing: Path) -> str:
        """A file of the same name that is not far, or else of a like name in the same folder; or ''."""
        near = [*missing.parent.glob(f"*/{glob.escape(missing.name)}"), Path.cwd() / missing.name]
        near += [folder / missing.name for folder in missing.parent.parents[:FAR]]
        if found := next((each for each in near if each.is_file()), None):
            written = os.path.relpath(found, self._folder)
            return (
                f" There is {shown_path(found)}: write Rows({written!r}), because a path is relative to the "
                "test file, or in a notebook to the working directory"
            )
        beside = [each.name for each in missing.parent.glob("*") if each.suffix in READERS]
        close = get_close_matches(missing.name, beside, 1)
        return f" Did you mean {close[0]}?" if close else ""

    def _instead(self) -> str:
        """What a file without rows has."""
        if not isinstance(self.source, Path):
            return ""
        if not self.source.stat().st_size:
            return " (the file is empty)"
        return " (a header only)" if READERS[self.source.suffix] is of_csv else ""

    def _read(self) -> Any:
        if isinstance(self.source, Path):
            return READERS[self.source.suffix](self.source)
        return _records(self.source()) if callable(self.source) else self.source


class _Fill:
    """Insert one row's values into texts and nodes. `name` of the rows and `number` of this one: for
    messages. `folder`: what a path in a row is relative to."""

    def __init__(
        self, columns: frozenset[str], row: Row, name: str, number: int, note: Noted, folder: Path
    ) -> None:
        self._columns, self._row, self._name, self._note, self._folder = columns, row, name, note, folder
        self._place = f"{name}: row {number}"
        self.blank: list[str] = []  # columns of an evaluator whose values have blanks at their ends
        self._judge: Node | None = None  # the evaluator whose arguments are being filled
        self._pattern = False  # whether they are a pattern

    def value(self, column: str) -> Any:
        if (value := self._row.get(column)) is None:
            known = "" if column in self._columns else f"; {self._there_are()}"
            raise TestFileError(f"{self._place} has no value in column {column!r}{known}")
        return value

    def id(self, column: str | None, number: int) -> str:
        key = _one_line(str(self.value(column) if column is not None else number))
        if not key:
            raise TestFileError(f"{self._place}: the id in column {column!r} is empty")
        return key

    def _there_are(self) -> str:
        """The columns, and what may be wrong if they are one text."""
        said = f"there are: {', '.join(sorted(self._columns))}"
        if len(self._columns) == 1:
            (only,) = self._columns
            for sign, name in ((";", "semicolons"), ("\t", "tabs"), (",", "commas")):
                if sign in only:
                    return f"{said}. Its header is one cell: the file is separated by {name}; {SEPARATORS}"
        return said

    def empty_in(self, question: Question) -> list[str]:
        """The columns in a question that are empty here. Raises TestFileError if they are all of it."""
        text = question.text
        names = [each for each in columns_in(text) if each in self._columns]
        names = [each for each in names if not str(self.value(each)).strip()]
        if names and question.whole and not self.text(text).strip():
            raise TestFileError(
                f"{self._place}: {_one_line(text)} is empty there, so the model is asked nothing"
            )
        return names

    def same_question(self, asked: Iterable[Question]) -> str:
        """What to say of questions that have no column. Raises TestFileError if they have a <word> that must
        have been meant as one."""
        same = "so every row asks the same question"
        for name in (name for each in asked for name in placeholders(each.text) if f"<{name}>" != INPUT):
            raise TestFileError(
                f"{self._name}: there is no column {name!r} for <{name}> in the question, and no other is in "
                f"it, {same}; {self._there_are()}. {literally(name)}"
            )
        return (
            f"{self._name}: no column is in what the model is asked, {same}: write one in angle brackets; "
            f"{self._there_are()}"
        )

    def text(self, text: str) -> str:
        return COLUMN.sub(self._put, text) if "<" in text else text

    def _put(self, found: re.Match[str]) -> str:
        if (name := found["column"]) is None:
            return f"<{found['a'] or found['b']}>"
        if name in self._columns:
            value = str(self.value(name))
            return self._in_pattern(name, value) if self._pattern and found[0] != found.string else value
        if not name.startswith("/") and (near := get_close_matches(name, self._columns, 1, ALIKE)):
            text = f"{self._name}: there is no column {name!r}; is <{near[0]}> meant? {literally(name)}"
            if f"</{name}>" not in found.string:
                raise TestFileError(text)
            self._note(name, text)  # more likely a tag
        elif self._judge is not None and may_be_a_column(found):
            where = f"<{name}> in an argument of {type(self._judge).__name__}"
            text = f"{where} is not a column and stays as it is; {self._there_are()}"
            self._note(name, f"{self._name}: {text}. {literally(name)}")
        return found[0]

    def _in_pattern(self, name: str, value: str) -> str:
        """A value within a longer pattern, in which its signs stand for themselves."""
        if SIGNS.search(value):
            text = (
                f"{value!r:.80} in column {name!r} is not a pattern within a longer one: its signs stand for"
            )
            self._note(
                "a pattern",
                f"{self._place}: {text} themselves. Only a cell that is all of the pattern is one",
            )
        return re.escape(value).replace("\\ ", " ")

    def _all_of(self, text: str, node: Node) -> str:
        """A text of a step. Raises TestFileError if it is only <word> and there is no such column."""
        whole = WORD.fullmatch(text)
        if whole is None or whole[1] in self._columns or (text == INPUT and node.asks):
            return self.text(text)
        where = "a text" if isinstance(node, StringNode) else f"an argument of {type(node).__name__}"
        near = get_close_matches(whole[1], self._columns, 1, ALIKE)
        meant = f" Is <{near[0]}> meant?" if near else ""
        raise TestFileError(
            f"{self._name}: there is no column {whole[1]!r} for {text}, {where}; {self._there_are()}."
            f"{meant} {literally(whole[1])}"
        )

    def node(self, node: Node) -> Node:
        """The node with the row's values; the same node if it has no column."""
        kind = {each.name: each.type for each in fields(node) if each.init} if is_dataclass(node) else None
        names = vars(node) if kind is None else kind
        changed = {}
        for name in names:
            old = getattr(node, name)
            self._judge = node if node.is_judge is True and not node.asks else None
            self._pattern = isinstance(node, RegexEvaluator)
            new = self._filled(old, kind[name] if kind else "str", node)
            if new is not old:
                changed[name] = new
        self._judge, self._pattern = None, False
        if not changed:
            return node
        if isinstance(node, Image) and isinstance(changed["path"], str):
            changed["path"] = self._folder / changed["path"]
        if kind is not None:
            try:
                return replace(node, **changed)
            except NodeError as error:
                raise TestFileError(f"{self._place}: {error}") from None
        made = copy.copy(node)
        vars(made).update(changed)
        return made

    def _filled(self, value: Any, kind: Any, of: Node) -> Any:
        """The value with the row's values inserted. `kind`: the declared type of the argument; `of`: its
        node."""
        if isinstance(value, Node):
            return self.node(value)
        if isinstance(value, str):
            whole = COLUMN.fullmatch(value) if "<" in value else None
            its = whole["column"] if whole is not None else None
            if self._judge is not None and its in self._columns and _is_empty(self.value(str(its))):
                raise TestFileError(
                    f"{self._place}: {value} is empty there, so {type(of).__name__} has nothing to check"
                )
            if self._judge is not None and its in self._columns and kind in ("str", str):
                found = str(self.value(str(its)))
                if found != found.strip(" \t") and "\n" not in found:  # a program may well end in a blank
                    self.blank.append(str(its))
            if whole is None or whole["column"] not in self._columns or kind in ("str", str):
                return self._all_of(value, of)
            found = self.value(whole["column"])
            kind = kind.removesuffix(" | None") if isinstance(kind, str) else kind
            if kind not in NUMBERS:  # a model writes text, so it is compared with text
                return found if isinstance(found, (list, dict)) else str(found)
            try:
                return NUMBERS[kind](found)
            except (TypeError, ValueError, OverflowError):
                wanted = "number" if NUMBERS[kind] is float else "whole number"
                raise TestFileError(
                    f"{self._place}: {found!r:.80} in column {whole['column']!r} is not a {wanted}"
                ) from None
        if isinstance(value, (tuple, list)):
            parts = [self._filled(each, "str", of) for each in value]
            return value if all(map(_same, parts, value)) else type(value)(parts)
        if isinstance(value, dict):
            pairs = {
                self._filled(key, "str", of): self._filled(each, "str", of) for key, each in value.items()
            }
            return value if all(map(_same, pairs.values(), value.values())) and pairs == value else pairs
        return value


def column_as_text(test: Node, columns: frozenset[str]) -> str:
    """A column whose bare name an evaluator looks for, where no evaluator has the value of one; or ''."""
    judges = (node for node in test.walk() if node.is_judge is True)
    texts = [text for node in judges for text in texts_of(vars(node))]
    if any(name in columns for text in texts for name in columns_in(text)):
        return ""
    return next((text for text in texts if text in columns), "")


def _rows_with(found: Mapping[int, Sequence[str]], what: str) -> str:
    """The beginning of a warning. `found`: row -> columns."""
    columns = dict.fromkeys(f"<{name}>" for names in found.values() for name in names)
    rows = few([f"{number:,}" for number in found], NAMED)
    one = len(found) == 1
    rows_have = f"{'row' if one else 'rows'} {rows} {'has' if one else 'have'}"
    return f"{rows_have} {what} ({', '.join(columns)})"


def _empty_cells(empty: Mapping[int, Sequence[str]]) -> str:
    said = _rows_with(empty, "an empty cell in the question")
    return f"{said} and {'is' if len(empty) == 1 else 'are'} asked all the same"


def _blank_ends(blank: Mapping[int, Sequence[str]]) -> str:
    said = _rows_with(blank, "a cell with blanks at its ends in an evaluator")
    return f"{said}, which a right answer may lack: remove them"


def _records(source: Any) -> Any:
    """The rows of a DataFrame, whose items are columns; anything else as it is."""
    is_frame = hasattr(source, "to_dict") and hasattr(source, "columns")
    return source.astype(object).to_dict("records") if is_frame else source


def _is_empty(value: Any) -> bool:
    return isinstance(value, str) and not value


def _kept(value: Any) -> bool | int | float | str | None:
    """A value as a record keeps it: a bool, a number, or a short text, which a date has too; None if it is
    nothing of these."""
    value = number_of(value)
    if isinstance(value, (int, float)):
        return value
    shows_itself: Any = type(value).__str__
    if not isinstance(value, str) and (shows_itself is object.__str__ or isinstance(value, Sized)):
        return None
    text = str(value)
    return text if len(text) <= KEPT else None


def _is_missing(value: Any) -> bool:
    """Whether a value is None, NaN, or what pandas has for a value that is not there."""
    if value is None or isinstance(value, (str, int, list, dict)):
        return value is None
    try:
        return bool(value != value)
    except ValueError:  # an array
        return False
    except TypeError:  # pandas.NA, which neither equals nor differs
        return True


def _same(a: object, b: object) -> bool:
    return a is b


def _one_line(text: str) -> str:
    line = "".join(char if char.isprintable() else " " for char in text[: 10 * LONGEST])
    line = " ".join(line.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."
