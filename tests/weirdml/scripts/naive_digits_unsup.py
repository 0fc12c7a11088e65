# The nearest of the labelled pictures, pixel by pixel.
import numpy as np

few = np.load("data/train_data_labeled.npy").reshape(26, -1).astype(float)
labels = np.load("data/train_labels.npy")
test = np.load("data/test_data.npy").reshape(500, -1).astype(float)
away = ((test[:, None] - few) ** 2).sum(-1)
np.savetxt("results/test_preds.txt", labels[away.argmin(1)], fmt="%d")
