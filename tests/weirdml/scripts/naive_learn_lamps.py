# The code of the nearest board with a label, lamp by lamp.
import numpy as np

few, test = (np.load(f"data/{name}.npy").astype(int) for name in ("train_data_labeled", "test_data"))
labels = np.load("data/train_labels.npy")
away = (test[:, None] != few).sum(-1)
np.savetxt("results/test_preds.txt", labels[away.argmin(1)], fmt="%d")
