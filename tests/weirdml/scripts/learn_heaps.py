# A game in which each move changes one heap: by the theorem of Sprague and Grundy a position is lost if the nimbers of
# its heaps cancel out by exclusive or. So each bit of the nimbers is a function on sizes whose sum over the heaps of
# every lost position is even: a linear equation. A few labels are wrong, so random samples of the equations are
# solved, and what fits nearly all lost positions is kept.
import numpy as np

x, y, test = (np.load(f"data/{name}.npy").astype(int) for name in ("train_data", "train_labels", "test_data"))
SIZES = 1 + max(x.max(), test.max())


def counts(data):
    return sum(np.eye(SIZES, dtype=np.uint8)[data[:, heap]] for heap in range(data.shape[1])) % 2


def nullspace(rows):
    rows, pivots, at = rows.copy(), [], 0
    for column in range(SIZES):
        found = np.flatnonzero(rows[at:, column])
        if not len(found):
            continue
        rows[[at, at + found[0]]] = rows[[at + found[0], at]]
        others = rows[:, column].astype(bool)
        others[at] = False
        rows[others] ^= rows[at]
        pivots.append(column)
        at += 1
        if at == len(rows):
            break
    basis = []
    for free in sorted(set(range(SIZES)) - set(pivots)):
        one = np.zeros(SIZES, np.uint8)
        one[free] = 1
        one[pivots] = rows[: len(pivots), free]
        basis.append(one)
    return basis


lost, won = counts(x[y == 0]).astype(int), counts(x[y == 1]).astype(int)
random, kept = np.random.default_rng(0), {}
for _ in range(4000):
    chosen = lost[random.choice(len(lost), SIZES + 4, replace=False)].astype(np.uint8)
    for one in nullspace(chosen):
        even = (lost @ one % 2 == 0).mean()
        if even > 0.85 and one.any():
            kept[one.tobytes()] = even, one
# of these, the few that tell lost positions from won ones together; near misses of a true function are many
functions = np.stack([one for _, one in sorted(kept.values(), key=lambda each: -each[0])]).astype(int)
chosen, best = [], 0
while True:
    found = []
    for one in functions:
        bits = np.stack([*chosen, one])
        found.append((lost @ bits.T % 2 == 0).all(1).mean() - (won @ bits.T % 2 == 0).all(1).mean())
    if max(found) < best + 0.02:
        break
    best = max(found)
    chosen.append(functions[int(np.argmax(found))])
bits = np.stack(chosen)
print(len(kept), "functions, taken", len(bits), "which tell", best)
told = (counts(test).astype(int) @ bits.T % 2).any(1)
np.savetxt("results/test_preds.txt", told.astype(int), fmt="%d")
