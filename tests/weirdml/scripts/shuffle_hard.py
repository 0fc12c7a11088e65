# Patches that touch continue each other: a linear measure of how well two borders fit, learned from the
# training items, then the best order.
import numpy as np

# include solve.py


def features(patches):
    # (N, 9, 3, 9, 9) -> (N, 9, 9, F): how badly the first one's right border fits the second one's left
    last, before = patches[..., :, -1], patches[..., :, -2]
    first, after = patches[..., :, 0], patches[..., :, 1]
    step = first[:, None] - last[:, :, None]
    expected = step - ((last - before)[:, :, None] + (after - first)[:, None]) / 2
    spread = patches.std(axis=(2, 3, 4))
    both = 0.02 + spread[:, :, None] + spread[:, None]
    mean = patches.mean(axis=(3, 4))
    far = np.abs(mean[:, :, None] - mean[:, None]).mean(-1)
    found = [np.abs(step).mean((3, 4)), np.abs(expected).mean((3, 4)), np.sqrt((step**2).mean((3, 4))),
             np.abs(step).mean(3).max(-1), far]  # fmt: skip
    found += [found[0] / both, np.abs(step.mean(3)).mean(-1), np.minimum(np.abs(step), 0.08).mean((3, 4))]
    return np.stack(found, -1)


def standard(x):
    # relative to the other candidates of the same patch, from both sides
    away = ~np.eye(9, dtype=bool)
    mean = np.stack([x[:, i, away[i]].mean(1) for i in range(9)], 1)[:, :, None]
    least = np.stack([np.sort(x[:, i, away[i]], 1)[:, :2] for i in range(9)], 1)
    least_in = np.stack([np.sort(x[:, away[:, j], j], 1)[:, :2] for j in range(9)], 1)
    rest = np.where(x == least[:, :, 0][:, :, None], least[:, :, 1][:, :, None], least[:, :, 0][:, :, None])
    rest_in = np.where(
        x == least_in[:, :, 0][:, None], least_in[:, :, 1][:, None], least_in[:, :, 0][:, None]
    )
    return np.concatenate([x, x / (rest + 0.003), x / (rest_in + 0.003), x - mean], -1)


def neighbours(labels):
    # (N, 9, 9) twice: is the second patch right of the first, below it?
    place = labels[:, :, None], labels[:, None]
    return (place[1] == place[0] + 1) & (place[0] % 3 < 2), place[1] == place[0] + 3


def fit(x, y, rounds=25):
    # logistic regression by Newton's method
    w = np.zeros(x.shape[1])
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        hessian = (x * (p * (1 - p))[:, None]).T @ x + 1e-2 * np.eye(x.shape[1])
        w += np.linalg.solve(hessian, x.T @ (y - p) - 1e-2 * w)
    return w


def both_ways(items):
    return standard(features(items)), standard(features(items.swapaxes(-1, -2)))


train, labels, test = (np.load(f"data/{name}.npy") for name in ("train_data", "train_labels", "test_data"))
across, down = both_ways(train)
is_right, is_below = neighbours(labels)
off = ~np.broadcast_to(np.eye(9, dtype=bool), is_right.shape)
x = np.concatenate([across[off], down[off]])
y = np.concatenate([is_right[off], is_below[off]]).astype(float)
mean, scale = x.mean(0), x.std(0) + 1e-6
w = fit(np.concatenate([np.clip((x - mean) / scale, -4, 4), np.ones((len(x), 1))], 1), y)


def score(x):
    found = np.clip((x - mean) / scale, -4, 4) @ w[:-1] + w[-1]
    return np.minimum(found, 0) - np.log1p(np.exp(-np.abs(found)))


def places(items):
    across, down = both_ways(items)
    return solve(np.zeros((len(items), 9, 9)), score(across), score(down))


print("train:", (places(train[:200]) == labels[:200]).mean())
np.savetxt("results/test_preds.txt", places(test), fmt="%d")
