"""A packing of texts bit by bit with lists and codes that adapt, known only from samples."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .cases import Cases

DESCRIPTION = (
    "Can the model infer an adaptive packing of texts from samples, bit by bit, and write its unpacker blind?"
)
TAGS = ["hard", "code", "python", "bytes"]

COMMON = "abcdefghijklmnopqrstuvwxyz .,-!?"
RAW, COPY = "raw", "copy"
ITEMS = (*COMMON, RAW, COPY)
MOST_K = 5
LONGEST = (
    4500  # bytes of a program: room for an unpacker, none for the samples and a search through all formats
)
COMMAND = f"test $(wc -c < solution.py) -le {LONGEST} && python3 -I solution.py"
WORDS = (
    "anvil", "basin", "comet", "dowel", "easel", "flint", "gusset", "hull", "ivory", "jetty", "knoll", "ladder", "mallet", "noon",
    "oak", "pebble", "quiz", "rudder", "swivel", "tappet", "umber", "vessel", "wharf", "xenon", "yaw", "zinc", "aaah", "ooo", "zzz",
    "Nora", "SOS", "1990", "42", "XX", "Bbb", "777", "a-b",
)  # fmt: skip
PROMPT = """Texts were packed by a program that is lost. Here are packed texts as hexadecimal digits, each with the text between bars below it:

{samples}

What is known about the program ("or" means: one of these always, and it can be seen which):

1. It writes bits. They fill each byte from its highest bit downwards or from its lowest bit upwards; what is left of the last byte is filled with
zeros. A number that takes a fixed count of bits has its highest bit first or its lowest bit first (the same for all such numbers).
2. At the end the bytes are changed: byte i (i = 0, 1, 2 ...) is combined by exclusive or with (key + i * step) modulo 256, or with the byte before it as sent (byte 0
with key). key and step are the same for all texts; step is at most 255.
3. A count n (0 or more) is written by one of these codes, the same everywhere. Gamma: n + 1 in binary from its highest 1 on, preceded by as many zeros as it has
bits after that 1. Fibonacci: n + 1 as the sum of different numbers out of 1, 2, 3, 5, 8, 13 ..., no two of them neighbours in this row; a bit for each number of
the row from 1 up to the largest that is used, 1 if it is used, and one more 1. Groups: n in groups of g bits (g is 2, 3 or 4; numbers of a fixed
count of bits), the lowest bits first, a bit before each group saying whether another one follows (which value means that, can be seen); no more
groups than are needed, but at least one.
4. First the count of the text's characters is written.
5. There is a list of {items} items: the 32 characters a to z, blank . , - ! and ?; "raw"; and "copy". Its order at the beginning is the same for every text, but
unknown. For each character out of the 32 its place in the list (0 is the first) is written. Any other character (capital letters and digits) is the place of "raw"
and the 7 bits of its ASCII code.
6. After a place r was written, the list changes: the item at r moves to the front, or to place r // 2 (those between move back by one), or changes places with the item
before it (none if r is 0).
7. A place r is written with a parameter k: r >> k times a bit (0 or 1), once the other bit, and then the lowest k bits of r as a number (nothing if k is 0). k is
the same at the beginning of each text, a number from 0 to {most}. After each place it may change by one, first by the rule for more, and only if that does not
apply by the rule for less. More: if (r >> k) is at least 1, or at least 2, or if r is at least 3 << k >> 1; but never above {most}. Less: if r is 0, or if
2 * r is less than 1 << k, or if r >> k is 0 and was 0 for the place before as well (with the r and k of then; not for a text's first place); but never below 0.
8. When the same character was written for the m-th time in a row (m is 2 or 3), the count of how often it follows once more comes next (it can be 0); these
repetitions are not written in any other way, and the next character starts a new row. Whether characters written as "raw" form such rows as well, can be seen. For "raw" ones that do not, and for
a copy, the row of the character before ends, and none begins.
9. A copy is the place of "copy", and then two counts: distance - 1 and length - s, or length - s and distance - 1; s is 2, 3, 4 or 5. It stands for characters of the text written before,
from that distance, one by one (so it may overlap what it writes). Copied characters change nothing in the list.

Write a Python 3 program, with the standard library only, that unpacks. It reads lines from standard input, each the hexadecimal digits of one packed text, and prints
for each the text between bars, as above, on a line of its own. It is judged by other texts packed by the same program (all as whole as these, up to 400 characters);
all must be right. The program has at most {longest} bytes, so work the format out before. You cannot run anything. Reply with the program in one
fenced block."""

Token = str | tuple[int, int]  # a character, or the distance and the length of a copy


@dataclass(frozen=True)
class Format:
    """What a seed decides; the numbers of rules are their places in the prompt."""

    highest_bit: bool
    number_high: bool
    chained: bool
    key: int
    step: int
    code: str  # gamma, fibonacci, or g and the bit that says that a group follows, as "31"
    move: str  # front, half or before
    unary: int  # the bit that is repeated
    first_k: int
    more: int
    less: int
    row: int
    raw_rows: bool
    distance_first: bool
    shortest: int
    order: tuple[str, ...] = ()


def format_of(seed: int) -> Format:
    """The format of a seed."""
    chance = random.Random(f"ribbon {seed}")
    order = list(ITEMS)
    chance.shuffle(order)
    while order.index(RAW) < 3 or order.index(COPY) < 3:
        chance.shuffle(order)

    def coin() -> bool:
        return chance.random() < 0.5

    return Format(
        highest_bit=coin(), number_high=coin(), chained=coin(), key=chance.randrange(1, 256), step=chance.randrange(1, 256),
        code=chance.choice(("gamma", "fibonacci", "fibonacci", "20", "21", "30", "31", "40", "41")), move=chance.choice(("front", "half", "half", "before")),
        unary=chance.randrange(2), first_k=chance.randint(1, 4), more=chance.randrange(3), less=chance.randrange(3), row=chance.randint(2, 3),
        raw_rows=coin(), distance_first=coin(), shortest=chance.randint(2, 5), order=tuple(order),
    )  # fmt: skip


def moved(items: list[str], place: int, move: str) -> None:
    """Change the list after a place was written."""
    to = {"front": 0, "half": place // 2, "before": max(0, place - 1)}[move]
    items.insert(to, items.pop(place))


def next_k(k: int, place: int, low_before: bool, form: Format) -> int:
    """The parameter after a place."""
    more = (place >> k >= 1, place >> k >= 2, place >= 3 << k >> 1)[form.more]
    less = (place == 0, 2 * place < 1 << k, place >> k == 0 and low_before)[form.less]
    return min(MOST_K, k + 1) if more else max(0, k - 1) if less else k


class Writer:
    """The bits of a text."""

    def __init__(self, form: Format) -> None:
        self.form, self.bits, self.items = form, list[int](), list(form.order)
        self.k, self.low_before = form.first_k, False

    def number(self, value: int, width: int) -> None:
        """A number of a fixed count of bits."""
        bits = [value >> n & 1 for n in range(width)]
        self.bits += bits[::-1] if self.form.number_high else bits

    def count(self, n: int) -> None:
        """A count by the format's code."""
        code = self.form.code
        if code == "gamma":
            bits = [int(each) for each in f"{n + 1:b}"]
            self.bits += [0] * (len(bits) - 1) + bits
        elif code == "fibonacci":
            row, rest = [1, 2], n + 1
            while row[-1] <= rest:
                row.append(row[-1] + row[-2])
            used = []
            for each in reversed(row):
                used.append(int(each <= rest))
                rest -= each * used[-1]
            first = used.index(1)
            self.bits += [*used[first:][::-1], 1]
        else:
            width, follows = int(code[0]), int(code[1])
            while True:
                n, group = n >> width, n & (1 << width) - 1
                self.bits.append(follows if n else 1 - follows)
                self.number(group, width)
                if not n:
                    break

    def place(self, item: str) -> None:
        """The place of an item."""
        place = self.items.index(item)
        self.bits += [self.form.unary] * (place >> self.k) + [1 - self.form.unary]
        self.number(place & (1 << self.k) - 1, self.k)
        k, self.k = self.k, next_k(self.k, place, self.low_before, self.form)
        self.low_before = place >> k == 0
        moved(self.items, place, self.form.move)

    def sent(self) -> str:
        """The changed bytes as hexadecimal digits."""
        bits = self.bits + [0] * (-len(self.bits) % 8)
        out: list[int] = []
        for at in range(0, len(bits), 8):
            eight = bits[at : at + 8] if self.form.highest_bit else bits[at : at + 8][::-1]
            byte = int("".join(map(str, eight)), 2)
            n = at // 8
            chain = out[-1] if out else self.form.key
            out.append(byte ^ (chain if self.form.chained else (self.form.key + n * self.form.step) % 256))
        return bytes(out).hex()


def text_of(tokens: Sequence[Token]) -> str:
    """The text."""
    text = ""
    for token in tokens:
        if isinstance(token, str):
            text += token
        else:
            for _ in range(token[1]):
                text += text[-token[0]]
    return text


def packed(tokens: Sequence[Token], form: Format) -> str:
    """The text packed."""
    writer = Writer(form)
    writer.count(len(text_of(tokens)))
    at, row, last = 0, 0, ""
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if not isinstance(token, str):
            writer.place(COPY)
            counts = [token[0] - 1, token[1] - form.shortest]
            for count in counts if form.distance_first else counts[::-1]:
                writer.count(count)
            row, last = 0, ""
            continue
        writer.place(token if token in COMMON else RAW)
        if token not in COMMON:
            writer.number(ord(token), 7)
            if not form.raw_rows:
                row, last = 0, ""
                continue
        row = row + 1 if token == last else 1
        last = token
        if row == form.row:
            follows = 0
            while at < len(tokens) and tokens[at] == token:
                at, follows = at + 1, follows + 1
            writer.count(follows)
            row, last = 0, ""
    return writer.sent()


def copies(chance: random.Random, tokens: list[Token], form: Format, size: int) -> None:
    """Add a copy from somewhere."""
    distance = chance.choice((1, size, chance.randint(1, size), chance.randint(1, min(size, 9))))
    length = form.shortest + chance.choice((0, 1, 2, chance.randint(0, 30)))
    tokens.append((distance, length))


def random_text(chance: random.Random, form: Format, parts: int) -> list[Token]:
    """Tokens of a text of any kind."""
    tokens: list[Token] = list(chance.choice(WORDS))
    for _ in range(parts):
        kind = chance.choice(("word", "word", "word", "row", "copy", "sign"))
        if kind == "word":
            tokens += chance.choice(WORDS) + chance.choice((" ", " ", "", ". ", ", ", "!", "?", "-"))
        elif kind == "row":
            tokens += chance.choice(COMMON + "AZ09") * chance.choice((2, 3, 4, 5, 9, 20))
        elif kind == "sign":
            tokens += chance.choices(COMMON + "QRST5678", k=chance.randint(1, 3))
        else:
            size = len(text_of(tokens))
            copies(chance, tokens, form, size)
    return tokens


@cache
def samples(seed: int) -> list[tuple[str, str]]:
    """Packed samples with their texts: each feature alone, then together."""
    chance, form = random.Random(f"ribbon samples {seed}"), format_of(seed)
    all_of_them: list[Token] = list(COMMON)
    chance.shuffle(all_of_them)
    words = [each for each in WORDS[:26] if len(set(each)) == len(each)]
    a, b, c = (list[Token](each) for each in chance.sample(words, 3))
    s = form.shortest
    texts: list[Sequence[Token]] = [
        [],
        *(list[Token](each) for each in chance.sample(COMMON, 4)),
        ["e", "t"],
        ["e", "t", "e", "t", "e", "t", "e", "e"],
        ["o", "o", "o"],
        ["n"] * 8,
        ["K"],
        ["K", "K", "K", "K", "K"],
        ["7", "x", "7", "7"],
        a,
        [*b, " ", *c],
        all_of_them,
        [*a, (5 if len(a) > 4 else 3, s)],
        [*b, *a, (2, s + 7), ".", (1, s + 1)],
        [*all_of_them[::-1], *all_of_them[5:20], *all_of_them[9:25]],
        *(random_text(chance, form, parts) for parts in (3, 5, 8, 12, 16, 24)),
    ]
    return [(packed(each, form), text_of(each)) for each in texts]


@cache
def cases(seed: int) -> list[tuple[str, str]]:
    """Hidden texts, twenty to a case."""
    chance, form = random.Random(f"ribbon cases {seed}"), format_of(seed)
    made = []
    for _ in range(10):
        texts: list[Sequence[Token]] = []
        while len(texts) < 20:
            tokens = random_text(chance, form, chance.randint(0, 30))
            if len(text_of(tokens)) <= 400:
                texts.append(tokens)
        given = "".join(packed(each, form) + "\n" for each in texts)
        made.append((given, "\n".join(f"|{text_of(each)}|" for each in texts)))
    return made


def build(seed: int) -> Node:
    """The test of a seed."""
    shown = "\n".join(f"{code}\n|{text}|" for code, text in samples(seed))
    question = PROMPT.format(samples=shown, items=len(ITEMS), most=MOST_K, longest=LONGEST)
    return (
        question
        >> LLMRun()
        >> ExtractCode(keep_main=True)
        >> MakeFile("solution.py")
        >> Cases(COMMAND, partial(cases, seed), files=["solution.py"], case_limit_s=5)
    )
