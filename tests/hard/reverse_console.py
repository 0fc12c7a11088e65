"""A processor known by its programs and what they print: an interpreter for others."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .cases import Cases

DESCRIPTION = (
    "Can the model infer a processor's code from short programs and write an interpreter for it blind?"
)
TAGS = ["hard", "code", "python", "bytes"]

PROGRAMS, RANDOM_SAMPLES = 240, 14  # hidden programs, and samples without a plan
MOST_STEPS, MOST_BYTES = 400, 110
LONGEST = 5500  # bytes of a program: room for an interpreter, none for the samples and a search as well
COMMAND = f"test $(wc -c < solution.py) -le {LONGEST} && python3 -I solution.py"
PROMPT = """A processor without a handbook runs programs of bytes. These are programs as hexadecimal digits, each with what it printed:

{samples}

What is known ("or" means: one of these always, and the samples decide which):

- It has four registers and sixteen places of memory, each with a number from 0 to 255, a flag and a stack. All numbers begin at 0, the flag is off, the stack is empty. Results
are taken modulo 256.
- All programs, those above and those of the judge, are shown in the same guise. The byte at address a (0, 1, 2 ...) is shown with exclusive or by a; or with exclusive or by the shown byte before it (the first one as it is); or
as its sum with a; or as its sum with the true byte before it (the first one as it is). What follows is about the true bytes.
- An instruction is a byte, for const, jump and loop followed by a second one. Four bits of the first byte (the high ones or the low ones) say which of the sixteen
instructions it is; the other four are two fields of two bits, x and y: x in the higher two or in the lower two. The fields are numbers of registers
unless something else is said. Fields that an instruction does not use can hold anything. Instructions are done one after the other from the first byte on.

The instructions are these; which of the numbers 0 to 15 means which is unknown. x * y and the like mean x and y as they are at the beginning of the instruction. Where an
instruction sets both, it sets y first, so that x counts if both are the same register.

stop: the program ends.
const: x becomes the second byte, or 255 minus that, or that with its high and low four bits exchanged.
copy: x becomes y.
add: x becomes x + y; the flag becomes on or off as there was a carry, or it stays.
sub: x becomes x - y or y - x; the flag becomes on or off as the true difference was below 0, or as the result is 0, or it stays.
mul: y becomes the upper eight bits of x * y, or it stays; x becomes the lower eight bits.
div: y becomes the remainder of x divided by y, or it stays; x becomes the quotient, rounded down. If y is 0: x becomes 255, or x becomes 0, or nothing changes; y stays.
shift: x is shifted by one bit, left or right; what comes in is 0 or the flag; the flag becomes what goes out.
compare: the flag becomes on or off as x is less than y, or at most y, or equal to y, or less than y if both are read as signed (two's complement).
jump: x is no register, but says which kind of jump it is; each of 0 to 3 means one of these: always, if the flag is on, if the flag is off, call. A call jumps always and before puts the
address of the instruction behind it on the stack.
loop: x decreases by one (0 becomes 255), and if it is then not 0, it jumps; or: if x is not 0, it decreases by one and jumps, and if it is 0 nothing happens.
load: x becomes the memory at address y modulo 16. y stays, or it increases by one after its use as the address, or it decreases by one before that use; x is set last.
store: the memory at address y modulo 16 becomes what x was at the beginning of the instruction; y as for load, though not necessarily the same of the three.
print: x is printed as a decimal number; all numbers printed stand in one line with blanks between them.
one: y is no register, but says what happens; each of 0 to 3 means one of these: x becomes 255 - x; x increases by one; push: x is put on the stack; pop: x becomes what is on top
of the stack, which is removed (0 if the stack is empty).
return: takes the top of the stack and goes on at that address; if the stack is empty the program ends. Calls and return use the same stack as push and pop, or they have one
of their own.

The second byte of jump and loop says how far: a number in two's complement, or one of which the highest bit is the sign and the others are the amount, or in the order
0, -1, 1, -2, 2 ... for 0, 1, 2, 3, 4 .... The jump goes to the address of the jump (its first byte) plus that, or to the address behind its second byte plus that. Addresses count bytes from 0.

Write a Python 3 program, with the standard library only, that interprets. It reads lines from standard input, each a program as hexadecimal digits, and prints for each one line: what the
program prints, as above. It is judged by {programs} other programs; all must be right. They end within {steps} instructions, jump only to beginnings of instructions,
print at least one number, and have at most {size} bytes. Your program has at most {longest} bytes, so work the processor out before. You cannot run anything. Reply with the program in one fenced
block."""

NAMES = ("stop", "const", "copy", "add", "sub", "mul", "div", "shift", "compare", "jump", "loop", "load", "store", "print", "one", "return")  # fmt: skip
KINDS = ("always", "on", "off", "call")
ONES = ("invert", "increase", "push", "pop")
CHOICES: Mapping[str, Sequence[str]] = {
    "guise": ("xor address", "xor before", "plus address", "plus before"), "code": ("high", "low"), "x": ("high", "low"), "const": ("plain", "inverted", "exchanged"), "add": ("carry", "stays"),
    "sub": ("x-y", "y-x"), "sub flag": ("below", "zero", "stays"), "mul": ("upper", "stays"), "div": ("remainder", "stays"),
    "by zero": ("255", "0", "nothing"), "shift": ("left", "right"), "shift in": ("0", "flag"), "compare": ("less", "at most", "equal", "signed"),
    "loop": ("decrease first", "test first"), "load": ("increase", "decrease", "stays"), "store": ("increase", "decrease", "stays"),
    "stack": ("same", "own"), "far": ("twos", "sign", "order"), "from": ("jump", "behind"),
}  # fmt: skip


@dataclass(frozen=True)
class Instruction:
    """`second`: the constant, or the place of the instruction in the list to which it jumps."""

    name: str
    x: int = 0
    y: int = 0
    second: int | None = None


def disguised(code: bytes, guise: str) -> bytes:
    """A program as the samples show it."""
    out: list[int] = []
    for at, byte in enumerate(code):
        match guise:
            case "xor address":
                out.append(byte ^ at)
            case "xor before":
                out.append(byte ^ (out[-1] if out else 0))
            case "plus address":
                out.append((byte + at) % 256)
            case _:
                out.append((byte + (code[at - 1] if at else 0)) % 256)
    return bytes(out)


@dataclass(frozen=True)
class Processor:
    """What a seed decides: the chosen ones of CHOICES, and what numbers mean."""

    chosen: Mapping[str, str]
    names: Sequence[str]
    kinds: Sequence[str]
    ones: Sequence[str]

    def assembled(self, program: Sequence[Instruction], chance: random.Random) -> bytes:
        """The bytes; unused fields hold anything."""
        starts = [0]
        for each in program:
            starts.append(starts[-1] + (1 if each.second is None else 2))
        out = bytearray()
        for at, each in enumerate(program):
            x, y = each.x, each.y
            if each.name in ("const", "print", "loop", "jump", "stop", "return"):
                y = chance.randrange(4)
            if each.name in ("stop", "return"):
                x = chance.randrange(4)
            fields = x << 2 | y if self.chosen["x"] == "high" else y << 2 | x
            number = self.names.index(each.name)
            out.append(number << 4 | fields if self.chosen["code"] == "high" else fields << 4 | number)
            if each.second is None:
                continue
            if each.name == "const":
                value = each.second
                out.append(
                    {"plain": value, "inverted": 255 - value, "exchanged": value >> 4 | (value & 15) << 4}[
                        self.chosen["const"]
                    ]
                )
            else:
                far = starts[each.second] - (starts[at] if self.chosen["from"] == "jump" else starts[at] + 2)
                amount = {
                    "twos": far & 255,
                    "sign": abs(far) | (128 if far < 0 else 0),
                    "order": 2 * far if far >= 0 else -2 * far - 1,
                }
                out.append(amount[self.chosen["far"]])
        return disguised(bytes(out), self.chosen["guise"])

    def run(self, program: Sequence[Instruction]) -> list[int] | None:
        """What the instructions print; None if they do not end in time or go elsewhere."""
        chosen = self.chosen
        starts = [0]
        for each in program:
            starts.append(starts[-1] + (1 if each.second is None else 2))
        r, memory, flag, at = [0] * 4, [0] * 16, False, 0
        stack: list[int] = []
        calls = stack if chosen["stack"] == "same" else []
        printed: list[int] = []
        for _ in range(MOST_STEPS):
            if at >= len(program):
                return None
            each = program[at]
            x, y = each.x, each.y
            at += 1
            match each.name:
                case "stop":
                    return printed
                case "const":
                    r[x] = each.second or 0
                case "copy":
                    r[x] = r[y]
                case "add":
                    total = r[x] + r[y]
                    r[x] = total % 256
                    flag = total > 255 if chosen["add"] == "carry" else flag
                case "sub":
                    total = r[x] - r[y] if chosen["sub"] == "x-y" else r[y] - r[x]
                    r[x] = total % 256
                    flag = {"below": total < 0, "zero": total == 0, "stays": flag}[chosen["sub flag"]]
                case "mul":
                    total = r[x] * r[y]
                    r[y] = total >> 8 if chosen["mul"] == "upper" else r[y]
                    r[x] = total % 256
                case "div" if r[y]:
                    whole, rest = divmod(r[x], r[y])
                    r[y] = rest if chosen["div"] == "remainder" else r[y]
                    r[x] = whole
                case "div":
                    r[x] = {"255": 255, "0": 0, "nothing": r[x]}[chosen["by zero"]]
                case "shift":
                    inside = int(flag and chosen["shift in"] == "flag")
                    if chosen["shift"] == "left":
                        flag, r[x] = r[x] > 127, r[x] * 2 % 256 + inside
                    else:
                        flag, r[x] = r[x] % 2 == 1, r[x] // 2 + 128 * inside
                case "compare":
                    a, b = r[x], r[y]
                    flag = {
                        "less": a < b,
                        "at most": a <= b,
                        "equal": a == b,
                        "signed": (a ^ 128) < (b ^ 128),
                    }[chosen["compare"]]
                case "jump":
                    kind = self.kinds[x]
                    if kind == "call":
                        calls.append(starts[at])
                    if kind in ("always", "call") or (kind == "on") == flag:
                        at = each.second or 0
                case "loop":
                    first = chosen["loop"] == "decrease first"
                    goes = r[x] != 1 if first else r[x] != 0
                    r[x] = (r[x] - 1) % 256 if first or goes else r[x]
                    at = (each.second or 0) if goes else at
                case "load" | "store":
                    value, way = r[x], chosen[each.name]
                    r[y] = (r[y] - 1) % 256 if way == "decrease" else r[y]
                    address = r[y] % 16
                    r[y] = (r[y] + 1) % 256 if way == "increase" else r[y]
                    if each.name == "load":
                        r[x] = memory[address]
                    else:
                        memory[address] = value
                case "print":
                    printed.append(r[x])
                case "one":
                    kind = self.ones[y]
                    if kind == "push":
                        stack.append(r[x])
                    elif kind == "pop":
                        r[x] = stack.pop() if stack else 0
                    else:
                        r[x] = 255 - r[x] if kind == "invert" else (r[x] + 1) % 256
                case "return":
                    if not calls:
                        return printed
                    address = calls.pop()
                    if address not in starts[:-1]:
                        return None
                    at = starts.index(address)
        return None


@cache
def processor(seed: int) -> Processor:
    """The processor of a seed."""
    chance = random.Random(f"console {seed}")
    chosen = {name: chance.choice(options) for name, options in CHOICES.items()}
    mixed = [chance.sample(each, len(each)) for each in (NAMES, KINDS, ONES)]
    return Processor(chosen, *mixed)


class Maker:
    """Makes programs for a processor."""

    def __init__(self, made: Processor, chance: random.Random) -> None:
        self.made, self.chance = made, chance
        self.program: list[Instruction] = []

    def add(self, name: str, x: int = 0, y: int = 0, second: int | None = None) -> int:
        """Add an instruction; the place where it stands."""
        self.program.append(Instruction(name, x, y, second))
        return len(self.program) - 1

    def jump(self, kind: str, to: int = 0) -> int:
        """Add a jump of a kind."""
        return self.add("jump", self.made.kinds.index(kind), 0, to)

    def one(self, kind: str, x: int) -> int:
        """Add an instruction `one` of a kind."""
        return self.add("one", x, self.made.ones.index(kind))

    def aim(self, place: int) -> None:
        """Let the jump at a place go to here."""
        old = self.program[place]
        self.program[place] = Instruction(old.name, old.x, old.y, len(self.program))

    def value(self) -> int:
        """A number, often a special one."""
        return self.chance.choice(
            (0, 1, 2, 3, 5, 127, 128, 129, 200, 255, self.chance.randrange(256), self.chance.randrange(256))
        )

    def step(self, depth: int = 0) -> None:
        """Add something."""
        chance = self.chance
        x, y = chance.randrange(4), chance.randrange(4)
        names = ("const", "copy", "add", "sub", "mul", "div", "shift", "shift", "compare", "compare", "load", "store", "print", "one", "one", "if", "if", "loop", "call")  # fmt: skip
        name = chance.choice(names[: -3 if depth > 1 else None])
        if name == "const":
            self.add("const", x, 0, self.value())
        elif name == "one":
            self.one(chance.choice(ONES), x)
        elif name == "if":
            skip = self.jump(chance.choice(("on", "off")))
            for _ in range(chance.randint(1, 3)):
                self.step(depth + 1)
            self.aim(skip)
        elif name == "loop":
            self.add("const", x, 0, chance.randint(1, 4))
            begin = len(self.program)
            for _ in range(chance.randint(1, 3)):
                self.step(depth + 1)
            self.add("loop", x, 0, begin)
        elif name == "call":
            over = self.jump("always")
            begin = len(self.program)
            for _ in range(chance.randint(1, 3)):
                self.step(depth + 1)
            self.add("return")
            self.aim(over)
            self.jump("call", begin)
        else:
            self.add(name, x, y)


def code_of(maker: Maker) -> str:
    """The program as hexadecimal digits."""
    return maker.made.assembled(maker.program, maker.chance).hex()


def shown(printed: Sequence[int]) -> str:
    """What was printed, in a line."""
    return " ".join(map(str, printed))


def random_program(made: Processor, chance: random.Random, least: int, most: int) -> tuple[str, str]:
    """A program that ends, with what it prints."""
    while True:
        maker = Maker(made, chance)
        for x in chance.sample(range(4), chance.randint(1, 3)):
            maker.add("const", x, 0, maker.value())
        for _ in range(chance.randint(least, most)):
            maker.step()
        for x in chance.sample(range(4), chance.randint(1, 4)):
            maker.add("print", x)
        maker.add("stop")
        printed = made.run(maker.program)
        if printed and len(printed) <= 30:
            code = code_of(maker)
            if len(code) <= 2 * MOST_BYTES:
                return code, shown(printed)


def planned(made: Processor, chance: random.Random) -> list[Maker]:
    """Programs that show the instructions one by one."""
    found: list[Maker] = []

    def begin(*values: int) -> tuple[Maker, list[int]]:
        """A program that begins with some constants, and their registers."""
        maker = Maker(made, chance)
        registers = chance.sample(range(4), 4)
        for register, value in zip(registers, values, strict=False):
            maker.add("const", register, 0, value)
        found.append(maker)
        return maker, registers

    def end(maker: Maker, *registers: int) -> None:
        for register in registers:
            maker.add("print", register)
        maker.add("stop")

    def flag_shown(maker: Maker, register: int) -> None:
        """Print the register once, and once more if the flag is off."""
        maker.add("print", register)
        skip = maker.jump("on")
        maker.add("print", register)
        maker.aim(skip)
        maker.add("stop")

    for value in (18, 201, 7):
        maker, r = begin(value)
        end(maker, r[0])
    maker, r = begin(33, 90)
    end(maker, r[1], r[0], r[1])
    maker, r = begin(77)
    maker.add("copy", r[1], r[0])
    end(maker, r[1], r[0], r[2])
    for kind in ("invert", "increase"):
        maker, r = begin(41)
        maker.one(kind, r[0])
        end(maker, r[0])
    maker, r = begin(8, 9)
    maker.one("push", r[0])
    maker.one("push", r[1])
    maker.one("pop", r[2])
    maker.one("pop", r[3])
    maker.one("pop", r[0])
    end(maker, r[2], r[3], r[0], r[1])
    for name, a, b in (("add", 20, 3), ("sub", 20, 3), ("mul", 200, 9), ("div", 50, 7), ("div", 9, 0)):
        maker, r = begin(a, b)
        maker.add(name, r[0], r[1])
        end(maker, r[0], r[1])
    maker, r = begin(100)
    maker.add("shift", r[0])
    maker.add("print", r[0])
    end(maker, r[0])
    maker, r = begin(11, 22)
    skip = maker.jump("always")
    maker.add("print", r[0])
    maker.aim(skip)
    end(maker, r[1])
    is_on = (1, 1) if made.chosen["compare"] in ("equal", "at most") else (0, 1)
    for kind in ("on", "off"):
        for flag in ("off", "on"):
            maker, r = begin(11, 22, *is_on)
            if flag == "on":
                maker.add("compare", r[2], r[3])
            skip = maker.jump(kind)
            maker.add("print", r[0])
            maker.aim(skip)
            end(maker, r[1])
    for a, b in ((3, 200), (200, 3), (5, 5), (130, 200)):
        maker, r = begin(a, b, 1)
        maker.add("compare", r[0], r[1])
        flag_shown(maker, r[2])
    for name, a, b in (("add", 200, 100), ("sub", 5, 9), ("sub", 9, 5), ("sub", 6, 6)):
        for before in (is_on, (1, 0)):
            maker, r = begin(a, b, *before)
            maker.add("compare", r[2], r[3])
            maker.add(name, r[0], r[1])
            flag_shown(maker, r[0])
    for value in (129, 130, 64, 65):
        maker, r = begin(value, 9)
        maker.add("shift", r[0])
        maker.add("shift", r[1])
        maker.add("print", r[1])
        flag_shown(maker, r[0])
    for count in (3, 1):
        maker, r = begin(count, 70)
        start = len(maker.program)
        maker.add("print", r[1])
        maker.add("loop", r[0], 0, start)
        end(maker, r[0])
    maker, r = begin(6, 55, 66)
    maker.add("store", r[1], r[0])
    maker.add("print", r[0])
    maker.add("store", r[2], r[0])
    maker.add("print", r[0])
    for _ in range(4):
        maker.add("load", r[3], r[0])
        maker.add("print", r[3])
    end(maker, r[0])
    maker, r = begin(6, 99)
    for value in (21, 5, 22):
        maker.add("const", r[0], 0, value)
        maker.add("store", r[1], r[0])
        maker.add("print", r[0])
    for value in (4, 5, 6, 7):
        maker.add("const", r[0], 0, value)
        maker.add("load", r[2], r[0])
        maker.add("print", r[2])
    end(maker)
    for pops in (0, 1):
        maker, r = begin(31, 32, 33)
        over = maker.jump("always")
        start = len(maker.program)
        maker.add("print", r[0])
        if pops:
            maker.one("pop", r[2])
            maker.add("print", r[2])
            maker.one("push", r[2])
        maker.add("return")
        maker.aim(over)
        maker.jump("call", start)
        maker.add("print", r[1])
        maker.jump("call", start)
        end(maker, r[2])
    maker, r = begin(44)
    maker.add("print", r[0])
    maker.add("return")
    for name in ("add", "sub", "mul", "div", "load", "store"):
        maker, r = begin(19, 1)
        maker.add("store", r[1], r[0])
        maker.add("const", r[0], 0, 19)
        maker.add(name, r[0], r[0])
        end(maker, r[0])
    return found


@cache
def lessons(seed: int) -> list[tuple[str, str]]:
    """Programs and what they print: first with a plan, then without."""
    chance, made = random.Random(f"console samples {seed}"), processor(seed)
    found = [(code_of(maker), shown(made.run(maker.program) or ())) for maker in planned(made, chance)]
    return found + [random_program(made, chance, 2 + n // 4, 4 + n // 2) for n in range(RANDOM_SAMPLES)]


def samples(seed: int) -> list[tuple[str, str]]:
    """The lessons as the prompt shows them."""
    found = lessons(seed)
    return random.Random(f"console order {seed}").sample(found, len(found))


@cache
def cases(seed: int) -> list[tuple[str, str]]:
    """Hidden programs, twenty to a case."""
    chance, made = random.Random(f"console cases {seed}"), processor(seed)
    programs = [random_program(made, chance, 3, 30) for _ in range(PROGRAMS)]
    parts = [programs[at : at + 20] for at in range(0, PROGRAMS, 20)]
    return [("".join(f"{code}\n" for code, _ in part), "\n".join(said for _, said in part)) for part in parts]


def build(seed: int) -> Node:
    """The test of a seed."""
    shown_ = "\n".join(f"{code} prints {said}" for code, said in samples(seed))
    question = PROMPT.format(
        samples=shown_, programs=PROGRAMS, steps=MOST_STEPS, size=MOST_BYTES, longest=LONGEST
    )
    return (
        question
        >> LLMRun()
        >> ExtractCode(keep_main=True)
        >> MakeFile("solution.py")
        >> Cases(COMMAND, partial(cases, seed), files=["solution.py"], case_limit_s=5)
    )
