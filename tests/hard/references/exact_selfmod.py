"""Right and wrong replies to exact_selfmod: a small assembler, and a gnome sort in it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..exact_selfmod import Machine, machine_of

Where = str | int  # a name or an address; "=5" is a cell that holds 5


@dataclass
class Assembler:
    """Instructions with names, made into numbers."""

    machine: Machine
    lines: list[tuple[Where, Where, Where]] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)

    def label(self, name: str) -> None:
        self.names[name] = 3 * len(self.lines)

    def op(self, p: Where, q: Where, to: Where = "", word: str = "") -> None:
        """An instruction; `word` names the number P or Q of it that is an address of the list, "P x" or "Q x"."""
        if word:
            which, name = word.split()
            self.names[name] = 3 * len(self.lines) + self.machine.order.index(which)
        self.lines.append((p, q, to or 3 * len(self.lines) + 3))

    def zero(self, q: Where) -> None:
        self.op(q, q)

    def add(self, number: int, q: Where) -> None:
        """Add a constant."""
        if self.machine.reverse:
            self.op(f"={-number}", q)
            self.op("=0", q)
        else:
            self.op(f"={-number}", q)

    def subtract(self, p: Where, q: Where, word: str = "") -> None:
        self.op(p, q, word=word)
        if self.machine.reverse:
            self.op("=0", q, word=word.replace(" ", " second_") if word.startswith("Q") else "")

    def put(self, number: int, q: Where) -> None:
        self.zero(q)
        self.op(f"={number if self.machine.reverse else -number}", q)

    def jump(self, to: Where) -> None:
        """Go there in any case."""
        self.op("t", "t", "" if self.machine.strict else to)
        if self.machine.strict:
            self.op("=-1" if self.machine.reverse else "=1", "t", to)

    def jump_below_0(self, p: Where, to: Where) -> None:
        """Go there if p is below 0; p is left as it is."""
        if self.machine.reverse:
            self.zero("t")
            if not self.machine.strict:
                self.op("=-1", "t")
            self.op(p, "t", to)
        elif self.machine.strict:
            self.op("=0", p, to)
        else:
            self.op("t", "t")
            self.op("u", "u")
            self.op(p, "t")
            self.op("=-1", "u")
            self.op("t", "u", to)

    def numbers(self) -> list[int]:
        """The program."""
        names, found = dict(self.names), [0] * 3 * len(self.lines)
        for k, line in enumerate(self.lines):
            values = []
            for what in line:
                if isinstance(what, str):
                    if what not in names:
                        names[what] = len(found)
                        found.append(int(what[1:]) if what.startswith("=") else 0)
                    what = names[what]
                values.append(what)
            for name, value in zip("PQJ", values, strict=True):
                found[3 * k + self.machine.order.index(name)] = value
        return found


def program(machine: Machine) -> list[int]:
    """A sort that goes back one place after an exchange: the words X, Y and those that change the list move along it.

    With d = x - y and s = x + y - 2 * middle, x is farther from the middle than y if d and s have the same sign.
    """
    asm, m = Assembler(machine), machine
    first = m.place
    s_from = 2 * m.middle + (m.larger_first != m.falling)
    far = 0 if not m.falling else -1_000_000
    # -n in `left`, and a number that is never exchanged before the list
    asm.op(first, "left")
    if m.reverse:
        asm.op("=0", "left")
    if not m.strict:
        asm.add(1, "left")
    asm.put(far or m.middle, first)
    asm.label("loop")
    if m.reverse:
        asm.zero("x")
        asm.op(first, "x", word="P x1")
        asm.zero("d")
        asm.op(first + 1, "d", word="P y1")
        asm.op("x", "d")  # x - y
        asm.zero("s")
        asm.op("d", "s")
        asm.op("x", "s")  # y
        asm.op(f"={s_from}", "s")  # s_from - y
        asm.op("x", "s")  # x + y - s_from
        asm.put(1, "step")
    else:
        asm.zero("x")
        asm.op(first, "x", word="P x1")  # -x
        asm.zero("d")
        asm.op(first + 1, "d", word="P y1")
        asm.op("x", "d")
        asm.zero("s")
        asm.op("x", "s")
        asm.op("x", "s")
        asm.op("d", "s")
        asm.op(f"={s_from}", "s")
        asm.put(-1, "step")
    asm.jump_below_0("d", "down")
    if m.falling:
        asm.jump_below_0("s", "unequal")
        asm.jump("on")
        asm.label("down")
        asm.jump_below_0("s", "on")
        asm.jump("exchange")
        asm.label("unequal")
    else:
        asm.jump_below_0("s", "on")
    asm.zero("e")
    asm.op("d", "e", "exchange" if m.strict and not m.reverse else "")
    if m.reverse:
        asm.op("=0", "e")
    if not (m.strict and not m.reverse):
        asm.jump_below_0("e", "exchange")
    asm.jump("on")
    if not m.falling:
        asm.label("down")
        asm.jump_below_0("s", "exchange")
        asm.jump("on")
    asm.label("exchange")
    asm.zero("e")
    asm.op("d", "e")
    if m.reverse:
        asm.op("=0", "e")
    asm.subtract("d", first, word="Q x2")
    asm.subtract("e", first + 1, word="Q y2")
    asm.put(-1 if m.reverse else 1, "step")
    asm.label("on")
    words = ["x1", "y1", "x2", "y2"]
    if m.reverse:
        words += ["second_x2", "second_y2"]
    for word in words:
        if m.reverse:  # by way of its negative
            asm.op("=0", word)
        asm.op("step", word)
    if m.reverse:
        asm.op("=0", "left")
    asm.op("step", "left", "loop")
    asm.jump(-1)
    return asm.numbers()


def _reply(numbers: list[int]) -> str:
    rows = [" ".join(map(str, numbers[k : k + 12])) for k in range(0, len(numbers), 12)]
    return "A gnome sort.\n\n```\n" + "\n".join(rows) + "\n```\n"


def right(seed: int) -> list[str]:
    numbers = program(machine_of(seed))
    return [_reply(numbers), f"```\n{', '.join(map(str, numbers))},\n```".replace(",\n```", "\n```")]


def wrong(seed: int) -> list[str]:
    machine = machine_of(seed)
    numbers = program(machine)
    return [
        _reply(program(replace(machine, larger_first=not machine.larger_first))),
        _reply(program(replace(machine, falling=not machine.falling))),
        _reply(program(replace(machine, strict=not machine.strict))),
        _reply(program(replace(machine, middle=machine.middle + 1))),
        _reply([*numbers[:9], *numbers[10:]]),
        _reply(numbers + [0] * 200),
        "```\nloop: 1 2 3\n```",
    ]
