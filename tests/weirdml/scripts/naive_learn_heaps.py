# How often positions with a heap of that size are won, as if the heaps had nothing to do with each other.
import numpy as np

x, y, test = (np.load(f"data/{name}.npy").astype(int) for name in ("train_data", "train_labels", "test_data"))
rate = np.array([((x == size).any(1) & (y == 1)).sum() + 1 for size in range(48)], float)
rate /= np.array([(x == size).any(1).sum() + 2 for size in range(48)])
told = np.log(rate / (1 - rate))[test].sum(1) > 0
np.savetxt("results/test_preds.txt", told.astype(int), fmt="%d")
