"""A circuit drawn with eighty gates, whose outputs are to be found for some inputs."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all
from .drawing import Canvas, circle

DESCRIPTION = "Can the model read a circuit of eighty gates from a drawing and evaluate it without an error?"
TAGS = ["hard", "vision", "circuits"]

ROWS, COLUMNS, WORDS = 16, 5, 6  # gates of a column, columns, inputs to be evaluated: the knobs
PITCH, TRACK, BOX, TALL, TOP = (
    59,
    8,
    32,
    46,
    30,
)  # pixels between rows and tracks; of a gate; to the first row
LEFT, STAGE = 42, 196  # where the first channel begins; from one to the next
BUBBLE = 4
ALIVE = 0.94  # the least share of gates whose failure would show in the answer
SIGNS = ("&", "1", "=1")
WIRE = "#1c1c1c"
QUESTION = f"""The picture shows a circuit with {ROWS} inputs at the left and {ROWS} outputs at the right, both numbered 1 to {ROWS} from top to bottom. All signals are
0 or 1 and run from left to right. All wires are level or upright. Where a wire forks there is a dot; where wires cross without a dot they have
nothing to do with each other. A corner is no fork and has no dot.

Each box is a gate with two or three inputs at its left and one output at its right:
- & gives 1 if all its inputs are 1, otherwise 0.
- 1 gives 1 if one or more of its inputs are 1, otherwise 0.
- =1 gives 1 if an odd number of its inputs are 1, otherwise 0.
A small circle where a wire meets a gate inverts: at an input it turns what comes in, at the output what the gate gives.

The circuit gets each of these inputs (the first digit is input 1, the last one input {ROWS}):

{{words}}

Which outputs does it give? End your reply with {WORDS} lines of {ROWS} digits, the first digit for output 1, such as

W1: {"01" * (ROWS // 2)}"""


@dataclass(frozen=True)
class Gate:
    """`pins`: the rows of the column before whose outputs it gets, from top to bottom, and whether each is inverted."""

    sign: str
    pins: tuple[tuple[int, bool], ...]
    inverted: bool

    def value(self, before: list[bool]) -> bool:
        """What it gives if the column before gives that."""
        its = [before[row] != turned for row, turned in self.pins]
        given = {"&": all(its), "1": any(its), "=1": sum(its) % 2 == 1}[self.sign]
        return given != self.inverted


@dataclass(frozen=True)
class Circuit:
    """Gates by column and row, and the track of each signal of the column before."""

    columns: tuple[tuple[Gate, ...], ...]
    tracks: tuple[tuple[int, ...], ...]
    words: tuple[str, ...]

    def outputs(self, word: str, broken: tuple[int, int] | None = None) -> str:
        """What it gives; `broken`: the column and row of a gate that gives the opposite."""
        signals = [each == "1" for each in word]
        for number, column in enumerate(self.columns):
            signals = [gate.value(signals) != ((number, row) == broken) for row, gate in enumerate(column)]
        return "".join("01"[each] for each in signals)


def column_of(chance: random.Random) -> tuple[Gate, ...]:
    """Gates that together use each signal."""
    while True:
        sizes = [chance.choice((2, 3)) for _ in range(ROWS)]
        spare = sum(sizes) - ROWS
        rows = [
            *range(ROWS),
            *chance.sample(range(ROWS), min(spare, ROWS)),
            *chance.choices(range(ROWS), k=max(0, spare - ROWS)),
        ]
        chance.shuffle(rows)
        gates = []
        for size in sizes:
            its = [rows.pop() for _ in range(size)]
            if len(set(its)) < size:
                break
            sign = chance.choice(SIGNS)
            pins = tuple((row, sign != "=1" and chance.random() < 0.35) for row in its)
            gates.append(Gate(sign, pins, chance.random() < 0.35))
        else:
            return tuple(gates)


@cache
def circuit(seed: int) -> Circuit:
    """The circuit of a seed."""
    chance = random.Random(f"gates {seed}")
    while True:
        made = Circuit(
            tuple(column_of(chance) for _ in range(COLUMNS)),
            tuple(tuple(chance.sample(range(ROWS), ROWS)) for _ in range(COLUMNS)),
            tuple("".join(chance.choices("01", k=ROWS)) for _ in range(WORDS)),
        )
        right = [made.outputs(word) for word in made.words]
        gates = [(column, row) for column in range(COLUMNS) for row in range(ROWS)]
        alive = sum([made.outputs(word, gate) for word in made.words] != right for gate in gates)
        if alive >= ALIVE * len(gates):
            return made


def height(column: int, row: int) -> float:
    """The middle of a gate; column -1 has the inputs."""
    return TOP + PITCH * row + (PITCH // 2 if column % 2 else 0)


def pin_heights(column: int, row: int, gate: Gate) -> list[float]:
    """Where the inputs of a gate are, from top to bottom."""
    apart = (-14, 0, 14) if len(gate.pins) == 3 else (-10, 10)
    return [height(column, row) + each for each in apart]


def bubble(canvas: Canvas, x: float, y: float) -> None:
    """A circle that inverts."""
    canvas.disc(x, y, BUBBLE + 0.5, WIRE)
    canvas.area([circle(x, y, BUBBLE - 1)], "#ffffff")


@cache
def picture(seed: int) -> bytes:
    """The drawing."""
    made, canvas = circuit(seed), Canvas(LEFT + STAGE * COLUMNS + 22, TOP * 2 + PITCH * ROWS - 24)
    for row in range(ROWS):
        canvas.text(LEFT - 22, height(-1, row), str(row + 1))
    for number, column in enumerate(made.columns):
        begin = LEFT + STAGE * number
        gate_at = begin + STAGE - BOX - 20
        ends: list[list[float]] = [[] for _ in range(ROWS)]
        for row, gate in enumerate(column):
            for (source, _), y in zip(gate.pins, pin_heights(number, row, gate), strict=True):
                ends[source].append(y)
        for source, ys in enumerate(ends):
            x, y = begin + 8 + TRACK * made.tracks[number][source], height(number - 1, source)
            low, high = min(*ys, y), max(*ys, y)
            canvas.rectangle(begin - 8, y - 0.75, x + 0.75, y + 0.75, WIRE)
            canvas.rectangle(x - 0.75, low - 0.75, x + 0.75, high + 0.75, WIRE)
            for each in ys:
                canvas.rectangle(x - 0.75, each - 0.75, gate_at, each + 0.75, WIRE)
            for each in (*ys, y):
                if low < each < high:
                    canvas.disc(x, each, 3.3, WIRE)
        for row, gate in enumerate(column):
            y = height(number, row)
            canvas.rectangle(gate_at, y - TALL / 2, gate_at + BOX, y + TALL / 2, WIRE)
            canvas.rectangle(
                gate_at + 1.5, y - TALL / 2 + 1.5, gate_at + BOX - 1.5, y + TALL / 2 - 1.5, "#eef3fb"
            )
            canvas.text(gate_at + BOX / 2, y, gate.sign)
            for (_, turned), at in zip(gate.pins, pin_heights(number, row, gate), strict=True):
                if turned:
                    bubble(canvas, gate_at - BUBBLE, at)
            canvas.rectangle(gate_at + BOX, y - 0.75, begin + STAGE - 6, y + 0.75, WIRE)
            if gate.inverted:
                bubble(canvas, gate_at + BOX + BUBBLE, y)
    for row in range(ROWS):
        canvas.text(LEFT + STAGE * COLUMNS - 2, height(COLUMNS - 1, row), str(row + 1), anchor=0)
    return canvas.png()


def wanted(seed: int) -> dict[str, str]:
    """The outputs of each word."""
    made = circuit(seed)
    return {f"W{n}": made.outputs(word) for n, word in enumerate(made.words, 1)}


def agrees(said: str, outputs: str) -> bool:
    """Whether the digits are the outputs, whatever blanks stand between them."""
    return re.sub(r"[\s,]", "", said) == outputs


def build(seed: int) -> Node:
    """The test of a seed."""
    words = "\n".join(f"W{n}: {word}" for n, word in enumerate(circuit(seed).words, 1))
    return (
        Image(partial(picture, seed))
        >> LLMVisionRun(QUESTION.format(words=words), llm=LLM)
        >> PyFunc(partial(judge_all, partial(wanted, seed), agrees))
    )
