# The mean cloud of each class, points taken in the order in which they come: there is nothing in that order.
import numpy as np

x, y, test = np.load("data/train_data.npy"), np.load("data/train_labels.npy"), np.load("data/test_data.npy")
means = np.stack([x[y == label].mean(0).ravel() for label in range(5)])
away = ((test.reshape(len(test), 1, -1) - means) ** 2).sum(-1)
np.savetxt("results/test_preds.txt", away.argmin(1), fmt="%d")
