# The nearest mean of a class in the last tenth of the training data, as if nothing moved from then on.
import numpy as np

x, y, test = (
    np.load(f"data/{name}.npy").astype(float) for name in ("train_data", "train_labels", "test_data")
)
late = np.arange(len(x)) >= 0.9 * len(x)
means = np.stack([x[late & (y == label)].mean(0) for label in range(5)])
np.savetxt("results/test_preds.txt", ((test[:, None] - means) ** 2).sum(-1).argmin(1), fmt="%d")
