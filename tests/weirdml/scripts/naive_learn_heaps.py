# The nearest open record: by the heaps as they are in the end, and the number of moves made.
import numpy as np


def read(name):
    lines = [line.split(" > ") for line in open("data/" + name)]
    return np.array([[len(line), *map(int, line[-1].split())] for line in lines])


few, test, y = read("train_open.txt"), read("test_open.txt"), np.load("data/train_labels.npy")
away = np.abs(test[:, None] - few).sum(-1)
np.savetxt("results/test_preds.txt", y[away.argmin(1)], fmt="%d")
