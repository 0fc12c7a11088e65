# The symbol is a sum of the dials modulo seven, written in secret: sum of w[i] * dial[i] = value[symbol] (mod 7). That
# is one equation in 24 + 7 unknowns for each item. Small random samples of the items mostly hold one or two misread
# labels, but now and then none, and then the equations have a solution that fits nearly all items.
import numpy as np

P = 7
x, y, test = (np.load(f"data/{name}.npy").astype(int) for name in ("train_data", "train_labels", "test_data"))
rows = np.concatenate([x, -np.eye(P, dtype=int)[y]], 1) % P
inverse = [0] + [pow(n, -1, P) for n in range(1, P)]


def nullspace(rows):
    rows, pivots, at = rows.copy(), [], 0
    for column in range(rows.shape[1]):
        found = np.flatnonzero(rows[at:, column])
        if not len(found):
            continue
        rows[[at, at + found[0]]] = rows[[at + found[0], at]]
        rows[at] = rows[at] * inverse[rows[at, column]] % P
        others = np.arange(len(rows)) != at
        rows[others] = (rows[others] - np.outer(rows[others, column], rows[at])) % P
        pivots.append(column)
        at += 1
        if at == len(rows):
            break
    free = [column for column in range(rows.shape[1]) if column not in pivots]
    if len(free) != 1:
        return None
    found = np.zeros(rows.shape[1], int)
    found[free[0]] = 1
    found[pivots] = -rows[: len(pivots), free[0]] % P
    return found


random, best, agreed = np.random.default_rng(0), None, 0
for _ in range(2000):
    found = nullspace(rows[random.choice(len(rows), rows.shape[1] - 1, replace=False)])
    if found is None or len(set(found[24:])) < P:
        continue
    if (fits := (rows @ found % P == 0).mean()) > agreed:
        best, agreed = found, fits
        print("agrees with", fits)
        if fits > 0.8:
            break
symbol = {int(value): number for number, value in enumerate(best[24:])}
told = [symbol[int(value)] for value in test @ best[:24] % P]
np.savetxt("results/test_preds.txt", told, fmt="%d")
