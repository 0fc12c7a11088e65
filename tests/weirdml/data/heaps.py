"""A game of four heaps whose rules are secret, records of games that were played at random, and who wins at best.

A move takes a fixed number of stones from one heap. Which moves are allowed depends on a state that nobody sees: each
move changes it, so all moves since the beginning count, and the last few say nothing. The first moves of the records
show the states one after the other. Nearly right rules are worth little: one wrong move changes who wins
in most positions above it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .made import Made
from .streams import Array, Stream

HEAPS = 4
LEAST, LARGEST = 8, 15  # stones in a heap, in the beginning
KINDS = ((1, 3), (1, 2), (2, 3), (1, 4))  # what may be taken from each heap
STATES = 5
ALLOWED = 4  # kinds of moves in each state
OPEN = (2, 9)  # moves made in records that are not finished
LABELLED = 300


@dataclass(frozen=True)
class Rules:
    """`takes`: (kinds, HEAPS), the stones of each kind of move. `allowed`: (STATES, kinds). `turns`: (kinds, STATES),
    the state after a move of each kind. The first state is 0."""

    takes: Array
    allowed: Array
    turns: Array

    def legal(self, heaps: Array, state: int) -> Array:
        """The kinds of moves that may be made."""
        return np.flatnonzero(self.allowed[state] & (heaps >= self.takes).all(1))


def rules(key: str, task: str) -> Rules:
    """The rules. No two states allow the same, and no move leaves all states as they are."""
    heaps = [(heap, stones) for heap, each in enumerate(KINDS) for stones in each]
    takes = np.zeros((len(heaps), HEAPS), dtype=np.int64)
    for kind, (heap, stones) in enumerate(heaps):
        takes[kind, heap] = stones
    attempt = 0
    while True:
        stream = Stream(key, task, "rules", attempt)
        attempt += 1
        allowed = np.stack([stream.order(len(heaps)) < ALLOWED for _ in range(STATES)])
        turns = np.stack([stream.order(STATES) for _ in heaps])
        apart = (allowed[:, None] != allowed).sum(-1) + 9 * np.eye(STATES, dtype=np.int64)
        if apart.min() >= 4 and (turns != np.arange(STATES)).any(1).all() and allowed.any(0).all():
            return Rules(takes, allowed, turns)


def solved(game: Rules) -> Array:
    """For each state and position whether the player to move wins, who loses if there is no move."""
    shape = (LARGEST + 1,) * HEAPS
    heaps = np.indices(shape).reshape(HEAPS, -1)
    total = heaps.sum(0)
    won = np.zeros((STATES, *shape), dtype=bool)
    for stones in range(total.max() + 1):
        here = heaps[:, total == stones]
        for state in range(STATES):
            wins = np.zeros(here.shape[1], dtype=bool)
            for kind in np.flatnonzero(game.allowed[state]):
                legal = (here >= game.takes[kind][:, None]).all(0)
                after = here[:, legal] - game.takes[kind][:, None]
                wins[legal] |= ~won[(int(game.turns[kind, state]), *after)]
            won[(state, *here)] = wins
    return won


def heaps(key: str, task: str, train: int, test: int) -> Made:
    """The data of learn_heaps; `train`: finished games. Half of those that are not finished are won."""
    game = rules(key, task)
    won = solved(game)

    def played(stream: Stream, most: int) -> tuple[str, int, int]:
        """A record of at most so many moves; how many there are; whether the player to move wins."""
        at = LEAST + (stream.words(HEAPS) % np.uint64(LARGEST - LEAST + 1)).astype(np.int64)
        line, state = [at], 0
        while len(line) <= most and len(legal := game.legal(at, state)):
            kind = legal[stream.below(len(legal))]
            at, state = at - game.takes[kind], game.turns[kind, state]
            line.append(at)
        return (
            " > ".join(" ".join(map(str, each)) for each in line) + "\n",
            len(line) - 1,
            int(won[(state, *at)]),
        )

    def drawn(part: str, count: int) -> tuple[str, Array]:
        wins = (np.arange(count) % 2)[Stream(key, task, part, "order").order(count)]
        lines, stream = [], Stream(key, task, part)
        for wanted in wins:
            while True:
                most = OPEN[0] + stream.below(OPEN[1] - OPEN[0] + 1)
                line, moves, is_won = played(stream, most)
                if moves == most and is_won == wanted:
                    break
            lines.append(line)
        return "".join(lines), wins

    few, labels = drawn("labelled", LABELLED)
    others, right = drawn("test", test)
    finished = (played(Stream(key, task, "game", number), HEAPS * LARGEST) for number in range(train))
    public: dict[str, Array | str] = {
        "train_games.txt": "".join(line for line, _, _ in finished),
        "train_open.txt": few,
        "train_labels.npy": labels,
        "test_open.txt": others,
    }
    return Made(public, right)
