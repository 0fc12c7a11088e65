# The readings fall into kinds. From one entry of a kind to the next of the same kind the class stays, unless an entry of one of
# two kinds lies between: after either, all classes change places, always in the same way. So what each does to
# the classes can be counted, and followed through the whole log.
import numpy as np
from scipy.cluster.vq import kmeans2

x, y, test = (
    np.load(f"data/{name}.npy").astype(float) for name in ("train_data", "train_labels", "test_data")
)
y = y.astype(int)
data, train, CLASSES = np.concatenate([x, test]), len(x), 1 + y.max()


def clusters(count):
    best = None
    for seed in range(30):
        middle, kind = kmeans2(data, count, minit="++", seed=seed)
        loss = ((data - middle[kind]) ** 2).sum()
        if best is None or loss < best[0]:
            best = loss, kind
    return best


losses = [clusters(count)[0] for count in range(2, 13)]
count = 2 + int(
    np.argmax(np.array(losses[:-2]) / losses[1:-1] * (np.array(losses[1:-1]) / losses[2:] < 1.25)) + 1
)
kind = clusters(count)[1]
print("kinds", count, np.bincount(kind))

# pairs: an entry, the next one of its kind, and which kinds lie between (the first of the two counts as well)
pairs, last = [], {}
for at in range(train):
    if kind[at] in last:
        pairs.append((last[kind[at]], at))
    last[kind[at]] = at
between = np.array([np.bincount(kind[i:j], minlength=count) for i, j in pairs])
changed = np.array([y[i] != y[j] for i, j in pairs])
ranked = sorted(
    (-(changed == (between[:, [a, b]].sum(1) > 0)).mean(), a, b) for a in range(count) for b in range(a)
)
print("changes are explained", ranked[:3])
movers = ranked[0][1:]

turns = {}
for mover, other in (movers, movers[::-1]):
    seen = np.zeros((CLASSES, CLASSES))
    for (i, j), some in zip(pairs, between, strict=True):
        if some[mover] == 1 and some[other] == 0:
            seen[y[i], y[j]] += 1
    print(seen.astype(int))
    turns[mover] = seen.argmax(1)

# the class that each kind had in the beginning, by undoing the changes; then forward through all
now, first = np.arange(CLASSES), np.zeros((count, CLASSES))
ways = []
for at in range(len(data)):
    ways.append(now)
    if at < train:
        first[kind[at], np.argsort(now)[y[at]]] += 1
    if kind[at] in turns:
        now = turns[kind[at]][now]
print(first.astype(int))
told = [way[first[each].argmax()] for way, each in zip(ways, kind, strict=True)]
print("fits", np.mean(told[:train] == y))
np.savetxt("results/test_preds.txt", told[train:], fmt="%d")
