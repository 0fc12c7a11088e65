# Each patch goes to the place whose mean patch is the nearest, every place once.
import numpy as np
from scipy.optimize import linear_sum_assignment

x, y, test = (np.load(f"data/{name}.npy") for name in ("train_data", "train_labels", "test_data"))
means = np.stack([x[y == place].mean(0).ravel() for place in range(9)])
rows = []
for patches in test:
    away = ((patches.reshape(9, 1, -1) - means) ** 2).sum(-1)
    rows.append(linear_sum_assignment(away)[1])
np.savetxt("results/test_preds.txt", rows, fmt="%d")
