"""Loom, a language that only the document of repair_loom describes; also run as a program: PROGRAM < input."""

# fmt: off
from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

MOST = 3_000_000  # statements and operands that are worked out for one input
DEEP = 60  # calls inside each other
LONG = 20_000  # elements of a list or characters of a text
TOKEN = re.compile(r'\s*(?:(\d+)|"([^"]*)"|([a-z_]+)|(\+\+|<>|<=|>=|[-+*/%=<>&|()\[\],.#]))')


class Fault(Exception):
    """Why a program does not go on."""


def tokens(text: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    at, text = 0, text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise Fault(f"no such sign: {text[at:]}")
        number, string, name, sign = match.groups()
        found.append(("number", int(number))
            if number
            else ("text", string)
            if string is not None
            else ("name", name)
            if name
            else (sign, sign))
        at = match.end()
    return [*found, ("", "")]


class Line:
    """Reads the expressions of a line."""

    def __init__(self, text: str) -> None:
        self.tokens = tokens(text)

    def take(self, kind: str) -> Any:
        if self.tokens[0][0] != kind:
            raise Fault(f"{kind} wanted")
        return self.tokens.pop(0)[1]

    def ahead(self, *kinds: str) -> bool:
        return self.tokens[0][0] in kinds

    def several(self, end: str) -> list[Any]:
        found = []
        while not self.ahead(end):
            found.append(self.whole())
            if not self.ahead(end):
                self.take(",")
        self.take(end)
        return found

    def whole(self) -> Any:
        left = self.operand()
        if self.ahead("++", "<>", "<=", ">=", *"-+*/%=<>&|"):
            return ("op", self.tokens.pop(0)[0], left, self.whole())
        return left

    def operand(self) -> Any:
        kind, value = self.tokens.pop(0)
        if kind in ("number", "text"):
            found: Any = ("value", value)
        elif kind == "[":
            found = ("list", self.several("]"))
        elif kind == "(":
            found = self.whole()
            self.take(")")
        elif kind == "#":
            return ("length", self.operand())
        elif kind == "name" and self.ahead("("):
            self.take("(")
            found = ("call", value, self.several(")"))
        elif kind == "name":
            found = ("name", value)
        else:
            raise Fault(f"no value begins with {value!r}")
        while self.ahead("."):
            self.take(".")
            kind, value = self.tokens.pop(0)
            part = (("value", value)
                if kind == "number"
                else ("name", value)
                if kind == "name"
                else self.whole()
                if kind == "("
                else None)
            if part is None:
                raise Fault("no such part")
            if kind == "(":
                self.take(")")
            found = ("part", found, part)
        return found


def parsed(source: str) -> dict[str, tuple[list[str], list[Any]]]:
    """The procedures of a program."""
    lines = [line.strip() for line in source.split("\n")]
    todo = iter([line for line in lines if line and line[0] != ";"])
    found = {}
    for text in todo:
        words = text.split()
        if words[0] != "to" or len(words) < 2 or len(set(words[2:])) < len(words) - 2:
            raise Fault(f"outside of procedures: {text}")
        found[words[1]] = (words[2:], block(todo)[0])
    return found


def block(todo: Iterator[str]) -> tuple[list[Any], str]:
    """Statements up to `end` or `else`."""
    found: list[Any] = []
    for text in todo:
        word = text.split()[0]
        line = (Line(text[len(word) :] if word in ("if", "while", "for", "do", "give", "print", "cut") else text)
            if word not in ("end", "else")
            else None)
        if line is None:
            return found, word
        if word == "if":
            condition = line.whole()
            body, last = block(todo)
            found.append(("if", condition, body, block(todo)[0] if last == "else" else []))
        elif word == "while":
            found.append(("while", line.whole(), block(todo)[0]))
        elif word == "for":
            name = line.take("name")
            line.take("=")
            first = line.whole()
            line.take(",")
            found.append(("for", name, first, line.whole(), block(todo)[0]))
        elif word in ("do", "give", "cut"):
            found.append((word, line.whole()))
        elif word == "print":
            found.append(("print", line.several("")))
            continue
        else:
            target = line.operand()
            line.take("=")
            found.append(("let", target, line.whole()))
        line.take("")
    raise Fault("no end")


class Given(Exception):
    """A procedure ends."""


def order(value: Any) -> tuple[Any, ...]:
    if isinstance(value, int):
        return (0, value)
    return ((1, len(value), value) if isinstance(value, str) else (2, len(value), [order(each) for each in value]))


def said(value: Any) -> str:
    return " ".join(map(said, value)) if isinstance(value, tuple) else str(value)


class Machine:
    """A program that runs."""

    def __init__(self, source: str) -> None:
        self.procedures = parsed(source)
        self.cells: dict[str, list[Any]] = {}
        self.out: list[str] = []
        self.steps = self.deep = 0

    def cell(self, name: str) -> list[Any]:
        return self.cells.setdefault(name, [0])

    def call(self, name: str, args: Sequence[Any]) -> Any:
        if name not in self.procedures or len(args) != len(self.procedures[name][0]) or self.deep == DEEP:
            raise Fault(f"cannot call {name}")
        names, body = self.procedures[name]
        bound = [self.cell(arg[1]) if arg[0] == "name" else [self.value(arg)] for arg in reversed(args)][::-1]
        before = {each: self.cells.get(each) for each in names}
        self.cells.update(zip(names, bound, strict=True))
        self.deep += 1
        try:
            self.run(body)
        except Given as given:
            return given.args[0]
        finally:
            self.deep -= 1
            for each, old in before.items():
                self.cells[each] = old if old is not None else [0]
        return 0

    def step(self) -> None:
        self.steps += 1
        if self.steps > MOST:
            raise Fault("too long")

    def value(self, tree: Any) -> Any:
        self.step()
        kind = tree[0]
        if kind == "value":
            return tree[1]
        if kind == "name":
            return self.cell(tree[1])[0]
        if kind == "list":
            return tuple([self.value(each) for each in reversed(tree[1])][::-1])
        if kind == "call":
            return self.call(tree[1], tree[2])
        if kind == "length":
            found = self.value(tree[1])
            return len(found) if not isinstance(found, int) else abs(found)
        if kind == "part":
            number = self.value(tree[2])
            whole = self.value(tree[1])
            at = self.place(whole, number)
            return whole[at] if at is not None else 0
        right = self.value(tree[3])
        return operated(tree[1], self.value(tree[2]), right)

    def place(self, whole: Any, number: Any) -> int | None:
        """The index of an element that there is."""
        if isinstance(whole, int) or not isinstance(number, int) or not 1 <= abs(number) <= len(whole):
            return None
        return number - 1 if number > 0 else len(whole) + number

    def let(self, target: Any, value: Any) -> None:
        if target[0] == "name":
            self.cell(target[1])[0] = value
            return
        if target[0] != "part":
            raise Fault("nothing to be set")
        number = self.value(target[2])
        whole = self.value(target[1])
        whole = whole if isinstance(whole, tuple) else ()
        at = len(whole) if number == len(whole) + 1 else self.place(whole, number)
        if at is None or len(whole) > LONG:
            raise Fault("no such element")
        self.let(target[1], (*whole[:at], value, *whole[at + 1 :]))

    def run(self, statements: Sequence[Any]) -> None:
        for each in statements:
            self.step()
            kind = each[0]
            if kind == "let":
                self.let(each[1], self.value(each[2]))
            elif kind == "if":
                self.run(each[2] if true(self.value(each[1])) else each[3])
            elif kind == "while":
                while true(self.value(each[1])):
                    self.run(each[2])
            elif kind == "for":
                last, cell = self.value(each[3]), None
                first = self.value(each[2])
                self.cell(each[1])[0] = first
                while True:
                    self.run(each[4])
                    cell = self.cell(each[1])
                    if cell[0] == last:
                        break
                    cell[0] += 1 if order(cell[0]) < order(last) else -1
                    self.step()
            elif kind == "do":
                self.value(each[1])
            elif kind == "give":
                raise Given(self.value(each[1]))
            elif kind == "print":
                self.out.append(" ".join([said(self.value(part)) for part in reversed(each[1])][::-1]))
            elif kind == "cut":
                if each[1][0] != "part":
                    raise Fault("nothing to be cut")
                number = self.value(each[1][2])
                whole = self.value(each[1][1])
                at = self.place(whole, number)
                if at is not None:
                    self.let(each[1][1], whole[:at] + whole[at + 1 :])


def true(value: Any) -> bool:
    return value > 0 if isinstance(value, int) else len(value) > 0


def operated(sign: str, a: Any, b: Any) -> Any:
    if sign in ("=", "<>", "<", ">", "<=", ">="):
        one, other = order(a), order(b)
        return int({"=": one == other, "<>": one != other, "<": one < other, ">": one > other, "<=": one <= other, ">=": one >= other}[sign])
    if sign in "&|":
        return (min if sign == "&" else max)(a, b, key=order)
    if sign == "++":
        if len(str(a)) + len(str(b)) > 9 * LONG:
            raise Fault("too long")
        if isinstance(a, tuple) or isinstance(b, tuple):
            return (a if isinstance(a, tuple) else (a,)) + (b if isinstance(b, tuple) else (b,))
        return str(a) + str(b)
    if not isinstance(a, int) or not isinstance(b, int) or max(abs(a), abs(b)) >= 10**400:
        raise Fault("no number")
    if sign in "/%":
        if b == 0:
            return 0 if sign == "/" else a
        return (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1) if sign == "/" else a % b
    return a + b if sign == "+" else a - b if sign == "-" else a * b


def run(source: str, text: str) -> str:
    """What a program prints for an input."""
    machine: Machine | None = None
    try:
        machine = Machine(source)
        for line in text.split("\n"):
            if line.strip():
                machine.cell("words")[0] = tuple(int(word) if re.fullmatch("[0-9]+", word) else word for word in line.split())
                machine.call("main", [])
    except (Fault, TypeError, RecursionError) as error:
        return "".join(f"{each}\n" for each in (machine.out if machine else [])) + f"fault: {error}\n"
    return "".join(f"{each}\n" for each in machine.out)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        program = file.read(100_000)
    print(run(program, sys.stdin.read()), end="")
