"""Queries into answers."""

from tabq.errors import Mistake
from tabq.evaluate import evaluate
from tabq.names import Scope
from tabq.values import rank, truth


def answer(query, tables):
    """The names of the columns, and the rows."""
    if query.table not in tables:
        raise Mistake
    table = tables[query.table]
    scope = Scope(query.alias, table.columns)
    columns, names, aliases = chosen(query, scope)
    where = scope.resolve(query.where) if query.where else None
    order = [(order_key(each, scope, columns, aliases, query.distinct), down) for each, down in query.order]
    rows = [row for row in table.rows if where is None or truth(evaluate(where, row))]
    return names, [values for values, _ in window(query, sort(order, pick(query, columns, rows)))]


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
        own = expression[2] if expression[0] == "column" else f"col{len(columns)}"
        names.append(alias or own)
    return columns, names, aliases


def order_key(expression, scope, columns, aliases, distinct):
    if expression[0] == "column" and expression[1] is None and expression[2] in aliases:
        places = aliases[expression[2]]
        if len(places) > 1:
            raise Mistake
        return columns[places[0]]
    if expression[0] == "value" and isinstance(expression[1], int):
        if not 1 <= expression[1] <= len(columns):
            raise Mistake
        return columns[expression[1] - 1]
    found = scope.resolve(expression)
    if distinct and found not in columns:
        raise Mistake
    return found


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
    for expression, down in reversed(order):
        pairs.sort(key=lambda pair: rank(evaluate(expression, pair[1])), reverse=down)
    return pairs


def window(query, pairs):
    end = None if query.limit is None else query.offset + query.limit
    return pairs[query.offset : end]
