# Leave the patches as they are.
import numpy as np

test = np.load("data/test_data.npy")
np.savetxt("results/test_preds.txt", np.tile(np.arange(9), (len(test), 1)), fmt="%d")
