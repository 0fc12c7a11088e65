# Detectors that look at neighbouring spots mostly agree, or, if one of them is wired the wrong way round, mostly disagree.
# The strongest links make the grid; along the strongest of all, each detector is set right. Then things are what
# hangs together on the grid, not too small, and the table is the larger rest.
import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

load = {
    name: np.load(f"data/{name}.npy").astype(int)
    for name in ("train_data_unlabeled", "train_data_labeled", "train_labels", "test_data")
}
every = np.concatenate([each for name, each in load.items() if name != "train_labels"])
agree = np.corrcoef(every.T)
n = len(agree)
near = np.abs(agree)
np.fill_diagonal(near, 0)

# the right way round: by the tree of the strongest links
tree = minimum_spanning_tree(1.01 - near).toarray() > 0
tree |= tree.T
sign, waiting = np.zeros(n), [0]
sign[0] = 1
while waiting:
    at = waiting.pop()
    for other in np.flatnonzero(tree[at] & (sign == 0)):
        sign[other] = sign[at] * np.sign(agree[at, other])
        waiting.append(other)
turned = (sign < 0).astype(int)

best = np.argsort(-near, axis=1)[:, :4]
links = np.zeros((n, n), bool)
for at in range(n):
    links[at, best[at]] = True
links &= links.T


def counted(reading):
    found = []
    for value in (0, 1):
        spots = np.flatnonzero((reading ^ turned) == value)
        if len(spots):
            parts = connected_components(csr_matrix(links[np.ix_(spots, spots)]), directed=False)[1]
            sizes = np.bincount(parts)
            found.append((sizes.max(), (sizes >= 4).sum()))
    return min(6, max(1, min(found)[1]))  # the table is the side with the largest part


told = [counted(each) for each in load["train_data_labeled"]]
print("labelled", np.mean(told == load["train_labels"]))
np.savetxt("results/test_preds.txt", [counted(each) for each in load["test_data"]], fmt="%d")
