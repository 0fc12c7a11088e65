"""Words into queries. An expression is a tuple whose first element says what it is."""

from dataclasses import dataclass, field

from tabq.errors import Mistake

RESERVED = set("select distinct from where order by asc desc limit offset as and or not is null".split())


@dataclass
class Query:
    items: list = field(default_factory=list)
    distinct: bool = False
    table: str = ""
    alias: str = ""
    where: tuple = None
    order: list = field(default_factory=list)
    limit: int = None
    offset: int = 0


class Parser:
    def __init__(self, words):
        self.words, self.at = words, 0

    def peek(self):
        return self.words[self.at] if self.at < len(self.words) else ("end", "")

    def next(self):
        word = self.peek()
        self.at += 1
        return word

    def have(self, *values):
        """Goes past these words if they are the next ones."""
        some = self.words[self.at : self.at + len(values)]
        if [value for kind, value in some if kind in ("name", "sign")] != list(values):
            return False
        self.at += len(values)
        return True

    def need(self, *values):
        if not self.have(*values):
            raise Mistake

    def name(self):
        kind, value = self.next()
        if kind != "name" or value in RESERVED:
            raise Mistake
        return value

    def number(self):
        kind, value = self.next()
        if kind != "number":
            raise Mistake
        return value

    def query(self):
        query = Query()
        self.need("select")
        query.distinct = self.have("distinct")
        query.items.append(self.item())
        while self.have(","):
            query.items.append(self.item())
        self.need("from")
        query.table = query.alias = self.name()
        if self.peek()[0] == "name" and self.peek()[1] not in RESERVED:
            query.alias = self.name()
        if self.have("where"):
            query.where = self.expression()
        if self.have("order", "by"):
            query.order.append(self.ordering())
            while self.have(","):
                query.order.append(self.ordering())
        if self.have("limit"):
            query.limit = self.number()
            if self.have("offset"):
                query.offset = self.number()
        if self.peek()[0] != "end":
            raise Mistake
        return query

    def item(self):
        """A pair of expression and alias."""
        if self.have("*"):
            return ("star", None), None
        some = self.words[self.at : self.at + 3]
        if some[1:] == [("sign", "."), ("sign", "*")] and some[0][0] == "name":
            self.at += 3
            return ("star", some[0][1]), None
        expression = self.expression()
        return expression, self.name() if self.have("as") else None

    def ordering(self):
        """A pair of expression and whether it goes down."""
        expression = self.expression()
        down = self.have("desc")
        if not down:
            self.have("asc")
        return expression, down

    def expression(self):
        left = self.conjunction()
        while self.have("or"):
            left = ("or", left, self.conjunction())
        return left

    def conjunction(self):
        left = self.negation()
        while self.have("and"):
            left = ("and", left, self.negation())
        return left

    def negation(self):
        return ("not", self.negation()) if self.have("not") else self.comparison()

    def comparison(self):
        left = self.sum()
        for op in ("=", "<>", "<", "<=", ">", ">="):
            if self.have(op):
                return ("compare", op, left, self.sum())
        if self.have("is", "null"):
            return ("is null", left)
        if self.have("is", "not", "null"):
            return ("not", ("is null", left))
        return left

    def sum(self):
        left = self.product()
        while self.peek() in (("sign", "+"), ("sign", "-")):
            left = ("arithmetic", self.next()[1], left, self.product())
        return left

    def product(self):
        left = self.signed()
        while self.peek() in (("sign", "*"), ("sign", "/")):
            left = ("arithmetic", self.next()[1], left, self.signed())
        return left

    def signed(self):
        return ("arithmetic", "-", ("value", 0), self.signed()) if self.have("-") else self.atom()

    def atom(self):
        if self.have("("):
            inside = self.expression()
            self.need(")")
            return inside
        if self.have("null"):
            return ("value", None)
        kind, value = self.peek()
        if kind in ("number", "text"):
            self.at += 1
            return ("value", value)
        name = self.name()
        if self.have("("):
            return self.call(name)
        return ("column", name, self.name()) if self.have(".") else ("column", None, name)

    def call(self, name):
        arguments = [self.expression()]
        while self.have(","):
            arguments.append(self.expression())
        self.need(")")
        if name not in ("coalesce", "length") or (name == "length" and len(arguments) != 1):
            raise Mistake
        return (name, *arguments)
