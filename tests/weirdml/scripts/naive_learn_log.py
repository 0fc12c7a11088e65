# The class of the entry with the nearest readings.
import numpy as np

x, y, test = (np.load(f"data/{name}.npy") for name in ("train_data", "train_labels", "test_data"))
told = [y[((x - each) ** 2).sum(1).argmin()] for each in test]
np.savetxt("results/test_preds.txt", told, fmt="%d")
