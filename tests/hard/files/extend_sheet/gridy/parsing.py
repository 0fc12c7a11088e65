"""Tokens into a tree of tuples."""

from gridy.tokens import Bad

ARGUMENTS = {"SUM": (1, 99), "MIN": (1, 99), "MAX": (1, 99), "COUNT": (1, 99), "IF": (3, 3)}


class Parser:
    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0

    def sign(self, *signs):
        """Goes past one of these signs, if one is next, and returns it."""
        if self.at < len(self.tokens):
            kind, value = self.tokens[self.at]
            if kind == "sign" and value in signs:
                self.at += 1
                return value
        return None

    def whole(self):
        tree = self.comparison()
        if self.at < len(self.tokens):
            raise Bad
        return tree

    def comparison(self):
        left = self.sum()
        op = self.sign("=", "<>", "<", ">")
        return ("compare", op, left, self.sum()) if op else left

    def sum(self):
        left = self.product()
        while op := self.sign("+", "-"):
            left = ("arithmetic", op, left, self.product())
        return left

    def product(self):
        left = self.signed()
        while op := self.sign("*", "/"):
            left = ("arithmetic", op, left, self.signed())
        return left

    def signed(self):
        if self.sign("-"):
            return ("arithmetic", "-", ("number", 0), self.signed())
        return self.atom()

    def atom(self):
        if self.sign("("):
            inside = self.comparison()
            if not self.sign(")"):
                raise Bad
            return ("brackets", inside)
        if self.at == len(self.tokens) or self.tokens[self.at][0] == "sign":
            raise Bad
        kind, value = self.tokens[self.at]
        self.at += 1
        return self.call(value) if kind == "name" else (kind, value)

    def call(self, name):
        if name not in ARGUMENTS or not self.sign("("):
            raise Bad
        arguments = [self.comparison()]
        while self.sign(","):
            arguments.append(self.comparison())
        least, most = ARGUMENTS[name]
        if not self.sign(")") or not least <= len(arguments) <= most:
            raise Bad
        return ("call", name, *arguments)
