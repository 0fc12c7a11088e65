def nothing(messages):
    return ""


CLASSIC = r"""```python
import re


def evaluate(text):
    tokens = []
    position = 0
    pattern = re.compile(r"\s*(?:([0-9]+)|(max|min)(?![A-Za-z0-9_])|([-+*/^(),]))")
    text = text.rstrip()
    while position < len(text):
        match = pattern.match(text, position)
        if not match:
            raise ValueError(f"unexpected {text[position:]!r}")
        tokens.append(match.group().strip())
        position = match.end()
    tokens.append("")
    tokens.reverse()

    def peek():
        return tokens[-1]

    def expect(token):
        if peek() != token:
            raise ValueError(f"wanted {token!r}, found {peek()!r}")
        tokens.pop()

    def expr():
        value = term()
        while peek() in ("+", "-"):
            value = value + term() if tokens.pop() == "+" else value - term()
        return value

    def term():
        value = factor()
        while peek() in ("*", "/"):
            if tokens.pop() == "*":
                value *= factor()
            else:
                other = factor()
                sign = -1 if (value < 0) != (other < 0) else 1
                value = sign * (abs(value) // abs(other))
        return value

    def factor():
        if peek() == "-":
            tokens.pop()
            return -factor()
        return power()

    def power():
        base = atom()
        if peek() == "^":
            tokens.pop()
            return base ** factor()
        return base

    def atom():
        token = peek()
        if token.isdigit():
            return int(tokens.pop())
        if token in ("max", "min"):
            tokens.pop()
            expect("(")
            values = [expr()]
            while peek() == ",":
                tokens.pop()
                values.append(expr())
            expect(")")
            return max(values) if token == "max" else min(values)
        expect("(")
        value = expr()
        expect(")")
        return value

    value = expr()
    expect("")
    return value
```"""

RIGHT = {
    "TestEasyParserGenerator": [
        CLASSIC,
        r"""Character by character, without a tokenizer:

```python
class Parser:
    def __init__(self, text):
        self.text, self.at = text, 0

    def skip(self):
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def accept(self, symbol):
        self.skip()
        if self.text.startswith(symbol, self.at):
            self.at += len(symbol)
            return True
        return False

    def require(self, symbol):
        if not self.accept(symbol):
            raise ValueError(f"expected {symbol} at {self.at}")

    def expr(self):
        total = self.term()
        while True:
            if self.accept("+"):
                total += self.term()
            elif self.accept("-"):
                total -= self.term()
            else:
                return total

    def term(self):
        total = self.factor()
        while True:
            if self.accept("*"):
                total *= self.factor()
            elif self.accept("/"):
                d = self.factor()
                q = abs(total) // abs(d)
                total = q if (total >= 0) == (d > 0) else -q
            else:
                return total

    def factor(self):
        if self.accept("-"):
            return -self.factor()
        value = self.atom()
        return value ** self.factor() if self.accept("^") else value

    def atom(self):
        for name, function in (("max", max), ("min", min)):
            if self.accept(name):
                self.require("(")
                items = [self.expr()]
                while self.accept(","):
                    items.append(self.expr())
                self.require(")")
                return function(items)
        if self.accept("("):
            value = self.expr()
            self.require(")")
            return value
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in "0123456789":
            self.at += 1
        if start == self.at:
            raise ValueError(f"number expected at {start}")
        return int(self.text[start:self.at])


def evaluate(text):
    parser = Parser(text)
    value = parser.expr()
    parser.skip()
    if parser.at != len(text):
        raise ValueError(f"trailing text: {text[parser.at:]!r}")
    return value
```""",
    ]
}

WRONG = {
    "TestEasyParserGenerator": [
        nothing,
        ["I would use a parser generator such as ANTLR for this.", "There is no code in this answer."],
        # python's own grammar is another one
        """```python
def evaluate(text):
    try:
        return int(eval(text.replace("^", "**").replace("/", "//")))
    except Exception as error:
        raise ValueError(str(error))
```""",
        # rounds down instead of toward zero
        CLASSIC.replace("sign * (abs(value) // abs(other))", "value // other"),
        # the minus binds tighter than the power
        CLASSIC.replace(
            "return -factor()", "return (-atom()) ** (tokens.pop() and factor() if peek() == '^' else 1)"
        ),
        # forgets to look behind the end
        CLASSIC.replace('    expect("")\n    return value\n```', "    return value\n```"),
    ]
}
