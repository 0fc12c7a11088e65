# Every shape of a kind lies on the same outline: learn where its points fall, and compare.
import numpy as np

train, labels = np.load("data/train_data.npy"), np.load("data/train_labels.npy")
test = np.load("data/test_data.npy")
BINS = 64


def cells(points):
    index = np.minimum((points * BINS).astype(int), BINS - 1)
    return index[..., 1] * BINS + index[..., 0]


def smooth(grid, rounds=1):
    for _ in range(rounds):
        padded = np.pad(grid, 1, mode="edge")
        grid = (2 * grid + padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]) / 6
    return grid


def densities(items, classes):
    found = []
    for label in range(5):
        counts = np.zeros(BINS * BINS)
        for row in cells(items[classes == label]):
            np.add.at(counts, np.unique(row), 1.0)  # once an item: dense noise must not count often
        found.append(smooth(counts.reshape(BINS, BINS)).ravel() / (classes == label).sum())
    return np.stack(found)


def tell(items, rates):
    # How likely is it that a cell holds a point at all, and that it holds none?
    seen = np.zeros((len(items), BINS * BINS), bool)
    for at, row in enumerate(cells(items)):
        seen[at, row] = True
    rates = np.clip(rates, 0.01, 0.99)
    odds = np.log(rates) - np.log1p(-rates)
    weight = rates.std(0) > 0.02  # cells in which the classes differ
    return (seen[:, weight] @ odds[:, weight].T + np.log1p(-rates[:, weight]).sum(1)).argmax(1)


half = len(train) // 2
print("held out:", (tell(train[half:], densities(train[:half], labels[:half])) == labels[half:]).mean())
np.savetxt("results/test_preds.txt", tell(test, densities(train, labels)), fmt="%d")
