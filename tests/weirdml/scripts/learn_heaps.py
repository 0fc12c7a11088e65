# The moves of the records are of a few kinds, each a fixed number of stones from one heap. Which kinds come first, which
# second after each first, and so on: only a few sets of kinds ever occur, each a state of the game. So the states, and
# which move leads from which to which, are read off the records. Then all positions in all states are solved, those with
# the fewest stones first.
import numpy as np


def read(name):
    return [
        np.array([[int(each) for each in at.split()] for at in line.split(" > ")])
        for line in open("data/" + name)
    ]


games, few, test = read("train_games.txt"), read("train_open.txt"), read("test_open.txt")
y = np.load("data/train_labels.npy")
records = games + few + test
takes = np.unique(np.concatenate([-np.diff(each, axis=0) for each in records]), axis=0)
number = {tuple(each): kind for kind, each in enumerate(takes)}
moves = [[number[tuple(each)] for each in -np.diff(record, axis=0)] for record in records]
most = takes.max(0)

states, turns = [], {}  # the kinds that each state allows; (state, kind) -> state
waiting = [None]
while waiting:
    step = waiting.pop(0)
    # what comes next where the way so far is known, and then this step is made
    seen = np.zeros(len(takes), int)
    for record, kinds in zip(records, moves, strict=True):
        state, way = 0, None  # the first step is none
        for at, kind in enumerate(kinds):
            if way == step and (record[at] >= most).all():
                seen[kind] += 1
            way = (state, kind)
            if way not in turns:
                if way == step and at + 1 < len(kinds) and (record[at + 1] >= most).all():
                    seen[kinds[at + 1]] += 1
                break
            state = turns[way]
    here = frozenset(np.flatnonzero(seen > 0.02 * seen.sum()).tolist())
    same = [old for old, each in enumerate(states) if len(each ^ here) <= 1]
    print(step, seen, "known" if same else "new")
    if step is not None:
        turns[step] = same[0] if same else len(states)
    if not same:
        waiting += [(len(states), kind) for kind in sorted(here)]
        states.append(here)

SIZES = 1 + max(record.max() for record in records)
every = np.indices((SIZES,) * takes.shape[1]).reshape(takes.shape[1], -1).T
total, won = every.sum(1), np.zeros((len(states), *(SIZES,) * takes.shape[1]), bool)
for stones in range(total.max() + 1):
    here = every[total == stones]
    for state, allowed in enumerate(states):
        wins = np.zeros(len(here), bool)
        for kind in allowed:
            may = (here >= takes[kind]).all(1)
            wins[may] |= ~won[(turns[state, kind], *(here[may] - takes[kind]).T)]
        won[(state, *here.T)] = wins


def told(record):
    state = 0
    for step in -np.diff(record, axis=0):
        state = turns[state, number[tuple(step)]]
    return int(won[(state, *record[-1])])


print("with a label", np.mean([told(each) for each in few] == y))
np.savetxt("results/test_preds.txt", [told(each) for each in test], fmt="%d")
