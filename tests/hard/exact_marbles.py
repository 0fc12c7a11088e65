"""A board on which marbles roll over switches, drawn blind, that follows a table of states."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial

from evaluator import *

from .programs import Refused, Stuck, judge_program, lines_of

DESCRIPTION = (
    "Can the model draw a board of switches, row by row, on which marbles compute, without trying it?"
)
TAGS = ["hard", "reasoning", "code"]

WIDTH = 19
HEIGHT = 64  # the reference has 63
STATES = 7
SWITCHES = "abcd"
CASES = 100
ENTRIES = (9, 0)  # columns
PROMPT = """A board has {width} columns, numbered 0 to {last} from the left, and as many rows as you like, up to {height}. Each cell is one character:

    .       a marble falls to the same column of the next row
    \\       it goes to the column at the right (one more) of the next row
    /       it goes to the column at the left (one less) of the next row
    x       it goes on as it came into this cell: straight down, to the right or to the left; in the first row, straight down
    a b c d it goes as the switch of this letter points: to the column at the left of the next row if the switch is 0, to the
            one at the right if it is 1
    A B C D likewise, and after that the switch changes from 0 to 1 or from 1 to 0

There are four switches, a to d, not one for each cell: all cells with the letter a or A ask or change the same switch a, and so
on. A switch keeps its state from one marble to the next. A marble that leaves the board at the side is lost, which is an error; one that leaves
the last row has come out in the column that it would have in the next row.

Marbles are dropped one after the other, each when the one before has come out. Each is of type P or Q: P enters in the first row at column {p}, Q in
the first row at column {q}. The board has to keep a state, one of the numbers 0 to {most}, which is 0 at first. A marble changes it by
this table, and comes out in the column that belongs to the NEW state:

{table}

For example, after the marbles P, Q the state is {example}.

Limits: {width} columns, at most {height} rows. The board is run on {cases} hidden rows of 30 marbles, and every marble must come out where it should.

You cannot run anything. End your reply with one fenced code block: its first line is "start:" and the switches that are 1 at first, for example
"start: a c" (or only "start:" if none is), then come the rows, each of exactly {width} characters, and nothing else."""


@dataclass(frozen=True)
class Task:
    """The next states by P and by Q, and the column of each state."""

    nexts: tuple[tuple[int, ...], tuple[int, ...]]
    columns: tuple[int, ...]


def task_of(seed: int) -> Task:
    """The task of a seed."""
    for attempt in range(1_000):
        chance = random.Random(f"marbles {seed} {attempt}")
        first, second = (tuple(chance.randrange(STATES) for _ in range(STATES)) for _ in range(2))
        columns = tuple(chance.sample(range(2, WIDTH - 2, 2), STATES))
        met, todo = {0}, [0]
        while todo:
            state = todo.pop()
            for new in (first[state], second[state]):
                if new not in met:
                    met.add(new)
                    todo.append(new)
        moves = sum(each[state] != state for each in (first, second) for state in range(STATES))
        # every state is met, by many ways, and most marbles change it
        if len(met) == STATES and min(len(set(first)), len(set(second))) >= 5 and moves >= 11:
            return Task((first, second), columns)
    raise ValueError(f"no task for seed {seed}")


@dataclass(frozen=True)
class Board:
    """The switches that are 1 at first, and the rows."""

    start: str
    rows: tuple[str, ...]


def parse(text: str) -> Board:
    """The board of a program."""
    lines = lines_of(text)
    head = lines[0].lower() if lines else ""
    if not head.startswith("start:"):
        raise Refused('the first line does not begin with "start:"')
    start = head.removeprefix("start:").replace(",", " ").split()
    if not set(start) <= set(SWITCHES):
        raise Refused(f"no such switches: {head[:60]!r}")
    rows = lines[1:]
    if not 1 <= len(rows) <= HEIGHT:
        raise Refused(f"{len(rows)} rows, {HEIGHT} allowed")
    for number, row in enumerate(rows, 1):
        if len(row) != WIDTH or not set(row) <= set(r".\/x" + SWITCHES + SWITCHES.upper()):
            raise Refused(f"row {number} is not {WIDTH} signs of the board: {row[:60]!r}")
    return Board("".join(start), tuple(rows))


def run(board: Board, marbles: str) -> list[int]:
    """The columns in which the marbles come out."""
    switches = {each: int(each in board.start) for each in SWITCHES}
    columns: list[int] = []
    for marble in marbles:
        column, move = ENTRIES["PQ".index(marble)], 0
        for row in board.rows:
            cell = row[column]
            switch = cell.lower()
            if switch in switches:
                move = 2 * switches[switch] - 1
                switches[switch] ^= cell != switch
            elif cell != "x":
                move = {".": 0, "\\": 1, "/": -1}[cell]
            column += move
            if not 0 <= column < WIDTH:
                raise Stuck(f"marble {len(columns) + 1} is lost at the side")
        columns.append(column)
    return columns


def cases(seed: int) -> list[tuple[str, list[int]]]:
    """Rows of marbles, and where they come out."""
    task, chance, found = task_of(seed), random.Random(f"marbles cases {seed}"), []
    for _ in range(CASES):
        bias = chance.choice((0.2, 0.5, 0.5, 0.8))
        marbles = "".join("P" if chance.random() < bias else "Q" for _ in range(30))
        state, columns = 0, []
        for marble in marbles:
            state = task.nexts["PQ".index(marble)][state]
            columns.append(task.columns[state])
        found.append((marbles, columns))
    return found


def build(seed: int) -> Node:
    """The test of a seed."""
    task = task_of(seed)
    rows = [
        ("state", range(STATES)), ("after P", task.nexts[0]), ("after Q", task.nexts[1]), ("column of the state", task.columns),
    ]  # fmt: skip
    question = PROMPT.format(
        width=WIDTH, last=WIDTH - 1, height=HEIGHT, p=ENTRIES[0], q=ENTRIES[1], most=STATES - 1, cases=CASES,
        table="\n".join(f"    {name:20}" + "".join(f"{each:4}" for each in numbers) for name, numbers in rows),
        example=f"{task.nexts[1][task.nexts[0][0]]} and they have come out in columns {task.columns[task.nexts[0][0]]} and "
        f"{task.columns[task.nexts[1][task.nexts[0][0]]]}",
    )  # fmt: skip
    return question >> LLMRun() >> PyFunc(partial(judge_program, parse, run, partial(cases, seed)))
