"""Right and wrong work on extend_query: the program's own modules extended, with rows as flat tuples."""

from __future__ import annotations

from evaluator import Call, Script

from ..extend_query import rules_of

NAMES = '''
"""What names mean: each column becomes ("cell", PLACE), the place of its value in a row."""

from tabq.errors import Mistake


class Scope:
    """`own`: the places of each table's columns; `seen`: pairs of name and place, as a star shows them."""

    def __init__(self):
        self.own, self.seen, self.width = {}, [], 0

    def add(self, alias, columns, using):
        """A further table to the right; returns the pairs of places that using compares."""
        if alias in self.own:
            raise Mistake
        left = [self.place(name) for name in using]
        self.own[alias] = {name: self.width + at for at, name in enumerate(columns)}
        self.width += len(columns)
        pairs = []
        for name, place in zip(using, left):
            if name not in columns:
                raise Mistake
            pairs.append((place, self.own[alias][name]))
        self.seen += self.own[alias].items()
        if using:
            hidden = [place for pair in pairs for place in pair]
            merged = [(name, self.width + at) for at, name in enumerate(using)]
            self.width += len(using)
            self.seen = merged + [each for each in self.seen if each[1] not in hidden]
        return pairs

    def resolve(self, expression):
        """The expression with all names replaced."""
        kind, *rest = expression
        if kind == "column":
            return self.column(*rest)
        return (kind, *(self.resolve(part) if isinstance(part, tuple) else part for part in rest))

    def column(self, table, name):
        if table is None:
            return ("cell", self.place(name))
        if name not in self.own.get(table, {}):
            raise Mistake
        return ("cell", self.own[table][name])

    def has(self, name):
        return any(name == each for each, _ in self.seen)

    def place(self, name):
        places = [place for each, place in self.seen if each == name]
        if len(places) != 1:
            raise Mistake
        return places[0]

    def star(self, table):
        """Pairs of expression and name."""
        if table is None:
            return [(("cell", place), name) for name, place in self.seen]
        if table not in self.own:
            raise Mistake
        return [(("cell", place), name) for name, place in self.own[table].items()]
'''
JOINS = '''
"""Joins."""

from tabq.errors import Mistake
from tabq.evaluate import evaluate
from tabq.groups import aggregates_in
from tabq.names import Scope
from tabq.values import truth


def source(query, tables):
    """The scope of a query and its rows."""
    scope = Scope()
    rows = [()]
    for kind, table, alias, on, using in [("inner", query.table, query.alias, ("value", 1), ()), *query.joins]:
        if table not in tables:
            raise Mistake
        width = scope.width
        pairs = scope.add(alias, tables[table].columns, using)
        condition = None if on is None else scope.resolve(on)
        if condition and aggregates_in(condition):
            raise Mistake
        rows = joined(kind, rows, tables[table].rows, condition, pairs, width, len(tables[table].columns))
    return scope, rows


def joined(kind, left, right, condition, pairs, width, more):
    def matches(row):
        if condition is not None:
            return truth(evaluate(condition, row))
        return all(row[a] == row[b]MATCH for a, b in pairs)

    hits = [[matches(one + other) for other in right] for one in left]
    found = []
    if kind == "right" and RIGHT_FIRST:
        for b, other in enumerate(right):
            some = [one + other for a, one in enumerate(left) if hits[a][b]]
            found += some or [(None,) * width + other]
    else:
        for a, one in enumerate(left):
            some = [one + other for b, other in enumerate(right) if hits[a][b]]
            if not some and kind in ("left", "full"):
                some = [one + (None,) * more]
            found += some
        if kind in ("right", "full"):
            for b, other in enumerate(right):
                if not any(line[b] for line in hits):
                    found.append((None,) * width + other)
    return [row + tuple(row[b] if row[a] is None else row[a] for a, b in pairs) for row in found]
'''
GROUPS = '''
"""Aggregates and groups."""

from tabq.errors import Mistake
from tabq.evaluate import evaluate
from tabq.values import divide, rank, truth


def aggregates_in(expression):
    """All aggregates of an expression, the outermost ones."""
    if expression[0] in ("aggregate", "grouping"):
        return [expression]
    return [each for part in expression if isinstance(part, tuple) for each in aggregates_in(part)]


def check(expression, keys):
    if expression in keys:
        return
    if expression[0] == "cell":
        raise Mistake
    if expression[0] == "grouping" and expression[1] not in keys:
        raise Mistake
    inside = [part for part in expression if isinstance(part, tuple)]
    if expression[0] == "aggregate":
        if any(aggregates_in(part) for part in inside):
            raise Mistake
    elif expression[0] != "grouping":
        for part in inside:
            check(part, keys)


def total(expression, rows):
    _, name, distinct, argument, condition = expression
    if condition:
        rows = [row for row in rows if truth(evaluate(condition, row))]
    if argument is None:
        return len(rows)
    values = [value for value in (evaluate(argument, row) for row in rows) if value is not None]
    if distinct:
        values = list(dict.fromkeys(values))
    if name == "count":
        return len(values)
    if name in ("sum", "avg"):
        values = [value for value in values if isinstance(value, int)]
        if name == "sum":
            return sum(values) if values else NOTHING
        return divide(sum(values), len(values))
    if not values:
        return None
    if name == "LIST":
        return "SEPARATOR".join(str(value) for value in values)
    return (min if name == "min" else max)(values, key=rank)


def grouped(places, rows, used):
    """Rows of groups: what is known of each, by expression. A place is a pair of expression and whether it is rolled."""
    keys = [key for key, _ in places]
    for each in used:
        check(each, keys)
    wanted = [aggregate for each in used for aggregate in aggregates_in(each)]
    rolled = [number for number, (_, is_rolled) in enumerate(places) if is_rolled]
    levels = [set(rolled[count:]) for count in range(len(rolled), -1, -1)]
    found = []
    for gone in LEVELS:
        kept = [key for number, (key, _) in enumerate(places) if number not in gone]
        groups = {} if kept else {(): []}
        for row in rows:
            groups.setdefault(tuple(evaluate(key, row) for key in kept), []).append(row)
        for values, members in groups.items():
            known = dict.fromkeys(keys)
            known.update(zip(kept, values))
            for each in wanted:
                known[each] = int(each[1] not in kept) if each[0] == "grouping" else total(each, members)
            found.append(known)
    return found
'''
ANSWER = '''
"""Queries into answers."""

from tabq.errors import Mistake
from tabq.evaluate import evaluate
from tabq.groups import aggregates_in, grouped
from tabq.joins import source
from tabq.values import rank, truth


def answer(query, tables):
    """The names of the columns, and the rows."""
    scope, rows = source(query, tables)
    columns, names, aliases = chosen(query, scope)
    where = scope.resolve(query.where) if query.where else None
    if where and aggregates_in(where):
        raise Mistake
    having = query.having and having_of(query.having, scope, columns, aliases)
    places = [(key_of(each, scope, columns, aliases), rolled) for each, rolled in query.group]
    order = [(order_key(each, scope, columns, aliases, query.distinct), down, nulls) for each, down, nulls in query.order]
    rows = [row for row in rows if where is None or truth(evaluate(where, row))]
    used = [*columns, *(each for each, _, _ in order), *([having] if having else [])]
    if places or having or any(aggregates_in(each) for each in used):
        rows = grouped(places, rows, used)
        rows = [row for row in rows if not having or truth(evaluate(having, row))]
    return names, [values for values, _ in window(query, order, sort(order, pick(query, columns, rows)))]


def chosen(query, scope):
    """The expressions and names of the columns of the answer, and the place of each alias."""
    columns, names, aliases = [], [], {}
    for expression, alias in query.items:
        if expression[0] == "star":
            for each, name in scope.star(expression[1]):
                columns.append(each)
                names.append(name)
            continue
        columns.append(scope.resolve(expression))
        if alias:
            aliases.setdefault(alias, []).append(len(columns) - 1)
        own = {"column": expression[-1], "aggregate": expression[1], "grouping": "grouping"}.get(expression[0])
        names.append(alias or own or f"col{len(columns)}")
    return columns, names, aliases


def aliased(name, columns, aliases):
    if len(aliases[name]) > 1:
        raise Mistake
    return columns[aliases[name][0]]


def numbered(number, columns):
    if not 1 <= number <= len(columns):
        raise Mistake
    return columns[number - 1]


def order_key(expression, scope, columns, aliases, distinct):
    if expression[0] == "column" and expression[1] is None and expression[2] in aliases:
        return aliased(expression[2], columns, aliases)
    if expression[0] == "value" and isinstance(expression[1], int):
        return numbered(expression[1], columns)
    found = scope.resolve(expression)
    if distinct and found not in columns:
        raise Mistake
    return found


def key_of(expression, scope, columns, aliases):
    """What a grouping is by."""
    if expression[0] == "value" and isinstance(expression[1], int):
        found = numbered(expression[1], columns)
    elif expression[0] == "column" and expression[1] is None and expression[2] in aliases and (GROUP_ALIAS or not scope.has(expression[2])):
        found = aliased(expression[2], columns, aliases)
    else:
        found = scope.resolve(expression)
    if aggregates_in(found):
        raise Mistake
    return found


def having_of(expression, scope, columns, aliases):
    if expression[0] == "column" and expression[1] is None and expression[2] in aliases and (HAVING_ALIAS or not scope.has(expression[2])):
        return aliased(expression[2], columns, aliases)
    if expression[0] in ("column", "aggregate", "grouping"):
        return scope.resolve(expression)
    return tuple(having_of(part, scope, columns, aliases) if isinstance(part, tuple) else part for part in expression)


def pick(query, columns, rows):
    """Pairs of what is shown and the row that it comes from."""
    pairs = [(tuple(evaluate(each, row) for each in columns), row) for row in rows]
    if not query.distinct:
        return pairs
    first = {}
    for values, row in pairs:
        first.setdefault(values, row)
    return list(first.items())


def sort(order, pairs):
    for expression, down, nulls in reversed(order):
        def key(pair):
            value = evaluate(expression, pair[1])
            if nulls and value is None:
                return (0,) if (nulls == "first") != down else (9,)
            return rank(value)

        pairs.sort(key=key, reverse=down)
    return pairs


def window(query, order, pairs):
    pairs = pairs[query.offset :]
    if query.limit is None:
        return pairs
    end = query.limit
    if query.ties and end and (order or ALL_TIES):
        def values(at):
            return [evaluate(each, pairs[at][1]) for each, _, _ in order]

        while end < len(pairs) and values(end) == values(end - 1):
            end += 1
    return pairs[:end]
'''
# What changes in syntax.py and evaluate.py.
SYNTAX = [
    ('is null".split()', 'is null group having join inner left right full on using rollup nulls with ties filter".split()'),
    ("    where: tuple = None\n", "    where: tuple = None\n    joins: list = field(default_factory=list)\n    group: list = field(default_factory=list)\n    having: tuple = None\n    ties: bool = False\n"),
    ('        query.table = query.alias = self.name()\n        if self.peek()[0] == "name" and self.peek()[1] not in RESERVED:\n            query.alias = self.name()\n',
     "        query.table, query.alias = self.table()\n        while (join := self.join()) is not None:\n            query.joins.append(join)\n"),
    ('        if self.have("order", "by"):\n', '''        if self.have("group", "by"):
            self.grouping(query)
            while self.have(","):
                self.grouping(query)
        if self.have("having"):
            query.having = self.expression()
        if self.have("order", "by"):
'''),
    ('            query.limit = self.number()\n', '            query.limit = self.number()\n            query.ties = self.have("with", "ties")\n'),
    ('    def item(self):\n', '''    def table(self):
        name = self.name()
        if self.peek()[0] == "name" and self.peek()[1] not in RESERVED:
            return name, self.name()
        return name, name

    def join(self):
        kind = "inner"
        if self.peek()[1] in ("inner", "left", "right", "full") and self.peek()[0] == "name":
            kind = self.next()[1]
            self.need("join")
        elif not self.have("join"):
            return None
        table, alias = self.table()
        if self.have("on"):
            return kind, table, alias, self.expression(), ()
        self.need("using", "(")
        using = [self.name()]
        while self.have(","):
            using.append(self.name())
        self.need(")")
        return kind, table, alias, None, using

    def grouping(self, query):
        if not self.have("rollup", "("):
            query.group.append((self.expression(), False))
            return
        if any(rolled for _, rolled in query.group):
            raise Mistake
        query.group.append((self.expression(), True))
        while self.have(","):
            query.group.append((self.expression(), True))
        self.need(")")

    def item(self):
'''),
    ('            self.have("asc")\n        return expression, down\n', '''            self.have("asc")
        nulls = ""
        if self.have("nulls"):
            nulls = self.next()[1]
            if nulls not in ("first", "last"):
                raise Mistake
        return expression, down, nulls
'''),
    ("    def call(self, name):\n", '''    def call(self, name):
        if name in ("count", "sum", "avg", "min", "max", "LIST"):
            distinct, argument, condition = False, None, None
            if not (name == "count" and self.have("*")):
                distinct = self.have("distinct")
                argument = self.expression()
            self.need(")")
            if self.have("filter"):
                self.need("(", "where")
                condition = self.expression()
                self.need(")")
            return ("aggregate", name, distinct, argument, condition)
        if name == "grouping":
            inside = self.expression()
            self.need(")")
            return ("grouping", inside)
'''),
]  # fmt: skip
EVALUATE = [
    ("    kind, *rest = expression\n", "    kind, *rest = expression\n    if isinstance(row, dict) and expression in row:\n        return row[expression]\n"),
]  # fmt: skip


def _files(seed: int) -> dict[str, str]:
    rules = rules_of(seed)
    found = {"names": NAMES, "joins": JOINS, "groups": GROUPS, "answer": ANSWER}
    for name, value in (
        ("MATCH", "" if rules.nulls_match else " and row[a] is not None"),
        ("RIGHT_FIRST", rules.right_first),
        ("NOTHING", 0 if rules.sum_zero else None),
        ("LEVELS", "reversed(levels)" if rules.total_first else "levels"),
        ("LIST", rules.word),
        ("SEPARATOR", rules.separator),
        ("GROUP_ALIAS", rules.group_alias),
        ("HAVING_ALIAS", rules.having_alias),
        ("ALL_TIES", rules.all_ties),
    ):
        found = {file: text.replace(name, str(value)) for file, text in found.items()}
    return found


def _work(seed: int, *changes: tuple[str, str, str]) -> Script:
    """The program written, with these mistakes: file, what is right, what is wrong."""
    files = _files(seed)
    word = rules_of(seed).word
    patches = [("syntax", old, new.replace("LIST", word)) for old, new in SYNTAX]
    patches += [("evaluate", old, new) for old, new in EVALUATE]
    for name, old, new in changes:
        if name in files:
            assert old in files[name], old
            files[name] = files[name].replace(old, new)
        else:
            assert any(old in patch[2] for patch in patches), old
            patches = [
                (file, was, is_.replace(old, new) if file == name else is_) for file, was, is_ in patches
            ]
    program = f"""
from pathlib import Path
for name, text in {files!r}.items():
    Path("tabq", name + ".py").write_text(text.lstrip())
for name, old, new in {patches!r}:
    path = Path("tabq", name + ".py")
    assert old in path.read_text(), old
    path.write_text(path.read_text().replace(old, new))
"""
    return Script(f"python3 - <<'END_OF_PROGRAM'\n{program}\nEND_OF_PROGRAM")


def right(seed: int) -> list[Script]:
    return [_work(seed)]


def wrong(seed: int) -> list[object]:
    rules = rules_of(seed)
    return [
        _work(seed, ("answer", f"({rules.group_alias} or", f"({not rules.group_alias} or")),
        _work(seed, ("answer", f"({rules.having_alias} or", f"({not rules.having_alias} or")),
        # the order of right joins, subtotals and nulls, and what a join by using makes of a name
        _work(seed, ("joins", str(rules.right_first), str(not rules.right_first))),
        _work(seed, ("joins", "tuple(row[b] if row[a] is None else row[a] for a, b in pairs)", "tuple(row[a] for a, b in pairs)")),
        _work(seed, ("names", "merged + [each for each in self.seen if each[1] not in hidden]",
                     "[each for each in self.seen if each[1] not in hidden] + merged")),
        _work(seed, ("groups", "reversed(levels)", "levels")) if rules.total_first else _work(seed, ("groups", "in levels:", "in reversed(levels):")),
        _work(seed, ("answer", '!= down else', "!= False else")),
        _work(seed, ("groups", "known[each] = int(each[1] not in kept)", "known[each] = int(each[1] not in values)")),
        _work(seed, ("groups", "    for each in used:\n        check(each, keys)\n", "    for each in used if rows else ():\n        check(each, keys)\n")),
        _work(seed, ("answer", "query.ties and end and", "query.ties and end and not query.offset and")),
        _work(seed, ("groups", "if value is not None]\n    if distinct", "]\n    if distinct")),
        [Call("shell", command="cat README.md NEXT.md"), "That is a lot of work."],
    ]  # fmt: skip
