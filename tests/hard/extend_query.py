"""Joins, groups, subtotals and ties for a small query engine, judged by hidden queries."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from evaluator import *

from .cases import Cases

DESCRIPTION = (
    "Can an agent add joins, groups and subtotals to a query engine so that they agree with its old rules?"
)
TAGS = ["hard", "code", "python", "agent"]

FOLDER = Path(__file__).parent / "files" / "extend_query"
SCRIPTS, QUERIES = 40, 30
QUESTION = """In this folder is tabq, a Python program of several files; README.md says what it does. NEXT.md says what it must do as well from now on.
Build that. Everything in README.md goes on to hold where NEXT.md does not change it. Leave README.md and NEXT.md as they are. The program is
run as `python3 -m tabq` in this folder; scripts of some 30 queries that you do not see decide, old ones and new ones, most of them made at random
so that all rules meet, and every answer must be right."""
NEXT = """# What tabq must do next

    select [distinct] ITEM, ITEM ...
    from TABLE [ALIAS] [JOIN] [JOIN] ... [where EXPRESSION]
    [group by GROUPING, GROUPING ...] [having EXPRESSION]
    [order by EXPRESSION [asc|desc] [nulls first|nulls last], ...]
    [limit NUMBER [with ties] [offset NUMBER]]

    JOIN:      [inner|left|right|full] join TABLE [ALIAS] on EXPRESSION
               [inner|left|right|full] join TABLE [ALIAS] using (NAME, NAME ...)
    GROUPING:  EXPRESSION
               rollup (EXPRESSION, EXPRESSION ...)

The words group, having, join, inner, left, right, full, on, using, rollup, nulls, with, ties and filter are no longer names that a table, column or alias may have.

## Joins

1. Joins are done from left to right: what stands to the left of a join, with all earlier joins, is its left side, the named table its right side. `join` alone
   is `inner join`. The rows of a join are: for each row of the left side, in their order, the pairs of it with each row of the right side, in their order, that
   match. `on` matches if its expression is true for the pair; it may name the columns of its two sides, no others.
2. `left` and `full`: a left row that matches nothing stands, at its place, once, with null in all columns of the right table. `right` and `full`: a right row that matches
   nothing stands once, with null in all columns of the left side. @RIGHT_ORDER@
3. Two tables of a query may not be known by the same name (mistake). A name without a table that is a column of several tables is a mistake.
4. `using` matches if in all the named columns the left value and the right value are equal; @USING_NULL@. Each
   name must be known without a table on the left side (and so not stand for several columns there), and be a column of the right table. After the join, such a name without
   a table means the merged column: the left value, or the right one if the left is null. On the left of a further `using` the name means the merged column
   too. If a later join by `on` brings one more column of that name, the name without a table is a mistake again. With a table (`p.age`) it is still that table's own value. A merged column is not the same expression as the columns of the tables.
5. `*` after an `on` is the columns of the left side, then those of the right table. After a `using` it is the merged columns in the order in which `using` names them, then the other columns
   of the left side, then the other columns of the right table. For a left side that is itself a join that holds likewise: its columns are those, in that order. `NAME.*`
   is always all own columns of that table.

## Groups

6. Aggregates: `count(*)`, `count(E)`, `sum(E)`, `avg(E)`, `min(E)`, `max(E)`, `@LIST@(E)`. `distinct` may stand before E (not before `*`), and `filter (where EXPRESSION)` may
   follow the closing bracket: then only rows for which that is true count. `count(*)` counts rows, all others look at the values that are not null; with `distinct`, at the first of equal ones.
   `sum` and `avg` take no notice of texts. `sum` of nothing is @SUM_NOTHING@, `avg`, `min`, `max` and `@LIST@` of nothing are null. `avg` is the sum
   divided by the number of values, as rule 5 of README.md divides. `min` and `max` order by rule 6 of README.md. `@LIST@` is a text: the values in the order of the rows,
   with `@SEPARATOR@` between them.
7. The name of a column that is just an aggregate is the aggregate's word (`count`), unless it has an alias.
8. A query is a grouped one if it has `group by`, `having`, or an aggregate in an item or in `order by`. Then each group gives one row, and all groups stand in the order of their
   first rows. Without `group by` all rows are one group, even if there is none. Null is a group of its own.
9. If a GROUPING (outside of `rollup`) is a single whole number, it means that column of the answer, as in `order by`. If it is a single name without a table, it means @GROUP_NAME@
   (a name of several columns, which is a mistake, is one that there is).
   An alias of two items that is looked up so is a mistake. Inside `rollup` the same holds for each of its expressions.
10. In a grouped query the columns of the answer (also those of a `*`), `having` and `order by` must be made of these: expressions that are the same as a grouped one (rule 9 of README.md says what is the same; the
    largest such part counts first), aggregates, values, and operators, functions and brackets around them. A column elsewhere is a mistake.
11. An aggregate in `where`, `on`, `group by` (also by an alias or number), in the `filter` or the argument of an aggregate is a mistake.
12. In `having` a name without a table, wherever it stands, means @HAVING_NAME@ (as in rule 9). In arguments of aggregates, in `filter` and in `grouping`, names mean columns only. An alias
    of two items that is looked up so is a mistake.
13. `rollup (A, B, C)` makes several groupings: by A, B and C; by A and B; by A; by none of them, each together with all GROUPINGs that stand beside the `rollup`. There may be at most one `rollup`. Its rows come
    @ROLLUP_ORDER@; within one grouping by rule 8.
14. In a grouping that leaves an expression out, that expression is null, wherever it stands outside of arguments of aggregates and filters; inside of these all columns keep the row's own values. An expression that stands more than
    once in `group by` is left out only where all of its places are left out; the groupings are made all the same, even if two are alike. A grouping by no expression
    at all has one group, even if there is no row.
15. `grouping(E)`, E being the same as a grouped expression (else a mistake), is 1 in the groups whose grouping leaves E out, else 0. It may stand where an aggregate may stand, and is one for rules 7, 8 and 11.
16. `distinct` (README.md, rule 9), `order by`, `offset` and `limit` work on the rows of groups as on other rows. What `order by` finds equal keeps the order of rules 8 and 13.

## Order and limits

17. `nulls first` and `nulls last` put null there, whether the order goes up or down. Without them rule 7 of README.md holds.
18. `limit N with ties` keeps also the rows after the last one that is kept which are equal to it in all `order by` expressions (null is equal to null). @TIES@
    With N = 0 there are no rows. `offset` is counted before, as ever.
"""


@dataclass(frozen=True)
class Rules:
    """What a seed decides."""

    floors: bool
    nulls_small: bool
    right_first: bool
    nulls_match: bool
    sum_zero: bool
    group_alias: bool
    having_alias: bool
    total_first: bool
    all_ties: bool
    word: str
    separator: str

    def put(self, text: str) -> str:
        """README.md or NEXT.md as this seed has it."""
        alias = "the item with that alias if there is one, else the column"
        column = "the column if there is one, else the item with that alias"
        texts = {
            "DIVISION": "down (-7 / 2 is -4)" if self.floors else "towards 0 (-7 / 2 is -3)",
            "NULLS": "less" if self.nulls_small else "greater",
            "RIGHT_ORDER": "A `right` join has another order than the others: for each row of the right table, in their\n"
            "   order, the pairs of it with each matching left row, in their order, or its one row with null."
            if self.right_first
            else "Those right rows come after all others, in their order.",
            "USING_NULL": "here two nulls are equal" if self.nulls_match else "null is equal to nothing here, not even to null",
            "SUM_NOTHING": "0" if self.sum_zero else "null",
            "GROUP_NAME": alias if self.group_alias else column,
            "HAVING_NAME": alias if self.having_alias else column,
            "ROLLUP_ORDER": "in the other order than these: first the row of none of them, then those by A, and so on"
            if self.total_first
            else "in this order of the groupings",
            "TIES": "Without `order by` all rows are equal to it." if self.all_ties else "Without `order by` it keeps no others.",
            "LIST": self.word,
            "SEPARATOR": self.separator,
        }  # fmt: skip
        for name, value in texts.items():
            text = text.replace(f"@{name}@", value)
        return text


def rules_of(seed: int) -> Rules:
    """The rules of a seed."""
    chance = random.Random(f"query {seed}")
    return Rules(
        floors=chance.random() < 0.5,
        nulls_small=chance.random() < 0.5,
        right_first=chance.random() < 0.5,
        nulls_match=chance.random() < 0.5,
        sum_zero=chance.random() < 0.5,
        group_alias=chance.random() < 0.5,
        having_alias=chance.random() < 0.5,
        total_first=chance.random() < 0.5,
        all_ties=chance.random() < 0.5,
        word=chance.choice(["list", "gather", "concat"]),
        separator=chance.choice([",", "/", "+"]),
    )


def files_of(seed: int) -> Mapping[str, str]:
    """The program as a seed has it, which knows no joins and no groups."""
    rules = rules_of(seed)
    found = {
        path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8")
        for path in FOLDER.rglob("*.*")
        if path.suffix != ".pyc"
    }
    values = found["tabq/values.py"]
    if rules.floors:
        cut = values.index("    whole = abs(a)")
        values = values[:cut] + "    return a // b\n" + values[values.index("\n\ndef shown") :]
    if not rules.nulls_small:
        values = values.replace("return (0,)", "return (3,)")
    return {
        **found,
        "tabq/values.py": values,
        "README.md": rules.put(found["README.md"]),
        "NEXT.md": rules.put(NEXT),
    }


# Expressions are tuples, as ("column", table or None, name), ("value", 3), ("=", a, b), ("count", distinct, argument, filter).
Expression = tuple[Any, ...]
AGGREGATES = ("count", "sum", "avg", "min", "max", "list")
COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")


class Mistake(Exception):
    """The query has no answer."""


@dataclass(frozen=True)
class Join:
    """A join; `on` or `using`."""

    kind: str
    table: str
    alias: str
    on: Expression | None = None
    using: tuple[str, ...] = ()


@dataclass(frozen=True)
class Order:
    """An expression of order by."""

    by: Expression
    down: bool = False
    nulls: str = ""


@dataclass(frozen=True)
class Query:
    """A query; `group` holds expressions and ("rollup", expressions)."""

    items: tuple[tuple[Expression, str], ...]
    table: str
    alias: str
    distinct: bool = False
    joins: tuple[Join, ...] = ()
    where: Expression | None = None
    group: tuple[Expression, ...] = ()
    having: Expression | None = None
    order: tuple[Order, ...] = ()
    limit: int | None = None
    ties: bool = False
    offset: int = 0


Row = dict[Any, Any]  # by (table, column), and by ("using", number of the join, column) for merged ones
Tables = Mapping[str, tuple[Sequence[str], Sequence[Sequence[Any]]]]


class Source:
    """The rows of a query before it groups, and what their columns are."""

    def __init__(self, query: Query, tables: Tables, rules: Rules) -> None:
        self.tables, self.rules = tables, rules
        self.own: dict[str, list[Any]] = {}  # table: its columns
        self.rows: list[Row] = [{}]
        self.shown: list[Any] = []
        for number, join in enumerate((Join("inner", query.table, query.alias, ("value", 1)), *query.joins)):
            self._join(number, join)

    def _join(self, number: int, join: Join) -> None:
        if join.table not in self.tables or join.alias in self.own:
            raise Mistake
        columns, values = self.tables[join.table]
        keys = [(join.alias, name) for name in columns]
        right = [dict(zip(keys, row, strict=True)) for row in values]
        before, left = list(self.shown), self.rows
        none_left = {key: None for row in left[:1] for key in row} if left else {}
        pairs = [(self.known(name), (join.alias, name)) for name in join.using]
        if any(key not in keys for _, key in pairs):
            raise Mistake
        self.own[join.alias] = keys
        self.shown = before + keys
        condition = self.resolve(join.on) if join.on is not None else None
        if condition is not None and has_aggregate(condition):
            raise Mistake

        def match(a: Row, b: Row) -> bool:
            if condition is not None:
                return truth(value_of(condition, {**a, **b}, self.rules)) is True
            return all(
                a[one] == b[other] and (a[one] is not None or self.rules.nulls_match) for one, other in pairs
            )

        no_left = {key: None for key in (*self.every, *none_left)}
        no_right = dict.fromkeys(keys)
        found: list[Row] = []
        if join.kind == "right" and self.rules.right_first:
            for b in right:
                found += [{**a, **b} for a in left if match(a, b)] or [{**no_left, **b}]
        else:
            used: set[int] = set()
            for a in left:
                here = [at for at, b in enumerate(right) if match(a, b)]
                used.update(here)
                found += [{**a, **right[at]} for at in here]
                if not here and join.kind in ("left", "full"):
                    found.append({**a, **no_right})
            if join.kind in ("right", "full"):
                found += [{**no_left, **b} for at, b in enumerate(right) if at not in used]
        merged = [("using", number, name) for name in join.using]
        for row in found:
            for key, (one, other) in zip(merged, pairs, strict=True):
                row[key] = row[one] if row[one] is not None else row[other]
        gone = {key for pair in pairs for key in pair}
        self.shown = merged + [key for key in self.shown if key not in gone]
        self.rows = found

    @property
    def every(self) -> list[Any]:
        """All columns that may be named, those before the last join."""
        own = [key for keys in list(self.own.values())[:-1] for key in keys]
        return own + self.shown

    def known(self, name: str) -> Any:
        """What a name without a table means."""
        found = [key for key in self.shown if key[-1] == name]
        if len(found) != 1:
            raise Mistake
        return found[0]

    def resolve(self, it: Expression) -> Expression:
        """An expression whose columns are ("cell", key)."""
        if it[0] == "column":
            if it[1] is None:
                return ("cell", self.known(it[2]))
            if (it[1], it[2]) not in self.own.get(it[1], []):
                raise Mistake
            return ("cell", (it[1], it[2]))
        return tuple(self.resolve(part) if isinstance(part, tuple) else part for part in it)

    def star(self, table: str | None) -> list[Any]:
        """The columns of a star."""
        if table is None:
            return self.shown
        if table not in self.own:
            raise Mistake
        return self.own[table]


def has_aggregate(it: Expression) -> bool:
    """Whether an aggregate or grouping() stands anywhere in it."""
    return it[0] in (*AGGREGATES, "grouping") or any(
        has_aggregate(part) for part in it if isinstance(part, tuple)
    )


def truth(value: Any) -> bool | None:
    """Whether a value is true; None: unknown."""
    return None if value is None else isinstance(value, int) and value != 0


def key_of(value: Any) -> tuple[bool, Any]:
    """Numbers before texts."""
    return isinstance(value, str), value


def value_of(it: Expression, row: Row, rules: Rules) -> Any:
    """The value of an expression without aggregates; `row` may know whole expressions too."""
    if it in row:
        return row[it]
    kind, *rest = it
    if kind == "value":
        return rest[0]
    if kind == "cell":
        return row[rest[0]]
    values = [value_of(part, row, rules) for part in rest]
    if kind == "coalesce":
        return next((each for each in values if each is not None), None)
    if kind == "length":
        return len(values[0]) if isinstance(values[0], str) else None
    if kind in ("is null", "is not null"):
        return int((values[0] is None) == (kind == "is null"))
    if kind in ("and", "or", "not"):
        truths = [truth(each) for each in values]
        if kind == "not":
            return None if truths[0] is None else int(not truths[0])
        strong = kind == "or"
        return int(strong) if strong in truths else None if None in truths else int(not strong)
    a, b = values
    if kind in COMPARISONS:
        if a is None or b is None:
            return None
        a, b = key_of(a), key_of(b)
        return int({"=": a == b, "<>": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[kind])
    if not isinstance(a, int) or not isinstance(b, int):
        return None
    return quotient(a, b, rules) if kind == "/" else {"+": a + b, "-": a - b, "*": a * b}[kind]


def quotient(a: int, b: int, rules: Rules) -> int | None:
    """The whole number that a division leaves."""
    if b == 0:
        return None
    return a // b if rules.floors or (a >= 0) == (b > 0) else -(-a // b)


def aggregate(it: Expression, rows: Sequence[Row], rules: Rules) -> Any:
    """The value of an aggregate over the rows of a group."""
    kind, distinct, argument, condition = it
    if condition is not None:
        rows = [row for row in rows if truth(value_of(condition, row, rules)) is True]
    if argument is None:
        return len(rows)
    values = [each for each in (value_of(argument, row, rules) for row in rows) if each is not None]
    if distinct:
        values = list(dict.fromkeys(values))
    if kind == "count":
        return len(values)
    if kind == "list":
        return rules.separator.join(map(str, values)) if values else None
    if kind in ("min", "max"):
        return {"min": min, "max": max}[kind](values, key=key_of, default=None)
    numbers = [each for each in values if isinstance(each, int)]
    if not numbers:
        return 0 if kind == "sum" and rules.sum_zero else None
    return sum(numbers) if kind == "sum" else quotient(sum(numbers), len(numbers), rules)


class Answer:
    """The answer to a query."""

    def __init__(self, query: Query, tables: Tables, rules: Rules) -> None:
        self.query, self.rules = query, rules
        self.source = Source(query, tables, rules)
        self.names: list[str] = []
        self.columns: list[Expression] = []
        self.aliases: dict[str, list[Expression]] = {}
        for it, alias in query.items:
            self._item(it, alias)
        where = self.source.resolve(query.where) if query.where is not None else ("value", 1)
        if has_aggregate(where):
            raise Mistake
        having = (
            self.source.resolve(self._names_of_having(query.having)) if query.having is not None else None
        )
        orders = [replace(each, by=self._order(each.by)) for each in query.order]
        rows = [row for row in self.source.rows if truth(value_of(where, row, rules)) is True]
        grouped = bool(query.group) or having is not None or any(map(has_aggregate, self.columns))
        if grouped or any(has_aggregate(each.by) for each in orders):
            rows = list(
                self._grouped(rows, [*self.columns, *([having] if having else []), *(o.by for o in orders)])
            )
            if having is not None:
                rows = [row for row in rows if truth(value_of(having, row, rules)) is True]
        self.rows = self._window(orders, rows)

    def _item(self, it: Expression, alias: str) -> None:
        if it[0] == "star":
            keys = self.source.star(it[1])
            self.columns += [("cell", key) for key in keys]
            self.names += [key[-1] for key in keys]
            return
        found = self.source.resolve(it)
        self.columns.append(found)
        word = {"column": it[-1], "list": self.rules.word}.get(it[0])
        own = word or (it[0] if it[0] in AGGREGATES or it[0] == "grouping" else f"col{len(self.columns)}")
        self.names.append(alias or own)
        if alias:
            self.aliases.setdefault(alias, []).append(found)

    def _alias(self, name: str) -> Expression:
        if len(self.aliases[name]) > 1:
            raise Mistake
        return ("known", self.aliases[name][0])

    def _column(self, number: int) -> Expression:
        if not 1 <= number <= len(self.columns):
            raise Mistake
        return self.columns[number - 1]

    def _means(self, name: str, alias_first: bool) -> Expression:
        """A name that may be an alias: ("known", expression), or the column."""
        is_column = any(key[-1] == name for key in self.source.shown)
        if name in self.aliases and (alias_first or not is_column):
            return self._alias(name)
        return ("column", None, name)

    def _resolved(self, it: Expression) -> Expression:
        return it[1] if it[0] == "known" else self.source.resolve(it)

    def _names_of_having(self, it: Expression) -> Expression:
        """`having` with its aliases replaced by expressions, unresolved columns left."""
        if it[0] == "column" and it[1] is None:
            found = self._means(it[2], self.rules.having_alias)
            return found[1] if found[0] == "known" else found
        if it[0] in (*AGGREGATES, "grouping"):
            return it
        return tuple(self._names_of_having(part) if isinstance(part, tuple) else part for part in it)

    def _order(self, it: Expression) -> Expression:
        if it[0] == "value" and isinstance(it[1], int):
            return self._column(it[1])
        if it[0] == "column" and it[1] is None and it[2] in self.aliases:
            return self._alias(it[2])[1]  # type: ignore[no-any-return]
        found = self.source.resolve(it)
        if self.query.distinct and found not in self.columns:
            raise Mistake
        return found

    def _grouping(self, it: Expression) -> Expression:
        if it[0] == "value" and isinstance(it[1], int):
            found = self._column(it[1])
        elif it[0] == "column" and it[1] is None:
            found = self._resolved(self._means(it[2], self.rules.group_alias))
        else:
            found = self.source.resolve(it)
        if has_aggregate(found):
            raise Mistake
        return found

    def _grouped(self, rows: list[Row], used: list[Expression]) -> Iterator[Row]:
        """A row for each group, which knows the grouped expressions and the aggregates by themselves."""
        rolled = [each for each in self.query.group if each[0] == "rollup"]
        if len(rolled) > 1:
            raise Mistake
        places: list[list[Expression]] = [
            [self._grouping(part) for part in (each[1:] if each[0] == "rollup" else (each,))]
            for each in self.query.group
        ]
        every = [part for place in places for part in place]
        for it in used:
            self._check(it, every)
        levels = range(len(rolled[0]) - 1, -1, -1) if rolled else [0]
        for level in reversed(levels) if self.rules.total_first else levels:
            kept: list[Expression] = []
            for each, place in zip(self.query.group, places, strict=True):
                kept += place[:level] if each[0] == "rollup" else place
            groups: dict[Any, list[Row]] = {} if kept else {(): []}
            for row in rows:
                groups.setdefault(tuple(value_of(part, row, self.rules) for part in kept), []).append(row)
            for values, members in groups.items():
                known: Row = {part: None for part in every} | dict(zip(kept, values, strict=True))
                for it in used:
                    self._aggregates(it, known, members, kept)
                yield known

    def _check(self, it: Expression, every: list[Expression]) -> None:
        """A mistake unless it is made of what a group has."""
        if it in every:
            return
        if it[0] == "cell":
            raise Mistake
        if it[0] == "grouping":
            if it[1] not in every:
                raise Mistake
        elif it[0] in AGGREGATES:
            if any(has_aggregate(part) for part in it[1:] if isinstance(part, tuple)):
                raise Mistake
        else:
            for part in it[1:]:
                if isinstance(part, tuple):
                    self._check(part, every)

    def _aggregates(self, it: Expression, known: Row, members: list[Row], kept: list[Expression]) -> None:
        if it[0] == "grouping":
            known[it] = int(it[1] not in kept)
        elif it[0] in AGGREGATES:
            known[it] = aggregate(it, members, self.rules)
        elif it not in known:
            for part in it[1:]:
                if isinstance(part, tuple):
                    self._aggregates(part, known, members, kept)

    def _window(self, orders: Sequence[Order], rows: list[Row]) -> list[tuple[Any, ...]]:
        pairs = [(tuple(value_of(it, row, self.rules) for it in self.columns), row) for row in rows]
        if self.query.distinct:
            first: dict[Any, Row] = {}
            for values, row in pairs:
                first.setdefault(values, row)
            pairs = list(first.items())
        decorated = [
            ([value_of(each.by, row, self.rules) for each in orders], values) for values, row in pairs
        ]
        for at in reversed(range(len(orders))):
            each = orders[at]
            # Nulls go by themselves, so that they can stand at either end.
            first_nulls = each.nulls == "first" or (not each.nulls and each.down != self.rules.nulls_small)
            some = [pair for pair in decorated if pair[0][at] is not None]
            nulls = [pair for pair in decorated if pair[0][at] is None]
            some.sort(key=partial(_key_at, at), reverse=each.down)
            decorated = nulls + some if first_nulls else some + nulls
        limit, rest = self.query.limit, decorated[self.query.offset :]
        if limit is None:
            return [values for _, values in rest]
        kept = rest[:limit]
        if self.query.ties and kept and (orders or self.rules.all_ties):
            for pair in rest[limit:]:
                if pair[0] != kept[-1][0]:
                    break
                kept.append(pair)
        return [values for _, values in kept]


def _key_at(at: int, pair: tuple[list[Any], Any]) -> tuple[bool, Any]:
    return key_of(pair[0][at])


def printed(query: Query, tables: Tables, rules: Rules) -> list[str]:
    """The lines that a query prints."""
    try:
        answer = Answer(query, tables, rules)
    except Mistake:
        return ["error"]
    lines = [" | ".join("-" if value is None else str(value) for value in row) for row in answer.rows]
    return [" | ".join(answer.names), *lines, f"({len(lines)} rows)"]


# From here on: queries as text, and by chance.
def said(it: Expression, rules: Rules) -> str:
    """An expression as text."""
    kind, *rest = it
    if kind == "value":
        return "null" if rest[0] is None else f"'{rest[0]}'" if isinstance(rest[0], str) else str(rest[0])
    if kind == "column":
        return rest[1] if rest[0] is None else f"{rest[0]}.{rest[1]}"
    if kind == "star":
        return f"{rest[0]}.*" if rest[0] else "*"
    if kind in AGGREGATES:
        inside = "*" if rest[1] is None else ("distinct " if rest[0] else "") + said(rest[1], rules)
        after = f" filter (where {said(rest[2], rules)})" if rest[2] is not None else ""
        return f"{rules.word if kind == 'list' else kind}({inside}){after}"
    texts = [said(part, rules) for part in rest]
    if kind in ("coalesce", "length", "grouping", "rollup"):
        return f"{kind}({', '.join(texts)})"
    texts = [text if part[0] in ("value", "column", "coalesce", *AGGREGATES) else f"({text})" for text, part in zip(texts, rest, strict=True)]  # fmt: skip
    if len(texts) == 1:
        return f"not {texts[0]}" if kind == "not" else f"{texts[0]} {kind}"
    return f"{texts[0]} {kind} {texts[1]}"


def line_of(query: Query, rules: Rules) -> str:
    """A query as text."""
    tell = partial(said, rules=rules)
    items = [tell(it) + (f" as {alias}" if alias else "") for it, alias in query.items]
    text = f"select {'distinct ' * query.distinct}{', '.join(items)} from {query.table}"
    text += f" {query.alias}" * (query.alias != query.table)
    for join in query.joins:
        text += f" {join.kind} join {join.table}" + f" {join.alias}" * (join.alias != join.table)
        text += f" using ({', '.join(join.using)})" if join.on is None else f" on {tell(join.on)}"
    text += f" where {tell(query.where)}" if query.where is not None else ""
    text += f" group by {', '.join(map(tell, query.group))}" if query.group else ""
    text += f" having {tell(query.having)}" if query.having is not None else ""
    if query.order:
        orders = [
            tell(each.by) + " desc" * each.down + (f" nulls {each.nulls}" if each.nulls else "")
            for each in query.order
        ]
        text += f" order by {', '.join(orders)}"
    if query.limit is not None:
        text += (
            f" limit {query.limit}"
            + " with ties" * query.ties
            + (f" offset {query.offset}" if query.offset else "")
        )
    return text


class Maker:
    """Queries by chance, over small tables that share names."""

    def __init__(self, chance: random.Random, rules: Rules) -> None:
        self.chance, self.rules = chance, rules
        names = chance.sample(["kind", "age", "owner", "town", "rank"], 4)
        self.tables: dict[str, tuple[list[str], list[list[Any]]]] = {}
        for table in ("pet", "man", "visit"):
            columns = chance.sample(names, 3)
            rows = [[self.value() for _ in columns] for _ in range(chance.choice([0, 2, 3, 4, 5, 6]))]
            self.tables[table] = (columns, rows)

    def value(self) -> Any:
        return self.chance.choice([None, 0, 1, 2, 2, 3, -3, "a", "b", "ba"])

    def query(self, old: bool) -> Query:
        """One query; most have no mistake."""
        chance = self.chance
        names = [*self.tables, chance.choice(list(self.tables))]
        chance.shuffle(names)
        table = names.pop()
        alias = chance.choice([table, table, "x"])
        used = [(alias, table)]
        joins: list[Join] = []
        for number in range(0 if old else chance.choice([0, 1, 1, 2, 2])):
            joined = names.pop()
            other = chance.choice([joined, f"y{number}"])
            if any(other == name for name, _ in used) and chance.random() < 0.9:
                other = f"y{number}"
            kind = chance.choice(["inner", "left", "right", "full"])
            shared = [n for n in self.tables[joined][0] if any(n in self.tables[t][0] for _, t in used)]
            clear = [
                n
                for n in shared
                if sum(n in self.tables[t][0] for _, t in used) == 1 or (joins and n in joins[-1].using)
            ]
            before = list(used)
            used.append((other, joined))
            if clear and chance.random() < 0.6:
                using = tuple(chance.sample(clear, chance.randint(1, len(clear))))
                joins.append(Join(kind, joined, other, None, using))
            else:
                one, two = self.cell(before), self.cell([used[-1]])
                on: Expression = (chance.choice(["=", "=", "=", "<", "<>"]), one, two)
                if chance.random() < 0.3:
                    on = (chance.choice(["and", "or"]), on, ("is not null", self.cell(used)))
                joins.append(Join(kind, joined, other, on))
        self.used, self.merged = used, {name for join in joins for name in join.using}
        base = Query((), table, alias, joins=tuple(joins))
        if chance.random() < 0.4:
            base = replace(base, where=self.condition(self.plain))
        grouped = not old and chance.random() < 0.7
        base = self.with_groups(base) if grouped else self.without_groups(base)
        base = replace(base, distinct=chance.random() < 0.25)
        base = replace(base, order=tuple(self.order(base, old) for _ in range(chance.choice([0, 1, 1, 2]))))
        if chance.random() < 0.5:
            limit = chance.choice([0, 1, 1, 2, 2, 3, 4])
            base = replace(
                base, limit=limit, ties=not old and chance.random() < 0.7, offset=chance.choice([0, 0, 1, 2])
            )
        return base

    def cell(self, used: Sequence[tuple[str, str]]) -> Expression:
        """A column with its table."""
        alias, table = self.chance.choice(used)
        return ("column", alias, self.chance.choice(self.tables[table][0]))

    def plain(self) -> Expression:
        """A column, sometimes without its table."""
        it, chance = self.cell(self.used), self.chance
        count = sum(it[2] in self.tables[table][0] for _, table in self.used)
        if it[2] in self.merged:
            return ("column", None, it[2]) if chance.random() < 0.6 else it
        return ("column", None, it[2]) if chance.random() < (0.5 if count == 1 else 0.01) else it

    def small(self, part: Callable[[], Expression]) -> Expression:
        """An expression around parts."""
        chance = self.chance
        return chance.choice([
            (chance.choice("+-*/"), part(), ("value", chance.choice([1, 2, 3]))), ("coalesce", part(), ("value", chance.choice([0, "z"]))),
            (chance.choice("+-/"), part(), part()), ("length", part()),
        ])  # fmt: skip

    def condition(self, part: Callable[[], Expression]) -> Expression:
        chance = self.chance
        one: Expression = (chance.choice(COMPARISONS), part(), ("value", chance.choice([0, 1, 2, "a"])))
        two: Expression = (chance.choice(["is null", "is not null"]), part())
        return chance.choice([one, one, two, ("not", one), ("and", one, two), ("or", two, one), part()])

    def aggregate(self) -> Expression:
        chance = self.chance
        kind = chance.choice(AGGREGATES)
        argument = self.plain() if chance.random() < 0.75 else self.small(self.plain)
        if chance.random() < 0.02:
            argument = ("sum", False, argument, None)
        condition = self.condition(self.plain) if chance.random() < 0.25 else None
        if kind == "count" and chance.random() < 0.5:
            return ("count", False, None, condition)
        return (kind, chance.random() < 0.3, argument, condition)

    def without_groups(self, base: Query) -> Query:
        items = [
            self.chance.choice([("star", None), ("star", self.chance.choice(self.used)[0]), self.plain(), self.plain(), self.small(self.plain)])
            for _ in range(self.chance.choice([1, 2, 2, 3]))
        ]  # fmt: skip
        self.parts = [it for it in items if it[0] != "star"] or [self.plain()]
        return replace(base, items=tuple((it, self.alias_for(it)) for it in items))

    def alias_for(self, it: Expression) -> str:
        """Often the name of a column, so that rules about names matter."""
        if it[0] == "star" or self.chance.random() < 0.5:
            return ""
        return self.chance.choice(
            ["n", "m", *(name for columns, _ in self.tables.values() for name in columns)]
        )

    def with_groups(self, base: Query) -> Query:
        chance = self.chance
        group = [
            self.plain() if chance.random() < 0.75 else self.small(self.plain)
            for _ in range(chance.choice([0, 1, 2, 2, 3]))
        ]
        self.parts = list(group)
        items = [self.grouped_part() for _ in range(chance.choice([1, 2, 3, 4]))]
        named = [(it, self.alias_for(it)) for it in items]
        asked: list[Expression] = []
        for it in group:
            spot = next((n for n, (one, alias) in enumerate(named, 1) if one == it), 0)
            alias = named[spot - 1][1] if spot else ""
            if spot and chance.random() < 0.5:
                it = ("column", None, alias) if alias and chance.random() < 0.7 else ("value", spot)
            asked.append(it)
        if asked and chance.random() < 0.45:
            cut = chance.randrange(len(asked))
            rolled = asked[cut:] + ([chance.choice(asked)] if chance.random() < 0.15 else [])
            asked = [*asked[:cut], ("rollup", *rolled)]
            if cut and chance.random() < 0.5:
                asked = [asked[-1], *asked[:-1]]
        having = self.condition(self.having_part(named)) if chance.random() < 0.35 else None
        if not asked and having is None and not any(has_aggregate(it) for it in items):
            named.append((self.aggregate(), ""))
        return replace(base, items=tuple(named), group=tuple(asked), having=having)

    def having_part(self, named: Sequence[tuple[Expression, str]]) -> Callable[[], Expression]:
        def part() -> Expression:
            aliases = [alias for _, alias in named if alias]
            if aliases and self.chance.random() < 0.5:
                return ("column", None, self.chance.choice(aliases))
            return self.grouped_part()

        return part

    def grouped_part(self) -> Expression:
        """Something that a group has."""
        chance, parts = self.chance, self.parts
        if not parts or chance.random() < 0.45:
            return self.aggregate() if chance.random() < 0.8 else ("-", self.aggregate(), ("value", 1))
        if chance.random() < 0.12:
            return ("grouping", chance.choice(parts))
        if chance.random() < 0.03:
            return self.plain()
        it = chance.choice(parts)
        return it if chance.random() < 0.75 else self.small(lambda: it)

    def order(self, base: Query, old: bool) -> Order:
        chance = self.chance
        aliases = [alias for _, alias in base.items if alias]
        grouped = (
            bool(base.group) or base.having is not None or any(has_aggregate(it) for it, _ in base.items)
        )
        by: Expression
        pick = chance.random()
        if pick < 0.3 and aliases:
            by = ("column", None, chance.choice(aliases))
        elif pick < 0.55:
            by = ("value", chance.randint(1, len(base.items)))
        elif base.distinct and chance.random() < 0.93:
            by = next((it for it, _ in base.items if it[0] != "star"), ("value", 1))
        else:
            by = self.grouped_part() if grouped else self.plain()
        nulls = "" if old else chance.choice(["", "", "first", "last"])
        return Order(by, chance.random() < 0.5, nulls)

    def setup(self) -> list[str]:
        """The statements that make the tables."""
        lines: list[str] = []
        for table, (columns, rows) in self.tables.items():
            lines.append(f"table {table} {' '.join(columns)}")
            lines += ["row " + " ".join(said(("value", value), self.rules) for value in row) for row in rows]
        return lines


def script(chance: random.Random, rules: Rules, old: bool) -> tuple[str, str]:
    """A script, and what it prints."""
    maker = Maker(chance, rules)
    lines = maker.setup()
    wanted: list[str] = []
    while len(wanted) < QUERIES:
        query = maker.query(old)
        answer = printed(query, maker.tables, rules)
        # Mistakes and empty answers say little: most of them are left out.
        if (answer == ["error"] or answer[-1] == "(0 rows)") and chance.random() < 0.8:
            continue
        lines.append(line_of(query, rules))
        wanted.append("\n".join(answer))
    return "\n".join(lines) + "\n", "\n".join(wanted) + "\n"


def cases(seed: int) -> list[tuple[str, str]]:
    """Scripts, and what they print; every fifth knows nothing new."""
    rules, chance = rules_of(seed), random.Random(f"query cases {seed}")
    return [script(chance, rules, old=number % 5 == 0) for number in range(SCRIPTS)]


def build(seed: int) -> Node:
    """The test of a seed."""
    work = Files(partial(files_of, seed)) >> QUESTION >> AgentRun([Shell(), EditFile()], max_turns=50)
    return work >> Cases("python3 -m tabq", partial(cases, seed), files=["tabq"])
