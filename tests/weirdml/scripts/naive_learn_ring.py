# The nearest mean of a state, each column scaled, as if the columns were still the same.
import numpy as np

x, y, test = (
    np.load(f"data/{name}.npy").astype(float) for name in ("train_data", "train_labels", "test_data")
)
x, test = ((each - each.mean(0)) / each.std(0) for each in (x, test))
means = np.stack([x[y == state].mean(0) for state in range(5)])
np.savetxt("results/test_preds.txt", ((test[:, None] - means) ** 2).sum(-1).argmin(1), fmt="%d")
