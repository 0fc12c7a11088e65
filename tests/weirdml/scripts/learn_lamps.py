# Lamps that mostly agree, or mostly disagree, whatever all others show, are neighbours: partial correlations leave two
# maps that have nothing to do with each other. On each, things hang together, on a ground that is the larger rest. How many
# there are on the one and on the other decides the label; by what rule, the labelled ones tell.
import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

names = ("train_data_unlabeled", "train_data_labeled", "train_labels", "test_data")
load = {name: np.load(f"data/{name}.npy").astype(int) for name in names}
every = np.concatenate([each for name, each in load.items() if name != "train_labels"])
agree = np.corrcoef(every.T)
n = len(agree)
inverse = np.linalg.inv(agree + 0.02 * np.eye(n))
partial = -inverse / np.sqrt(np.outer(np.diag(inverse), np.diag(inverse)))
near = partial * np.sign(agree)
np.fill_diagonal(near, 0)
links = near > 0.15
print("partial correlations", np.histogram(near, bins=np.arange(-0.1, 0.6, 0.05)))
groups = connected_components(csr_matrix(links), directed=False)[1]
maps = [np.flatnonzero(groups == number) for number in np.argsort(-np.bincount(groups))[:2]]
print("maps of", [len(each) for each in maps], "links", links.sum() // 2)

# the right way round: along the links
sign = np.zeros(n)
for each in maps:
    sign[each[0]], waiting = 1, [each[0]]
    while waiting:
        at = waiting.pop()
        for other in np.flatnonzero(links[at] & (sign == 0)):
            sign[other] = sign[at] * np.sign(agree[at, other])
            waiting.append(other)
turned = (sign < 0).astype(int)


def counted(reading, lamps):
    found = []
    for value in (0, 1):
        spots = lamps[(reading ^ turned)[lamps] == value]
        if len(spots):
            parts = connected_components(csr_matrix(links[np.ix_(spots, spots)]), directed=False)[1]
            sizes = np.bincount(parts)
            found.append((sizes.max(), (sizes >= 4).sum()))
    return min(5, max(1, min(found)[1]))  # the ground is the side with the largest part


def pairs(data):
    return np.array([[counted(reading, lamps) for lamps in maps] for reading in data])


# what the label is by the two numbers: some whole-number combination modulo the number of labels
labels, few, test = load["train_labels"], pairs(load["train_data_labeled"]), pairs(load["test_data"])
table = np.zeros((6, 6, 5), int)
np.add.at(table, (few[:, 0], few[:, 1], labels), 1)
print(table[1:, 1:].argmax(2))
fits = {
    (a, b, c): np.mean((few @ (a, b) + c) % 5 == labels) for a in range(5) for b in range(5) for c in range(5)
}
a, b, c = max(fits, key=fits.get)
print("label = ", a, b, c, "modulo 5:", fits[a, b, c])
np.savetxt("results/test_preds.txt", (test @ (a, b) + c) % 5, fmt="%d")
